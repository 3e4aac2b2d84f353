"""What a verb is, and the few shapes that many verbs share."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

R = TypeVar("R")


class Verb(msgspec.Struct, Generic[R], frozen=True, forbid_unknown_fields=True, tag_field="verb"):
    """A request to the running app: its tag is the verb, its fields are the arguments.

    A subclass says by its base what the answer is: `class ListTurns(Verb[list[TurnRow]], tag="turns.list")`.
    """


class Consented(Verb[R], frozen=True):
    """A verb that changes what is live or what may be spent: the person types a code first.

    `yes` skips the code, where the app was started for scripted use; elsewhere it is refused.
    """

    yes: bool = False


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """An answer, or a line of one. Times are UTC; a version of the app may add fields."""


class Said(Row, frozen=True):
    """Done, in a sentence for the person."""

    text: str
    undo: str = ""  # the entry of the ledger by which it is taken back, where it can be


def answer_type(verb: type[Verb[Any]]) -> Any:
    """The type of a verb's answer."""
    return verb.__orig_bases__[0].__args__[0]  # type: ignore[attr-defined]


def verb_name(verb: type[Verb[Any]] | Verb[Any]) -> str:
    """The name of a verb, such as `turns.list`."""
    return str(verb.__struct_config__.tag)


def all_verbs(root: type[Verb[Any]] = Verb) -> list[type[Verb[Any]]]:
    """Each verb that is defined, by name."""
    found = [verb for child in root.__subclasses__() for verb in [child, *all_verbs(child)]]
    return sorted({verb for verb in found if verb is not Consented}, key=verb_name)
