"""From graded pairs to one of four words, and to a sentence that a person understands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.learning.grading import Graded, Mark
from metaclaw_tray.learning.probes import Origin, Probe, Remark
from metaclaw_tray.learning.weighing import Replay, Stop, Tally
from metaclaw_tray.store.outcomes import Outcome

_SCORES = {Mark.WIN: (-1.0, 1.0), Mark.TIE: (0.5, 0.5), Mark.LOSS: (1.0, -1.0), Mark.UNSCORED: (None, None)}
_MARKS = {"+": Mark.WIN, "=": Mark.TIE, "-": Mark.LOSS, "?": Mark.UNSCORED}


def replay(origin: Origin, mark: Mark, group: str, tools: bool = False) -> Replay:
    messages = ({"role": "user", "content": "request"},)
    probe = Probe(
        origin, group, "request", messages, Remark("said"), tools=({"type": "function"},) if tools else ()
    )
    return Replay(probe, "a", "b", Graded(mark, *_SCORES[mark], how="likelihood"))


def tally(held_out: str = "", synthetic: str = "", near: str = "", source: str = "") -> Tally:
    """A mark for each request: + won, = tied, - lost, ? nobody could say."""
    rows = ((Origin.SOURCE, source), (Origin.HELD_OUT, held_out))
    rows += ((Origin.SYNTHETIC, synthetic), (Origin.NEAR, near))
    made = Tally("seed")
    for origin, marks in rows:
        for place, mark in enumerate(marks):
            group = "source" if origin is Origin.SYNTHETIC else f"{origin}-{place}"
            made.add(replay(origin, _MARKS[mark], group))
    return made


@pytest.mark.parametrize(
    ("found", "outcome", "reason"),
    [
        (tally("++++", "+++", "="), Outcome.BETTER, "better on 7 of 7 requests it was not taught on, 3 of"),
        (tally("+++", "++++", "="), Outcome.PROMISING, "better on 7 of 7"),  # four exchanges may be luck
        (
            tally("++++=++=+", near="===="),
            Outcome.BETTER,
            "better on 7 of 9 requests it was not taught on; no",
        ),
        (
            tally("", "+++++++"),
            Outcome.PROMISING,
            "promising: better on 7 of 7 requests it was not taught on, all",
        ),
        (tally("+", "++++++"), Outcome.PROMISING, "6 of them invented"),
        (tally("-+", "++++++++"), Outcome.PROMISING, "better on 9 of 10"),
        (tally("", "++++=+=="), Outcome.PROMISING, "better on 5 of 8"),
        (tally("", "+"), Outcome.PROMISING, "better on 1 of 1"),
        (tally("", "+++====="), Outcome.SAME, "better on 3 of 8"),
        (tally("", "========"), Outcome.SAME, "no difference: better on 0 of 8"),
        (tally("", "++--"), Outcome.SAME, "worse on 2"),
        (tally("", "-"), Outcome.SAME, "worse on 1"),
        (tally("", "--"), Outcome.WORSE, "worse on 2"),
        (tally("---"), Outcome.WORSE, "worse on 3"),
        (tally("+++", "++++", "--"), Outcome.WORSE, "worse on 2 of 2 others that went well"),
        (tally("++++", "+++", "-=-+"), Outcome.BETTER, "worse on 2 of 4 others that went well"),
        (tally("", "???"), Outcome.SAME, "no pair of answers could be judged"),
        (tally("?", "+?"), Outcome.PROMISING, "better on 1 of 1"),
        (tally(source="++"), Outcome.SAME, "no pair of answers could be judged"),
        (tally(source="----", held_out="++++", synthetic="+++"), Outcome.BETTER, "better on 7 of 7"),
    ],
)
def test_what_was_found_in_a_word_and_a_sentence(found: Tally, outcome: Outcome, reason: str) -> None:
    assert found.outcome is outcome
    assert reason in found.reason


def test_what_is_unsure_is_said() -> None:
    assert tally("", "+++").reason == (
        "promising: better on 3 of 3 requests it was not taught on, all of them invented; "
        "whether it harms others could not be seen yet"
    )
    assert tally("+++++++", near="=").reason == (
        "better on 7 of 7 requests it was not taught on; no harm on 1 other"
    )


def test_what_was_cut_short_is_promising_at_most_and_says_so() -> None:
    found = tally("+++++++", near="=")
    assert found.outcome is Outcome.BETTER
    found.spent = True
    assert (found.outcome, found.stopped()) == (Outcome.PROMISING, Stop.SPENT)
    assert found.reason.endswith("; it ended early: what it was to take at most was used up")
    assert found.figures()["stop"] == Stop.SPENT.value


def test_that_no_tool_was_run_is_said() -> None:
    found = tally("++++++")
    found.add(replay(Origin.HELD_OUT, Mark.WIN, "x", tools=True))
    assert found.reason.endswith("; no tool was run, where there are some the next message was compared")
    assert found.figures()["tools"] == 1


@pytest.mark.parametrize(
    ("found", "stop"),
    [
        (tally(), None),
        (tally("++++++"), None),
        (tally("++++", "+++"), Stop.DECIDED),
        (tally("---"), Stop.DECIDED),
        (tally("=" * 40), None),
        (tally("+++-" * 6), Stop.DECIDED),
        (tally("++-+-" * 4 + "++-+"), Stop.CUT_OFF),
        (tally("+", near="--"), Stop.HARM),
        (tally("+", near="-+-"), None),
        (tally(source="+" * 30), None),
    ],
)
def test_when_enough_is_known(found: Tally, stop: Stop | None) -> None:
    assert found.stopped() is stop


MARKS = st.text("+=-?", max_size=30)


@given(MARKS, MARKS)
def test_invented_requests_alone_never_make_a_skill_better(synthetic: str, near: str) -> None:
    assert tally("", synthetic, near).outcome is not Outcome.BETTER


@given(MARKS, MARKS, MARKS, MARKS)
def test_what_taught_it_never_counts(held_out: str, synthetic: str, near: str, source: str) -> None:
    with_source, without = tally(held_out, synthetic, near, source), tally(held_out, synthetic, near)
    assert with_source.outcome is without.outcome
    assert with_source.means() == without.means()


@given(MARKS, MARKS, st.text("=?", max_size=4))
def test_two_net_losses_on_what_went_well_are_always_worse(held_out: str, synthetic: str, ties: str) -> None:
    assert tally(held_out, synthetic, f"--{ties}").outcome is Outcome.WORSE


def test_what_makes_no_difference_or_harms_is_not_offered() -> None:
    assert [each for each in Outcome if each.offered] == [Outcome.BETTER, Outcome.PROMISING]


def test_the_pair_to_show_is_one_that_was_won_and_the_persons_own_where_there_is_one() -> None:
    assert tally("=+", "++", source="+").figures()["shown"] == 2
    assert tally("==", "++", source="=+").figures()["shown"] == 1
    assert tally("==").figures()["shown"] is None


def test_the_interval_counts_exchanges_and_not_requests() -> None:
    assert tally("", "+++++").figures()["interval"] is None, "all of one exchange"
    low, high = tally("++=+-++").figures()["interval"]
    assert -1 <= low < high <= 1
