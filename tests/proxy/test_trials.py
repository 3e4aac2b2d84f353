"""A skill on trial, seen by the agent and by the scribe."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from metaclaw_tray.skills.fields import Entry
from metaclaw_tray.skills.live import LiveSkill
from metaclaw_tray.skills.retrieval import Index
from metaclaw_tray.skills.trials import Previous, RunningTrial
from metaclaw_tray.store.records import ArmDecided, BlockInjected, OfTrial, SkillWithheld, TurnBegun
from proxy.house import House


@pytest.fixture
def tried(house: House) -> House:
    house.library.add("dates")
    house.library.trials.replace([RunningTrial("t1", "dates", 1, 4)])
    return house


async def test_every_other_session_has_the_skill_and_the_scribe_is_told(tried: House) -> None:
    carried = []
    for session in ("a", "b", "c", "d"):
        response = await tried.say("what dates", X_Session_Id=session)
        carried.append(response.headers.get("x-metaclaw-skills", ""))
    assert carried == ["dates@1", "", "dates@1", ""]
    assert [each.arm for each in tried.pipe.of(ArmDecided)] == ["with", "without", "with", "without"]
    begun = [each for each in await tried.begun(4) if each.session_id.endswith("/b")]
    (withheld,) = [each for each in tried.pipe.of(SkillWithheld) if each.session_id.endswith("/b")]
    assert withheld.anchor == begun[0].openings[-1]
    assert len(tried.pipe.of(BlockInjected)) == 2


async def test_what_else_fits_is_put_in_where_the_skill_is_withheld(tried: House) -> None:
    tried.library.add("times")
    for session in ("a", "b"):
        response = await tried.say("what dates and times", X_Session_Id=session)
    assert response.headers["x-metaclaw-skills"] == "times@1"


async def test_where_an_update_is_tried_the_others_have_the_version_before_it_and_keep_it(
    house: House,
) -> None:
    house.library.add("dates")
    before = Previous(LiveSkill("dates", 7, "[the note before]", 100), None)
    house.library.trials.replace([RunningTrial("t1", "dates", 1, 2, {}, before)])
    carried = []
    for session in ("a", "b", "c"):
        response = await house.say("what dates", X_Session_Id=session)
        carried.append(response.headers.get("x-metaclaw-skills", ""))
    assert carried == ["dates@1", "dates@7", "dates@7"], "and whoever has no place any more"
    bodies = [str(each.json) for each in house.upstream.seen]
    assert ["[the note before]" in body for body in bodies] == [False, True, True]
    (withheld,) = [each for each in house.pipe.of(SkillWithheld) if each.session_id.endswith("/b")]
    assert (withheld.version, withheld.instead) == (1, 7)
    blocks = {each.session_id[-1]: list(each.skills) for each in house.pipe.of(BlockInjected)}
    assert blocks == {"a": ["dates@1"], "b": ["dates@7"], "c": ["dates@7"]}


async def test_the_version_before_stands_only_where_it_would_have_been_found(house: House) -> None:
    house.library.add("dates")
    found_by = Index([Entry("dates", "Times of day. Use when writing a time.", ("time of day",))])
    before = Previous(LiveSkill("dates", 7, "[the note before]", 100), found_by)
    house.library.trials.replace([RunningTrial("t1", "dates", 1, 4, {"claw/b": "without"}, before)])
    response = await house.say("what dates", X_Session_Id="b")
    assert "x-metaclaw-skills" not in response.headers
    response = await house.say("what dates, and the time of day", X_Session_Id="b")
    assert response.headers["x-metaclaw-skills"] == "dates@7"


async def test_a_session_in_which_it_fits_nothing_takes_no_place(tried: House) -> None:
    await tried.say("hello", X_Session_Id="a")
    await tried.say("what dates", X_Session_Id="b")
    (arm,) = tried.pipe.of(ArmDecided)
    assert arm.session_id == "claw/b"


async def test_places_wait_for_room_in_a_full_pipe(tried: House) -> None:
    tried.pipe.full = True
    await tried.say("what dates", X_Session_Id="a")
    await tried.say("what dates", X_Session_Id="b")
    tried.pipe.full = False
    await tried.say("hello", X_Session_Id="c")
    assert [each.arm for each in tried.pipe.of(ArmDecided)] == ["with", "without"]
    assert len(tried.pipe.of(SkillWithheld)) == 1
    assert tried.pipe.of(TurnBegun)


async def test_a_broken_trial_never_breaks_the_agent(tried: House) -> None:
    tried.library.trials.replace([])
    tried.library.trials._trials = None  # type: ignore[assignment]
    tried.library.trials.withhold = None  # type: ignore[assignment, method-assign]
    response = await tried.say("what dates", X_Session_Id="a")
    assert response.status == 200
    assert tried.proxy.counters.faults == 1


async def test_a_trial_that_says_the_same_for_ever_never_stops_the_agent(
    tried: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def withhold(
        skills: Sequence[str], session_id: str, anchor: bytes, at: float, *, remember: bool
    ) -> list[OfTrial]:
        return [SkillWithheld(anchor, session_id, "another", 1, "t1", at)]

    monkeypatch.setattr(tried.library, "withhold", withhold)
    assert (await tried.say("what dates", X_Session_Id="a")).status == 200
