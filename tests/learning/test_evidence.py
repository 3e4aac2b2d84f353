"""What is kept beside an exchange, and whose word it is."""

from __future__ import annotations

from learning.labelled import told
from metaclaw_tray.learning.evidence import PERSON, pieces_of, pieces_of_thumb
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
