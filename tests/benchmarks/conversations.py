"""What people, models and tools say in the benchmark's conversations, whatever the dialect.

Each conversation has a number that stands in the person's first message, so that no two are the same. A short
one is asked about once. A long one is asked about again and again while it grows by a tool call and its
result, as an agent at work does it: most of a request is what the request before it held.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

NUMBER = "0000000000"
"""Stands wherever the number of a conversation goes."""

SIZES = {"8 KB": 8 * 1024, "100 KB": 100 * 1024}
"""Bytes of a request's body: of each short one, and of the last of a long conversation."""

INSTRUCTIONS = (
    "You are a careful assistant who runs on a laptop and has tools for files, mail and calendars. "
    "Read before you write, say what you changed, and ask where a wish can be read in two ways. "
)
_TALK = "Here is what the files say about it, in the order in which they were found on the disk. "
_LINES = '    def total(self, items: list[Item]) -> Decimal:\n        # rounds half to even, "as banks do"\n'
_GROWTH = 8  # requests of one long conversation

Speaker = Literal["person", "model", "call", "result"]


@dataclass(frozen=True)
class Said:
    """One message. A call and its result have the same `call_id`."""

    speaker: Speaker
    text: str
    call_id: str = ""


@dataclass(frozen=True)
class Conversation:
    """What stands in one request, less the dialect. The last message asks for the answer."""

    instructions: str
    said: tuple[Said, ...]

    def larger(self, characters: int) -> Conversation:
        """With so many more characters of instructions."""
        more = (INSTRUCTIONS * (characters // len(INSTRUCTIONS) + 1))[:characters]
        return replace(self, instructions=self.instructions + more)


def short(topic: str) -> list[Conversation]:
    """A second message by the person, after one tool call."""
    said = (
        Said("person", f"Conversation {NUMBER}: what is in my notes?"),
        *_step(0, 300),
        Said("model", _TALK * 8),
        Said("person", _wish(topic)),
    )
    return [Conversation(INSTRUCTIONS, said)]


def long(topic: str) -> list[Conversation]:
    """The last requests of about 60 messages of work. The person's wish about the topic is well behind the
    last message, and what each request adds is a tool call and its result."""
    said = [Said("person", f"Conversation {NUMBER}: please mend the totals in my invoices.")]
    for number in range(20):
        said += _step(number, 2900)
    said += [Said("model", _TALK * 8), Said("person", _wish(topic))]
    requests = [Conversation(INSTRUCTIONS * 20, tuple(said))]
    for number in range(20, 20 + _GROWTH - 1):
        said += _step(number, 2900)
        requests.append(Conversation(INSTRUCTIONS * 20, tuple(said)))
    return requests


def _step(number: int, characters: int) -> list[Said]:
    """A tool call and what came of it."""
    call_id = f"call_{number:03}"
    listing = f"# file {number}\n" + _LINES * (characters // len(_LINES))
    return [
        Said("call", f"notes/part-{number:03}.py", call_id),
        Said("result", listing, call_id),
    ]


def _wish(topic: str) -> str:
    return f"Thank you. And now something about {topic}, please."
