"""Requests in the shape in which known clients send them, cut to what identity depends on.

Each function makes one client's request for a conversation. `said` is what person and model said in turn, the
first by the person; `call` adds a call of a tool with its result behind the last answer.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any

SESSION = "5e0c1f6a-2c55-4a3e-9c1f-3f2d0a7b6c01"
OTHER = "0d9f5a11-7a44-4b06-8a57-b1c2d3e4f502"
REMINDER = "<system-reminder>\nCommits are attributed.\n</system-reminder>"
CALL = "toolu_01A09q90qw90lq917835lq9"
EPHEMERAL = {"type": "ephemeral"}


@dataclass(frozen=True)
class Seen:
    """A request: what of it matters here."""

    dialect: str
    body: dict[str, Any]
    headers: dict[str, str] = field(default_factory=dict)

    def with_headers(self, **headers: str) -> Seen:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return replace(self, headers={**self.headers, **named})

    def with_body(self, **fields: Any) -> Seen:
        return replace(self, body={**self.body, **fields})


def text(said: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": said, **more}


def claude_code(*said: str, session: str = SESSION, subagent: bool = False) -> Seen:
    """The last message is a list of parts with a mark for the cache; the same one is a string later."""
    messages: list[dict[str, Any]] = []
    for place, each in enumerate(said):
        role = ("user", "assistant")[place % 2]
        last = place == len(said) - 1
        if place == 0:
            messages.append({"role": role, "content": [text(REMINDER), text(each)]})
            messages.append({"role": "system", "content": [text(f"Today is day {len(said)}.")]})
        elif last:
            messages.append({"role": role, "content": [text(each, cache_control=EPHEMERAL)]})
        else:
            messages.append({"role": role, "content": each if role == "user" else [text(each)]})
    billing = f"x-anthropic-billing-header: cc_version=2.1.332.{len(said):03x}; cc_entrypoint=cli;"
    body = {
        "model": "claude",
        "max_tokens": 32000,
        "stream": True,
        "system": [
            text(billing + (" cc_is_subagent=true;" if subagent else "")),
            text("You are Claude Code.", cache_control=EPHEMERAL),
        ],
        "messages": messages,
        "tools": [{"name": "Bash", "input_schema": {"type": "object"}}],
        "metadata": {"user_id": json.dumps({"device_id": "d", "account_uuid": "", "session_id": session})},
    }
    return Seen("messages", body, {"X-Claude-Code-Session-Id": session, "User-Agent": "claude-cli/2.1.332"})


def claude_code_title(said: str) -> Seen:
    seen = claude_code(f"<session>\n{said}\n</session>")
    system = [text("x-anthropic-billing-header: cc_version=2;"), text("You are Claude Code.")]
    naming = text("You are naming a coding session so the user can pick it out of a long list of sessions.")
    return seen.with_body(tools=[], system=[*system, naming])


def codex(
    *said: str, session: str = SESSION, thread: str = "", kind: str = "turn", day: str = "2026-11-30"
) -> Seen:
    """No `instructions`: base prompt, permissions and surroundings are items before the person's words."""
    thread = thread or session
    surroundings = f"<environment_context>\n  <current_date>{day}</current_date>\n</environment_context>"
    items: list[dict[str, Any]] = [
        _item("developer", "msg_base", "You are Codex."),
        _item("developer", "msg_perm", f"Skills and permissions of {day}."),
        _item("user", "msg_env", surroundings),
    ]
    for place, each in enumerate(said):
        items.append(_item(("user", "assistant")[place % 2], f"msg_{place}", each))
    turn = {"session_id": session, "thread_id": thread, "request_kind": kind}
    turn["thread_source"] = "user" if thread == session else "subagent"
    headers = {"session-id": session, "thread-id": thread, "x-codex-turn-metadata": json.dumps(turn)}
    if thread != session:
        headers |= {"x-openai-subagent": "collab_spawn", "x-codex-parent-thread-id": session}
    body = {"model": "gpt", "store": False, "input": items, "prompt_cache_key": thread, "tools": []}
    return Seen("responses", body, headers)


def _item(role: str, made: str, said: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "id": made, "content": [{"type": kind, "text": said}]}


def opencode(*said: str, session: str = "ses_6a1f0c2e9b", parent: str = "") -> Seen:
    turns = [{"role": ("user", "assistant")[place % 2], "content": each} for place, each in enumerate(said)]
    headers = {"x-session-id": session, "x-session-affinity": session}
    if parent:
        headers["x-parent-session-id"] = parent
    system = {"role": "system", "content": "You are opencode, an interactive CLI tool."}
    tools = [{"type": "function", "function": {"name": "bash"}}]
    return Seen("chat", {"model": "m", "messages": [system, *turns], "tools": tools}, headers)


def opencode_title(said: str) -> Seen:
    system = {"role": "system", "content": "You are a title generator. You output ONLY a thread title."}
    ask = {"role": "user", "content": "Generate a title for this conversation:\n"}
    body = {"model": "m", "messages": [system, ask, {"role": "user", "content": said}]}
    return replace(opencode(), body=body)


def openclaw(*said: str, session: str = "s-1", minute: int = 6) -> Seen:
    """No header tells the session, and a message of the client's own moves along at the end."""
    turns: list[dict[str, Any]] = []
    for place, each in enumerate(said):
        stamp = f"[Mon 2026-11-30 22:{minute + place:02d} UTC] "
        told = f"\n\nRuntime: agent=main | session=agent:main:x | sessionId={session} | host=b | model=m"
        role = ("user", "assistant")[place % 2]
        content = f"{stamp}{each}{told if place == 0 else ''}" if role == "user" else each
        turns.append({"role": role, "content": content})
    context = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nNone.\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"
    system = {"role": "system", "content": f"<!-- openclaw:attempt:STABLE -->...Day {minute}."}
    tools = [{"type": "function", "function": {"name": "exec"}}]
    messages = [system, *turns, {"role": "user", "content": context}]
    return Seen("chat", {"model": "m", "messages": messages, "tools": tools})


def hermes(*said: str, started: str = "today") -> Seen:
    """Says nothing of its sessions anywhere."""
    turns = [{"role": ("user", "assistant")[place % 2], "content": each} for place, each in enumerate(said)]
    system = {"role": "system", "content": f"Conversation started: {started}\nModel: m"}
    return Seen("chat", {"model": "m", "messages": [system, *turns], "tools": []})
