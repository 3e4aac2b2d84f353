"""The free text of a custom tool, out of the arguments of the function that stands for it.

The model writes `{"input": "…"}`, which comes in pieces; the client gets the text as far as it can be read.
"""

from __future__ import annotations

import json
import re
from typing import Any

from metaclaw_tray.wire.request import decode
from metaclaw_tray.wire.translation.reading import whole
from metaclaw_tray.wire.translation.responses_tools import INPUT

_OPENING = re.compile(rf'\s*\{{\s*"{INPUT}"\s*:\s*"')
_READABLE = re.compile(
    r'[^"\\\x00-\x1f]+'
    r'|\\["\\/bfnrt]'
    r"|\\u(?![dD][89a-fA-F])[0-9a-fA-F]{4}"
    r"|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
_LONGEST = 64  # characters that may wait: for the rest of the opening, or of an escape


class FreeText:
    """Takes arguments cut anywhere, gives text."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._unread = ""
        self._open = False  # whether the beginning of the text was seen
        self._over = False  # whether nothing can be read any more until all is there
        self._given: list[str] = []

    def feed(self, arguments: str) -> str:
        """The text that this piece makes readable."""
        self._pieces.append(arguments)
        if self._over:
            return ""
        self._unread += arguments
        if not self._open and (opening := _OPENING.match(self._unread)) is not None:
            self._open = True
            self._unread = self._unread[opening.end() :]
        end = 0
        while self._open and (match := _READABLE.match(self._unread, end)) is not None:
            end = match.end()
        text: str = decode(f'"{self._unread[:end]}"'.encode())
        self._unread = self._unread[end:]
        self._over = len(self._unread) > _LONGEST
        self._given.append(text)
        return text

    def end(self) -> tuple[str, str]:
        """What was not given yet, and the whole text."""
        text, given = _text_in("".join(self._pieces)), "".join(self._given)
        return (text[len(given) :], text) if text.startswith(given) else ("", given)


def _text_in(arguments: str) -> str:
    """The text that whole arguments hold. Models also write it alone, under another name, or with line
    breaks that JSON does not allow."""
    try:
        value: Any = json.loads(whole(arguments.encode()), strict=False)
    except (ValueError, RecursionError):
        return arguments
    if isinstance(value, dict):
        texts = [each for each in value.values() if isinstance(each, str)]
        value = value.get(INPUT, texts[0] if len(texts) == 1 else None)
    return value if isinstance(value, str) else arguments
