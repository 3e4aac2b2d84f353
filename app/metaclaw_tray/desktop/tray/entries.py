"""The menu as plain values: made from the facts alone, so that it can be compared, and tested without a
screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject

from metaclaw_tray.admin.api import OpenProposal, Tray
from metaclaw_tray.admin.api.tray import LatestConversation, LatestExchange
from metaclaw_tray.desktop.tray.wording import Words, shortened
from metaclaw_tray.desktop.unhidden import unhidden

_CONVERSATION = 32  # letters of its name


@dataclass(frozen=True)
class Entry:
    """A line of the menu. `key` says which one it is, whatever its words are."""

    key: str
    text: str = ""
    act: Callable[[], object] | None = None  # None: it only says something
    checked: bool | None = None  # None: it cannot be checked
    inner: tuple[Entry, ...] = ()
    enabled: bool = True
    one_of: bool = False  # its inner entries are a choice of one

    @property
    def shape(self) -> tuple[object, ...]:
        """What must be the same for an entry to be changed in place."""
        return (self.key, self.checked is None, tuple(each.shape for each in self.inner))


class Actions(Protocol):
    """What the menu can do."""

    def open_window(self, page: str = "") -> None: ...

    def reject(self, proposal: OpenProposal) -> None: ...

    def was_wrong(self, exchange: LatestExchange) -> None: ...

    def was_right(self, exchange: LatestExchange) -> None: ...

    def use(self, upstream: str) -> None: ...

    def switch_skills(self, conversation: LatestConversation, *, on: bool) -> None: ...

    def observe_only(self, *, on: bool) -> None: ...

    def pause_for(self, minutes: int) -> None: ...

    def pause_until_tomorrow(self) -> None: ...

    def resume(self) -> None: ...

    def start_training(self) -> None: ...

    def pause_training(self) -> None: ...

    def stop_training(self) -> None: ...

    def quit(self) -> None: ...


class Entries(QObject):
    """Makes the entries."""

    def __init__(self, actions: Actions, words: Words) -> None:
        super().__init__()
        self._do = actions
        self._words = words

    def made(self, tray: Tray | None, now: datetime) -> tuple[Entry, ...]:
        """The whole menu; before the first facts came, what can be done without them."""
        head = self._head(tray, now)
        groups = [head]
        if tray is not None:
            groups += [
                self._review(tray),
                self._latest(tray, now),
                [*self._models(tray), *self._injection(tray)],
                [self._pause(tray, now), self._training(tray, now)],
            ]
        do = self._do
        groups.append(
            [
                Entry("open", self.tr("Open MetaClaw Tray"), do.open_window),
                Entry("quit", self.tr("Quit…"), do.quit),
            ]
        )
        return _parted(groups)

    def _head(self, tray: Tray | None, now: datetime) -> list[Entry]:
        if tray is None:
            return [Entry("status", self.tr("One moment…"), enabled=False)]
        found = [Entry("status", self._words.status(tray, now), enabled=False)]
        if tray.trouble:
            text = self.tr("%n thing(s) to look at…", "", len(tray.trouble))
            found.append(Entry("trouble", text, lambda: self._do.open_window("today")))
        elif not any(each.chosen for each in tray.models):
            found.append(
                Entry("models", self.tr("Choose a model…"), lambda: self._do.open_window("settings"))
            )
        return found

    def _review(self, tray: Tray) -> list[Entry]:
        if not tray.proposals:
            return []
        count = len(tray.proposals)
        if all(each.op == "create" for each in tray.proposals):
            text = self.tr("Review %n new skill(s)", "", count)
        else:
            text = self.tr("Review %n change(s)", "", count)
        return [Entry("review", text, inner=tuple(map(self._proposal, tray.proposals)))]

    def _proposal(self, made: OpenProposal) -> Entry:
        do, key = self._do, f"review/{made.id}"
        return Entry(
            key,
            self._words.title(made),
            inner=(
                Entry(f"{key}/why", self._words.why(made), enabled=False),
                Entry(f"{key}/-"),
                Entry(f"{key}/approve", self.tr("Approve…"), lambda: do.open_window(f"skills/{made.id}")),
                Entry(f"{key}/reject", self.tr("Reject…"), lambda: do.reject(made)),
                Entry(f"{key}/show", self.tr("Show"), lambda: do.open_window(f"skills/{made.id}")),
            ),
        )

    def _latest(self, tray: Tray, now: datetime) -> list[Entry]:
        latest, do = tray.latest, self._do
        if latest is None:
            return []
        which = f"{latest.agent}, {self._words.moment(latest.at, now)}"
        return [
            Entry(
                "wrong",
                self.tr("Last answer was wrong… ({which})").format(which=which),
                lambda: do.was_wrong(latest),
                checked=True if latest.thumb == "down" else None,
            ),
            Entry(
                "right",
                self.tr("Last answer was right ({which})").format(which=which),
                lambda: do.was_right(latest),
                checked=True if latest.thumb == "up" else None,
            ),
            Entry(
                "last",
                self.tr("Read the last answer"),
                lambda: do.open_window(f"conversations/{latest.id}"),
            ),
        ]

    def _models(self, tray: Tray) -> list[Entry]:
        if not tray.models:
            return []
        inner = tuple(
            Entry(
                f"model/{each.upstream}",
                f"{each.upstream} ({each.model})" if each.model else each.upstream,
                partial(self._do.use, each.upstream),
                checked=each.chosen,
            )
            for each in tray.models
        )
        return [Entry("model", self.tr("Model"), inner=inner, one_of=True)]

    def _injection(self, tray: Tray) -> list[Entry]:
        do, found = self._do, []
        talk = tray.conversation
        if talk is not None:
            name = shortened(unhidden(talk.words) or talk.agent, _CONVERSATION)
            found.append(
                Entry(
                    "skills-off",
                    self.tr("Skills off for “{conversation}”").format(conversation=name),
                    lambda: do.switch_skills(talk, on=not talk.skills),
                    checked=not talk.skills,
                    enabled=not tray.observe_only,
                )
            )
        observing = tray.observe_only
        found.append(
            Entry(
                "observe",
                self.tr("Observe only"),
                lambda: do.observe_only(on=not observing),
                checked=observing,
            )
        )
        return found

    def _pause(self, tray: Tray, now: datetime) -> Entry:
        do = self._do
        if tray.paused_until is not None:
            time = self._words.moment(tray.paused_until, now)
            text = self.tr("Learning rests until {time}").format(time=time)
        else:
            text = self.tr("Learning rests") if tray.paused else self.tr("Pause learning")
        return Entry(
            "pause",
            text,
            inner=(
                Entry("pause/30", self.tr("For 30 minutes"), lambda: do.pause_for(30)),
                Entry("pause/tomorrow", self.tr("Until tomorrow"), do.pause_until_tomorrow),
                Entry("pause/on", self.tr("On"), do.resume, checked=not tray.paused),
            ),
        )

    def _training(self, tray: Tray, now: datetime) -> Entry:
        of = tray.training
        do = self._do
        if of.state == "none":
            said = [self.tr("No training is set up")]
        elif of.state == "running":
            said = [self.tr("Training now")]
        elif of.state == "paused":
            said = [self.tr("Training is paused")]
        else:
            said = [of.why_not] if of.why_not else []
            if of.next_at is not None:
                said.append(self._words.next_window(of.next_at, of.next_why, now))
        inner = tuple(
            Entry(f"training/{place}", text[:1].upper() + text[1:], enabled=False)
            for place, text in enumerate(said)
        )
        acts = []
        if of.state in ("waiting", "paused"):
            text = self.tr("Go on now") if of.state == "paused" else self.tr("Start now")
            acts.append(Entry("training/start", text, do.start_training))
        if of.state in ("waiting", "running"):
            acts.append(Entry("training/pause", self.tr("Pause"), do.pause_training))
        if of.state == "running":
            acts.append(Entry("training/stop", self.tr("Stop"), do.stop_training))
        acts.append(Entry("training/open", self.tr("Details"), lambda: do.open_window("training")))
        return Entry("training", self.tr("Training"), inner=(*inner, Entry("training/-"), *acts))


def _parted(groups: list[list[Entry]]) -> tuple[Entry, ...]:
    """The groups in one row, each parted from the next by a line (an entry without words)."""
    made: list[Entry] = []
    for number, group in enumerate(each for each in groups if each):
        made += [Entry(f"-{number}"), *group] if number else group
    return tuple(made)
