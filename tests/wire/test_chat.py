"""A typed view over a chat request."""

from __future__ import annotations

import json
from typing import Any

import pytest

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.chat import is_persons, parse_request, persons_text


def body(*messages: dict[str, Any], **more: Any) -> bytes:
    return json.dumps({"model": "m", "messages": list(messages), **more}).encode()


def test_a_request_shows_its_words() -> None:
    request = parse_request(
        body(
            {"role": "system", "content": "Be brief."},
            {"role": "developer", "content": [{"type": "text", "text": "No jokes."}]},
            {"role": "user", "content": "first"},
            {"role": "assistant", "content": "yes"},
            {
                "role": "user",
                "content": [{"type": "text", "text": "second"}, {"type": "text", "text": "part"}],
            },
            {"role": "tool", "tool_call_id": "1", "content": "3"},
            stream=True,
        )
    )
    assert (request.model, request.stream) == ("m", True)
    assert request.system_text == "Be brief.\n\nNo jokes."
    assert request.last_words == "second\npart"


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"[]",
        b"{",
        b"\xff\xfe",
        b'{"model":"m"}',
        b'{"messages":{}}',
        b'{"messages":["text"]}',
        b'{"messages":[{"role":"user","content":NaN}]}',
        b'{"messages":[{"content":' + b"[" * 90_000,
        b'{"messages":[{"content":' + b"[" * 9_000 + b"]" * 9_000 + b"}]}",
    ],
)
def test_what_is_no_chat_request_is_a_wire_error(bad: bytes) -> None:
    with pytest.raises(WireError):
        parse_request(bad)


def test_half_an_emoji_does_not_hide_a_request() -> None:
    request = parse_request(rb'{"messages":[{"role":"user","content":"cut \ud83d, whole \ud83d\ude00"}]}')
    assert "whole 😀" in request.last_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("plain", "plain"),
        ("<system-reminder>tidy up</system-reminder>\nplain", "plain"),
        ("<environment_context>\n<cwd>/</cwd>\n</environment_context>", ""),
        ("<system-reminder>\n[SYSTEM NOTIFICATION - NOT USER INPUT] done", ""),
        ("[SYSTEM NOTIFICATION - NOT USER INPUT]\nA task ended.", ""),
        ("This session is being continued from a previous conversation that ran out of context.", ""),
        ("see <system-reminder> in the log", "see <system-reminder> in the log"),
    ],
)
def test_what_clients_add_is_not_the_persons(text: str, words: str) -> None:
    message = {"role": "user", "content": text}
    assert persons_text(message) == words
    assert is_persons(message) == bool(words)


def test_a_picture_without_words_is_the_persons() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    assert is_persons({"role": "user", "content": [picture]})
    assert not is_persons({"role": "user", "content": []})
    assert not is_persons({"role": "tool", "content": "result"})
