"""The input of a responses request as messages of chat completions.

What the model said comes in items of its own (thoughts, texts, calls), which make one message until somebody
else speaks. Chat completions want every call answered right behind the message that made it: results are
taken from where they stand, a call that never ran is said to have no result, and a result whose call is gone
is told by the user.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field
from math import inf
from typing import Any

import msgspec

from metaclaw_tray.wire.answer import text
from metaclaw_tray.wire.dialect import element_of
from metaclaw_tray.wire.request import Request, decode
from metaclaw_tray.wire.said import Message
from metaclaw_tray.wire.translation.messages_parts import Part, joined, simplest, text_part
from metaclaw_tray.wire.translation.names import Names, Tool
from metaclaw_tray.wire.translation.reading import written
from metaclaw_tray.wire.translation.refusal import Untranslatable
from metaclaw_tray.wire.translation.responses_parts import parts_of, result_of, text_of
from metaclaw_tray.wire.translation.responses_tools import INPUT, SEARCH, Toolbox
from metaclaw_tray.wire.translation.thoughts import OUR_THOUGHT, Recall, is_ours, put_back

Item = dict[str, Any]

_RESULTS = ("function_call_output", "custom_tool_call_output", "tool_search_output")
_SYSTEM = ("system", "developer")
_GONE = ("web_search_call",)  # what a server did for an answer that stands beside it
_NO_RESULT = "There is no result: the call was not carried out."
_ORPHAN = "[The result of a call that is no longer part of this conversation]"


def chat_messages(
    request: Request, tools: Toolbox, *, own_reasoning: bool, images: bool, recall: Recall | None = None
) -> list[Message]:
    """The request's system texts and messages. Tools that travel inside the input are put into the toolbox.

    Raises WireError, and Untranslatable for what has no place.
    """
    items = [element_of(item) for item in request.items]
    found = {
        index: tools.take(item.get("tools"), f"input[{index}].tools")
        for index, item in enumerate(items)
        if item.get("type") in ("additional_tools", "tool_search_output")
    }
    conversation = _Conversation(items, tools.names, found, own_reasoning, images, recall)
    conversation.instruct(text_of(request.value("instructions"), "instructions"))
    for index, item in enumerate(items):
        conversation.take(index, item)
    return conversation.whole()


@dataclass(slots=True)
class _Turn:
    """What the model said in a row."""

    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    calls: dict[str, dict[str, Any]] = field(default_factory=dict)  # by their ids


class _Conversation:
    def __init__(
        self,
        items: list[Item],
        names: Names,
        found: dict[int, list[str]],
        own_reasoning: bool,
        images: bool,
        recall: Recall | None,
    ) -> None:
        self._names = names
        self._found = found  # names of the tools that a search found, by the index of its result
        self._own_reasoning = own_reasoning
        self._images = images
        self._recall = recall
        self._size = len(items)
        self._ended = 0  # index of the first element behind the model's last message
        self._system: list[str] = []
        self._messages: list[Message] = []
        self._turn: _Turn | None = None
        self._answered = False  # whether the model has said something
        self._results: dict[str, deque[tuple[int, Item]]] = defaultdict(deque)
        self._told: set[int] = set()  # indices of results that stand behind their calls
        for index, item in enumerate(items):
            if item.get("type") in _RESULTS and isinstance(called := item.get("call_id"), str):
                self._results[called].append((index, item))

    def whole(self) -> list[Message]:
        self._end_turn(None)
        system = [{"role": "system", "content": joined(self._system)}] if self._system else []
        return system + self._messages

    def take(self, index: int, item: Item) -> None:
        kind, role, place = item.get("type"), item.get("role"), f"input[{index}]"
        if kind in (None, "message"):
            if kind is None and role is None:
                raise Untranslatable(place, "what is meant by an id is not kept here")
            self._take_message(index, item, role, place)
        elif kind in _RESULTS:
            self._end_turn(index)
            self._take_orphan(index, item)
        elif kind not in ("additional_tools", *_GONE):
            self._take_said(index, item, kind)

    def _take_message(self, index: int, item: Item, role: Any, place: str) -> None:
        content, place = item.get("content"), f"{place}.content"
        if role == "assistant":
            if said := text_of(content, place):
                self._speaking().texts.append(said)
        elif role in _SYSTEM:
            self._end_turn(index)
            self.instruct(text_of(content, place))
        elif role == "user":
            self._end_turn(index)
            if parts := parts_of(content, place, images=self._images):
                self._say("user", simplest(parts))
        else:
            raise Untranslatable(f"input[{index}].role", f"nobody speaks as {str(role)[:80]}")

    def _take_said(self, index: int, item: Item, kind: Any) -> None:
        place = f"input[{index}]"
        match kind:
            case "reasoning":
                self._think(item, place)
            case "function_call":
                tool = Tool(_needed(item, "name", place), text(item.get("namespace")))
                self._call(index, item, tool, _arguments(item.get("arguments")))
            case "custom_tool_call":
                tool = Tool(_needed(item, "name", place), text(item.get("namespace")), "custom")
                self._call(index, item, tool, written({INPUT: text(item.get("input"))}).decode())
            case "tool_search_call":
                if item.get("call_id"):  # else the server searched, and all that it found is declared
                    self._call(index, item, SEARCH, _arguments(item.get("arguments")))
            case _:
                why = f"an item of the kind {str(kind)[:80]} cannot be told"
                raise Untranslatable(f"{place}.type", why)

    def _speaking(self) -> _Turn:
        self._answered = True
        if self._turn is None:
            self._turn = _Turn()
        return self._turn

    def _think(self, item: Item, place: str) -> None:
        ours = is_ours(item.get("encrypted_content")) or str(item.get("id")).startswith(OUR_THOUGHT)
        self._answered = True
        if ours and self._own_reasoning:
            thought = text_of(item.get("summary"), f"{place}.summary")
            self._speaking().thoughts.append(thought or text_of(item.get("content"), f"{place}.content"))

    def _call(self, index: int, item: Item, tool: Tool, arguments: str) -> None:
        called = _needed(item, "call_id", f"input[{index}]")
        if self._turn is not None and called in self._turn.calls:
            self._end_turn(index)  # some servers count calls anew in each answer
        function = {"name": self._names.to_chat(tool), "arguments": arguments}
        self._speaking().calls[called] = {"id": called, "type": "function", "function": function}

    def instruct(self, said: str) -> None:
        """Instructions before the first answer belong to the system text; later ones are told where they
        stand, so that what stands before them stays as it was."""
        if said and self._answered:
            self._say("user", f"<system-reminder>\n{said}\n</system-reminder>")
        elif said:
            self._system.append(said)

    def _take_orphan(self, index: int, item: Item) -> None:
        if index in self._told or (item.get("type") == "tool_search_output" and not item.get("call_id")):
            return
        shown: list[Part] = []
        result = self._result(index, item, shown)
        self._say("user", simplest([text_part(f"{_ORPHAN}\n{result}"), *shown]))

    def _end_turn(self, index: int | None) -> None:
        """Somebody else speaks, at this index: what the model said is told, and its calls are answered."""
        turn, self._turn = self._turn, None
        elements = range(self._ended, self._size if index is None else index)
        self._ended = elements.stop
        if turn is None or not (turn.texts or turn.calls):
            return
        message: Message = {"role": "assistant", "content": joined(turn.texts) or None}
        if turn.calls:
            message["tool_calls"] = list(turn.calls.values())
        if thoughts := joined(turn.thoughts):
            message["reasoning_content"] = thoughts
        put_back(message, elements, self._recall)
        self._messages.append(message)
        shown: list[Part] = []
        answers = [self._answer(called, index, shown) for called in turn.calls]
        self._messages += [answer for _, answer in sorted(answers, key=lambda each: each[0])]
        if shown:
            self._say("user", shown)

    def _answer(self, called: str, index: int | None, shown: list[Part]) -> tuple[float, Message]:
        """Where the result of a call stands, and what it says."""
        results = self._results.get(called, deque())
        while results and index is not None and results[0][0] < index:
            results.popleft()  # of an earlier call, or of none
        at, content = inf, _NO_RESULT
        if results and index is not None:
            at, item = results.popleft()
            self._told.add(at)
            content = self._result(at, item, shown)
        return at, {"role": "tool", "tool_call_id": called, "content": content}

    def _result(self, index: int, item: Item, shown: list[Part]) -> str:
        if item.get("type") != "tool_search_output":
            place = f"input[{index}].output"
            return result_of(item.get("output"), place, shown, images=self._images)
        found = self._found[index]
        return f"These tools can be called now: {', '.join(found)}" if found else "No tools were found."

    def _say(self, role: str, content: Any) -> None:
        self._messages.append({"role": role, "content": content})


def _needed(item: Item, field: str, place: str) -> str:
    value = item.get(field)
    if not isinstance(value, str) or not value:
        raise Untranslatable(f"{place}.{field}", "a call needs it")
    return value


def _arguments(value: Any) -> str:
    """Arguments as a JSON object, since servers read them: a call without any sends nothing or null, and a
    model that was cut left half an object behind."""
    if not value:
        return "{}"
    if not isinstance(value, str):
        return written(value).decode()
    try:
        whole = isinstance(decode(value), dict)
    except (msgspec.DecodeError, RecursionError):
        whole = False
    return value if whole else written({"arguments": value}).decode()
