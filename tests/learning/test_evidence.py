"""What is kept beside an exchange, and whose word it is."""

from __future__ import annotations

from learning.labelled import told
from metaclaw_tray.learning.evidence import (
    PERSON,
    is_repeated,
    pieces_of,
    pieces_of_thumb,
    pieces_of_tools,
)
from metaclaw_tray.store.learning import Ruling

ANSWER = {"role": "assistant", "content": "At nine."}


def kinds(ruling: Ruling, *following: dict[str, str]) -> list[tuple[str, int, str]]:
    return [
        (each.kind, each.value, each.origin) for each in pieces_of(ruling, told("when?", ANSWER, *following))
    ]


def test_a_correction_is_the_persons_and_the_verdict_the_models() -> None:
    ruling = Ruling(-1, (-1,), "no date", "form", "Always say the date.")
    assert kinds(ruling, {"role": "user", "content": "No! Always say the date."}) == [
        ("verdict", -1, "model"),
        ("correction", -1, "person"),
        ("instruction", -1, "person"),
    ]


def test_thanks_speak_for_the_exchange() -> None:
    assert ("thanks", 1, "person") in kinds(Ruling(1, (1,), "fine"), {"role": "user", "content": "thanks"})


def test_a_tools_result_is_no_word_of_the_person() -> None:
    assert kinds(Ruling(-1, (-1,), "error"), {"role": "tool", "content": "No! Wrong!"}) == [
        ("verdict", -1, "model")
    ]


def test_an_unscored_turn_says_nothing() -> None:
    assert kinds(Ruling(None, (), "split"), {"role": "user", "content": "no"}) == []


def test_a_note_with_a_thumb_is_as_good_as_a_reply() -> None:
    assert [
        (each.kind, each.value, each.text, each.origin) for each in pieces_of_thumb(False, "say the date")
    ] == [
        ("feedback", -1, "say the date", PERSON),
        ("correction", -1, "say the date", PERSON),
    ]
    assert [each.kind for each in pieces_of_thumb(True, "")] == ["feedback"]


def test_a_next_task_is_neither_thanks_nor_a_correction() -> None:
    told_next = {"role": "user", "content": "And on Sundays?"}
    assert kinds(Ruling(1, (1,), "fine", heard="task"), told_next) == [("verdict", 1, "model")]


def test_thanks_are_what_was_heard_as_thanks() -> None:
    said = {"role": "user", "content": "Perfect, thank you"}
    assert ("thanks", 1, "person") in kinds(Ruling(0, (0,), "", heard="thanks"), said)


def test_the_same_request_again_is_a_repetition() -> None:
    said = {"role": "user", "content": "list the invoices of march with their totals, please"}
    found = pieces_of(
        Ruling(-1, (-1,), "no", heard="task"),
        told("List the invoices of March with their totals.", ANSWER, said),
    )
    assert ("repetition", -1, "person") in [(each.kind, each.value, each.origin) for each in found]


def test_another_request_and_a_short_word_are_no_repetition() -> None:
    assert not is_repeated("List the invoices of March.", "List the members of the club.")
    assert not is_repeated("yes", "yes")
    assert is_repeated("把三月的发票按金额列出来", "把三月的发票按金额列出来")


def test_tools_leave_evidence_with_its_origin() -> None:
    calls = [
        {"id": "1", "function": {"name": "web_fetch", "arguments": "{}"}},
        {"id": "2", "function": {"name": "run", "arguments": "{}"}},
    ]
    made = told(
        "look",
        {"role": "assistant", "content": "", "tool_calls": calls},
        {"role": "tool", "tool_call_id": "1", "content": "HTTP 503: busy"},
        {"role": "tool", "tool_call_id": "2", "content": "exit code 1"},
    )
    assert [(each.kind, each.value, each.origin) for each in pieces_of_tools(made)] == [
        ("transient", 0, "web"),
        ("tool_error", -1, "tool"),
    ]


def test_an_answer_that_was_cut_off_is_said_to_be() -> None:
    ruling = Ruling(None, (), "the answer was cut off")
    assert [each.kind for each in pieces_of(ruling, told("when?", ANSWER))] == ["cut"]
