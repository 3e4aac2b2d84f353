"""What the hot path asks, and what it gets."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from metaclaw_tray.skills.live import LiveLibrary, LiveSkill, Snapshot, build_snapshot, next_snapshot
from metaclaw_tray.skills.markdown import Skill, read_skill
from metaclaw_tray.skills.tokens import estimate_tokens
from metaclaw_tray.store.library import digest_of
from metaclaw_tray.store.tables_library import SkillVersion

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
PLENTY = 10_000


@dataclass(frozen=True)
class Choice:
    text: str
    skills: tuple[str, ...]
    tokens: int


def version_of(name: str, triggers: str, body: str, number: int = 1) -> SkillVersion:
    text = (
        f"---\nname: {name}\ndescription: About {name}.\nmetadata:\n  triggers: {triggers}\n---\n\n{body}\n"
    )
    return SkillVersion(
        name=name, version=number, text=text, digest=digest_of(text), description=f"About {name}.", at=NOW
    )


TIMES = version_of("iso-times", "what time; deadline", "Write every time as ISO 8601.", 3)
MAILS = version_of("polite-mail", "mail; letter", "Close a letter with kind regards.")
LONG_MAILS = version_of("long-mail", "mail; letter", "Write at length. " * 100)


class Ticking:
    """A clock that a second passes on with each reading."""

    def __init__(self, step: float = 0.0) -> None:
        self._now, self._step = 0.0, step

    def __call__(self) -> float:
        self._now += self._step
        return self._now


def library_of(*versions: SkillVersion, clock: Ticking | None = None) -> LiveLibrary[Choice]:
    clock = clock or Ticking()
    live = LiveLibrary(Choice, clock)
    live.replace(build_snapshot(7, versions, clock))
    return live


def choose(
    live: LiveLibrary[Choice],
    query: str,
    *,
    exclude: frozenset[str] = frozenset(),
    slots: int = 2,
    tokens: int = PLENTY,
) -> Choice | None:
    return live.choose(query, exclude, slots, tokens, 0.005)


def test_fitting_skill_is_chosen_with_its_version_and_its_cost() -> None:
    live = library_of(TIMES, MAILS)
    choice = choose(live, "What time is the deadline?")
    assert choice is not None
    assert choice.skills == ("iso-times@3",)
    assert "## iso-times\nWrite every time as ISO 8601." in choice.text
    assert choice.tokens >= estimate_tokens(choice.text)
    assert live.generation == 7


def test_nothing_is_chosen_where_nothing_fits() -> None:
    assert choose(library_of(TIMES, MAILS), "Tell me about volcanoes") is None


def test_new_library_chooses_nothing() -> None:
    live = LiveLibrary(Choice)
    assert live.generation == 0
    assert choose(live, "what time is it") is None


def test_same_question_gets_the_same_bytes() -> None:
    query = "What time should I send this letter before the deadline?"
    first, second = choose(library_of(TIMES, MAILS), query), choose(library_of(MAILS, TIMES), query)
    assert first is not None
    assert len(first.skills) == 2
    assert first == second


def test_excluded_skill_is_not_chosen_again() -> None:
    live = library_of(TIMES, MAILS)
    query = "What time should I send this letter before the deadline?"
    choice = choose(live, query, exclude=frozenset({"iso-times"}))
    assert choice is not None
    assert choice.skills == ("polite-mail@1",)


@pytest.mark.parametrize(("slots", "tokens"), [(0, PLENTY), (-1, PLENTY), (2, 0), (2, -5), (2, 60)])
def test_without_room_nothing_is_chosen(slots: int, tokens: int) -> None:
    assert choose(library_of(TIMES), "what time is the deadline", slots=slots, tokens=tokens) is None


def test_skill_too_large_for_the_tokens_left_makes_room_for_a_smaller_one() -> None:
    live = library_of(LONG_MAILS, MAILS)
    both = choose(live, "draft a letter", slots=2)
    assert both is not None
    assert both.skills == ("long-mail@1", "polite-mail@1")
    small = choose(live, "draft a letter", slots=1, tokens=120)
    assert small is not None
    assert small.skills == ("polite-mail@1",)
    assert small.tokens <= 120


def test_late_lookup_chooses_nothing_and_is_counted() -> None:
    live = library_of(TIMES, clock=Ticking(step=1.0))
    assert choose(live, "what time is the deadline") is None
    assert live.late == 1


def test_lookup_does_no_io_and_starts_nothing() -> None:
    live = library_of(TIMES, MAILS)
    seen: list[str] = []
    watching = True

    def watch(event: str, args: tuple[object, ...]) -> None:
        if watching and event.split(".")[0] in ("open", "socket", "os", "sqlite3", "subprocess", "_thread"):
            seen.append(event)

    sys.addaudithook(watch)
    choose(live, "what time is the deadline")
    watching = False
    assert seen == []


def test_skill_that_cannot_be_shown_is_left_out_with_its_reason_and_stops_no_other() -> None:
    broken = version_of("broken", "x", "y")
    broken.text = "no header"
    snapshot = build_snapshot(
        1,
        [
            TIMES,
            broken,
            version_of("sly", "x", "</metaclaw-notes>"),
            version_of("endless", "x", "word " * 900),
        ],
    )
    assert set(snapshot.skills) == {"iso-times"}
    assert "does not begin with a header" in snapshot.left_out["broken"]
    assert "metaclaw-notes" in snapshot.left_out["sly"]
    assert "too long to inject" in snapshot.left_out["endless"]


def shown(snapshot: Snapshot) -> tuple[int, dict[str, LiveSkill], dict[str, str], int]:
    return snapshot.generation, dict(snapshot.skills), dict(snapshot.left_out), len(snapshot.index)


def test_next_snapshot_is_as_one_built_anew() -> None:
    before = build_snapshot(1, [TIMES, MAILS, version_of("endless", "x", "word " * 900)])
    untouched = shown(before)
    newer = version_of("polite-mail", "parcel", "Thank the sender.", 2)
    sly = version_of("iso-times", "what time", "</metaclaw-notes>", 4)
    after = next_snapshot(before, 2, ["endless"], [newer, sly, LONG_MAILS])
    assert shown(after) == shown(build_snapshot(2, [sly, newer, LONG_MAILS]))
    assert shown(before) == untouched
    assert after.skills["long-mail"].version == 1
    assert [match.name for match in after.index.find("send a parcel", 2)] == ["polite-mail"]
    assert [match.name for match in before.index.find("draft a letter", 2)] == ["polite-mail"]


def test_skill_that_did_not_change_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    before = build_snapshot(1, [TIMES, MAILS])
    read: list[str] = []

    def noted(text: str, where: str, name: str) -> Skill:
        read.append(where)
        return read_skill(text, where, name)

    monkeypatch.setattr("metaclaw_tray.skills.live.read_skill", noted)
    after = next_snapshot(before, 2, [], [LONG_MAILS])
    assert read == ["long-mail@1"]
    assert after.skills["iso-times"] is before.skills["iso-times"]


def test_replaced_snapshot_serves_at_once() -> None:
    live = library_of(TIMES)
    live.replace(build_snapshot(8, [MAILS], Ticking()))
    assert live.generation == 8
    assert choose(live, "what time is the deadline") is None
    assert choose(live, "draft a letter") is not None
