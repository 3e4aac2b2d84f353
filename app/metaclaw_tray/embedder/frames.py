"""What the app tells the embedder, and what it answers: one answer for each message, in order."""

from __future__ import annotations

from msgspec import Struct


class Begin(Struct, frozen=True, tag="begin"):
    """Load the model; vectors of earlier runs are in this file, if it is there."""

    vectors_file: str


class Known(Struct, frozen=True):
    """A skill, by the texts that it is found by: what says what it is for, and phrases of those who need it.
    One that has only either is known by that."""

    name: str
    about: list[str]
    phrases: list[str]


class Learn(Struct, frozen=True, tag="learn"):
    """From now on these skills are known, in place of their namesakes, and those in `gone` no longer."""

    come: list[Known]
    gone: list[str]
    last: bool = True  # nothing more follows for now, so the vectors may be kept


class Nearest(Struct, frozen=True, tag="nearest"):
    """Which known skills are nearest to this text?"""

    text: str
    limit: int


class Compare(Struct, frozen=True, tag="compare"):
    """How near is each text to this skill? It need not be one of those that are known."""

    texts: list[str]
    skill: Known


ToEmbedder = Begin | Learn | Nearest | Compare


class Ready(Struct, frozen=True, tag="ready"):
    """The model is loaded."""


class Unable(Struct, frozen=True, tag="unable"):
    """There is no model to load, and why."""

    detail: str
    remedy: str


class Learned(Struct, frozen=True, tag="learned"):
    skills: int  # that are known now
    embedded: int  # texts that were not in the file


class Near(Struct, frozen=True, tag="near"):
    """The nearest skills, the nearest first, each with its likeness (`likeness.py`)."""

    skills: list[tuple[str, float]]


class Compared(Struct, frozen=True, tag="compared"):
    likeness: list[float]  # of each text


FromEmbedder = Ready | Unable | Learned | Near | Compared
