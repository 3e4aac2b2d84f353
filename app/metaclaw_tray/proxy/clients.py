"""What known clients say about themselves, in headers and in bodies.

A wrong guess here can cost a lesson, never an answer. Headers are asked first; of a body only fields and ends
of texts are looked at, so that no request is held up by its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Raw, Struct
from multidict import MultiMapping, istr

from metaclaw_tray.wire.request import Request
from metaclaw_tray.wire.said import is_system

_decode = msgspec.json.Decoder().decode

# Headers that hold the id of a session, the surest first: ours, OpenCode's (a sub-agent's parent comes before
# its own), Claude Code's, Codex's.
_SESSION_HEADERS = (
    istr("X-Parent-Session-Id"),
    istr("X-Session-Id"),
    istr("X-Claude-Code-Session-Id"),
    istr("Session-Id"),
    istr("Session_Id"),
    istr("X-Session-Affinity"),
)
_SUB_AGENT_HEADERS = (
    istr("X-Claude-Code-Agent-Id"),
    istr("X-OpenAI-Subagent"),
    istr("X-Codex-Parent-Thread-Id"),
    istr("X-Parent-Session-Id"),
)
_CODEX = istr("X-Codex-Turn-Metadata")  # a JSON object
_LONGEST = 16 * 1024  # characters of a header's or a field's JSON that are read

_OLD_USER_ID = re.compile(r"user_[^_]{1,128}_account_[^_]{0,64}_session_([0-9A-Za-z-]{1,64})")
_RUNTIME = re.compile(rb"Runtime: agent=[^\\\n]{0,600}?\bsessionId=([A-Za-z0-9._:-]{1,128})")
_END = 8 * 1024  # bytes of a text's end in which OpenClaw's line is looked for
_FIRST = 4  # elements of a conversation among which it may stand
# A key of a prompt cache may be meant for all of a program's requests; such a one names one conversation.
_ONE_CONVERSATION = re.compile(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|^(?:ses|sess|session|thread|conv|chat)[_:-]\w{8,}", re.I
)

_ERRANDS = (
    b"You are a title generator",
    b"You are a conversation title generator",
    b"naming a coding session",
    b"generates concise, one-line Git commit messages",
    b"tasked with summarizing conversations",
    b"You are a context summarization assistant",
    b"indicates a new conversation topic",
    b"Generate a concise, sentence-case title",
)
_BEGINNING = 2048  # bytes of system text in which its errand is said
_LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens")


class Says(Struct, frozen=True, gc=False):
    """What a client says about one request."""

    session: str = ""  # the client's own id of the session; "" where it says none
    side: bool = False  # a task of the client's own: a title, a summary, a sub-agent


def client_says(headers: MultiMapping[str], request: Request) -> Says:
    """Read what a client says about a request. Never raises for what clients may write."""
    codex = _object(headers.get(_CODEX, ""))
    return Says(_session(headers, codex, request), _is_side(headers, codex, request))


def _session(headers: MultiMapping[str], codex: dict[str, Any], request: Request) -> str:
    for name in _SESSION_HEADERS:
        if (said := headers.get(name)) and (said := said.strip()):
            return said
    if codex and (said := _text(codex.get("session_id"))):
        return said
    return _in_metadata(request) or _in_text(request) or _hint(request)


def _in_metadata(request: Request) -> str:
    """Claude Code tells in `user_id`, as a JSON object or, in older versions, as a text with parts."""
    metadata = _field(request, "metadata") if "metadata" in request.fields else None
    if not isinstance(metadata, dict):
        return ""
    user = _text(metadata.get("user_id"))
    if user.startswith("{"):
        return _text(_object(user).get("session_id"))
    if found := _OLD_USER_ID.fullmatch(user):
        return found[1]
    return _text(metadata.get("session_id"))


def _in_text(request: Request) -> str:
    """OpenClaw tells in a line about its runtime, at the end of the first message or of the system text."""
    fields = [request.fields[name] for name in ("system", "instructions") if name in request.fields]
    for raw in (*fields, *request.items[:_FIRST]):
        end = bytes(memoryview(raw)[-_END:])
        place = end.rfind(b"Runtime: agent=")
        if place >= 0 and (found := _RUNTIME.match(end, place)):
            return found[1].decode()
    return ""


def _hint(request: Request) -> str:
    kept = _field(request, "conversation")
    if isinstance(kept, dict):
        kept = kept.get("id")
    if isinstance(kept, str) and kept:
        return kept
    if "prompt_cache_key" not in request.fields:
        return ""
    cache = _text(_field(request, "prompt_cache_key"))
    return cache if _ONE_CONVERSATION.search(cache) else ""


def _is_side(headers: MultiMapping[str], codex: dict[str, Any], request: Request) -> bool:
    """Whether the turn is none of the person's: a sub-agent's, or an errand of the client's own."""
    for name in _SUB_AGENT_HEADERS:
        if headers.get(name):
            return True
    if codex and (
        codex.get("thread_source") == "subagent" or _text(codex.get("request_kind")) not in ("", "turn")
    ):
        return True
    fields = request.fields
    system = fields.get("system")
    if system is not None and b"cc_is_subagent=true" in bytes(memoryview(system)[:_BEGINNING]):
        return True
    for limit in _LIMITS:
        if limit in fields and bytes(fields[limit]) in (b"0", b"1"):
            return True  # a check, with room for one word
    tools = fields.get("tools")
    bare = tools is None or (memoryview(tools).nbytes <= len(b"null") and bytes(tools) in (b"[]", b"null"))
    return bare and _asks_for_an_errand(request)


def _asks_for_an_errand(request: Request) -> bool:
    """Whether the client's instructions are those of a task of its own."""
    return any(mark in said for said in _instructions(request) for mark in _ERRANDS)


def _instructions(request: Request) -> Iterator[bytes]:
    for name in ("system", "instructions"):
        raw = request.fields.get(name)
        if raw is not None:
            yield bytes(memoryview(raw)[:_BEGINNING])
    for raw in request.items[:2]:
        if memoryview(raw).nbytes < 16 * _BEGINNING and _is_system(raw):
            yield bytes(memoryview(raw)[:_BEGINNING])


def _is_system(raw: Raw) -> bool:
    said = bytes(raw)
    if b'"system"' not in said and b'"developer"' not in said:
        return False
    element = _value(said)
    return isinstance(element, dict) and is_system(element)


def _field(request: Request, name: str) -> Any:
    raw = request.fields.get(name)
    return None if raw is None or memoryview(raw).nbytes > _LONGEST else _value(bytes(raw))


def _object(said: str) -> dict[str, Any]:
    value = _value(said) if said and len(said) <= _LONGEST else None
    return value if isinstance(value, dict) else {}


def _value(said: str | bytes) -> Any:
    """A JSON value; None where there is none. A header may hold what no UTF-8 can say."""
    try:
        return _decode(said)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""
