"""What tools came back with: whose fault, and whether it was put right."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.learning.outcomes import Surroundings, is_failure, outcomes, surroundings_of, to_blame


def call(number: int, name: str) -> dict[str, Any]:
    made = {"id": str(number), "type": "function", "function": {"name": name, "arguments": "{}"}}
    return {"role": "assistant", "content": None, "tool_calls": [made]}


def gave(number: int, text: str, **more: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": str(number), "content": text, **more}


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ("curl: (6) Could not resolve host: example.org", Surroundings.NETWORK),
        ("Error: connect ECONNREFUSED 127.0.0.1:5432", Surroundings.NETWORK),
        ("requests.exceptions.ReadTimeout: Read timed out. (read timeout=30)", Surroundings.NETWORK),
        ("HTTP 503: the server is restarting", Surroundings.NETWORK),
        ("HTTP Error 429: Too Many Requests", Surroundings.LIMIT),
        ("You exceeded your current quota, please check your plan", Surroundings.LIMIT),
        ("bash: rg: command not found", Surroundings.PROGRAM),
        ("sh: 1: node: not found", Surroundings.PROGRAM),
        ("ModuleNotFoundError: No module named 'pandas'", Surroundings.PROGRAM),
        ("'make' is not recognized as an internal or external command,", Surroundings.PROGRAM),
        ("browserType.launch: Executable doesn't exist at /opt/chromium", Surroundings.PROGRAM),
        ("cp: error writing 'a': No space left on device", Surroundings.MACHINE),
    ],
)
def test_what_of_the_surroundings_failed_is_named(said: str, what: Surroundings) -> None:
    assert surroundings_of(said) is what
    assert is_failure(gave(1, said))


@pytest.mark.parametrize(
    "said",
    [
        "AssertionError: expected 3, got 4",
        "SyntaxError: invalid syntax",
        "fatal: not a git repository",
        "error: pathspec 'mian' did not match any file(s) known to git",
        "Permission denied: /etc/shadow",
        "2 failed, 11 passed in 0.41s",
        "exit code 2",
    ],
)
def test_an_agents_own_fault_is_a_failure_and_nobody_elses(said: str) -> None:
    assert is_failure(gave(1, said))
    assert surroundings_of(said) is None


@pytest.mark.parametrize(
    "said",
    [
        "",
        "3 lines changed",
        "12 passed in 0.4s, 0 failed",
        "The chapter on errors is the second one.",
        "exit code 0",
    ],
)
def test_a_good_result_is_no_failure(said: str) -> None:
    assert not is_failure(gave(1, said))


def test_the_clients_own_mark_counts() -> None:
    assert is_failure(gave(1, "the file has two such lines", is_error=True))


def test_a_page_about_errors_is_no_error() -> None:
    page = "Handbook\n" + "words " * 200 + "Traceback (most recent call last)" + " words" * 200
    assert not is_failure(gave(1, page))


def test_an_error_that_a_later_call_put_right_is_repaired() -> None:
    found = outcomes(
        [
            call(1, "run"),
            gave(1, "exit code 1"),
            call(2, "edit"),
            gave(2, "done"),
            call(3, "run"),
            gave(3, "fine"),
        ]
    )
    assert [(each.tool, each.failed, each.repaired) for each in found] == [
        ("run", True, True),
        ("edit", False, False),
        ("run", False, False),
    ]
    assert to_blame(found) is None


def test_an_error_of_the_same_tool_again_is_not_repaired() -> None:
    found = outcomes([call(1, "run"), gave(1, "exit code 1"), call(2, "run"), gave(2, "exit code 1")])
    assert [each.repaired for each in found] == [False, False]


def test_another_way_that_works_repairs_as_well() -> None:
    found = outcomes([call(1, "rg"), gave(1, "rg: command not found"), call(2, "grep"), gave(2, "a.py:3")])
    assert found[0].repaired
    assert to_blame(found) is None


def test_the_last_open_failure_says_who_is_to_blame() -> None:
    network, own = "curl: (7) Failed to connect to example.org", "exit code 1"
    assert to_blame(outcomes([call(1, "curl"), gave(1, network)])) is Surroundings.NETWORK
    assert to_blame(outcomes([call(1, "curl"), gave(1, network), call(2, "run"), gave(2, own)])) is None


@given(st.lists(st.builds(gave, st.integers(0, 3), st.text(max_size=60)), max_size=6))
def test_whatever_tools_say_is_read(messages: list[dict[str, Any]]) -> None:
    assert len(outcomes(messages)) == len(messages)
