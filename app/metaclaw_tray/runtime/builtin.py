"""The starter set brought into the store when the app starts, behind everything that serves."""

from __future__ import annotations

import asyncio
import logging

from metaclaw_tray.clock import Clock
from metaclaw_tray.skills.builtin import builtin_skills
from metaclaw_tray.store import builtin
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.library import SkillText

log = logging.getLogger(__name__)


async def register_builtin(store: Store, clock: Clock) -> None:
    """Bring the texts that came with this program into the store. Raises SkillError where the installation
    lacks them."""
    found = await asyncio.to_thread(builtin_skills)
    texts = [SkillText(each.name, each.description, each.text) for each in found]
    names = await store.awrite(lambda db: builtin.register(db, texts, clock.now()))
    if names:
        log.info("built-in skills are registered or updated, and off: %s", ", ".join(names))
