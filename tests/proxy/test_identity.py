"""Session, kind, opening and path of requests, as the proxy sees them one after another."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multidict import CIMultiDict, CIMultiDictProxy

from metaclaw_tray.proxy.clients import client_says
from metaclaw_tray.proxy.kinds import kind_of
from metaclaw_tray.proxy.sessions import Remembered, Sessions
from metaclaw_tray.wire.dialects import DIALECTS
from metaclaw_tray.wire.tree import Path, Reader, answer_node, root_of
from proxy.clients_seen import (
    CALL,
    EPHEMERAL,
    OTHER,
    REMINDER,
    SESSION,
    Seen,
    claude_code,
    claude_code_title,
    codex,
    hermes,
    openclaw,
    opencode,
    opencode_title,
    text,
)
from proxy.house import House

KEY, SILENCE = b"k" * 32, 900.0


@dataclass
class Eye:
    """What the proxy remembers from one request to the next."""

    reader: Reader = field(default_factory=lambda: Reader(KEY))
    sessions: Sessions = field(default_factory=Sessions)
    now: float = 0.0

    def see(self, seen: Seen, turn_type: str = "") -> tuple[str, str, Path]:
        """Session, kind and path of a request."""
        dialect = DIALECTS[seen.dialect]
        request = dialect.parse(json.dumps(seen.body).encode())
        says = client_says(CIMultiDictProxy(CIMultiDict(seen.headers)), request)
        path = self.reader.path(dialect, request, root_of(KEY, "claw"))
        session = self.sessions.identify("claw", says.session, path, self.now, SILENCE)
        return session, kind_of(turn_type, path, says), path


def path(seen: Seen) -> Path:
    return Eye().see(seen)[2]


CLIENTS = [claude_code, codex, opencode, openclaw, hermes]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_conversation_is_one_path_in_one_session(client: Any) -> None:
    """Marks of caches, strings for parts, reminders, days and moving contexts change nothing of it."""
    eye = Eye()
    first, kind, begun = eye.see(client("fix it"))
    assert (kind, begun.openings, begun.words) == ("main", [0], "fix it")
    assert begun.opening == len(begun.nodes) - 1
    said = ["fix it"]
    for number in range(1, 4):
        answer = {"role": "assistant", "content": f"\ndone {number}  "}
        said += [f"done {number}", f"more {number}"]
        before = begun
        session, kind, begun = eye.see(client(*said))
        assert (session, kind) == (first, "main")
        assert begun.nodes[: len(before.nodes)] == before.nodes
        assert begun.nodes[len(before.nodes)] == answer_node(KEY, before.tip, answer)
        assert begun.openings == [*before.openings, len(before.nodes) + 1]
        assert begun.words == f"more {number}"


@pytest.mark.parametrize("client", CLIENTS)
def test_a_restart_loses_nothing_of_who_is_who(client: Any) -> None:
    eye = Eye()
    eye.see(client("fix it"))
    eye.now = SILENCE * 2
    session, _, before = eye.see(client("fix it"))
    again = Eye(now=SILENCE * 2 + 5)
    again.sessions.load([Remembered(session, eye.now)])
    later, kind, after = again.see(client("fix it", "ok", "more"))
    assert (later, kind) == (session, "main")
    assert after.nodes[0] == before.nodes[0]


@pytest.mark.parametrize("client", [codex, openclaw, hermes])
def test_the_root_is_what_the_person_said_and_not_the_day(client: Any) -> None:
    days: dict[Any, dict[str, Any]] = {
        codex: {"day": "2027-01-01"},
        openclaw: {"minute": 30},
        hermes: {"started": "later"},
    }
    day = days[client]
    assert path(client("fix it")).nodes == path(client("fix it", **day)).nodes
    assert path(client("fix it")).first != path(client("break it", **day)).first


def test_conversations_without_an_id_part_by_their_first_words() -> None:
    """A client that says nothing of sessions is learnt from all the same."""
    eye = Eye()
    one, kind, _ = eye.see(hermes("fix it"))
    other, _, _ = eye.see(hermes("break it"))
    assert kind == "main"
    assert one != other
    assert eye.see(hermes("fix it", "ok", "more"))[0] == one
    eye.now = SILENCE + 1
    anew = eye.see(hermes("fix it"))[0]
    assert anew not in (one, other)


def test_edited_and_sent_again_is_a_branch_of_the_same_session() -> None:
    eye = Eye()
    first = eye.see(claude_code("fix it", "ok", "more"))
    edited = eye.see(claude_code("fix it", "ok", "less"))
    assert edited[0] == first[0]
    assert edited[2].nodes[:2] == first[2].nodes[:2]
    assert edited[2].tip != first[2].tip
    assert eye.see(claude_code("fix it", "ok", "more"))[2].nodes == first[2].nodes


def test_a_request_that_is_reduced_and_tried_again_is_the_same_path() -> None:
    """Claude Code answers a refusal by sending the same with fewer tools and fields."""
    seen = claude_code("fix it")
    reduced = seen.with_body(tools=[], stream=False, max_tokens=8000)
    assert path(reduced).nodes == path(seen).nodes
    assert Eye().see(reduced)[1] == "main"


def test_a_retry_in_an_envelope_is_the_same_path() -> None:
    """OpenClaw wraps the person's message when it sends it again after a failure."""
    seen = openclaw("fix it", "ok", "more")
    again = openclaw("fix it", "ok", "more", minute=7)
    *before, last, context = again.body["messages"]
    stamp, words = last["content"].split("] ", 1)
    marker = "[Queued user message from a previous active turn; preserved as context only. Go on below.]"
    go_on = "Continue the current task from the existing transcript, preserving completed work."
    wrapped = {"role": "user", "content": f"{stamp}] {marker}\n{words}\n\n{go_on}"}
    retried = path(again.with_body(messages=[*before, wrapped, context]))
    assert retried.nodes == path(seen).nodes
    assert retried.words == "more"


