"""Calls that a small model writes as text, though its server knows calls: found while the text comes.

Understood are, with the name of a tool of the request and arguments that are an object:

    <tool_call>{"name": …, "arguments": …}</tool_call>    Hermes, Qwen; also <function_call> and <tools>
    a fence that holds nothing but such objects           Qwen's coders
    {"name": …, "arguments" or "parameters": …}           bare, at the beginning of a line
    <|python_tag|>{…}                                     Llama
    [TOOL_CALLS][{…}, …] and [TOOL_CALLS]name[ARGS]{…}    Mistral

Text is held back only while it can still become a call. What does not become one is text, unchanged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container
from typing import Any

from msgspec import Struct

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.translation.reading import written

_TAGS = ("<tool_call>", "<function_call>", "<tools>")
_MARKS = (*_TAGS, "<|python_tag|>", "[TOOL_CALLS]", "```")
_LONGEST = max(map(len, _MARKS))
_OPENS = re.compile("|".join(map(re.escape, _MARKS)) + r"|^[ \t]*\{", re.MULTILINE)
_FENCE = re.compile(r"```[\w-]*[ \t]*\r?(?:\n|\Z)")
_NAMED = re.compile(r"\s*([\w.-]+)\s*(?:\[ARGS\])?\s*(?=\{)")
_NAMING = re.compile(r"\s*[\w.-]*\s*(?:\[[ARGS]*\]?)?\s*\Z")
_GAP = re.compile(r"[\s,;]*")
_LINE = re.compile(r"[ \t]*")
_SPACE = re.compile(r"\s*")
_KEY = re.compile(r'\{\s*(?:"([^"\\]*)("?))?')
_BRACKETS = re.compile(r'["{}\[\]]')
_IN_STRING = re.compile(r'["\\]')
_NAMES = ("name", "tool_name", "tool")
_ARGUMENTS = ("arguments", "parameters", "args")
_KEYS = frozenset((*_NAMES, *_ARGUMENTS, "type", "id", "function"))
_MOST = 1 << 20  # characters held back; an answer that long is no call


class FoundCall(Struct, frozen=True, gc=False):
    """A call. `arguments` is JSON of an object."""

    name: str
    arguments: str


class _NoCallError(Exception):
    """What is held back cannot become a call."""


class _Value:
    """A JSON value that is growing. Each character is looked at once."""

    def __init__(self, start: int) -> None:
        self.end = -1  # -1 until it is whole
        self.value: Any = None
        self._start = start
        self._at = start
        self._depth = 0
        self._in_string = False

    def grow(self, text: str) -> bool:
        """Whether it is whole in this text. Raises _NoCallError where it is no JSON."""
        while self.end < 0:
            found = (_IN_STRING if self._in_string else _BRACKETS).search(text, self._at)
            if found is None or (found.end() == len(text) and found[0] == "\\"):
                self._at = len(text) if found is None else found.start()
                return False
            self._at = found.end()
            if found[0] == "\\":
                self._at += 1
            elif found[0] == '"':
                self._in_string = not self._in_string
            else:
                self._depth += 1 if found[0] in "{[" else -1
                if self._depth == 0:
                    self.end = self._at
                    self.value = _json(text[self._start : self.end])
        return True


class ToolText:
    """Takes the text of an answer in pieces, gives texts and calls. `names` are the tools there are."""

    def __init__(self, names: Container[str]) -> None:
        self._names = names
        self._text = ""  # held back
        self._at = 0  # up to where it is sorted
        self._values: dict[int, _Value] = {}  # by their place in what is held back
        self._line_begins = True  # where the text that is held back begins
        self._after_call = False  # white space there is no text

    def feed(self, text: str) -> list[str | FoundCall]:
        """What this piece of text makes certain."""
        self._text += text
        return self._sorted(final=False)

    def end(self) -> list[str | FoundCall]:
        """What was held back: no more text comes."""
        return self._sorted(final=True)

    def _sorted(self, *, final: bool) -> list[str | FoundCall]:
        out: list[str | FoundCall] = []
        given = self._at
        while self._at < len(self._text):
            start = self._opening()
            if start < 0:
                self._at = len(self._text) - (0 if final else self._beginning())
                break
            self._at = start
            try:
                found = self._read(final=final)
            except (_NoCallError, WireError):
                self._at += 1
                continue
            if found is None:
                if final or len(self._text) - self._at > _MOST:
                    self._at = len(self._text)
                break
            calls, end = found
            self._add(self._text[given:start], out)
            out += calls
            given = self._at = end
            self._line_begins = self._after_call = True
        self._add(self._text[given : self._at], out)
        if self._at:
            self._text = self._text[self._at :]
            self._at = 0
            self._values.clear()
        return out

    def _add(self, text: str, out: list[str | FoundCall]) -> None:
        if self._after_call:
            text = text.lstrip()
        if text:
            self._after_call = False
            out.append(text)
            _, newline, line = text.rpartition("\n")
            self._line_begins = not line.strip() and (bool(newline) or self._line_begins)

    def _opening(self) -> int:
        """Where something begins that may be a call; -1 where nothing does."""
        for found in _OPENS.finditer(self._text, self._at):
            if found[0] in _MARKS:
                return found.start()
            if found.start() > 0 or self._line_begins:
                return found.end() - 1
        return -1

    def _beginning(self) -> int:
        """How many characters at the end may be the beginning of a mark."""
        tail = self._text[max(self._at, len(self._text) - _LONGEST) :]
        ends = (tail[start:] for start in range(len(tail)))
        return next((len(end) for end in ends if any(mark.startswith(end) for mark in _MARKS)), 0)

    def _read(self, *, final: bool) -> tuple[list[FoundCall], int] | None:
        """The calls that stand here, and where they end; None while that is open.

        Raises _NoCallError where they are none.
        """
        text = self._text
        mark = next((mark for mark in _MARKS if text.startswith(mark, self._at)), "")
        begin, close, named = self._at + len(mark), "", ""
        if mark == "```":
            if (fence := _FENCE.match(text, self._at)) is None:
                raise _NoCallError
            begin, close = fence.end(), mark
        elif mark in _TAGS:
            close = f"</{mark[1:]}"
        elif mark == "[TOOL_CALLS]":
            if (name := _NAMED.match(text, begin)) is not None:
                begin, named = name.end(), name[1]
            elif _NAMING.match(text, begin):
                return None
        values = self._values_from(begin, named)
        if values is None:
            return None
        calls = [call for each in values for call in self._calls_of(each.value, named)]
        end = values[-1].end
        rest = _past(_GAP if mark else _LINE, text, end)
        if close and text.startswith(close, rest):
            return calls, rest + len(close)
        goes_on = close.startswith(text[rest : rest + len(close)]) if close else rest == len(text)
        if goes_on and not final:
            return None  # what follows decides
        if rest < len(text) and (mark == "```" or (not mark and text[rest] not in "\r\n")):
            raise _NoCallError
        return calls, end

    def _values_from(self, at: int, named: str) -> list[_Value] | None:
        """The JSON values from there on, at least one, and one only behind a name; None while it is open."""
        text = self._text
        values: list[_Value] = []
        while True:
            start = _past(_GAP, text, at)
            if start == len(text):
                return values or None
            try:
                if not named:
                    _must_be_possible(text, start)
                value = self._values.setdefault(start, _Value(start))
                if not value.grow(text):
                    return None
            except _NoCallError:
                if not values:
                    raise
                return values
            values.append(value)
            if named:
                return values
            at = value.end

    def _calls_of(self, value: Any, named: str) -> list[FoundCall]:
        if isinstance(value, list):
            return [call for each in value for call in self._calls_of(each, named)]
        if not isinstance(value, dict):
            raise _NoCallError
        if named:
            return [self._call(named, value)]
        if not _KEYS.issuperset(value):
            raise _NoCallError
        inner = value.get("function")
        if isinstance(inner, dict):
            value = inner
        name = next((value[key] for key in _NAMES if key in value), inner)
        arguments = next((value[key] for key in _ARGUMENTS if key in value), None)
        return [self._call(name, arguments)]

    def _call(self, name: Any, arguments: Any) -> FoundCall:
        if isinstance(arguments, str):
            arguments = _json(arguments)
        if not isinstance(name, str) or name not in self._names or not isinstance(arguments, dict):
            raise _NoCallError
        return FoundCall(name, written(arguments).decode())


def _must_be_possible(text: str, start: int) -> None:
    """Raises _NoCallError where no call begins in this way."""
    if text[start] == "[":
        start = _past(_SPACE, text, start + 1)
        if start == len(text):
            return
    key = _KEY.match(text, start)
    if key is None or (key[1] is None and key.end() < len(text)):
        raise _NoCallError
    if key[1] is None:
        return
    if key[1] not in _KEYS if key[2] else not any(each.startswith(key[1]) for each in _KEYS):
        raise _NoCallError


def _json(text: str) -> Any:
    """JSON as small models write it: with line breaks in strings."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        raise _NoCallError from error


def _past(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Where a match of a pattern that always matches ends."""
    found = pattern.match(text, at)
    return at if found is None else found.end()
