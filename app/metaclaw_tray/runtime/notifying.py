"""What the person is told outside the window, and when: not twice, not at night, not too often.

What is due is read from the store each time it is asked for, so a restart neither repeats nor forgets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, time, timedelta, tzinfo

import msgspec
from sqlmodel import Session as Db

from metaclaw_tray.admin.api import tray as brief
from metaclaw_tray.clock import Clock
from metaclaw_tray.settings import Settings
from metaclaw_tray.settings.model import Notifications
from metaclaw_tray.store import library, notifying, offering
from metaclaw_tray.store import tray as figures
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.tables_library import ProposalState

_TROUBLE_SECONDS = 60.0  # that something is wrong before it is told: most of it heals by itself
_STALE = timedelta(hours=12)  # after which what happened is no news any more


class Notifying:
    """Decides what is told now."""

    def __init__(
        self,
        store: Store,
        settings: Callable[[], Settings],
        trouble: Callable[[], Sequence[str]],
        clock: Clock,
        zone: tzinfo | None = None,
    ) -> None:
        """`zone` is that of the clock on the wall; the system's where none is given."""
        self._store = store
        self._settings = settings
        self._trouble = trouble
        self._clock = clock
        self._zone = zone
        self._wrong_since: dict[str, float] = {}

    def here(self, moment: datetime) -> datetime:
        """A moment by the clock on the wall."""
        return moment.astimezone(self._zone)

    async def due(self, *, autostart: bool) -> list[brief.Notification]:
        """What should be told now. `autostart`: whether starting at log-in may still be suggested."""
        wanted, now = self._settings().notifications, self._clock.now()
        wrong = self._lasting_trouble()
        if not wanted.enabled or is_quiet(self.here(now).time(), wanted):
            return []
        return await self._store.aread(lambda db: self._due(db, wanted, now, wrong, autostart))

    async def shown(self, kind: str, keys: Sequence[str]) -> None:
        """The person was told."""
        now = self._clock.now()
        await self._store.awrite(lambda db: notifying.tell(db, keys, kind, now))

    def _due(
        self, db: Db, wanted: Notifications, now: datetime, wrong: Mapping[str, str], autostart: bool
    ) -> list[brief.Notification]:
        midnight = self.here(now).replace(hour=0, minute=0, second=0, microsecond=0)
        room = wanted.per_day - notifying.told_since(db, midnight)
        found = [
            *(_trouble(db, wrong) if wanted.trouble else ()),
            *(_proposals(db, now) if wanted.proposals else ()),
            *(_training(db, now, titles=wanted.titles) if wanted.training else ()),
            *(_autostart(db) if autostart else ()),
        ]
        return found[: max(0, room)]

    def _lasting_trouble(self) -> dict[str, str]:
        """What has been wrong for a while, by a key that holds for the day."""
        now, said = self._clock.monotonic(), list(self._trouble())
        self._wrong_since = {each: self._wrong_since.get(each, now) for each in said}
        day = self.here(self._clock.now()).date()
        return {
            f"trouble:{day}:{hashlib.sha256(each.encode()).hexdigest()[:16]}": each
            for each, since in self._wrong_since.items()
            if now - since >= _TROUBLE_SECONDS
        }


def is_quiet(now: time, wanted: Notifications) -> bool:
    """Whether it is a quiet hour; they may go over midnight."""
    if not wanted.quiet_from or not wanted.quiet_until:
        return False
    begin, end = time.fromisoformat(wanted.quiet_from), time.fromisoformat(wanted.quiet_until)
    return begin <= now < end if begin <= end else now >= begin or now < end


def open_proposals(db: Db, now: datetime) -> list[brief.OpenProposal]:
    """What is put before the person, oldest first."""
    offered = set(offering.offered(db, now))
    found = [view.proposal for view in library.proposals(db, (ProposalState.PENDING,))]
    return [
        brief.OpenProposal(id=each.id, op=each.op, skill=each.skill, why=each.why)
        for each in sorted(found, key=lambda each: (each.created_at, each.id))
        if each.id in offered
    ]


def announce_training(db: Db, news: brief.TrainingNews, now: datetime) -> None:
    """Have a training run's begin or end told."""
    key = f"training:{news.job}:{'end' if news.ended else 'begin'}"
    notifying.announce(db, key, "training", msgspec.to_builtins(news), now)


def _proposals(db: Db, now: datetime) -> list[brief.Notification]:
    waiting = {f"proposal:{each.id}": each for each in open_proposals(db, now)}
    told = notifying.told(db, waiting.keys())
    new = {key: each for key, each in waiting.items() if key not in told}
    return [brief.Notification(kind="proposal", keys=[*new], proposals=[*new.values()])] if new else []


def _training(db: Db, now: datetime, *, titles: bool) -> list[brief.Notification]:
    rows = notifying.announced(db, "training", now - _STALE)
    news = {row.key: msgspec.convert(row.facts, brief.TrainingNews) for row in rows}
    over = {each.job for each in news.values() if each.ended}
    found = []
    for each in news.values():
        if not each.ended and each.job in over:
            continue  # told with its end
        keys = [key for key, other in news.items() if other.job == each.job]
        told = each if titles else msgspec.structs.replace(each, title="")
        found.append(brief.Notification(kind="training", keys=keys, training=told))
    return found


def _trouble(db: Db, wrong: Mapping[str, str]) -> list[brief.Notification]:
    told = notifying.told(db, wrong.keys())
    new = {key: each for key, each in wrong.items() if key not in told}
    return [brief.Notification(kind="trouble", keys=[*new], sentences=[*new.values()])] if new else []


def _autostart(db: Db) -> list[brief.Notification]:
    if notifying.told(db, ["autostart"]) or not (agent := figures.first_agent(db)):
        return []
    return [brief.Notification(kind="autostart", keys=["autostart"], agent=agent)]
