"""The answers are graded by code, and the code is right: each grader with right answers and wrong ones."""

from __future__ import annotations

import pytest

from benchmarks.learning.rules import ORDINARY, OTHERS, RULES, Case, Rule
from benchmarks.learning.rules.others import is_clean

_BY_NAME = {rule.name: rule for rule in RULES}


def _unseen(rule: str, start: str) -> Case:
    return next(case for case in _BY_NAME[rule].unseen if start in case.request)


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("She opens at 08h15.", True),
        ("On Monday she opens at 08h15 in the morning.", True),
        ("She opens at 8h15.", False),
        ("She opens at 08:15.", False),
        ("She opens at 08h15 (8:15 am).", False),
        ("She opens at 20h15.", False),
        ("She opens at 08h15 and closes at 17h00.", False),
        ("She opens at 08h75.", False),
        ("", False),
    ],
)
def test_a_time_is_right_when_it_is_that_time_in_that_form_alone(answer: str, right: bool) -> None:
    assert _unseen("times", "dentist").right(answer) is right


def test_two_times_have_to_be_there_where_two_were_given() -> None:
    case = _unseen("times", "interview")
    assert case.right("The interview is from 14h30 to 15h15.")
    assert not case.right("The interview is at 14h30.")


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("2026-05-03-invoice.pdf", True),
        ("Name it `2026-05-03-invoice-bakery.pdf`.", True),
        ("**2026-05-03-invoice.pdf**", True),
        ("Invoice_2026-05-03.pdf", False),
        ("2026-05-03-Invoice.pdf", False),
        ("2026-05-03_invoice.pdf", False),
        ("2026-05-03 invoice.pdf", False),
        ("2026-05-04-invoice.pdf", False),
        ("2026-05-03-letter.pdf", False),
        ("2026-05-03.pdf", False),
        ("2026-05-03-invoice.pdf or invoice.pdf", False),
        ("2026-05-03-invoice", False),
    ],
)
def test_a_file_name_is_right_with_its_date_first_in_small_letters_and_hyphens(
    answer: str, right: bool
) -> None:
    assert _unseen("file names", "invoice").right(answer) is right


_PAGE = "---\ntitle: Coffee\nstatus: draft\n---\n\n# Coffee\n\nThe coffee machine is new. Keep it clean."


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        (_PAGE, True),
        (f"```markdown\n{_PAGE}\n```", True),
        (f"Here is the page:\n\n```md\n{_PAGE}\n```", True),
        (_PAGE.replace("title: Coffee\nstatus: draft", "status: draft\ntitle: Coffee"), True),
        (_PAGE.replace("draft", "done"), False),
        (_PAGE.replace("title: Coffee\n", ""), False),
        (_PAGE.replace("title: Coffee", "title:"), False),
        (_PAGE.removeprefix("---\n"), False),
        (f"# Coffee\n\n{_PAGE}", False),
        (_PAGE.partition("\n\n")[0], False),
        (_PAGE.replace("The coffee machine is", "The tea kettle is").replace("# Coffee", "# Tea"), False),
        ("# Coffee\n\nThe coffee machine is new.\n\ntitle: Coffee\nstatus: draft", False),
    ],
)
def test_a_page_is_right_when_front_matter_with_both_fields_begins_it(answer: str, right: bool) -> None:
    assert _unseen("front matter", "coffee").right(answer) is right


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("cp cache.db cache.db.bak\nrm cache.db", True),
        ("```sh\ncp cache.db cache.db.bak\nrm cache.db\n```", True),
        ("First `cp cache.db cache.db.bak`, then `rm cache.db`.", True),
        ("To delete `cache.db`:\n```bash\ncp -p 'cache.db' 'cache.db.bak' && rm cache.db\n```", True),
        ("cp cache.db{,.bak}; rm cache.db", True),
        ("rm cache.db", False),
        ("```\nrm cache.db\ncp cache.db cache.db.bak\n```", False),
        ("```\nrm cache.db\ncp cache.db cache.db.bak\nrm cache.db\n```", False),
        ("cp cache.db cache.db.bak", False),
        ("cp other.db other.db.bak\nrm cache.db", False),
        ("cp cache.db cache.db.bak\nrm other.db", False),
        ("cp cache.db cache.bak\nrm cache.db", False),
        ("cp cache.db cache.db.bak.old\nrm cache.db", False),
    ],
)
def test_a_command_is_right_when_its_file_was_copied_before(answer: str, right: bool) -> None:
    assert _unseen("backup first", "cache.db").right(answer) is right


