"""Names of tools and ids of calls, there and back."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.wire.translation import call_ids
from metaclaw_tray.wire.translation.names import Names, Tool

ALLOWED = re.compile(r"[a-zA-Z0-9_-]{1,64}")
TOOLS = st.builds(Tool, st.text(max_size=80), st.text(max_size=20), st.sampled_from(["function", "custom"]))


@given(st.lists(TOOLS, unique=True, max_size=8))
def test_each_tool_has_a_name_of_its_own_that_leads_back(tools: list[Tool]) -> None:
    names = Names()
    there = [names.to_chat(tool) for tool in tools]
    assert all(ALLOWED.fullmatch(name) for name in there)
    assert [names.from_chat(name) for name in there] == tools
    assert [names.to_chat(tool) for tool in tools] == there


def test_a_name_that_fits_is_not_changed() -> None:
    assert Names().to_chat(Tool("mcp__files__read-all")) == "mcp__files__read-all"


def test_a_name_that_does_not_fit_is_the_same_in_each_request() -> None:
    tool = Tool("ツール" * 40)
    alone, among = Names(), Names()
    among.to_chat(Tool("other"))
    assert alone.to_chat(tool) == among.to_chat(tool)


def test_a_namespace_and_a_plain_name_that_look_the_same_are_two_tools() -> None:
    names = Names()
    assert names.to_chat(Tool("a__b")) != names.to_chat(Tool("b", "a"))


@given(st.text(min_size=1), st.text())
def test_an_id_comes_back_as_it_was(call_id: str, salt: str) -> None:
    there = call_ids.to_client(call_id, salt)
    assert re.fullmatch(r"[a-zA-Z0-9_-]+", there)
    assert call_ids.to_chat(there) == call_id


@given(st.text())
def test_an_id_of_a_client_never_fails(call_id: str) -> None:
    assert isinstance(call_ids.to_chat(call_id), str)


def test_an_id_that_fits_is_not_changed() -> None:
    assert call_ids.to_client("call_aB-1", "salt") == "call_aB-1"
    assert call_ids.to_chat("toolu_01") == "toolu_01"


def test_made_ids_differ_between_requests_and_calls() -> None:
    one, two = Names(), Names()
    made = {call_ids.made(names.salt, number) for names in (one, two) for number in (0, 1)}
    assert len(made) == 4
    assert call_ids.made(one.salt, 0) in made


def test_an_id_that_servers_count_up_is_another_one_in_each_turn() -> None:
    one, two = (call_ids.to_client("functions.bash:0", Names().salt) for _ in range(2))
    assert one != two
    assert call_ids.to_chat(one) == call_ids.to_chat(two) == "functions.bash:0"
