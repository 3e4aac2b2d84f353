"""Finding skills that say much the same, and offering to put them together: at most one offer a day."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from sqlmodel import Session as Db

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import LearningError, SkillError, UpstreamError
from metaclaw_tray.learning.bench import Tell
from metaclaw_tray.learning.duplicates import Alike, Duplicates, Meaning
from metaclaw_tray.learning.merging import merge
from metaclaw_tray.learning.model import LearningModel
from metaclaw_tray.learning.quiet import Calm, PatientModel, Quiet
from metaclaw_tray.learning.rewriting import Rewrite
from metaclaw_tray.runtime.rewriting import Rewriting
from metaclaw_tray.settings import Settings
from metaclaw_tray.store import library, merging
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.merging import pair_of
from metaclaw_tray.store.tables_library import SkillState, SkillVersion

log = logging.getLogger(__name__)

_FIRST_LOOK_SECONDS = 600.0  # the start of the app has other things to do
_LOOK_SECONDS = 3600.0
_SLICE_SECONDS = 0.002  # of looking at a time, for agents are served on the same loop …
_REST_SECONDS = 0.002  # … and then this long it is theirs
_TOLD_SECONDS = 2.0


async def _to_nobody(_step: str) -> None:
    """What is done unasked is told when it is offered."""


@dataclass(frozen=True)
class Found:
    """Two skills alike, and what was proposed of them before."""

    pair: Alike
    proposal: str = ""
    state: str = ""


class Merging:
    """Looks at the library in quiet moments, and puts two skills together where a person asks."""

    def __init__(
        self,
        store: Store,
        settings: Callable[[], Settings],
        model: Callable[[], AbstractAsyncContextManager[LearningModel]],
        clock: Clock,
        is_quiet: Quiet,
        meaning: Callable[[], Meaning] = dict,
        held: Callable[[], str] = str,
    ) -> None:
        """`model` opens the learning model, or raises LearningError with the reason why there is none.
        `meaning` gives the pairs that an embedder holds for alike, as far as it has looked; `held` says why
        learning rests now, "" where it does not."""
        self._store = store
        self._settings = settings
        self._model = model
        self._clock = clock
        self._calm = Calm(is_quiet)
        self._meaning = meaning
        self._held = held
        self._duplicates = Duplicates()
        self._one_look_at_a_time = asyncio.Lock()
        self._turned_down: set[tuple[str, str]] = set()  # pairs of texts that cannot be merged

    async def run(self) -> None:
        """Look now and then, until cancelled."""
        await asyncio.sleep(_FIRST_LOOK_SECONDS)
        while True:
            await self._calm.comes()
            await self.offer_one()
            await asyncio.sleep(_LOOK_SECONDS)

    async def duplicates(self, tell: Tell | None = None) -> list[Found]:
        """The pairs of active skills that say much the same, those most alike first. Only what changed since
        the last look is read again."""

        def read(db: Db) -> tuple[list[SkillVersion], dict[str, str], dict[merging.Pair, tuple[str, str]]]:
            trust = {view.name: view.trust for view in library.skills(db)}
            made = {pair: (each.id, each.state) for pair, each in merging.mergers(db).items()}
            return library.active_library(db)[1], trust, made

        versions, trust, made = await self._store.aread(read)
        async with self._one_look_at_a_time:
            found = await self._look(versions, trust, tell)
        return [Found(each, *made.get(pair_of(each.keep.name, each.other.name), ("", ""))) for each in found]

    async def _look(
        self, versions: list[SkillVersion], trust: dict[str, str], tell: Tell | None
    ) -> list[Alike]:
        steps, told = self._duplicates.steps(versions, trust, self._meaning()), self._clock.monotonic()
        while True:
            ends = self._clock.monotonic() + _SLICE_SECONDS
            while self._clock.monotonic() < ends:
                try:
                    step = next(steps)
                except StopIteration as done:
                    found: list[Alike] = done.value
                    return found
            if tell is not None and ends - told > _TOLD_SECONDS:
                told = ends
                await tell(step)
            await asyncio.sleep(_REST_SECONDS)

    async def offer_one(self) -> str:
        """Propose to merge the two skills most alike of which nothing was proposed before; the proposal's id.
        "" where there are none, one was proposed today, nothing is to be learnt or offered, or the two cannot
        be put together: the next look takes the next pair, so that each asks the model about one."""
        settings = self._settings()
        if settings.review.policy == "off" or not settings.learning.enabled or self._held():
            return ""
        midnight = self._clock.now().replace(hour=0, minute=0, second=0, microsecond=0)
        if await self._store.aread(lambda db: merging.merged_since(db, midnight)):
            return ""
        for found in await self.duplicates():
            texts = (found.pair.keep.digest, found.pair.other.digest)
            if found.proposal or texts in self._turned_down:
                continue
            try:
                return (await self.merge(found.pair.keep.name, found.pair.other.name, asked=False))[0]
            except (LearningError, UpstreamError) as error:
                log.info("nothing is merged now reason=%s", error.title)
                return ""
            except SkillError as error:
                log.info("two skills are not merged skills=%s,%s reason=%s",
                         found.pair.keep.name, found.pair.other.name, error.title)  # fmt: skip
                self._turned_down.add(texts)
                return ""
        return ""

    async def merge(self, keep: str, other: str, *, asked: bool, tell: Tell = _to_nobody) -> tuple[str, str]:
        """Write one skill in place of two, measure it against them, and propose that; the proposal's id, and
        why in a sentence.

        What a person `asked` for is put before them at once. Raises NotFoundError, SkillError where it cannot
        be done or is not offered, LearningError and UpstreamError where the model is not to be had.
        """
        one, two = await self._store.aread(lambda db: (_active(db, keep), _active(db, other)))
        if keep == other:
            raise SkillError("Nothing to merge", f"“{keep}” is one skill.", "")
        made = await merge(None, one, two)
        if isinstance(made, str):
            async with self._opened(hurried=asked) as model:
                made = await merge(model, one, two)
        if isinstance(made, str):
            raise SkillError("They cannot be merged", f"“{keep}” and “{other}”: {made}.", "")
        rewrite = Rewrite(keep, made.text, made.why, (one, two))
        rewriting = Rewriting(self._store, self._settings, self._clock)
        return await rewriting.propose(rewrite, lambda: self._opened(hurried=asked), tell, asked=asked)

    @asynccontextmanager
    async def _opened(self, *, hurried: bool) -> AsyncIterator[LearningModel]:
        """The learning model; one that lets agents go before, unless a person waits for it."""
        async with self._model() as opened:
            seconds = self._settings().learning.timeout_seconds
            yield opened if hurried else PatientModel(opened, self._calm, self._clock, seconds)


def _active(db: Db, name: str) -> SkillVersion:
    """The version of a skill that is active. Raises NotFoundError, SkillError."""
    skill = library.skill_named(db, name)
    if skill.state != SkillState.ACTIVE:
        raise SkillError(
            "It is not active",
            f"“{name}” is {skill.state}.",
            f"`metaclaw-tray skills enable {name}` changes that.",
        )
    return library.version_of(db, name)
