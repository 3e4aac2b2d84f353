"""A person's yes to what changes the library, the policy or the budget.

The app shows the full text and a code of four letters; the person types the code at a terminal. The code
belongs to one connection, one action and one text, and is good for one try within five minutes. A command
that an agent started is not asked at all, terminal or not. This makes an agent with a shell visible, and its
way hard; it cannot stop one that plays a terminal from a process cut loose from its own.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from metaclaw_tray.admin.peer import Origin
from metaclaw_tray.admin.protocol import Challenge
from metaclaw_tray.errors import KnownError

SECONDS = 300.0
SCRIPTED_VARIABLE = "METACLAW_TRAY_ALLOW_SCRIPTED"

_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that look alike

Channel = Literal["terminal", "scripted", "tray", "window"]


class ConsentError(KnownError):
    """There was no yes: nothing was changed."""


class AgentAskedError(ConsentError):
    """An agent asked in the person's place."""


@dataclass(frozen=True)
class Granted:
    """A yes, and how it was given: for the ledger."""

    channel: Channel
    ancestry: list[str]


class Asker(Protocol):
    """Asks the person behind one command. Both raise ConsentError where there was no yes."""

    async def consent(self, action: str, text: str) -> Granted:
        """By a typed code, for what may cost money or send a key somewhere."""
        ...

    async def confirm(self, action: str, text: str) -> Granted:
        """By a plain yes, for what cannot be taken back."""
        ...

    async def spoken(self, action: str) -> None:
        """By asking at all, for what only an agent must not do. Raises AgentAskedError."""
        ...


async def ask(
    action: str,
    text: str,
    *,
    origin: Origin,
    scripted: bool,
    allow_scripted: bool,
    challenge: Callable[[Challenge], Awaitable[str]],
) -> Granted:
    """Get a yes to `action` ("approve the proposal p1"), or raise ConsentError.

    `scripted` is a `--yes` on the command line; `challenge` shows what it is given and returns what was
    typed, or raises TimeoutError.
    """
    if scripted:
        if allow_scripted:
            return Granted("scripted", origin.ancestry)
        raise ConsentError(
            "--yes does not count here",
            f"To {action}, a person has to read it first; the app was not started for scripted use.",
            f"Leave out --yes and type the code, or start the app with {SCRIPTED_VARIABLE}=1.",
        )
    if origin.agent:
        raise agent_asked(f"To {action}, a person has to type a code", origin)
    if origin.terminal is None:
        raise ConsentError(
            "No terminal",
            f"To {action}, a person has to type a code, and this command has no terminal to ask at.",
            f"Run it in a terminal, or start the app with {SCRIPTED_VARIABLE}=1 and give --yes.",
        )
    code = "".join(secrets.choice(_LETTERS) for _ in range(4))
    try:
        typed = await challenge(Challenge(text=text, action=action, code=code, seconds=SECONDS))
    except TimeoutError as error:
        raise ConsentError(
            "Too late", f"No code came within {SECONDS:.0f} seconds.", "Run it again."
        ) from error
    if not secrets.compare_digest(typed.strip().upper().encode(), code.encode()):
        raise ConsentError("Not done", f"The code was not typed, so nothing was changed ({action}).", "")
    return Granted("terminal", origin.ancestry)


def no_terminal(detail: str) -> ConsentError:
    """Why a command without a terminal is not heard where a person is wanted."""
    return ConsentError(
        "No terminal", detail, f"Run it in a terminal, or start the app with {SCRIPTED_VARIABLE}=1."
    )


def agent_asked(wanted: str, origin: Origin) -> AgentAskedError:
    """Why an agent is not heard where a person is `wanted`."""
    return AgentAskedError(
        "An agent asked",
        f"{wanted}, and this command was started by {origin.agent}.",
        "Open a terminal of your own, and run it there.",
    )


async def confirm(
    action: str,
    text: str,
    *,
    origin: Origin,
    yes: bool,
    challenge: Callable[[Challenge], Awaitable[str]],
) -> Granted:
    """Get a plain yes to `action`, by word or by `--yes` wherever it comes from, or raise ConsentError."""
    if yes:
        return Granted("terminal" if origin.terminal else "scripted", origin.ancestry)
    if origin.terminal is None:
        raise ConsentError("Not done", text, "Give --yes if you want that.")
    try:
        typed = await challenge(Challenge(text=text, action=action, code="yes", seconds=SECONDS))
    except TimeoutError as error:
        raise ConsentError(
            "Too late", f"No yes came within {SECONDS:.0f} seconds.", "Run it again."
        ) from error
    if typed.strip().lower() != "yes":
        raise ConsentError("Not done", f"There was no yes, so nothing was changed ({action}).", "")
    return Granted("terminal", origin.ancestry)
