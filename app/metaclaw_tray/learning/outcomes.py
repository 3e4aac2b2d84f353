"""What tools came back with: an error or not, whose fault it was, and whether a later step put it right.

A tool that fails says nothing against an answer that tries something else and gets there. One that fails
because of the surroundings (no network, a limit on requests, a program that is not installed) teaches
nothing: the network comes back and the program gets installed, and a skill learnt from it would stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from metaclaw_tray.wire.said import text_of

_LOOKED_AT = 4000  # characters of a result's beginning and of its end that are read
_HEAD = (
    400  # an error stands at the beginning or at the end; in the middle of a page it is a page about errors
)


class Surroundings(StrEnum):
    """What of the surroundings failed."""

    NETWORK = "the network"
    LIMIT = "a service over its limit"
    PROGRAM = "a program that is not there"
    MACHINE = "the machine"


_NETWORK = re.compile(
    r"\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH)\b"
    r"|(?:could not|couldn't|cannot|can't|unable to|failed to) (?:resolve|connect to|reach)\b"
    r"|(?:temporary failure in )?name (?:or service not known|resolution)|getaddrinfo"
    r"|connection (?:refused|reset|timed out|aborted)|network is unreachable|no route to host"
    r"|(?:request|read|connect(?:ion)?|operation|navigation|gateway) timed? ?-?out|max retries exceeded"
    r"|net::ERR_|TLS handshake|bad gateway|service unavailable|gateway time-?out"
    r"|\bHTTP(?: Error|/\d(?:\.\d)?)?:? ?(?:status )?(?:502|503|504)\b",
    re.I,
)
_LIMIT = re.compile(
    r"rate[ _-]?limit|too many requests|quota (?:exceeded|reached)|exceeded your (?:current )?quota"
    r"|overloaded|throttl(?:ed|ing)"
    r"|\b(?:HTTP(?: Error|/\d(?:\.\d)?)?:? ?|status(?: code)?:? ?|error:? ?)429\b",
    re.I,
)
_PROGRAM = re.compile(
    r"command not found|: not found$|is not recognized as an internal or external command"
    r"|No module named|ModuleNotFoundError|Cannot find module|(?:is|are) not installed|\bnot installed\b"
    r"|executable (?:doesn't exist|not found|file not found)|ENOENT: spawn|spawn \S+ ENOENT"
    r"|unable to locate package|no such (?:command|program)|browser (?:was )?not found",
    re.I | re.M,
)
_MACHINE = re.compile(
    r"No space left on device|ENOSPC|out of memory|Cannot allocate memory|Killed$|disk quota exceeded"
    r"|Resource temporarily unavailable|Too many open files",
    re.I | re.M,
)
_SURROUNDINGS = (
    (Surroundings.LIMIT, _LIMIT),
    (Surroundings.NETWORK, _NETWORK),
    (Surroundings.PROGRAM, _PROGRAM),
    (Surroundings.MACHINE, _MACHINE),
)
_ERROR = re.compile(
    r"\A\W*(?:error|fatal|failed|failure|exception|traceback|panic|usage:|invalid|cannot|could not|unable to"
    r"|permission denied|access denied|denied|not found|no such|tool call failed|<tool_use_error>)\b"
    r"|Traceback \(most recent call last\)|^\w*(?:Error|Exception): |^npm ERR!|^E   |\bSyntaxError\b"
    r"|\b(?:exit(?:ed)?(?: with)?(?: code| status)?|return(?:ed)? code|exit_code)\W{0,3}[1-9]\d{0,2}\b"
    r'|"(?:success|ok)"\s*:\s*false|"(?:is_?error)"\s*:\s*true'
    r"|\b[1-9]\d* (?:failed|failures?|errors?)\b",
    re.I | re.M,
)


@dataclass(frozen=True)
class Outcome:
    """How one call of a tool ended."""

    tool: str  # its name; empty where the call is not in the record
    failed: bool
    surroundings: Surroundings | None  # what was to blame, where it was not the call
    repaired: bool  # a later call of the exchange went well, in its place
    text: str  # what it said, its beginning


def outcomes(messages: Sequence[dict[str, Any]]) -> list[Outcome]:
    """The outcomes of the calls in these messages, in their order.

    A failed call is repaired where a later call of the same tool goes well; or, if that tool is not called
    again, where the last result of all is a good one.
    """
    names = _names(messages)
    found = [
        (names.get(str(message.get("tool_call_id")), ""), message)
        for message in messages
        if message.get("role") == "tool"
    ]
    failures = [is_failure(message) for _, message in found]
    told = []
    for at, (name, message) in enumerate(found):
        said = text_of(message)
        later = [failures[after] for after in range(at + 1, len(found)) if found[after][0] == name]
        repaired = failures[at] and (not all(later) if later else at + 1 < len(found) and not failures[-1])
        told.append(
            Outcome(
                tool=name,
                failed=failures[at],
                surroundings=surroundings_of(said) if failures[at] else None,
                repaired=repaired,
                text=" ".join(said.split())[:_HEAD],
            )
        )
    return told


def is_failure(message: dict[str, Any]) -> bool:
    """Whether a tool's result is an error: where the client says so, or where it begins or ends like one."""
    if message.get("is_error") is True:
        return True
    said = text_of(message).strip()
    if not said:
        return False
    ends = said if len(said) <= 2 * _HEAD else f"{said[:_HEAD]}\n{said[-_HEAD:]}"
    return bool(_ERROR.search(ends)) or surroundings_of(said[:_HEAD]) is not None


def surroundings_of(said: str) -> Surroundings | None:
    """What of the surroundings a failure is to be blamed on; None where it is not."""
    if len(said) > 2 * _LOOKED_AT:
        said = f"{said[:_LOOKED_AT]}\n{said[-_LOOKED_AT:]}"
    return next((what for what, pattern in _SURROUNDINGS if pattern.search(said)), None)


def to_blame(found: Sequence[Outcome]) -> Surroundings | None:
    """What of the surroundings an exchange failed by: its last failure that nothing repaired, if that was
    none of the agent's doing."""
    open_failures = [each for each in found if each.failed and not each.repaired]
    return open_failures[-1].surroundings if open_failures else None


def _names(messages: Sequence[dict[str, Any]]) -> dict[str, str]:
    """The tool's name for each call's id."""
    names = {}
    for message in messages:
        calls = message.get("tool_calls")
        for call in calls if isinstance(calls, list) else []:
            function = call.get("function") if isinstance(call, dict) else None
            if isinstance(function, dict):
                names[str(call.get("id"))] = str(function.get("name") or "")
    return names
