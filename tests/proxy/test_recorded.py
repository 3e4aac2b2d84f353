"""What Claude Code and Codex were seen to send goes through the proxy again, and is read as it was then."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from proxy.house import House
from proxy.recordings import Recorded, load
from proxy.upstream import Saw, Wire

RECORDED = ["claude-code", "codex"]


@dataclass
class Replayed:
    """One request of a recording, and what became of it."""

    was: Recorded
    sent: bytes
    saw: Saw

    @property
    def before(self) -> list[Any]:
        """The conversation as the client sent it."""
        said: list[Any] = self.was.body[self.was.conversation]
        return said

    @property
    def after(self) -> list[Any]:
        """The same, as it went on."""
        said: list[Any] = self.saw.json[self.was.conversation]
        return said


async def _answer(saw: Saw, wire: Wire) -> None:
    await wire.answer(b'{"input_tokens": 7}')


async def _replay(house: House, name: str) -> list[Replayed]:
    house.upstream.script = _answer
    house.route(dialects=["messages", "responses"])
    replayed = []
    for each in load(name):
        body = json.dumps(each.body).encode()
        url = f"{house.url.removesuffix('/v1')}{each.path}"
        headers = {**each.headers, "Content-Type": "application/json"}
        async with house.client.post(url, data=body, headers=headers) as response:
            assert response.status == 200
            await response.read()
        replayed.append(Replayed(each, body, house.upstream.seen[-1]))
    return replayed


@pytest.mark.parametrize("name", RECORDED)
async def test_kinds_sessions_and_exchanges_are_those_of_the_real_run(house: House, name: str) -> None:
    turns = [each.was for each in await _replay(house, name) if each.was.kind]
    begun = await house.begun(len(turns))
    assert [turn.kind for turn in begun] == [each.kind for each in turns]
    assert {each.kind for each in turns} == {"main", "side"}
    assert len({turn.session_id for turn in begun}) == 1
    exchanges: dict[bytes, set[int | None]] = {}
    for turn, each in zip(begun, turns, strict=True):
        if turn.kind == "main":
            exchanges.setdefault(turn.openings[-1], set()).add(each.exchange)
    assert list(exchanges.values()) == [{1}, {2}, {3}]


@pytest.mark.parametrize("name", RECORDED)
async def test_a_recording_goes_on_byte_for_byte(house: House, name: str) -> None:
    for each in await _replay(house, name):
        assert each.saw.body == each.sent
        assert each.saw.line == f"POST {each.was.path} HTTP/1.1"
        headers = {name.lower(): value for name, value in each.saw.headers}
        assert each.was.headers.items() <= headers.items()


async def test_notes_stand_behind_claude_codes_own_texts(house: House) -> None:
    """Not in what it counts, nor in a sub-agent's; and a summary takes the place of what had carried one."""
    first, last = _notes(house)
    replayed = await _replay(house, "claude-code")
    for each in replayed:
        own = each.was.body.get("system")
        carries = each.was.exchange in (1, 2)
        assert each.saw.json.get("system") == ([*own, _part(first)] if carries else own)
    for each in replayed[:-1]:
        assert each.after == each.before
    *before, said, surroundings = replayed[-1].before
    *parts, words = said["content"]
    assert surroundings["role"] == "system", "it is told behind the person's words"
    words = {**words, "text": f"{words['text']}\n\n{last}"}
    assert replayed[-1].after == [*before, {**said, "content": [*parts, words]}, surroundings]


async def test_notes_stand_behind_codexs_own_instructions(house: House) -> None:
    """A summary leaves the person's words before it, and so the note on them."""
    first, last = _notes(house)
    replayed = await _replay(house, "codex")
    note = {"type": "message", "role": "developer", "content": [_part(first, "input_text")]}
    for each in replayed[:-1]:
        place = next(n for n, item in enumerate(each.before) if item["role"] != "developer")
        noted = [*each.before[:place], note, *each.before[place:]]
        assert each.after == (noted if each.was.exchange else each.before)
    base, *between, said = replayed[-1].before
    words = _part(f"{said['content'][0]['text']}\n\n{last}", "input_text")
    assert replayed[-1].after == [base, note, *between, {**said, "content": [words]}]


def _notes(house: House) -> list[str]:
    """One that fits what the person says first, and one that fits what the person says last."""
    for skill in ("version", "goodbye"):
        house.library.add(skill)
    return [text for text, _ in house.library.skills.values()]


def _part(text: str, kind: str = "text") -> dict[str, str]:
    return {"type": kind, "text": text}
