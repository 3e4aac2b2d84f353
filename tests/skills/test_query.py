"""What of a message asks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaclaw_tray.skills.query import asking

TRACE = """Traceback (most recent call last):
  File "/srv/app/send.py", line 88, in deliver
    invoice = invoices[key]
KeyError: 'invoice-2044'"""
LOG = "\n".join(f"2026-05-02 08:14:{n:02d} INFO invoice {n} sent" for n in range(40))


@pytest.mark.parametrize(
    "said",
    [
        "Fix this, please",
        "What is 17 + 25? Answer with the number only.",
        "Make a list:\n- milk\n- bread for four\n- the good cheese",
        "把这些照片重命名一下",
        "First do this.\n\nThen that: the large one.",
        "Buy these:\n- bread (two loaves)\n- olives; the green ones",
        "10:30 is fine for me, tell Anna",
        "2026-05-02 is a Saturday, is it not?",
        "Write an invitation\nto: the neighbours",
        "Deadline: 3/5, can you remind me?",
        "# todo\nimport the contacts",
        "Find a hotel:\ncity: Ghent\nnights: 2\nbreakfast: yes",
        "Is it so that a < b, or b > a?",
    ],
)
def test_what_a_person_types_stays_whole(said: str) -> None:
    assert asking(said).split() == said.split()


@pytest.mark.parametrize(
    "message",
    [
        f"please fix this\n\n{LOG}",
        f"{LOG}\n\nplease fix this",
        f"please fix this\n{LOG}",
        f"{LOG}\nplease fix this",
        "please fix this\n```\nanything at all\n```",
        "please fix this\n\n~~~text\nnever closed\nto the end",
        f"please fix this\n\n{TRACE}",
        "please fix this\n<tool_result>\nsent the invoice\n</tool_result>",
        'please fix this\n<file path="a.py">\nprint("invoice")\n</file>',
        "please fix this\n\n> On Monday Tom wrote:\n> the invoice is wrong",
        "please fix this\n\n$ make invoice\nerror.c:12:4: unknown type\n",
        "please fix this\n\n@@ -1,2 +1,2 @@\n- total = price * amount\n+ total = round(price)",
        'please fix this\n\n{\n  "invoice": 2044,\n  "vat": 21\n}',
        "[Telegram Anna +2m 2026-05-02 08:14 UTC] please fix this",
        "[WhatsApp +31 6 12345678] Anna: please fix this\n[message_id: 3EB0]",
        "please fix this\n\nTom: the price went up\nAnna: ask the other company\nTom: fine",
        "From: anna@example.org\nDate: Mon, 4 May 2026\nSubject: invoice\n\nplease fix this",
    ],
)
def test_what_was_pasted_or_put_around_it_by_a_channel_goes(message: str) -> None:
    assert asking(message).strip() == "please fix this"


def test_a_message_of_nothing_but_output_asks_nothing() -> None:
    assert asking(LOG) == ""
    assert asking(f"```\n{TRACE}\n```").strip() == ""


def test_of_a_long_message_the_ends_and_the_questions_count() -> None:
    filler = "The meeting went on and people said things. " * 60
    asked = asking(f"Look at this.\n\n{filler}Who pays for the roof? {filler}\n\nMake an invoice of it.")
    assert asked.startswith("Look at this.")
    assert asked.endswith("Make an invoice of it.")
    assert "Who pays for the roof?" in asked
    assert len(asked) < 1000


@settings(deadline=None)
@given(st.text(max_size=400))
def test_any_message_gives_a_bounded_part(message: str) -> None:
    assert len(asking(message)) <= len(message) + 1


@pytest.mark.parametrize(
    "piece", ["\n", "?", "a: ", "<file>", "```\n", "- ", "> ", "[a]:", "你", "x? ", "{\n"]
)
def test_a_huge_message_of_one_kind_gives_little(piece: str) -> None:
    assert len(asking(piece * 200_000)) <= 1410
