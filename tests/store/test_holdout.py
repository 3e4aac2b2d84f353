"""What is kept aside, for what, and for ever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import Session

from metaclaw_tray.store import claims, corrections, forgetting, holdout, learning, leaving, turns
from metaclaw_tray.store.claims import ClaimConflictError
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.holdout import share_of
from metaclaw_tray.store.learning import Piece, Ruling
from metaclaw_tray.store.leaving import Which
from metaclaw_tray.store.recorder import Recorder
from metaclaw_tray.store.tables import ClaimUse
from store.conversation import Client, agent, person
from support.clock import FakeClock

TAGS = st.text("0123456789abcdef", min_size=16, max_size=16)


@given(TAGS, st.lists(TAGS, max_size=5), st.lists(TAGS, max_size=5))
def test_all_of_a_path_lies_in_one_share(root: str, one: list[str], other: list[str]) -> None:
    assert share_of("/".join([root, *one])) == share_of("/".join([root, *other])) == share_of(root)


def test_each_share_is_a_tenth_and_they_have_nothing_in_common() -> None:
    counted = Counter(share_of(f"{number:016x}") for number in range(20_000))
    assert counted.keys() == {None, ClaimUse.HOLDOUT_SKILL, ClaimUse.HOLDOUT_POLICY}
    assert 1800 < counted[ClaimUse.HOLDOUT_SKILL] < 2200
    assert 1800 < counted[ClaimUse.HOLDOUT_POLICY] < 2200


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "store.sqlite3", FakeClock())
    yield opened
    opened.close()


class Talks:
    """Conversations of two exchanges each, judged as a test wants them, found by the share they lie in."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._count = 0
        self._recorder = Recorder(store.read(turns.node_key))

    def begin(self, share: ClaimUse | None, score: int | None = None, kind: str = "") -> tuple[str, str]:
        """A conversation in this share; the ids of its two exchanges. The first has this verdict."""
        while True:
            self._count += 1
            client = Client(self._store.read(turns.node_key), session=f"s{self._count}")
            opening = f"heading number {self._count}"
            one = client.begin([person(opening)])
            two = client.begin([person(opening), agent("A"), person("and another")])
            if share_of(one.openings[0][:8].hex()) is share:
                break

        def write(db: Session) -> tuple[str, str]:
            for record in (one, client.end(one, agent("A")), two, client.end(two, agent("B"))):
                self._recorder.apply(db, record)
            made = [turns.turn(db, each.turn_id).turn for each in (one, two)]
            if score is not None:
                learning.add_verdict(
                    db, made[0].id, made[0].exchange_id, Ruling(score, (), "", kind), "m", FakeClock().now()
                )
            return made[0].exchange_id, made[1].exchange_id

        return self._store.write(write)


@pytest.fixture
def talks(store: Store) -> Talks:
    return Talks(store)


def found(store: Store) -> dict[str, holdout.Candidate]:
    return {each.exchange_id: each for each in store.read(holdout.candidates)}


def test_what_is_kept_aside_for_skills_and_what_went_well_elsewhere_can_be_measured_on(
    store: Store, talks: Talks
) -> None:
    held = talks.begin(ClaimUse.HOLDOUT_SKILL, -1, "dates")
    good = talks.begin(None, 1)
    talks.begin(None, -1, "dates")
    talks.begin(ClaimUse.HOLDOUT_POLICY, 1)
    seen = found(store)
    assert set(seen) == {*held, good[0]}
    assert (seen[held[0]].score, seen[held[0]].kind, seen[held[0]].held_out) == (-1, "dates", True)
    assert seen[held[1]].score is None
    assert (seen[good[0]].held_out, seen[good[0]].words[:7]) == (False, "heading")


def test_what_taught_or_lies_on_a_path_that_taught_is_not_measured_on(store: Store, talks: Talks) -> None:
    first, second = talks.begin(ClaimUse.HOLDOUT_SKILL, 1)
    store.write(lambda db: claims.claim(db, [second], ClaimUse.SUPPORT, "run", FakeClock().now()))
    assert found(store) == {}
    assert store.write(lambda db: holdout.set_aside(db, [first, second], "gate", FakeClock().now())) == []


def test_what_was_set_aside_serves_again_and_never_teaches_or_trains(store: Store, talks: Talks) -> None:
    first, second = talks.begin(None, 1)
    for purpose in ("gate-1", "gate-2"):
        aside = store.write(
            lambda db, purpose=purpose: holdout.set_aside(db, [first, "gone"], purpose, FakeClock().now())
        )
        assert aside == [first]
    assert first in found(store)
    for use in (ClaimUse.SUPPORT, ClaimUse.TRAIN, ClaimUse.HOLDOUT_POLICY):
        with pytest.raises(ClaimConflictError):
            store.write(lambda db, use=use: claims.claim(db, [second], use, "run", FakeClock().now()))


def test_what_was_forgotten_is_not_measured_on(store: Store, talks: Talks) -> None:
    first, _ = talks.begin(ClaimUse.HOLDOUT_SKILL, 1)
    store.write(lambda db: holdout.set_aside(db, [first], "gate", FakeClock().now()))

    def forget(db: Session) -> None:
        chosen = leaving.chosen(db, Which(agent="agent"))
        forgetting.forget(db, chosen, FakeClock().now(), learnt=True)

    store.write(forget)
    assert found(store) == {}


def test_a_rule_that_waits_to_teach_is_not_taken_to_measure_another_skill(store: Store, talks: Talks) -> None:
    told, _ = talks.begin(ClaimUse.HOLDOUT_SKILL)

    def rule(db: Session) -> None:
        turn = turns.turns_of(db, told)[0].id
        learning.add_verdict(
            db, turn, told, Ruling(-1, (), "", instruction="Always in capitals."), "m", FakeClock().now()
        )

    store.write(rule)
    assert told not in found(store)
    assert store.write(lambda db: holdout.set_aside(db, [told], "gate", FakeClock().now())) == []
    store.write(lambda db: claims.claim(db, [told], ClaimUse.SUPPORT, "run", FakeClock().now()))


def test_what_lies_on_the_path_of_a_rule_that_has_not_taught_yet_is_left_alone(
    store: Store, talks: Talks
) -> None:
    before, after = talks.begin(ClaimUse.HOLDOUT_SKILL, -1)

    def tell(db: Session) -> None:
        ruling = Ruling(-1, (), "", "", "Always in capitals.")
        turn = turns.turns_of(db, after)[0]
        learning.add_verdict(db, turn.id, after, ruling, "m", FakeClock().now())

    store.write(tell)
    assert store.read(holdout.candidates) == []
    now = FakeClock().now()
    assert store.write(lambda db: holdout.set_aside(db, [before, after], "gate", now)) == []
    store.write(lambda db: claims.claim(db, [after], ClaimUse.SUPPORT, "run", now))  # nothing bars it


def test_a_remark_is_no_request_and_tells_of_the_one_before_it(store: Store, talks: Talks) -> None:
    asked, remark = talks.begin(ClaimUse.HOLDOUT_SKILL, -1)

    def correct(db: Session) -> None:
        turn = turns.turns_of(db, asked)[0]
        said = [Piece("correction", -1, "person", "in capitals")]
        learning.add_evidence(db, asked, said, FakeClock().now(), turn.id)

    assert len(store.read(holdout.candidates)) == 2
    store.write(correct)
    (only,) = store.read(holdout.candidates)
    assert (only.exchange_id, only.said) == (asked, "in capitals")
    assert store.read(lambda db: corrections.requests_behind(db, [asked, remark])) == {remark: asked}
