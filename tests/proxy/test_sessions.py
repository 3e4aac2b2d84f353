"""Who is in which session, and when it is over."""

from __future__ import annotations

import asyncio

import pytest

from metaclaw_tray.proxy import Remembered
from metaclaw_tray.proxy.sessions import Sessions
from metaclaw_tray.store.records import SessionEnded, TurnEnded
from metaclaw_tray.wire.tree import Path
from proxy.house import OTHER_TOKEN, House, open_house
from proxy.upstream import Saw, Wire, completion

ROOT, SILENCE = b"r" * 16, 900.0


def path(length: int, first: bytes = b"1" * 16) -> Path:
    """A path of so many messages, the person's and the model's in turn."""
    nodes = [first, *(bytes([n]) * 16 for n in range(length - 1))]
    places = list(range(length))
    return Path(ROOT, nodes, nodes, places, places[::2], "", answered=1 if length > 1 else -1)


def test_a_conversation_stays_in_its_session_however_long_it_takes() -> None:
    sessions = Sessions()
    first = sessions.identify("a", "", path(1), 0, SILENCE)
    assert sessions.identify("a", "", path(1), 10, SILENCE) == first, "a retry"
    assert sessions.identify("a", "", path(5), 10_000, SILENCE) == first
    assert sessions.identify("a", "", path(1), 10_010, SILENCE) == first


def test_the_same_first_words_after_a_silence_are_a_new_session() -> None:
    sessions = Sessions()
    first = sessions.identify("a", "", path(1), 0, SILENCE)
    second = sessions.identify("a", "", path(1), SILENCE + 1, SILENCE)
    assert second != first
    assert sessions.identify("a", "", path(3), SILENCE + 2, SILENCE) == second
    assert sessions.identify("b", "", path(1), 0, SILENCE) != first
    assert sessions.identify("a", "", path(1, b"2" * 16), 0, SILENCE) != first


def test_a_clients_own_id_wins_and_is_its_agents() -> None:
    sessions = Sessions()
    assert sessions.identify("a", "  mine ", path(1), 0, SILENCE) == "a/mine"
    assert sessions.identify("b", "mine", path(1), 0, SILENCE) == "b/mine"
    assert len(sessions.identify("a", "x" * 500, path(1), 0, SILENCE)) == 202


def test_sessions_of_an_earlier_run_go_on() -> None:
    before = Sessions()
    before.identify("a", "", path(1), 0, SILENCE)
    known = before.identify("a", "", path(1), 1000, SILENCE)
    after = Sessions()
    after.load([Remembered(known, 1000), Remembered("a/own", 5000)])
    assert after.identify("a", "", path(4), 1500, SILENCE) == known
    assert after.identify("a", "", path(1), 9000, SILENCE) not in (known, before)


def test_silence_ends_a_session_but_not_while_a_turn_is_open() -> None:
    sessions = Sessions()
    sessions.turn_begun("s", 0)
    assert sessions.sweep(5000, SILENCE) == []
    sessions.turn_ended("s", 5000)
    assert sessions.sweep(5000 + SILENCE, SILENCE) == []
    assert sessions.sweep(5001 + SILENCE, SILENCE) == ["s"]
    assert sessions.sweep(9999, SILENCE) == []


def test_the_same_first_words_after_an_end_are_a_new_session() -> None:
    sessions = Sessions()
    first = sessions.identify("a", "", path(1), 0, SILENCE)
    sessions.turn_begun(first, 0)
    assert not sessions.end(first, "signal"), "not before its turn has ended"
    assert sessions.turn_ended(first, 0) == "signal"
    assert sessions.identify("a", "", path(3), 1, SILENCE) == first, "who goes on with it stays in it"
    assert not sessions.end(first, "signal"), "no turn has come since"
    second = sessions.identify("a", "", path(1), 2, SILENCE)
    assert second != first
    assert sessions.identify("a", "", path(1), 3, SILENCE) == second


