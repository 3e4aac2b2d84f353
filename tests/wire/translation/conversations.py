"""Generated conversations of agents, in Anthropic's messages."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

from metaclaw_tray.wire.translation import thoughts
from wire.strange import JSON

WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30).filter(str.strip)
OBJECT = st.dictionaries(
    WORDS,
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**40), 2**40) | WORDS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
        max_leaves=5,
    ),
    max_size=4,
)
NAMES = st.sampled_from(["Read", "Bash", "mcp__files__list", "mcp.server/tool", "long" * 20, "名"])
MARKER = {"cache_control": {"type": "ephemeral"}}


def text_block(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


@st.composite
def agent_conversations(draw: st.DrawFn) -> list[dict[str, Any]]:
    """What both dialects can say: words, calls in parallel, their results, thoughts of ours."""
    messages: list[dict[str, Any]] = []
    number = 0
    for _ in range(draw(st.integers(1, 5))):
        messages.append({"role": "user", "content": draw(said())})
        for _ in range(draw(st.integers(0, 3))):
            calls = []
            for _ in range(draw(st.integers(1, 3))):
                number += 1
                call = {
                    "type": "tool_use",
                    "id": f"toolu_{number}",
                    "name": draw(NAMES),
                    "input": draw(OBJECT),
                }
                calls.append(call)
            before = [text_block(draw(WORDS))] if draw(st.booleans()) else []
            messages.append({"role": "assistant", "content": [*draw(reasoning()), *before, *calls]})
            results: list[dict[str, Any]] = [
                {"type": "tool_result", "tool_use_id": call["id"], "content": draw(said())} for call in calls
            ]
            more = [text_block(draw(WORDS))] if draw(st.booleans()) else []
            messages.append({"role": "user", "content": draw(st.permutations(results)) + more})
        if draw(st.booleans()):
            messages.append({"role": "assistant", "content": draw(said())})
    return messages


def said() -> st.SearchStrategy[Any]:
    """Words as clients write them: plain, or as one block, marked or not."""
    return st.one_of(
        WORDS,
        WORDS.map(lambda words: [text_block(words)]),
        WORDS.map(lambda words: [text_block(words) | MARKER]),
    )


def reasoning() -> st.SearchStrategy[list[dict[str, Any]]]:
    ours = WORDS.map(lambda words: [{"type": "thinking", "thinking": words, "signature": thoughts.MARK}])
    others = WORDS.map(lambda words: [{"type": "thinking", "thinking": words, "signature": "EqQB"}])
    return st.just([]) | ours | others


RICH: dict[str, Any] = {
    "model": "claude",
    "max_tokens": 100,
    "stop_sequences": ["END"],
    "system": [text_block("base"), text_block("more") | MARKER],
    "tools": [
        {"name": "Read", "description": "Reads.", "input_schema": {"type": "object"}, "strict": True},
        {"name": "late", "type": "custom", "input_schema": {}, "defer_loading": True},
    ],
    "tool_choice": {"type": "tool", "name": "Read", "disable_parallel_tool_use": True},
    "output_config": {"effort": "high", "format": {"type": "json_schema", "schema": {}}},
    "messages": [
        {
            "role": "user",
            "content": [
                text_block("look"),
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}},
                {"type": "image", "source": {"type": "url", "url": "http://x"}},
                {"type": "document", "title": "T", "context": "C", "source": {"type": "text", "data": "d"}},
                {"type": "document", "source": {"type": "content", "content": [text_block("inner")]}},
                {"type": "search_result", "title": "t", "source": "s", "content": [text_block("found")]},
            ],
        },
        {"role": "system", "content": "environment"},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Hm.", "signature": thoughts.MARK},
                {"type": "redacted_thinking", "data": "x"},
                text_block("I will."),
                {"type": "tool_use", "id": "t1", "name": "Read", "input": {"path": "a"}},
                {"type": "tool_use", "id": "t2", "name": "mcp.x", "input": {}},
            ],
        },
        {"role": "system", "content": [text_block("later")]},
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "t1",
                    "content": [
                        text_block("a"),
                        {
                            "type": "image",
                            "source": {"type": "base64", "media_type": "image/png", "data": "AA=="},
                        },
                        {
                            "type": "document",
                            "source": {"type": "base64", "media_type": "application/pdf", "data": "AA=="},
                        },
                        {"type": "tool_reference", "tool_name": "late"},
                    ],
                },
                {"type": "tool_result", "tool_use_id": "t2", "content": "no", "is_error": True},
                text_block("Well?"),
            ],
        },
        {"role": "assistant", "content": "Done."},
    ],
}
"""A request with everything that can be translated."""


@st.composite
def strange_requests(draw: st.DrawFn) -> Any:
    """The rich request with something else in up to three places, or nothing."""
    request = copy.deepcopy(RICH)
    for _ in range(draw(st.integers(1, 3))):
        holder: Any = request
        key = draw(st.sampled_from(sorted(request)))
        for _ in range(draw(st.integers(0, 8))):
            inner = holder[key]
            if not isinstance(inner, dict | list) or not inner:
                break
            holder = inner
            key = draw(st.sampled_from(sorted(inner) if isinstance(inner, dict) else range(len(inner))))
        if draw(st.booleans()):
            holder[key] = draw(JSON)
        else:
            del holder[key]
        if not request:
            break
    return request