def test_sub_agents_work_beside_their_parent_and_open_nothing() -> None:
    eye = Eye()
    session, _, parent = eye.see(claude_code("fix it"))
    children = [
        eye.see(claude_code(task, subagent=True).with_headers(X_Claude_Code_Agent_Id=task))
        for task in ("look here", "look there")
    ]
    assert {child[0] for child in children} == {session}
    assert {child[1] for child in children} == {"side"}
    assert len({parent.tip, *(child[2].tip for child in children)}) == 3
    inherited = eye.see(codex("fix it", "ok", "look", thread=OTHER))
    assert inherited[:2] == (f"claw/{SESSION}", "side")
    assert inherited[2].nodes[0] == path(codex("fix it")).nodes[0], "it goes on with what it inherited"


@pytest.mark.parametrize(
    "seen",
    [
        claude_code_title("fix it"),
        opencode_title("fix it"),
        claude_code("quota").with_body(max_tokens=1),
        claude_code("fix it", "ok", "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools."),
        codex("fix it", "ok", "You are performing a CONTEXT CHECKPOINT COMPACTION.", kind="compaction"),
        hermes("fix it", "ok", "You are performing a CONTEXT CHECKPOINT COMPACTION."),
        openclaw("fix it", "ok", "Read HEARTBEAT.md if it exists (workspace context)."),
    ],
)
def test_errands_are_side_turns(seen: Seen) -> None:
    assert Eye().see(seen)[1] == "side"
    assert Eye().see(seen, " Main ")[1] == "main", "the client's own word comes first"


def test_after_a_compaction_the_turns_are_the_persons_again() -> None:
    eye = Eye()
    before = eye.see(claude_code("fix it", "ok", "more"))[0]
    summary = "This session is being continued from a previous conversation that ran out of context."
    session, kind, resumed = eye.see(claude_code(summary))
    assert (session, kind, resumed.openings, resumed.resumed) == (before, "main", [], True)
    session, kind, later = eye.see(claude_code(summary, "on it", "and now this"))
    assert (session, kind, later.words) == (before, "main", "and now this")
    assert later.nodes[0] == resumed.nodes[0]


def test_a_report_in_the_middle_opens_nothing() -> None:
    report = "<system-reminder>\n[SYSTEM NOTIFICATION - NOT USER INPUT]\nDone.\n</system-reminder>"
    _, kind, found = Eye().see(claude_code("fix it", "started", report))
    assert kind == "main"
    assert found.openings == [0]
    spoken = path(claude_code("fix it", "started", f"{report}\nnow commit"))
    assert (spoken.openings, spoken.words) == ([0, 2], "now commit")


def with_tool(result: str, *, cleaned: bool = False, reminded: bool = False) -> Seen:
    """A conversation of Claude Code's in which a tool was called and the person spoke afterwards."""
    called = CALL.replace("_", "") if cleaned else CALL
    use = {"type": "tool_use", "id": called, "name": "Bash", "input": {"command": "ls", "n": 1}}
    thought = {"type": "thinking", "thinking": "hm", "signature": "s"}
    answer = [text("\n"), use] if cleaned else [thought, text("\n"), use]
    back: list[dict[str, Any]] = [{"type": "tool_result", "tool_use_id": called, "content": result}]
    if reminded:
        back = [{**back[0], "cache_control": EPHEMERAL}, text(REMINDER)]
    seen = claude_code("fix it")
    messages = [
        *seen.body["messages"],
        {"role": "assistant", "content": answer},
        {"role": "user", "content": back},
        {"role": "assistant", "content": "done"},
        {"role": "user", "content": "thanks"},
    ]
    return seen.with_body(messages=messages)


