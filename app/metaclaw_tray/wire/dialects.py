"""The dialects there are."""

from __future__ import annotations

from metaclaw_tray.wire.chat import CHAT
from metaclaw_tray.wire.dialect import Dialect
from metaclaw_tray.wire.messages import MESSAGES
from metaclaw_tray.wire.responses import RESPONSES

DIALECTS: dict[str, Dialect] = {each.name: each for each in (CHAT, MESSAGES, RESPONSES)}
