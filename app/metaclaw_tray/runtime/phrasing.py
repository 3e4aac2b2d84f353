"""Trigger phrases for a skill that was saved, as an ordinary proposal: nothing of them is live unseen.

The exchanges that give them are claimed as support with it, for they teach the skill.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta

from sqlmodel import Session as Db

from metaclaw_tray.clock import Clock
from metaclaw_tray.embedder.client import Embedder
from metaclaw_tray.embedder.frames import Known
from metaclaw_tray.embedder.likeness import NEAR, TELLS
from metaclaw_tray.errors import KnownError, SkillError
from metaclaw_tray.skills.fields import Entry
from metaclaw_tray.skills.markdown import read_skill, write_skill
from metaclaw_tray.skills.phrases import phrases_for, same_phrase, spans
from metaclaw_tray.skills.query import asking
from metaclaw_tray.skills.review import check_learnt_text
from metaclaw_tray.store import library, proposing
from metaclaw_tray.store.asked import Asked, asked_since
from metaclaw_tray.store.claims import ClaimConflictError
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.phrasing import claim_sources, may_give
from metaclaw_tray.store.tables_library import ProposalOp, ProposalState

log = logging.getLogger(__name__)

_LOOKED_BACK = timedelta(days=90)
_REQUESTS = 400  # of the newest that are looked at
_NEAREST = 40  # of those near to the skill that are looked at closely
_PROPOSALS = 200  # of the newest in which phrases were proposed before


class Phrasing:
    """Looks for phrases, and proposes them."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def propose(self, embedder: Embedder, skill: Entry, version: int) -> str:
        """Propose phrases that recent requests would have found this version of the skill by; gives the
        proposal's id, or "" where there is nothing to propose. Raises EmbedderEndedError."""
        since = self._clock.now() - _LOOKED_BACK
        requests = await self._store.aread(lambda db: asked_since(db, since, _REQUESTS))
        similarity = await _similarity(embedder, skill, requests)
        ids = [each.exchange_id for each in requests]
        free = await self._store.aread(lambda db: may_give(db, ids))
        # What may give none still tells which phrases are about other things.
        requests = [each for each in requests if each.exchange_id in free or similarity[each.words] < NEAR]
        said = [each.words for each in requests]
        found = await asyncio.to_thread(
            phrases_for, skill, said, lambda text: similarity.get(text, 0.0), NEAR, TELLS
        )
        if not found:
            return ""
        sources = [each for each in requests if each.exchange_id in free]
        try:
            proposed = await self._store.awrite(
                lambda db: self._write(db, skill.name, version, found, sources)
            )
        except ClaimConflictError as error:  # claimed for something else a moment ago
            log.info("trigger phrases are not proposed skill=%s why=%s", skill.name, error)
            return ""
        if proposed:
            log.info("trigger phrases are proposed skill=%s proposal=%s", skill.name, proposed)
        return proposed

    def _write(self, db: Db, name: str, version: int, found: list[str], sources: list[Asked]) -> str:
        try:
            kept = library.version_of(db, name)
        except KnownError:
            return ""
        before = _proposed_before(db, name)
        said = {each.exchange_id: " ".join(each.words.split()).lower() for each in sources}
        fresh = [
            phrase
            for phrase in found
            if not any(same_phrase(phrase, each) for each in before)
            and any(phrase in words for words in said.values())
        ]
        if kept.version != version or not fresh:
            return ""
        skill = read_skill(kept.text, name, name)
        text = write_skill(skill.with_metadata(triggers="; ".join((*skill.triggers, *fresh))))
        try:
            check_learnt_text(text, name)
        except SkillError as error:  # too long for a change by learning, say: the person changes it by hand
            log.info("trigger phrases are not proposed skill=%s why=%s", name, error.detail)
            return ""
        exchanges = [each for each, words in said.items() if any(phrase in words for phrase in fresh)]
        quoted = ", ".join(f"“{phrase}”" for phrase in fresh)
        now = self._clock.now()
        claim_sources(db, exchanges, f"phrases for {name}@{version}", now)
        return proposing.propose(
            db,
            op=ProposalOp.UPDATE,
            skill=name,
            text=text,
            why=f"Requests that mean this skill did not find it; by {quoted} they would.",
            now=now,
            exchanges=exchanges,
        )


def known(skill: Entry) -> Known:
    """A skill as the embedder knows it: by its description, with and without its name, and by its phrases."""
    name = skill.name.replace("-", " ")
    return Known(skill.name, [f"{name}: {skill.description}", skill.description], list(skill.triggers))


async def _similarity(embedder: Embedder, skill: Entry, requests: list[Asked]) -> dict[str, float]:
    """How near requests are to the skill, and each part of those that no other skill is nearer to. What is
    nearer to another skill is about that one."""
    asked = {each.words: asking(each.words) for each in requests}
    likeness = await embedder.compare(list(asked.values()), known(skill))
    found = dict(zip(asked, likeness, strict=True))
    near = sorted((words for words in asked if found[words] >= NEAR), key=lambda words: -found[words])
    parts: dict[str, None] = {}
    for words in near[:_NEAREST]:
        best = await embedder.nearest(asked[words], 1)
        if best and best[0][0] == skill.name:
            parts |= dict.fromkeys(spans(words))
        else:
            found[words] = 0.0
    found.update(dict.fromkeys(near[_NEAREST:], 0.0))
    new = [part for part in parts if part not in found]
    return found | dict(zip(new, await embedder.compare(new, known(skill)), strict=True))


def _proposed_before(db: Db, name: str) -> list[str]:
    """The phrases of all proposals for a skill that were not approved: once is enough to ask."""
    states = [state for state in ProposalState if state != ProposalState.APPROVED]
    views = library.proposals(db, states, limit=_PROPOSALS)
    texts = [view.proposal.text for view in views if view.proposal.skill == name and view.proposal.text]
    phrases: list[str] = []
    for text in texts:
        try:
            phrases += read_skill(text, name, name).triggers
        except SkillError:
            continue  # from outside, and never a skill
    return phrases
