"""What the judge is shown of an exchange."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from learning.test_outcomes import call, gave
from metaclaw_tray.learning.rubric import Rubric, rubric_of
from metaclaw_tray.learning.trajectory import trajectory

ANSWER = {"role": "assistant", "content": "It is done."}


def person(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def test_the_exchange_begins_with_the_persons_last_words() -> None:
    seen = trajectory([person("one"), ANSWER, person("two"), call(1, "look"), gave(1, "found")], ANSWER)
    assert seen.task == "two"
    assert [(step.number, step.said, step.results) for step in seen.steps] == [
        (1, "[calls look with {}]", ("found",))
    ]
    assert seen.answer == "It is done."
    assert seen.last == 2


def test_a_plain_answer_has_no_steps() -> None:
    seen = trajectory([person("when?")], ANSWER)
    assert seen.steps == ()
    assert seen.shown_steps() == ""


def test_of_a_long_way_the_failed_steps_and_the_ends_stay() -> None:
    messages = [person("do it")]
    for number in range(60):
        messages += [call(number, "run"), gave(number, "exit code 1" if number == 30 else "fine " * 100)]
    shown = trajectory(messages, ANSWER).shown_steps()
    assert len(shown) < 3600
    assert "[1] " in shown
    assert "[60] " in shown
    assert "[31] [calls run" in shown
    assert "steps left out" in shown


@given(
    st.lists(
        st.sampled_from(["person", "call", "gave", "system"]).flatmap(
            lambda kind: st.tuples(st.just(kind), st.text(max_size=400))
        ),
        max_size=40,
    )
)
def test_no_exchange_is_too_odd_or_too_long_to_be_shown(parts: list[tuple[str, str]]) -> None:
    make = {
        "person": person,
        "call": lambda text: {"role": "assistant", "content": text},
        "gave": lambda text: gave(1, text),
        "system": lambda text: {"role": "system", "content": text},
    }
    seen = trajectory([make[kind](text) for kind, text in parts], ANSWER)
    assert len(seen.shown_steps()) < 4000
    assert "</" not in seen.shown_steps() + seen.shown_task()


def test_each_kind_of_turn_has_its_rubric() -> None:
    assert rubric_of([], ANSWER) is Rubric.REPLY
    assert rubric_of([], {"role": "assistant", "content": "```py\nx = 1\n```"}) is Rubric.CODE
    assert rubric_of([], {"role": "assistant", "content": "word " * 300}) is Rubric.WRITING
    assert rubric_of([call(1, "web_search"), gave(1, "x")], ANSWER) is Rubric.TOOLS
    assert rubric_of([call(1, "str_replace_editor"), gave(1, "x")], ANSWER) is Rubric.CHANGES
    assert all(each.words for each in Rubric)
