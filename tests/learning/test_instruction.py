"""A standing instruction is the person's own words or nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from learning.stand_in import StandIn
from metaclaw_tray.learning.instruction import read_message, sentences


async def test_a_message_is_shown_alone_and_its_rule_is_picked_from_its_sentences() -> None:
    model = StandIn().reading("Always say the date.", "rule")
    said = "No. Always say the date. Thanks!"
    reading = await read_message(model, said)
    assert reading is not None
    assert (reading.rule, reading.type) == ("Always say the date.", "rule")
    offered = model.schemas[0]["properties"]["rule"]["enum"]
    assert {"", "Always say the date.", "No. Always say the date.", said} <= set(offered)


async def test_what_is_no_rule_has_none() -> None:
    reading = await read_message(StandIn().reading("Make it blue.", "correction"), "Make it blue.")
    assert reading is not None
    assert reading.rule == ""


async def test_silence_and_very_long_messages_are_not_read() -> None:
    model = StandIn().reading("x", "rule")
    assert await read_message(model, "  \n") is None
    assert await read_message(model, "always " * 1000) is None
    assert model.asked == []


def test_sentences_end_as_they_do_in_chinese_too() -> None:
    assert sentences("不对。以后一律用公里。") == ["不对。", "不对。以后一律用公里。", "以后一律用公里。"]


@given(st.text(max_size=400))
def test_every_choice_consists_of_the_messages_own_words(said: str) -> None:
    words = " ".join(said.split())
    assert all(" ".join(choice.split()) in words for choice in sentences(said))


@given(st.text(alphabet="ab.!?。 \n", max_size=2000))
def test_the_choices_stay_few(said: str) -> None:
    assert len(sentences(said)) <= 3 * 16 + 1
