"""A keeper of calendars with a real store and vault, and answers that the test gives."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

from metaclaw_tray.omls.calendars.asking import Tell
from metaclaw_tray.omls.calendars.events import Event
from metaclaw_tray.omls.calendars.frames import Failed, Found, FromCalendar, ToCalendar, Trouble
from metaclaw_tray.omls.calendars.keeping import CalendarKeeper
from metaclaw_tray.paths import Paths
from metaclaw_tray.secrets import open_vault
from metaclaw_tray.settings import Settings
from metaclaw_tray.settings.model import Calendar, Schedule, Secrets
from metaclaw_tray.store.engine import Store
from support.clock import FakeClock


def meeting(uid: str, begin: datetime, minutes: float = 60, **known: object) -> Event:
    return Event(uid=uid, begin=begin, end=begin + timedelta(minutes=minutes), **known)  # type: ignore[arg-type]


def failure(trouble: Trouble, after: float = 0.0) -> Failed:
    return Failed(trouble=trouble, detail="The host said no.", after=after)


@dataclass
class Home:
    """What the keeper lives in. `answers` are given one by one, the last again and again."""

    folder: Path
    clock: FakeClock = field(default_factory=FakeClock)
    calendars: dict[str, Calendar] = field(default_factory=lambda: {"work": Calendar(kind="file", path="/x")})
    schedule: Schedule = field(default_factory=Schedule)
    zone: tzinfo = UTC
    online: bool | None = True
    answers: list[FromCalendar] = field(default_factory=lambda: [Found(events=[])])
    asked: list[ToCalendar] = field(default_factory=list)
    troubles: dict[str, str] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    changes: int = 0

    def __post_init__(self) -> None:
        self.store = Store.open(self.folder / "store.sqlite3", self.clock)
        paths = Paths.find({"METACLAW_TRAY_HOME": str(self.folder / "home")})
        paths.prepare()
        self.vault = open_vault(paths, Settings(secrets=Secrets(backend="file")))
        self.keeper = self.make()

    def make(self) -> CalendarKeeper:
        """A keeper as after a start."""
        return CalendarKeeper(
            self.store,
            self.clock,
            self.vault,
            lambda: self.calendars,
            lambda: self.schedule,
            lambda: self.zone,
            online=lambda: self.online,
            trouble=self._trouble,
            changed=self._changed,
            ask=self._ask,
            chance=random.Random(1),
        )

    async def after(self, **passed: float) -> None:
        """Let time pass with the machine awake, look by look."""
        seconds = timedelta(**passed).total_seconds()
        while seconds > 0:
            step = min(30.0, seconds)
            self.clock.advance(step)
            seconds -= step
            await self.keeper.look()

    def spans(self, days: int = 3) -> list[tuple[str, str]]:
        """The meetings of some days, by begin and end."""
        now = self.clock.now()
        found = self.keeper.meetings(now - timedelta(days=1), now + timedelta(days=days))
        return [(f"{each.span.begin:%d %H:%M}", f"{each.span.end:%H:%M}") for each in found]

    async def _ask(self, message: ToCalendar, _tell: Tell) -> FromCalendar:
        self.asked.append(message)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def _trouble(self, subject: str, sentence: str) -> None:
        if sentence and self.troubles.get(subject) != sentence:
            self.said.append(sentence)
        self.troubles[subject] = sentence

    def _changed(self) -> None:
        self.changes += 1
