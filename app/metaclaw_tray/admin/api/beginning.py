"""The first steps: what this machine has already, the embedded model, and how far a person has come."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from metaclaw_tray.admin.api.base import Row, Said, Verb
from metaclaw_tray.admin.api.connect import UpstreamRow


class OfferRow(Row, frozen=True):
    """A provider that could be used at once. Of a key only the name of its variable is known here."""

    name: str  # that the upstream would get
    label: str
    base_url: str
    dialect: str
    models: list[str] = field(default_factory=list)  # empty for a key: its provider was not asked
    key_env: str = ""
    taken: bool = False  # whether there is an upstream of that address already


class ListOffers(Verb[list[OfferRow]], frozen=True, tag="offers.list"):
    """Model servers that answer on this machine now, then keys in the environment of the app. Nobody else is
    asked."""


class TakeOffer(Verb[UpstreamRow], frozen=True, kw_only=True, tag="offers.take"):
    """Make an upstream of an offer, with the key of the app's own environment where it has one."""

    name: str
    model: str = ""
    default: bool = True


class ModelRow(Row, frozen=True):
    """A model that this program can serve itself."""

    id: str
    name: str
    publisher: str
    licence: str
    bytes: int
    missing: int  # bytes that are still to come; 0 where it is here
    present: bool
    plan: list[str]  # what fetching it means, in sentences
    why_not: str = ""  # why it could not be served here


class ListModels(Verb[list[ModelRow]], frozen=True, tag="model.list"):
    """The first is the one that is offered."""


class FetchModel(Verb[Said], frozen=True, tag="model.fetch"):
    """Download a model, after a yes to its `plan`. Each step begins with how far it is, as in `37 %: …`; what
    has arrived stays when nobody waits for the rest."""

    id: str


class FirstRun(Row, frozen=True):
    """How far a person has come with the first steps."""

    state: Literal["new", "begun", "done", "skipped"]
    step: int  # that was open last, from 0
    needed: bool  # whether a request could not be answered yet: no model or no agent
    turns: int  # kept in the record

    @property
    def is_left_open(self) -> bool:
        """Whether they were begun and something is missing still, however else it was done since."""
        return self.state == "begun" and (self.needed or not self.turns)


class ShowFirstRun(Verb[FirstRun], frozen=True, tag="firstrun.show"):
    pass


class KeepFirstRun(Verb[FirstRun], frozen=True, tag="firstrun.keep"):
    """Note how far it is, for the next start."""

    state: Literal["begun", "done", "skipped"]
    step: int = 0
