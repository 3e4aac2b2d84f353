"""Notes reach the model where they belong, and stay there."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from metaclaw_tray.proxy import Anchors, Block, Choice
from metaclaw_tray.proxy.injection import NotReadyError
from metaclaw_tray.store.records import BlockInjected, TurnBegun
from proxy.house import House, open_house

SYSTEM = {"role": "system", "content": "Be brief."}
TITLES = {"role": "system", "content": "You are a title generator. You output only a title."}
RESULT = {"role": "tool", "tool_call_id": "1", "content": "42"}


def sent(house: House, place: int = -1) -> list[Any]:
    """The texts of the messages that the upstream saw."""
    return [message["content"] for message in house.upstream.seen[place].json["messages"]]


async def test_the_first_note_stands_behind_the_clients_own_system_text(house: House) -> None:
    house.library.add("dates")
    response = await house.say(SYSTEM, {"role": "user", "content": "about dates"})
    note = house.library.skills["dates"][0]
    assert sent(house) == [f"Be brief.\n\n{note}", "about dates"]
    assert response.headers["x-metaclaw-skills"] == "dates@1"
    assert response.headers["x-metaclaw-generation"] == "1"
    injected, begun = house.pipe.records[:2]
    assert isinstance(injected, BlockInjected)
    assert isinstance(begun, TurnBegun)
    assert (injected.anchor, injected.block, injected.skills) == (begun.nodes[0], note, ["dates@1"])
    assert json.loads(begun.body)["messages"][1]["content"] == "about dates", (
        "the record is what the person said"
    )
    assert begun.generation == injected.generation == 1
    assert house.library.asked == [("about dates", frozenset(), 2, 1600)]


async def test_a_later_note_ends_the_persons_own_message(house: House) -> None:
    house.library.add("dates")
    house.library.add("cats")
    talk: list[Any] = [SYSTEM, {"role": "user", "content": "about dates"}]
    await house.say(*talk)
    first = sent(house)
    talk += [{"role": "assistant", "content": "ok"}, {"role": "user", "content": "about cats"}]
    await house.say(*talk)
    assert sent(house)[:2] == first
    assert sent(house)[-1].endswith("cats]")


async def test_without_system_text_the_first_note_ends_the_persons_message(house: House) -> None:
    house.library.add("dates")
    await house.say("about dates")
    assert sent(house) == [f"about dates\n\n{house.library.skills['dates'][0]}"]


async def test_where_nothing_fits_the_bytes_stay(house: House) -> None:
    house.library.add("dates")
    response = await house.say("about cats")
    assert sent(house) == ["about cats"]
    assert "x-metaclaw-skills" not in response.headers


async def test_a_note_stays_through_the_exchange_and_after(house: House) -> None:
    house.library.add("dates")
    await house.say("about dates")
    house.library.add("cats")
    first = sent(house)[0]
    await house.say("about dates", "calling", RESULT)
    await house.say("about dates", "calling", RESULT, "done", "about cats and dates")
    assert sent(house)[0] == first
    assert sent(house)[-1].endswith("cats]")
    assert "dates]" not in sent(house)[-1], "never the same skill twice on a path"
    assert len(house.pipe.of(BlockInjected)) == 2


async def test_a_retry_gets_the_same_bytes_though_the_library_changed(house: House) -> None:
    house.library.add("dates")
    await house.say("hello", "hi", "about dates and cats")
    house.library.add("cats")
    await house.say("hello", "hi", "about dates and cats")
    assert house.upstream.seen[0].body == house.upstream.seen[1].body
    await house.say("hello", "hi", "about cats")
    assert "cats]" in sent(house)[-1]


async def test_nothing_fits_is_a_decision_that_a_retry_keeps(house: House) -> None:
    await house.say("hello", "hi", "about cats")
    house.library.add("cats")
    await house.say("hello", "hi", "about cats")
    assert sent(house)[-1] == "about cats"


async def test_a_side_turn_keeps_the_notes_on_its_path_and_gets_no_new_one(house: House) -> None:
    house.library.add("dates")
    await house.say("about dates")
    await house.say("about dates", "ok", "summarise dates", X_Turn_Type="side")
    assert sent(house)[0] == sent(house, 0)[0]
    assert sent(house)[-1] == "summarise dates"
    assert [begun.kind for begun in await house.begun(2)] == ["main", "side"]


@pytest.mark.parametrize(
    ("messages", "kind"),
    [
        ([TITLES, {"role": "user", "content": "dates"}], "side"),
        ([{"role": "user", "content": "CRITICAL: Respond with TEXT ONLY. Do NOT call dates."}], "side"),
        ([{"role": "user", "content": "<system-reminder>dates</system-reminder>"}], "side"),
        ([{"role": "user", "content": "dates"}], "main"),
    ],
)
async def test_the_clients_own_errands_are_side_turns(house: House, messages: list[Any], kind: str) -> None:
    house.library.add("dates")
    await house.say(*messages)
    (begun,) = await house.begun()
    assert begun.kind == kind
    assert ("[note" in sent(house)[-1]) == (kind == "main")


async def test_a_note_is_added_only_when_the_person_has_just_spoken(house: House) -> None:
    house.library.add("dates")
    await house.say("about dates", "calling", RESULT)
    assert "[note" not in "".join(sent(house))


async def test_the_last_part_that_is_a_text_grows_as_a_string_does(house: House) -> None:
    house.library.add("dates")
    part = {"type": "text", "text": "about dates", "cache_control": {"type": "ephemeral"}}
    await house.say({"role": "user", "content": [part]})
    assert sent(house)[0] == [part | {"text": f"about dates\n\n{house.library.skills['dates'][0]}"}]


async def test_behind_another_part_the_note_is_a_part_of_its_own(house: House) -> None:
    house.library.add("dates")
    parts = [{"type": "text", "text": "about dates"}, {"type": "image_url", "image_url": {"url": "data:,"}}]
    await house.say({"role": "user", "content": parts})
    assert sent(house)[0] == [*parts, {"type": "text", "text": house.library.skills["dates"][0]}]


async def test_a_message_is_the_same_as_parts_and_as_a_string(house: House) -> None:
    house.library.add("dates")
    await house.say({"role": "user", "content": [{"type": "text", "text": "about dates"}]})
    await house.say("about dates", "ok", "more")
    assert sent(house)[0].endswith(house.library.skills["dates"][0])


async def test_the_limits_of_an_exchange_and_a_session_hold(house: House) -> None:
    names = [f"skill{letter}" for letter in "abcdefghijk"]
    for name in names:
        house.library.add(name)
    await house.say(" ".join(names))
    assert sent(house)[0].count("[note") == 2
    talk = [" ".join(names)]
    for number in range(6):
        talk += ["ok", f"{number} " + " ".join(names)]
        await house.say(*talk)
    assert "".join(sent(house)).count("[note") == 8
    assert house.library.asked[-1][2:] == (2, 1000), "a full session is not asked for any more"


async def test_the_tokens_of_a_session_are_limited(house: House) -> None:
    for name, tokens in (("big", 1500), ("small", 100), ("late", 1)):
        house.library.add(name, tokens)
    await house.say("big")
    await house.say("big", "ok", "small")
    await house.say("big", "ok", "small", "ok", "late")
    assert [each[3] for each in house.library.asked] == [1600, 100]
    assert "late]" not in sent(house)[-1]


async def test_a_new_conversation_with_the_same_words_decides_anew(house: House) -> None:
    await house.say("about dates")
    house.library.add("dates")
    await house.say("about dates")
    assert sent(house)[0] == "about dates", "a retry"
    house.clock.advance(15 * 60 + 1)
    await house.say("about dates")
    assert "[note" in sent(house)[0]
    await house.say("about dates", X_Session_Id="mine")
    assert "[note" in sent(house)[0]


async def test_sessions_that_begin_alike_keep_their_own_notes(house: House) -> None:
    house.library.add("dates")
    await house.say("about dates", X_Session_Id="one")
    house.library.skills["dates"] = ("[changed]", 10)
    await house.say("about dates", X_Session_Id="two")
    await house.say("about dates", "ok", "more", X_Session_Id="one")
    assert sent(house)[0] == sent(house, 0)[0]
    await house.say("about dates", "ok", "more", X_Session_Id="two")
    assert sent(house)[0] == "about dates\n\n[changed]"


async def test_a_switch_takes_all_notes_out_and_puts_them_back(house: House) -> None:
    house.library.add("dates")
    await house.say("about dates")
    for off in ({"injection": {"enabled": False}}, {"agents": {"claw": {"observe_only": True}}}):
        house.settings.clear()
        house.configure(**off)
        await house.say("about dates", "ok", "more dates")
        assert sent(house) == ["about dates", "ok", "more dates"]
    house.settings.clear()
    await house.say("about dates", "ok", "more dates")
    assert sent(house) == [sent(house, 0)[0], "ok", "more dates"], "what went without a note stays without"


async def test_one_conversation_is_only_observed(house: House) -> None:
    house.library.add("dates")
    await house.say("about dates", X_Session_Id="one")
    house.proxy.observe_session("claw/one", only=True)
    await house.say("about dates", X_Session_Id="one")
    assert sent(house) == ["about dates"]
    await house.say("about dates", X_Session_Id="two")
    assert "[note" in sent(house)[0]


async def test_blocks_of_an_earlier_run_stand_again() -> None:
    async with open_house() as before:
        before.library.add("dates")
        await before.say("about dates")
        (kept,) = before.pipe.of(BlockInjected)
        expected = sent(before)
    anchors = Anchors()
    block = Block(kept.block, tuple(kept.skills), kept.tokens, kept.generation, kept.session_id, kept.at)
    anchors.load([(kept.anchor, block)])
    async with open_house(anchors=anchors) as after:
        await after.say("about dates", "ok", "more")
        assert sent(after)[:1] == expected
        assert anchors.spent(kept.session_id) == (1, 100)


async def test_a_broken_library_never_breaks_the_agent(house: House) -> None:
    house.library.fault = RuntimeError("the index is gone")
    response = await house.say("about dates")
    assert response.status == 200
    assert sent(house) == ["about dates"]
    assert house.proxy.counters.faults == 1


async def test_a_library_that_is_not_there_yet_decides_nothing(house: House) -> None:
    house.library.add("dates")
    house.library.fault = NotReadyError()
    for said in ("about dates", "all dates"):
        assert "x-metaclaw-skills" not in (await house.say(said)).headers
    house.library.fault = None
    await house.say("about dates", "calling", RESULT)
    assert sent(house)[0] == "about dates", "what went on without a note stays without"
    await house.say("all dates")
    assert "[note" in sent(house)[0], "said again, it is decided"
    assert house.proxy.counters.faults == 0


async def test_a_choice_beyond_its_limits_is_not_used(house: House) -> None:
    for name in ("a", "b", "c"):
        house.library.add(name)
    too_much = Choice("text", ("a@1", "b@1", "c@1"), 3)
    house.library.choose = lambda *_: too_much  # type: ignore[method-assign]
    await house.say("a b c")
    assert sent(house) == ["a b c"]
    assert house.proxy.counters.faults == 1


async def test_parallel_threads_of_one_conversation_keep_their_notes(house: House) -> None:
    for name in ("dates", "cats"):
        house.library.add(name)
    await house.say("about dates")
    await asyncio.gather(
        house.say("about dates", "ok", "cats one"),
        house.say("about dates", "ok", "cats two"),
    )
    await house.say("about dates", "ok", "cats one", "ok", "more")
    await house.say("about dates", "ok", "cats two", "ok", "more")
    assert all(texts[0] == sent(house, 0)[0] for texts in (sent(house, place) for place in range(1, 5)))
    assert sent(house, 3)[2].count("[note") == sent(house, 4)[2].count("[note") == 1


async def test_counting_tokens_counts_the_note_that_the_request_will_carry(house: House) -> None:
    house.route(dialects=["messages"])
    house.library.add("dates")
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "about dates"}]}

    async def post(path: str) -> Any:
        async with house.client.post(f"{house.url}{path}", json=body) as response:
            await response.read()
        return house.upstream.seen[-1].json

    counted = await post("/messages/count_tokens?beta=true")
    assert "[note" in str(counted)
    assert not house.pipe.of(BlockInjected), "counting decides nothing"
    house.library.add("about")
    assert await post("/messages") != counted, "the library has changed since"
    assert await post("/messages/count_tokens") == house.upstream.seen[-2].json