async def test_the_word_of_the_client_ends_a_session_after_its_turn(house: House) -> None:
    await house.say("hi", X_Session_Id="s")
    await house.say("hi", "ok", "bye", X_Session_Id="s", X_Session_Done="1")
    assert [type(record) for record in house.pipe.records[-2:]] == [TurnEnded, SessionEnded]
    (ended,) = house.pipe.of(SessionEnded)
    assert (ended.session_id, ended.reason) == ("claw/s", "signal")


@pytest.mark.parametrize("how", ["signal", "command"])
async def test_a_session_is_over_when_the_last_of_its_open_turns_has_ended(house: House, how: str) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        if b"slow" in saw.body:
            asked.set()
            await go.wait()
        await wire.answer(completion())

    house.upstream.script, asked, go = script, asyncio.Event(), asyncio.Event()
    slow = asyncio.create_task(house.say("slow", X_Session_Id="s"))
    await asked.wait()
    if how == "signal":
        await house.say("quick", X_Session_Id="s", X_Session_Done="true")
    else:
        await house.say("quick", X_Session_Id="s")
        house.proxy.end_session("claw/s")
    await house.ended(1)
    assert house.pipe.of(SessionEnded) == []
    go.set()
    await slow
    await house.ended(2)
    assert [type(record) for record in house.pipe.records[-2:]] == [TurnEnded, SessionEnded]
    assert [(each.session_id, each.reason) for each in house.pipe.of(SessionEnded)] == [("claw/s", how)]
    await house.proxy.drain(1)
    assert len(house.pipe.of(SessionEnded)) == 1


async def test_silence_is_noticed_by_the_one_who_tends(house: House) -> None:
    house.configure(sessions={"silence_minutes": 1})
    await house.say("hi", X_Session_Id="s")
    house.proxy.sweep()
    assert house.pipe.of(SessionEnded) == []
    house.clock.advance(61)
    house.proxy.sweep()
    (ended,) = house.pipe.of(SessionEnded)
    assert (ended.session_id, ended.reason, ended.at) == ("claw/s", "silence", house.clock.now().timestamp())


async def test_quitting_ends_every_session() -> None:
    async with open_house() as house:
        await house.say("hi", X_Session_Id="s")
        await house.say("hi")
    reasons = {(ended.session_id, ended.reason) for ended in house.pipe.of(SessionEnded)}
    assert ("claw/s", "quit") in reasons
    assert len(reasons) == 2


async def test_two_agents_never_share_a_session(house: House) -> None:
    await house.say("hi")
    other = house.url.replace("t" * 43, OTHER_TOKEN)
    async with house.client.post(
        f"{other}/chat/completions", json={"messages": [{"role": "user", "content": "hi"}]}
    ):
        pass
    first, second = await house.begun(2)
    assert first.session_id != second.session_id
    assert first.nodes != second.nodes


async def test_a_full_pipe_costs_records_and_not_a_moment(house: House) -> None:
    house.library.add("dates")
    house.pipe.full = True
    assert (await house.say("about dates")).status == 200
    assert (await house.say("again")).status == 200
    assert house.proxy.counters.dropped == 2
    house.pipe.full = False
    assert (await house.say("once more")).status == 200
    kinds = [type(record).__name__ for record in house.pipe.records]
    assert kinds == ["BlockInjected", "Dropped", "TurnBegun", "TurnEnded"], (
        "the block was kept, the turns were not"
    )
    assert house.pipe.records[1].count == 2  # type: ignore[union-attr]


async def test_a_pipe_that_fills_in_the_middle_loses_the_answer_only(house: House) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        house.pipe.full = True
        await wire.answer(completion())

    house.upstream.script = script
    await house.say("hi", X_Session_Done="true")
    while house.proxy.counters.open_turns:
        await asyncio.sleep(0)
    house.pipe.full = False
    house.proxy.sweep()
    kinds = [type(record).__name__ for record in house.pipe.records]
    assert kinds == ["TurnBegun", "TurnEnded", "SessionEnded", "Dropped"]
    (ended,) = house.pipe.of(TurnEnded)
    assert (ended.outcome, ended.status, ended.body, ended.truncated) == ("ok", 200, b"", True)
