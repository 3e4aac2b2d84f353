"""Generated conversations of agents, in Anthropic's messages."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from metaclaw_tray.wire.translation import thoughts
from wire.strange import JSON, TEXT, mostly, record

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


SOURCE = record(
    type=st.sampled_from(["base64", "url", "file", "text", "content"]), media_type=TEXT, data=TEXT, url=TEXT
)
BLOCK: st.SearchStrategy[Any] = st.deferred(
    lambda: record(
        type=st.sampled_from(
            [
                "text",
                "image",
                "document",
                "tool_use",
                "tool_result",
                "thinking",
                "redacted_thinking",
                "search_result",
                "tool_reference",
                "server_tool_use",
            ]
        ),
        text=TEXT,
        source=SOURCE,
        id=TEXT,
        name=TEXT,
        input=JSON,
        tool_use_id=TEXT,
        tool_name=TEXT,
        content=TEXT | st.lists(BLOCK, max_size=2),
        thinking=TEXT,
        signature=st.sampled_from(["", thoughts.MARK, "EqQB"]),
        is_error=st.booleans(),
        title=TEXT,
        context=TEXT,
    )
)
STRANGE_MESSAGE = record(
    role=st.sampled_from(["user", "assistant", "system"]), content=mostly(TEXT | st.lists(BLOCK, max_size=4))
)
STRANGE_REQUEST = record(
    messages=st.lists(STRANGE_MESSAGE, max_size=5),
    system=TEXT | st.lists(BLOCK, max_size=2),
    tools=st.lists(
        record(name=TEXT, type=TEXT, input_schema=JSON, description=TEXT, defer_loading=JSON), max_size=3
    ),
    tool_choice=record(type=st.sampled_from(["auto", "any", "tool", "none"]), name=TEXT),
    output_config=record(effort=TEXT, format=record(type=TEXT, schema=JSON)),
    stop_sequences=JSON,
    max_tokens=JSON,
    model=TEXT,
    container=JSON,
)
