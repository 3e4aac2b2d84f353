"""Request bodies of 8 KB, each of them the next message of a conversation never seen before."""

from __future__ import annotations

import json
from collections.abc import Iterator

BODY_BYTES = 8 * 1024
_NUMBER = "0000000000"
_SYSTEM = "You are a careful assistant who runs on a laptop and has tools for files, mail and calendars. "
_ANSWER = "Here is what the files say about it, in the order in which they were found on the disk. "


def bodies(model: str, stream: bool, topic: str, first: int = 0) -> Iterator[bytes]:
    """Endless bodies of exactly 8 KB. `first` numbers the conversations, so that loads do not repeat them."""
    messages = [
        {"role": "system", "content": ""},
        {"role": "user", "content": f"Conversation {_NUMBER}: what is in my notes?"},
        {"role": "assistant", "content": _ANSWER * 14},
        {"role": "user", "content": f"Thank you. And now something about {topic}, please."},
    ]
    payload = {"model": model, "stream": stream, "messages": messages}
    room = BODY_BYTES - len(json.dumps(payload).encode())
    messages[0]["content"] = (_SYSTEM * (room // len(_SYSTEM) + 1))[:room]
    before, after = json.dumps(payload).encode().split(_NUMBER.encode())
    number = first
    while True:
        yield b"%b%010d%b" % (before, number, after)
        number += 1
