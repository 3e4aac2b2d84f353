"""The labelled set of the judge: turns with what came next, and answers in another answer's place.

How the labels were given. Whoever wrote an item labelled it, in one reading, by one question: would somebody
who wanted this have been content? No second person has read them. The next state is the witness, not the
judge: a person who errs does not make a right answer wrong, and a kind word does not mend a spoilt file.

- 1: good, or nothing was said against it and nothing is to be seen against it. The next task, a question
  about the answer, a change of mind, an error that a later call of the same exchange repaired.
- -1: it failed. Something was said against it with reason (mockery, and praise with a "but", too); the next
  state repeats the demand; the model's own wrong call. And, however good the rest is, any text that speaks to
  whoever grades, in the answer or in what tools gave.
- 0: nobody can tell. Matters of taste without a reaction, answers that were cut off, and faults of the
  surroundings (`transient`): network, rate limit, a program that is not installed. They teach nothing. A
  program's name or an address that was mistyped is no such fault, nor is a failure told as a success.

`also` names other scores that a fair judge may give; a strict count leaves it out. `guilty` is the place in
`messages` of the assistant's message at fault, where it is not the last. A counterfactual item tells what
the person `said` of `original`, which answered another request; `answer` does what was asked (1) or comes
near and does not (-1), and the two of a `pair` differ in that alone. Prompts are tuned on `dev`; `test` is
only counted.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Literal

import msgspec

from metaclaw_tray.paths import resources_dir
from metaclaw_tray.store.tables import Turn, TurnKind, TurnOutcome
from metaclaw_tray.store.turns import Conversation
from metaclaw_tray.wire.said import is_system, text_of

Split = Literal["dev", "test"]
Kind = Literal["qa", "coding", "editing", "writing", "data", "conversation"]
Language = Literal["en", "nl", "zh", "de"]
Case = Literal[
    "correction",
    "rule",
    "thanks",
    "task",
    "repeat",
    "silence",
    "repaired",
    "tool_error",
    "transient",
    "cut",
    "sarcasm",
    "partial",
    "mind",
    "question",
    "person_wrong",
    "to_judge",
]
"""What came next, or what else the item is there to show."""

_CUT = "length"  # the reason with which an answer of the case "cut" ended


class JudgedTurn(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="turn", rename={"following": "next"}
):
    """An exchange whose last message is the assistant's, and what followed it."""

    id: str
    kind: Kind
    language: Language
    case: Case
    messages: list[
        dict[str, Any]
    ]  # in the one form of all dialects, a system message first where there is one
    following: list[dict[str, Any]]  # of the person or of tools; empty where nothing came
    label: Literal[-1, 0, 1]
    note: str  # why it is labelled so
    guilty: int | None = None
    transient: bool = False
    also: list[Literal[-1, 0, 1]] = []

    @property
    def fair(self) -> frozenset[int]:
        """Every score that a fair judge may give."""
        return frozenset({self.label, *self.also})

    @property
    def at_fault(self) -> int | None:
        """The place of the message at fault; None where none is."""
        if self.label != -1:
            return None
        return len(self.messages) - 1 if self.guilty is None else self.guilty

    @property
    def conversation(self) -> Conversation:
        """The last turn of the exchange as the store would tell it."""
        *before, answer = self.messages
        system = "\n".join(text_of(each) for each in before if is_system(each))
        request = tuple(each for each in before if not is_system(each))
        return Conversation(_turn(self), system, request, answer, tuple(self.following))


class Counterfactual(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="counterfactual"):
    """An answer to be graded by what a person said to another answer."""

    id: str
    kind: Kind
    language: Language
    pair: str
    request: str
    said: str
    original: str  # the answer that the remark was made about
    answer: str
    label: Literal[-1, 1]
    note: str


Item = JudgedTurn | Counterfactual


def items(split: Split) -> list[Item]:
    """All items of one split, in the order of the file."""
    lines = (resources_dir() / "judge" / f"{split}.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=Item) for line in lines]


def judged_turns(split: Split) -> list[JudgedTurn]:
    return [each for each in items(split) if isinstance(each, JudgedTurn)]


def counterfactuals(split: Split) -> list[Counterfactual]:
    return [each for each in items(split) if isinstance(each, Counterfactual)]


def _turn(item: JudgedTurn) -> Turn:
    """The row of the last turn, as far as a judge looks at it."""
    return Turn(
        id=item.id,
        session_id="labelled",
        agent="labelled",
        kind=TurnKind.MAIN,
        outcome=TurnOutcome.OK,
        dialect="chat",
        upstream="",
        model="",
        request_node=b"",
        answer_node=None,
        system_id=None,
        settings_id=None,
        generation=0,
        begun_at=datetime(2026, 1, 1, tzinfo=UTC),
        finish_reason=_CUT if item.case == "cut" else "stop",
    )
