"""What happens to proposals without a person: trials end, a policy decides, and a few are offered each day.

All of it is read from the store each time, so it goes on after a kill where it was. Whoever lists proposals
has this done first; besides, it is looked at once a minute.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial

from sqlmodel import Session as Db

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import KnownError, StoreError
from metaclaw_tray.learning.effect import offer_retirements, retirement_candidates
from metaclaw_tray.learning.offering import offer_today
from metaclaw_tray.runtime.trouble import Troubles
from metaclaw_tray.settings import Settings
from metaclaw_tray.skills import review
from metaclaw_tray.store import decisions, learning, offering, trials
from metaclaw_tray.store.agreeing import THE_FILE
from metaclaw_tray.store.decisions import Actor, Changed
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.settling import running_trial

log = logging.getLogger(__name__)

_LOOK_SECONDS = 60.0
_RETIREMENT = timedelta(hours=1)  # between two looks at which skills help

THE_POLICY = Actor("policy", "automatic")


class Reviewing:
    """Keeps the line of proposals moving, one look at a time."""

    def __init__(
        self,
        store: Store,
        settings: Callable[[], Settings],
        clock: Clock,
        changed: Callable[[], Awaitable[None]],
        troubles: Troubles,
    ) -> None:
        """`changed` brings a library that has changed to where it counts."""
        self._store = store
        self._settings = settings
        self._clock = clock
        self._changed = changed
        self._troubles = troubles
        self._one_at_a_time = asyncio.Lock()
        self._retirements_at: datetime | None = None

    async def settle(self) -> None:
        """Do what is due."""
        async with self._one_at_a_time:
            changes = [*await self._end_trials(), *await self._follow_the_policy()]
            if await self._store.aread(
                offering.waiting_in_line
            ):  # a listing writes nothing where it need not
                await self._store.awrite(
                    lambda db: offer_today(db, self._settings().review, self._clock.now())
                )
        if changes:
            await self._changed()

    async def run(self) -> None:
        """Look once a minute, until cancelled."""
        while True:
            await self._offer_retirements()
            await self.settle()
            await asyncio.sleep(_LOOK_SECONDS)

    async def _end_trials(self) -> list[Changed]:
        silence = timedelta(minutes=self._settings().sessions.silence_minutes)
        over = await self._store.aread(lambda db: list(trials.over(db, self._clock.now(), silence)))
        return [each for ending in over if (each := await self._store.awrite(partial(self._end, ending)))]

    def _end(self, ending: trials.Ending, db: Db) -> Changed | None:
        now, trial = self._clock.now(), ending.trial
        if running_trial(db, trial.skill) is None:
            return None  # a person was quicker
        changed = trials.end(db, ending, now)
        reason = f"the trial of {trial.skill} ended: {ending.reason}; the proposal waits for your decision"
        learning.add_notice(db, "trial", trial.proposal_id, reason, now)
        return changed

    async def _follow_the_policy(self) -> list[Changed]:
        if not await self._may_decide():
            return []
        found = await self._store.aread(lambda db: offering.for_the_policy(db, self._clock.now()))
        return [each for made in found if (each := await self._approve(made.id)) is not None]

    async def _may_decide(self) -> bool:
        """Whether the policy is automatic and a person agreed to that."""
        wanted = self._settings().review.policy == "automatic"
        agreed = await self._store.aread(offering.policy_agreed) == "automatic"
        if agreed and not wanted:
            await self._store.awrite(self._agreed_no_longer)
        unagreed = (
            "review.policy was set to automatic in the settings file, and nobody agreed to that, so every "
            "proposal waits for you. To agree: `metaclaw-tray config set review.policy ask`, then automatic."
        )
        self._troubles.set("review policy", "" if agreed or not wanted else unagreed)
        return wanted and agreed

    def _agreed_no_longer(self, db: Db) -> None:
        """Write down that the automatic policy was taken out of the settings file while no app looked: who
        writes it there again has to agree anew."""
        policy, now = self._settings().review.policy, self._clock.now()
        if policy != "automatic":
            after = {"review.policy": policy}
            decisions.record(db, "by hand", "review.policy", THE_FILE, now, after=after)

    async def _approve(self, proposal_id: str) -> Changed | None:
        """Approve what the policy allows. One that cannot be approved waits for the person, as all others."""

        def work(db: Db) -> Changed | None:
            now = self._clock.now()
            if proposal_id not in {each.id for each in offering.for_the_policy(db, now)}:
                return None
            changed = review.approve(db, proposal_id, THE_POLICY, now)
            reason = (
                f"{changed.skill}@{changed.version} was approved by review.policy; "
                f"to take it back: `metaclaw-tray undo {changed.ledger_id}`"
            )
            learning.add_notice(db, "automatic", proposal_id, reason, now)
            return changed

        try:
            return await self._store.awrite(work)
        except StoreError:
            raise
        except KnownError as error:
            log.info("the policy approved nothing proposal=%s reason=%s", proposal_id, error.title)
            return None

    async def _offer_retirements(self) -> None:
        now = self._clock.now()
        if self._retirements_at is not None and now - self._retirements_at < _RETIREMENT:
            return
        self._retirements_at = now
        found = await self._store.aread(retirement_candidates)
        if found and self._settings().review.policy != "off":
            await self._store.awrite(lambda db: offer_retirements(db, found, self._clock.now()))
