"""What is true of one request only has no place in a rule, however it is written."""

from __future__ import annotations

import pytest

from metaclaw_tray.learning.facts import Told, one_off

OTHER = Told("Write to the landlord.", "Dear landlord", "Shorter, please.")


@pytest.mark.parametrize("sentence", ["Always greet the family Jansen first.", "Always name room B12 first."])
def test_a_name_or_number_of_one_request_is_found_whatever_its_case(sentence: str) -> None:
    record = Told("write to JANSEN about room b12.", "Hello", "Shorter, please.")
    assert one_off([sentence], [record, OTHER])
    assert one_off([sentence], [record])


def test_what_the_person_asks_for_is_no_fact_of_one_request_whatever_its_case() -> None:
    record = Told("Write the report.", "Here", "always end with kind regards, JANSEN")
    assert one_off(["Always sign it, as Jansen would."], [record, OTHER]) == ""


def test_what_a_remark_names_because_its_request_did_is_a_fact_of_it_where_others_teach_too() -> None:
    record = Told("Write to Jansen.", "Hello", "Shorter, Jansen has no time.")
    assert one_off(["Always be short with Jansen, please."], [record, OTHER]) == "Jansen"
    assert one_off(["Always be short with Jansen, please."], [record]) == "", "it may be the rule itself"
    both = [record, Told("Write to Jansen.", "Hello", "Too long.")]
    assert one_off(["Always be short with Jansen, please."], both) == ""
