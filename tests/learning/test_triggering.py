"""A new skill is found for the requests that it is for, or it is not offered."""

from __future__ import annotations

import pytest

from learning.stand_in import StandIn
from metaclaw_tray.learning.evolver import Draft
from metaclaw_tray.learning.triggering import MOST, Phrases, Reach, Requests, made_findable, unfindable
from metaclaw_tray.skills.markdown import Skill, read_skill, write_skill
from metaclaw_tray.store.tables_library import ProposalOp, SkillVersion

BODY = "# Weight\n\nGive every weight in kilograms."
TAUGHT = (
    "How heavy is the parcel for Bremen?",
    "Tell Ruth how heavy the suitcase is.",
    "The anvil: how heavy is it?",
    "Say in one sentence how heavy a piano is.",
)
ALIKE = ("How heavy is the boat?", "How heavy are the tiles?")


def draft(*triggers: str, description: str = "Kilograms. Use when wrong.") -> Draft:
    text = write_skill(Skill("weight", description, BODY, metadata={"triggers": "; ".join(triggers)}))
    return Draft(ProposalOp.CREATE, "weight", text, BODY, "")


def triggers(made: Draft) -> tuple[str, ...]:
    return read_skill(made.text, "weight").triggers


async def found(
    model: StandIn, made: Draft, requests: Requests, *others: SkillVersion, slots: int = 2
) -> tuple[Draft, Reach]:
    return await made_findable(model, made, requests, others, slots)


async def test_a_skill_that_its_requests_find_is_left_as_it_is_and_nobody_is_asked() -> None:
    model = StandIn()
    made, reach = await found(model, draft("heavy", "weight"), Requests(TAUGHT, ALIKE))
    assert triggers(made) == ("heavy", "weight")
    assert model.asked == []
    assert str(reach) == "found for 4 of 4 requests that taught it and 2 of 2 invented ones"


async def test_the_model_is_shown_what_was_missed_and_what_finds_more_is_taken() -> None:
    model = StandIn().will(Phrases(["pounds", "How Heavy", "kilograms"]))
    made, reach = await found(model, draft("wrong unit"), Requests(TAUGHT, ALIKE))
    assert triggers(made) == ("wrong unit", "how heavy")
    assert reach.enough
    assert all(request in model.seen for request in TAUGHT)


async def test_what_the_requests_share_is_added_where_the_models_phrases_do_not_find_them() -> None:
    model = StandIn().will(Phrases(["pounds", "units"]))
    made, reach = await found(model, draft("wrong unit"), Requests(TAUGHT, ALIKE))
    assert triggers(made) == ("wrong unit", "how heavy")
    assert reach == Reach(4, 4, 2, 2)


@pytest.mark.parametrize("answer", [None, Phrases([]), Phrases([" ; "])])
async def test_a_model_that_says_nothing_usable_stops_nothing(answer: Phrases | None) -> None:
    model = StandIn().will(*([answer] if answer else []))
    _, reach = await found(model, draft("wrong unit"), Requests(TAUGHT))
    assert reach.enough


async def test_what_only_one_request_has_is_no_phrase_and_what_stays_unfound_is_not_offered() -> None:
    taught = ("How do I reach Bremen?", "The anvil, please.", "Count the tiles.")
    made, reach = await found(StandIn(), draft("wrong unit"), Requests(taught))
    assert triggers(made) == ("wrong unit",)
    assert not reach.enough
    assert unfindable(reach) == "it would not be used: it is found for 0 of 3 requests that taught it"


async def test_a_single_request_is_found_by_what_was_invented_beside_it_shares() -> None:
    made, _ = await found(StandIn(), draft("wrong unit"), Requests(TAUGHT[:1], ALIKE))
    assert triggers(made) == ("wrong unit", "how heavy")


async def test_no_phrase_is_added_or_kept_that_what_went_well_holds_as_often() -> None:
    good = ("Is the anvil a heavy tool?", "Which metal is heavy?", "What is wrong here?")
    model = StandIn().will(Phrases(["heavy"]))
    made, reach = await found(model, draft("wrong"), Requests(TAUGHT[:2], (), good))
    assert triggers(made) == ("how heavy",)
    assert reach.enough


async def test_it_must_be_found_beside_the_skills_that_there_are() -> None:
    metadata = {"triggers": "how heavy; heavy"}
    rival = write_skill(Skill("rival", "Heavy. Use when heavy.", "Text.", metadata=metadata))
    version = SkillVersion(name="rival", version=1, text=rival, description="")
    _, reach = await found(StandIn(), draft("parcel"), Requests(TAUGHT[:1]), version, slots=1)
    assert reach.taught == 0
    _, reach = await found(StandIn(), draft("parcel"), Requests(TAUGHT[:1]), version, slots=2)
    assert reach.taught == 1


async def test_phrases_have_a_limit() -> None:
    many = [f"word{number}" for number in range(MOST)]
    made, _ = await found(StandIn().will(Phrases(["heavy"])), draft(*many), Requests(TAUGHT))
    assert len(triggers(made)) == MOST