def test_a_result_that_is_emptied_later_leaves_the_path_as_it_was() -> None:
    """Clients empty old results to save room, clean ids, drop thoughts and add reminders behind results."""
    plain = path(with_tool("a\nb"))
    assert plain.openings == [0, 4]
    for other in (
        with_tool("[Old tool result content cleared]"),
        with_tool("a\nb", cleaned=True),
        with_tool("a\nb", reminded=True),
    ):
        assert path(other).nodes == plain.nodes


# What clients do to the same conversation, in chat completions.


@dataclass(frozen=True)
class Spoken:
    """One message by the person or the model."""

    role: str
    words: str


LETTERS = st.text("abc \n<", min_size=1, max_size=6).filter(lambda words: words.strip() != "")
CONVERSATIONS = st.lists(LETTERS, min_size=1, max_size=7).map(
    lambda said: [Spoken(("user", "assistant")[place % 2], words) for place, words in enumerate(said)]
)


@st.composite
def written(draw: st.DrawFn, said: list[Spoken]) -> list[dict[str, Any]]:
    """A conversation as some client writes it."""
    messages: list[dict[str, Any]] = []
    for each in said:
        words = each.words
        if each.role == "user" and draw(st.booleans()):
            words = draw(st.sampled_from([f"{REMINDER}\n{words}", f"{words}\n{REMINDER}"]))
        content: Any = words
        if draw(st.booleans()):
            content = [text(words)]
            if draw(st.booleans()):
                content[-1]["cache_control"] = EPHEMERAL
            if each.role == "user" and draw(st.booleans()):
                content.insert(draw(st.integers(0, 1)), text(REMINDER))
        message: dict[str, Any] = {"role": each.role, "content": content}
        if each.role == "assistant":
            message |= draw(st.sampled_from([{}, {"refusal": None}, {"annotations": [], "audio": None}]))
        messages.append(message)
        if draw(st.booleans()):
            messages.append(draw(st.sampled_from([
                {"role": "system", "content": "It is late."},
                {"role": "user", "content": REMINDER},
            ])))  # fmt: skip
    return messages


def nodes_of(reader: Reader, messages: list[dict[str, Any]]) -> Path:
    dialect = DIALECTS["chat"]
    request = dialect.parse(json.dumps({"messages": messages}).encode())
    return reader.path(dialect, request, root_of(KEY, "claw"))


@given(st.data(), CONVERSATIONS)
def test_noise_of_clients_never_changes_a_node(data: st.DataObject, said: list[Spoken]) -> None:
    reader = Reader(KEY)
    plain = nodes_of(reader, [{"role": each.role, "content": each.words} for each in said])
    noisy = nodes_of(reader, data.draw(written(said)))
    assert noisy.nodes == plain.nodes
    assert noisy.openings == plain.openings
    assert noisy.words == plain.words
    assert nodes_of(Reader(KEY), data.draw(written(said))).nodes == plain.nodes


@given(st.data(), CONVERSATIONS, LETTERS, LETTERS)
def test_the_next_request_goes_on_from_the_answers_node(
    data: st.DataObject, said: list[Spoken], answer: str, following: str
) -> None:
    if said[-1].role == "assistant":
        said = said[:-1]
    before = nodes_of(Reader(KEY), data.draw(written(said)))
    answered = answer_node(KEY, before.tip, {"role": "assistant", "content": answer})
    longer = [*said, Spoken("assistant", answer), Spoken("user", following)]
    after = nodes_of(Reader(KEY), data.draw(written(longer)))
    assert after.nodes[: len(before.nodes)] == before.nodes
    assert after.nodes[len(before.nodes)] == answered
    assert after.openings[-1] == len(before.nodes) + 1


@given(CONVERSATIONS, CONVERSATIONS)
def test_different_words_never_share_a_node(one: list[Spoken], other: list[Spoken]) -> None:
    """Branches share what was said before they part, and nothing after."""
    reader = Reader(KEY)
    first, second = (
        nodes_of(reader, [{"role": each.role, "content": each.words} for each in said]).nodes
        for said in (one, other)
    )
    words = [[each.words.strip() for each in said] for said in (one, other)]
    alike = 0
    while alike < min(len(one), len(other)) and words[0][alike] == words[1][alike]:
        alike += 1
    assert first[:alike] == second[:alike]
    assert not set(first[alike:]) & set(second[alike:])


async def test_the_proxy_records_whose_turn_it_is(house: House) -> None:
    named = {"X_Claude_Code_Session_Id": SESSION}
    await house.say("fix it", **named)
    await house.say("look", **named, X_Claude_Code_Agent_Id="agent-1")
    await house.say("fix it", "done", REMINDER, **named)
    main, side, later = await house.begun(3)
    assert {main.session_id, side.session_id, later.session_id} == {f"claw/{SESSION}"}
    assert (main.kind, side.kind, later.kind) == ("main", "side", "main")
    assert later.openings == main.openings
