"""Secrets, replaced by what they were: `[redacted:KIND]`.

Applied before anything reaches the disk and before any call that learning makes. Each rule reads a text
once: a literal is sought at the speed of memory, and what may surround it is matched there and is bounded, so
that time grows with the length of the text and with nothing else.

Nothing outside the standard library is used, and nothing here knows of the store or of the wire.
"""

from metaclaw_tray.redact.payload import NESTING_LIMIT, UNTOUCHED_KEYS, redact_json
from metaclaw_tray.redact.text import find_secrets, redact_text

__all__ = ["NESTING_LIMIT", "UNTOUCHED_KEYS", "find_secrets", "redact_json", "redact_text"]
