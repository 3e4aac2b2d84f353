"""A store with a library and what was said, and the embedder that is kept for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy import text
from sqlmodel import Session as Db

from metaclaw_tray.paths import Paths
from metaclaw_tray.runtime.embedder import EmbedderKeeper
from metaclaw_tray.runtime.trouble import Troubles
from metaclaw_tray.settings import Settings
from metaclaw_tray.skills.live import LiveLibrary, next_snapshot
from metaclaw_tray.store import decisions, library, turns
from metaclaw_tray.store.decisions import Actor
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.library import ProposalView, SkillText
from metaclaw_tray.store.recorder import Recorder
from store.conversation import Client, agent, person
from support.clock import FakeClock

ME = Actor("ada", "terminal")

CHARTS = ("charts", "Use colours in charts that the colour-blind can tell apart.", "bar chart; plot the data")
TRIPS = (
    "trips",
    "Plan journeys by train first, and say how long each change takes.",
    "plan a trip; travel to",
)
BACKUP = ("backup", "Copy a configuration file before it is changed.", "change the settings; edit the config")


_KEY = bytes(32)  # by it nothing that is said here is kept aside to measure on


def _fix_key(db: Db) -> None:
    db.execute(text("UPDATE meta SET value = :key WHERE key = 'node_key'"), {"key": _KEY})


class House:
    """The parts that the embedder stands between."""

    def __init__(self, home: Path, *, enabled: bool = True, command: Sequence[str] | None = None) -> None:
        self.paths = Paths.find({"METACLAW_TRAY_HOME": str(home)})
        self.paths.prepare()
        self.clock = FakeClock()
        self.store = Store.open(self.paths.store_file, self.clock)
        self.troubles = Troubles()
        self.live: LiveLibrary[tuple[str, ...]] = LiveLibrary(lambda _text, names, _tokens: names)
        self.settings = Settings.model_validate({"embedder": {"enabled": enabled}})
        self.keeper = EmbedderKeeper(
            self.paths,
            self.clock,
            self.store,
            lambda: self.settings,
            lambda: self.live.snapshot,
            self.live.hints,
            self.troubles,
            command=command,
        )
        self.store.write(_fix_key)
        self._key = self.store.read(turns.node_key)
        self._recorder = Recorder(self._key)
        self._count = 0

    def add(self, *skills: tuple[str, str, str]) -> None:
        """Save skills, and bring them to the live library."""
        for name, description, triggers in skills:
            text = (
                f"---\nname: {name}\ndescription: {description}\nmetadata:\n  triggers: {triggers}\n---\n\n"
                f"{description}\n"
            )
            content = SkillText(name, description, text)
            self.store.write(
                lambda db, content=content: decisions.add_skill(db, content, ME, self.clock.now())
            )
        self.refresh()

    def refresh(self) -> None:
        before = self.live.snapshot
        change = self.store.read(lambda db: library.library_since(db, before.generation))
        self.live.replace(next_snapshot(before, change.generation, change.gone, change.come))
        self.keeper.library_changed()

    def say(self, words: str, session: str = "s1", *, kind: str = "main") -> str:
        """One turn of a session of its own, recorded; gives its id."""
        self._count += 1
        client = Client(self._key, session=session)
        begun = client.begin([person(words)], kind=kind, turn_id=f"{session}-{self._count}")
        records = (begun, client.end(begun, agent("done")))
        self.store.write(lambda db: [self._recorder.apply(db, each) for each in records])
        self._recorder.commit()
        return begun.turn_id

    def proposals(self) -> list[ProposalView]:
        return self.store.read(library.proposals)

    def chosen(self, words: str, session: str = "s1") -> list[str]:
        found = self.live.choose(words, frozenset(), 2, 1600, 60.0, session)
        return [name.partition("@")[0] for name in found or ()]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self.keeper.run())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            self.store.close()


async def until(true: Callable[[], bool]) -> None:
    """Wait for what another process brings about; the limit only guards against hanging."""
    async with asyncio.timeout(60):
        while not true():
            await asyncio.sleep(0.02)
