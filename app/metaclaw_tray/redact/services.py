"""Secrets without a shape of their own, known by the service that is named right before them.

What stands between the two may only be words such as `api key` and what joins them: `Datadog trace 3f9c…` is
no secret of Datadog.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from metaclaw_tray.redact.spans import MARK, Span

_HEX = "[0-9a-f]"
_BETWEEN = (
    r"""(?:[ \t"'`:=_.()\[\\-]|(?i:api|app|application|account|accounts|auth|bot|key|token|secret|seed|sid|"""
    r"""is|code|password|private|backup|setup)(?![a-z])){1,24}?"""
)
_BASE32 = r"(?:(?=[A-Z]{0,40}[2-7])[A-Z2-7]{16,128}|(?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{4})(?![A-Za-z0-9])"
_VALUES: Final = {
    "telegram": (r"[0-9]{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])", "telegram-token"),
    "mailgun": (rf"{_HEX}{{32}}(?:-{_HEX}{{8}}){{2}}(?![A-Za-z0-9-])", "mailgun-key"),
    "heroku": (rf"{_HEX}{{8}}-(?:{_HEX}{{4}}-){{3}}{_HEX}{{12}}(?![A-Za-z0-9-])", "heroku-key"),
    "datadog": (rf"{_HEX}{{32}}(?:{_HEX}{{8}})?(?![A-Za-z0-9])", "datadog-key"),
    "twilio": (rf"(?:AC|SK)?{_HEX}{{32}}(?![A-Za-z0-9])", "twilio-key"),
    "pk": (rf"(?:0x)?{_HEX}{{64}}(?![A-Za-z0-9])", "private-key"),
    "private": (rf"(?:0x)?{_HEX}{{64}}(?![A-Za-z0-9])", "private-key"),
    "deployer": (rf"(?:0x)?{_HEX}{{64}}(?![A-Za-z0-9])", "private-key"),
    "accounts": (rf"0x{_HEX}{{64}}(?![A-Za-z0-9])", "private-key"),
    "2fa": (_BASE32, "totp-seed"),
    "mfa": (_BASE32, "totp-seed"),
    "otp": (_BASE32, "totp-seed"),
    "authenticator": (_BASE32, "totp-seed"),
}
_RULES: Final = {
    word: (re.compile(f"{_BETWEEN}(?P<value>{value})"), kind) for word, (value, kind) in _VALUES.items()
}
HINTS: Final = frozenset(_RULES)
"""A text in small letters that holds none of these names no such service."""


def served(text: str, folded: str) -> Iterator[Span]:
    """Every secret whose service is named before it. `folded` is the text in small letters."""
    named = [word for word in _RULES if word in folded]
    if not named:
        return
    past = 0
    for word in re.finditer("|".join(named), folded):
        rule, kind = _RULES[word[0]]
        if word.start() < past or text.startswith(MARK, word.end() + 1):
            continue
        found = rule.match(text, word.end())
        if found is not None:
            past = found.end()
            yield Span(*found.span("value"), kind)
