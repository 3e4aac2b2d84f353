"""Places in a trial, in memory."""

from __future__ import annotations

from metaclaw_tray.skills.trials import RunningTrial, Trials
from metaclaw_tray.store.records import ArmDecided, OfTrial, SkillWithheld

ANCHOR = b"a" * 16


def running(*, sessions: int = 4, arms: dict[str, str] | None = None) -> Trials:
    trials = Trials()
    trials.replace([RunningTrial("t1", "dates", 2, sessions, arms or {})])
    return trials


def say(trials: Trials, session: str, *, remember: bool = True) -> list[OfTrial]:
    return trials.withhold(("times@1", "dates@2"), session, ANCHOR, 7.0, remember=remember)


def test_sessions_take_their_places_in_turn_and_keep_them() -> None:
    trials = running()
    for session, arm in (("a", "with"), ("b", "without"), ("c", "with"), ("d", "without")):
        first, *withheld = say(trials, session)
        assert first == ArmDecided("t1", session, arm, 7.0)
        assert withheld == ([] if arm == "with" else [SkillWithheld(ANCHOR, session, "dates", 2, "t1", 7.0)])
    assert say(trials, "a") == []
    assert say(trials, "b") == [SkillWithheld(ANCHOR, "b", "dates", 2, "t1", 7.0)]


def test_a_session_beyond_the_last_place_goes_without_and_takes_none() -> None:
    trials = running(sessions=1)
    say(trials, "a")
    assert say(trials, "b") == [SkillWithheld(ANCHOR, "b", "dates", 2, "t1", 7.0)]


def test_what_is_only_asked_about_takes_no_place() -> None:
    trials = running()
    assert say(trials, "a", remember=False) == []
    assert say(trials, "b") == [ArmDecided("t1", "b", "with", 7.0)]
    assert say(trials, "c", remember=False) == [SkillWithheld(ANCHOR, "c", "dates", 2, "t1", 7.0)]
    assert say(trials, "d")[0] == ArmDecided("t1", "d", "without", 7.0)


def test_places_of_an_earlier_run_and_those_not_stored_yet_are_kept() -> None:
    trials = running(arms={"a": "without"})
    assert [type(each) for each in say(trials, "a")] == [SkillWithheld]
    say(trials, "b")  # without: the second place
    trials.replace([RunningTrial("t1", "dates", 2, 4, {"a": "without"})])
    assert [type(each) for each in say(trials, "b")] == [SkillWithheld]


def test_without_a_trial_nothing_is_withheld() -> None:
    trials = running()
    trials.replace([])
    assert say(trials, "a") == []
