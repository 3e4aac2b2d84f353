"""Blocks go into requests, each in its dialect's own place, and everything else stays."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.dialect import HEAD, Dialect
from metaclaw_tray.wire.dialects import DIALECTS
from wire.strange import JSON, TEXT, body_of

CHAT, MESSAGES, RESPONSES = (DIALECTS[name] for name in ("chat", "messages", "responses"))
ALL = pytest.mark.parametrize("dialect", DIALECTS.values(), ids=lambda dialect: dialect.name)
BLOCK = 'Notes:\n- say "yes" 😀'
PERSON = {"role": "user", "content": "hello"}


def injected(
    dialect: Dialect, elements: Any, *blocks: tuple[int, str], model: str | None = None, **more: Any
) -> Any:
    return json.loads(dialect.inject(dialect.parse(body_of(dialect, elements, **more)), blocks, model))


def result_of_messages(call_id: str, content: Any = "ok", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


@pytest.mark.parametrize(
    ("system", "longer"),
    [
        ("rules", "rules\n\n" + BLOCK),
        ("", BLOCK),
        ([], [{"type": "text", "text": BLOCK}]),
        ([{"type": "text", "text": "rules"}], [{"type": "text", "text": "rules\n\n" + BLOCK}]),
    ],
)
def test_chat_takes_the_first_block_at_the_end_of_its_first_system_message(system: Any, longer: Any) -> None:
    for role in ("system", "developer"):
        before = [{"role": role, "content": system, "name": "x"}, {"role": "system", "content": "b"}, PERSON]
        after = injected(CHAT, before, (HEAD, BLOCK))
        assert after["messages"] == [before[0] | {"content": longer}, *before[1:]]


def test_chat_has_no_system_text_behind_the_persons_words_or_without_content() -> None:
    for elements in ([], [PERSON], [PERSON, {"role": "system", "content": "a"}], [{"role": "system"}]):
        assert not CHAT.has_system(CHAT.parse(body_of(CHAT, elements)))
    silent: list[Any] = [{"role": "system", "content": None}, {"role": "system", "content": "a"}, PERSON]
    assert injected(CHAT, silent, (HEAD, "b"))["messages"][1]["content"] == "a\n\nb"


def test_messages_take_the_first_block_as_one_plain_block_after_the_last() -> None:
    assert injected(MESSAGES, [PERSON], (HEAD, BLOCK), system="rules")["system"] == "rules\n\n" + BLOCK
    marked = {"type": "text", "text": "rules", "cache_control": {"type": "ephemeral", "ttl": "1h"}}
    before = [{"type": "text", "text": "who"}, marked]
    after = injected(MESSAGES, [PERSON], (HEAD, BLOCK), system=before)
    assert after == {"system": [*before, {"type": "text", "text": BLOCK}], "messages": [PERSON]}


def test_responses_take_the_first_block_in_their_instructions() -> None:
    developer = {"type": "message", "role": "developer", "content": "rules"}
    after = injected(RESPONSES, [developer, PERSON], (HEAD, BLOCK), instructions="rules")
    assert after == {"instructions": "rules\n\n" + BLOCK, "input": [developer, PERSON]}


@pytest.mark.parametrize("role", ["developer", "system"])
@pytest.mark.parametrize("instructions", [{}, {"instructions": None}, {"instructions": ""}])
def test_responses_without_instructions_take_it_as_one_item_after_the_leading_ones(
    role: str, instructions: Any
) -> None:
    leading = [{"role": "system", "content": "a"}, {"type": "message", "role": role, "content": "b"}]
    rest = [PERSON, {"role": "developer", "content": "late"}, PERSON]
    after = injected(RESPONSES, [*leading, *rest], (HEAD, "first"), (4, "second"), **instructions)
    item = {"type": "message", "role": role, "content": [{"type": "input_text", "text": "first"}]}
    longer = PERSON | {"content": "hello\n\nsecond"}
    assert after == {**instructions, "input": [*leading, item, *rest[:2], longer]}


def test_responses_without_any_system_text_have_no_head() -> None:
    for elements in ("hello", [], [PERSON], [PERSON, {"role": "developer", "content": "late"}]):
        assert not RESPONSES.has_system(RESPONSES.parse(body_of(RESPONSES, elements)))


@pytest.mark.parametrize(
    ("dialect", "content", "longer"),
    [
        *((dialect, "hi", "hi\n\n" + BLOCK) for dialect in DIALECTS.values()),
        *((dialect, "", BLOCK) for dialect in DIALECTS.values()),
        (
            CHAT,
            [{"type": "text", "text": "hi"}, {"type": "image_url", "image_url": {"url": "x"}}],
            [
                {"type": "text", "text": "hi"},
                {"type": "image_url", "image_url": {"url": "x"}},
                {"type": "text", "text": BLOCK},
            ],
        ),
        (
            MESSAGES,
            [result_of_messages("1"), result_of_messages("2", cache_control={"type": "ephemeral"})],
            [
                result_of_messages("1"),
                result_of_messages("2", cache_control={"type": "ephemeral"}),
                {"type": "text", "text": BLOCK},
            ],
        ),
        (
            MESSAGES,
            [result_of_messages("1"), {"type": "text", "text": "go", "cache_control": {}}],
            [
                result_of_messages("1"),
                {"type": "text", "text": "go\n\n" + BLOCK, "cache_control": {}},
            ],
        ),
        (
            RESPONSES,
            [{"type": "input_image", "image_url": "x"}],
            [{"type": "input_image", "image_url": "x"}, {"type": "input_text", "text": BLOCK}],
        ),
        (RESPONSES, [], [{"type": "input_text", "text": BLOCK}]),
        (
            RESPONSES,
            [{"type": "input_text", "text": "hi"}],
            [{"type": "input_text", "text": "hi\n\n" + BLOCK}],
        ),
    ],
)
def test_a_late_block_stands_at_the_end_of_the_persons_message(
    dialect: Dialect, content: Any, longer: Any
) -> None:
    message = {"role": "user", "content": content, "extra": 1.50}
    after = injected(dialect, [PERSON, message, PERSON], (1, BLOCK))
    assert after[dialect.conversation] == [PERSON, message | {"content": longer}, PERSON]


def test_an_input_of_one_text_takes_a_block_and_stays_one() -> None:
    assert injected(RESPONSES, "hello", (0, BLOCK)) == {"input": "hello\n\n" + BLOCK}
    after = injected(RESPONSES, "hello", (0, "b"), (HEAD, "a"), instructions="rules")
    assert after == {"instructions": "rules\n\na", "input": "hello\n\nb"}


@ALL
def test_a_message_without_content_takes_no_block(dialect: Dialect) -> None:
    for element in ({"role": "user"}, {"role": "user", "content": None}, {"role": "user", "content": {}}):
        with pytest.raises(WireError):
            injected(dialect, [element], (0, BLOCK))


@ALL
def test_the_rest_keeps_its_literals_its_order_and_its_half_emojis(dialect: Dialect) -> None:
    field = dialect.conversation.encode()
    body = (
        rb'{ "z":1.0 , "model" : "a", "FIELD" : [ {"content":"caf\u00e9 \/ \ud83d","role":"user","n":1e2} ],'
        rb' "\uDE00":{"b": 0.70, "a":12345678901234567890123} }'
    ).replace(b"FIELD", field)
    request = dialect.parse(body)
    assert dialect.inject(request, [(0, "x")], "b") == (
        rb'{"z":1.0,"model":"b","FIELD":[{"content":"caf\u00e9 \/ \ud83d\n\nx","role":"user","n":1e2}],'
        rb'"\ude00":{"b": 0.70, "a":12345678901234567890123}}'
    ).replace(b"FIELD", field)


PART = {
    "chat": st.builds(lambda text: {"type": "text", "text": text}, TEXT),
    "messages": st.builds(lambda text: {"type": "text", "text": text, "cache_control": {}}, TEXT)
    | st.builds(result_of_messages, TEXT),
    "responses": st.builds(lambda text: {"type": "input_text", "text": text}, TEXT),
}


def elements_of(name: str, roles: Sequence[str]) -> st.SearchStrategy[Any]:
    content = TEXT | st.lists(PART[name], max_size=2)
    return st.fixed_dictionaries(
        {"role": st.sampled_from(roles), "content": content},
        optional={"extra": JSON, "type": st.just("message")},
    )


@st.composite
def requests(draw: st.DrawFn) -> tuple[Dialect, dict[str, Any]]:
    """A request as clients send it, in any dialect."""
    dialect = draw(st.sampled_from(list(DIALECTS.values())))
    leading = draw(st.lists(elements_of(dialect.name, ["system", "developer"]), max_size=2))
    rest = draw(st.lists(elements_of(dialect.name, ["user", "assistant", "system"]), min_size=1, max_size=5))
    fields = draw(st.dictionaries(TEXT, JSON, max_size=3)) | {"model": draw(TEXT)}
    if draw(st.booleans()):
        system = draw(TEXT | st.lists(PART["chat"], max_size=2)) if dialect is MESSAGES else draw(TEXT)
        fields["system" if dialect is MESSAGES else "instructions"] = system
    return dialect, fields | {dialect.conversation: [*leading, *rest]}


def without_block(before: Any, after: Any, text: str) -> None:
    """Assert that `after` is `before` with a block at its end."""
    if isinstance(before, str):
        assert after == (before + "\n\n" + text if before else text)
    elif len(after) > len(before):
        assert after[:-1] == before
        assert after[-1] in [{"type": kind, "text": text} for kind in ("text", "input_text")]
    else:
        assert after[:-1] == before[:-1]
        assert list(after[-1]) == list(before[-1])
        without_block(before[-1]["text"], after[-1]["text"], text)
        assert after[-1] | {"text": 0} == before[-1] | {"text": 0}


@given(requests(), st.booleans(), st.booleans(), st.data())
def test_only_the_blocks_and_the_models_name_are_changed(
    made: tuple[Dialect, dict[str, Any]], spaced: bool, head: bool, data: st.DataObject
) -> None:
    dialect, value = made
    body = json.dumps(value, indent=2 if spaced else None).encode()
    request = dialect.parse(body)
    elements = value[dialect.conversation]
    places = data.draw(st.sets(st.integers(0, len(elements) - 1), max_size=3))
    head = head and dialect.has_system(request)
    if dialect is CHAT and head:
        places.discard(0)  # the message that the head goes into
    blocks = [*([(HEAD, "the head")] if head else []), *((place, f"block {place}") for place in places)]
    before = json.loads(body)
    after = json.loads(dialect.inject(request, blocks, "routed"))
    assert list(after) == list(before)
    assert after.pop("model") == "routed"
    del before["model"]
    was, now = before.pop(dialect.conversation), after.pop(dialect.conversation)
    if head:
        take_head_out(dialect, before, after, was, now)
    assert after == before
    for place in range(len(was)):
        assert list(was[place]) == list(now[place])
        if place in places:
            without_block(was[place].pop("content"), now[place].pop("content"), f"block {place}")
    assert now == was


def take_head_out(dialect: Dialect, before: Any, after: Any, was: list[Any], now: list[Any]) -> None:
    field = {"messages": "system", "responses": "instructions"}.get(dialect.name)
    if field and before.get(field):
        without_block(before.pop(field), after.pop(field), "the head")
    elif dialect is CHAT:
        without_block(was[0].pop("content"), now[0]["content"], "the head")
        was[0] = dict.fromkeys(now[0]) | was[0]
        was[0]["content"] = now[0]["content"]
    else:
        roles = [each["role"] in ("system", "developer") for each in was]
        place = [*roles, False].index(False)
        item = now.pop(place)
        assert item["role"] == was[place - 1]["role"]
        assert item["content"] == [{"type": "input_text", "text": "the head"}]


@given(requests(), st.data())
def test_a_longer_conversation_begins_with_the_bytes_of_the_shorter_one(
    made: tuple[Dialect, dict[str, Any]], data: st.DataObject
) -> None:
    dialect, value = made
    elements = value.pop(dialect.conversation)
    cut = data.draw(st.integers(1, len(elements)))
    shorter, longer = (
        dialect.parse(json.dumps({**value, dialect.conversation: part}).encode())
        for part in (elements[:cut], elements)
    )
    head = [(HEAD, "head")] if dialect.has_system(shorter) and dialect.has_system(longer) else []
    if head and dialect is RESPONSES and not value.get("instructions"):
        leading = [each["role"] in ("system", "developer") for each in [*elements, PERSON]].index(False)
        head = head if cut > leading else []
    first = [*head, (cut - 1, "anchor")]
    later = [*first, *([(len(elements) - 1, "late")] if len(elements) > cut else [])]
    sent = dialect.inject(shorter, first, None)
    assert dialect.inject(longer, later, None).startswith(sent.removesuffix(b"]}"))