_FUNCTION = 'def double(n):\n    log.info("enter double")\n    return 2 * n\n'


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        (_FUNCTION, True),
        (f"```python\n{_FUNCTION}```", True),
        (f"Here it is:\n```python\nimport logging as log\n\n{_FUNCTION}```\nIt doubles a number.", True),
        (_FUNCTION.replace("(n):\n", '(n: int) -> int:\n    """Twice n."""\n'), True),
        (_FUNCTION.replace('"', "'"), True),
        (_FUNCTION.replace("enter double", "enter NAME"), False),
        (_FUNCTION.replace("log.info", "print"), False),
        (_FUNCTION.replace('    log.info("enter double")\n', ""), False),
        (_FUNCTION.replace("    return 2 * n\n", ""), False),
        ('def double(n):\n    result = 2 * n\n    log.info("enter double")\n    return result\n', False),
        (f"{_FUNCTION}\ndef half(n):\n    return n / 2\n", False),
        (_FUNCTION.replace("double", "twice"), False),
        ('log.info("enter double")\ndef double(n):\n    return 2 * n\n', False),
        (_FUNCTION.replace("return 2 * n", "return 2 *"), False),
    ],
)
def test_a_function_is_right_when_it_logs_first(answer: str, right: bool) -> None:
    assert _unseen("log line", "double").right(answer) is right


def test_the_form_alone_is_graded_where_the_request_is_not_ours() -> None:
    good = ("It opens at 09h05.", "2026-05-03-menu.txt", _PAGE, "cp a.txt a.txt.bak\nrm a.txt", _FUNCTION)
    for rule in RULES:
        assert [rule.follows(answer) for answer in good] == [rule is each for each in RULES]


@pytest.mark.parametrize(
    "answer",
    [
        "It was at 14h00.",
        "---\ntitle: Rome\nstatus: draft\n---\nRome",
        "cp a.txt a.txt.bak",
        'log.info("enter x")',
        "2026-05-03-rome.md",
    ],
)
def test_an_answer_of_another_kind_is_wrong_when_a_house_rule_creeps_in(answer: str) -> None:
    case = next(case for case in OTHERS if "Italy" in case.request)
    assert case.right("The capital of Italy is Rome.")
    assert not case.right("The capital of Italy is Milan.")
    assert not case.right(f"Rome. {answer}" if not answer.startswith("---") else answer)
    assert not is_clean(answer)


def _cases(rule: Rule) -> list[Case]:
    return [*(lesson.case for lesson in rule.lessons), *rule.unseen]


def test_there_are_as_many_requests_as_promised_and_none_twice() -> None:
    assert [len(rule.unseen) for rule in RULES] == [20] * 5
    assert len(OTHERS) == 40
    requests = [case.request for rule in RULES for case in _cases(rule)]
    requests += [case.request for case in (*OTHERS, *ORDINARY)]
    assert len(set(requests)) == len(requests)


def test_no_request_gives_its_own_answer_away() -> None:
    for case in (case for rule in RULES for case in _cases(rule)):
        assert not case.right(case.request)


def test_one_correction_of_each_rule_states_it_for_good() -> None:
    for rule in RULES:
        standing = ["always" in each.correction or "Every" in each.correction for each in rule.lessons]
        assert sum(standing) == 1
