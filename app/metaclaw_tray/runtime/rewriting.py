"""From a text that is to stand in place of skills to a proposal, measured on the way."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from sqlmodel import Session as Db

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import SkillError
from metaclaw_tray.learning.bench import Tell
from metaclaw_tray.learning.gate import Measured
from metaclaw_tray.learning.model import LearningModel
from metaclaw_tray.learning.rewriting import Rewrite, Rewrites
from metaclaw_tray.settings import Settings
from metaclaw_tray.skills.review import check_learnt_text
from metaclaw_tray.store import claims, learning, library, merging, offering
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.importing import IMPORTED
from metaclaw_tray.store.settling import SkillTrust
from metaclaw_tray.store.tables import ClaimUse
from metaclaw_tray.store.tables_library import Proposal, ProposalState, SkillSource, SkillState, SkillVersion

log = logging.getLogger(__name__)

UNMEASURED = "It was not measured: no request of its kind is kept that answers could be compared on."


@dataclass(frozen=True)
class _Result:
    """What is to be written of a rewrite."""

    rewrite: Rewrite
    measured: Measured | None
    told: str
    offered: bool


class Rewriting:
    """Has rewritten texts measured, and proposes them."""

    def __init__(self, store: Store, settings: Callable[[], Settings], clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._rewrites = Rewrites(store, settings, clock)

    async def propose(
        self,
        rewrite: Rewrite,
        model: Callable[[], AbstractAsyncContextManager[LearningModel]],
        tell: Tell,
        *,
        asked: bool,
    ) -> tuple[str, str]:
        """Measure it against what it replaces, and propose it; the proposal's id, and why in a sentence.

        What a person `asked` for is put before them at once; where nothing is kept that it could be measured
        on, they are told that with it, and nothing of the kind is offered unasked. What is worse is kept as
        refused, with its figures. Raises SkillError for both, and where a skill changed meanwhile;
        LearningError and UpstreamError where the model is not to be had.
        """
        found = await self._rewrites.find(rewrite)
        compared = None
        if found:
            async with model() as opened:
                compared = await self._rewrites.measure(opened, rewrite, found, tell)
        if compared is None:
            result = _Result(rewrite, None, UNMEASURED, asked)
        else:
            result = _Result(rewrite, compared.measured, compared.told, compared.offered)
        proposal_id = await self._store.awrite(lambda db: self._write(db, result, asked=asked))
        log.info("a text in place of skills was written skill=%s offered=%s", rewrite.name, result.offered)
        if not result.offered:
            raise SkillError("It is not offered", f"“{rewrite.name}”: {result.told}", "")
        return proposal_id, f"{rewrite.why} {result.told}"

    def _write(self, db: Db, result: _Result, *, asked: bool) -> str:
        rewrite, now = result.rewrite, self._clock.now()
        for each in rewrite.replaced:
            _must_stand(db, each, active=len(rewrite.replaced) > 1)
        check_learnt_text(rewrite.text, rewrite.name)
        proposal_id = merging.propose_rewrite(
            db,
            rewrite.name,
            [each.name for each in rewrite.replaced[1:]],
            rewrite.text,
            rewrite.why if result.measured is not None else f"{rewrite.why} {result.told}",
            now,
            exchanges=_taught_by(db, rewrite.replaced),
            taint=_taint_of(db, rewrite.replaced),
            state=ProposalState.PENDING if result.offered else ProposalState.REFUSED,
            reason="" if result.offered else result.told,
        )
        if result.measured is not None:
            row = result.measured.row(db, proposal_id, now)
            row.passed = result.offered  # as good at fewer tokens is what it is for
            learning.add_gate_result(db, row)
        if asked and result.offered:
            offering.offer(db, [library.proposal(db, proposal_id).proposal], now)
        return proposal_id


def _must_stand(db: Db, version: SkillVersion, *, active: bool) -> None:
    """Raise SkillError where another text, or another state, stands there now."""
    skill = library.skill_named(db, version.name)
    if skill.version != version.version or (active and skill.state != SkillState.ACTIVE):
        raise SkillError("It changed meanwhile", f"“{version.name}” stands otherwise now.", "Try again.")


def _taint_of(db: Db, replaced: Sequence[SkillVersion]) -> str:
    """Whose words these skills hold besides the person's: the new text holds them too. What a person said to
    be as good as their own is theirs."""
    for each in replaced:
        skill = library.skill_named(db, each.name)
        if skill.trust == SkillTrust.TRUSTED:
            continue
        versions = [kept for kept in library.history(db, each.name) if kept.proposal_id]
        made = [db.get(Proposal, kept.proposal_id) for kept in versions]
        taints = [one.taint for one in made if one is not None and one.taint]
        if taints or skill.source == SkillSource.IMPORTED:
            return taints[-1] if taints else IMPORTED
    return ""


def _taught_by(db: Db, replaced: Sequence[SkillVersion]) -> list[str]:
    """The exchanges that these skills came of, in whatever version: the new text is made of them too, and is
    forgotten with them."""
    versions = [each for skill in replaced for each in library.history(db, skill.name)]
    made = [db.get(Proposal, each.proposal_id) for each in versions if each.proposal_id]
    taught = dict.fromkeys(exchange for each in made if each is not None for exchange in each.exchanges)
    return [each for each in taught if claims.use_of(db, each) is ClaimUse.SUPPORT]
