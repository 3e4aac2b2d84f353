"""Text of others, with the letters shown that would decide unseen what a person reads before a yes. Pure.

A mark that turns the direction makes a line read otherwise than a model gets it, and letters without a width
hide words. Marks that languages and emoji need (joiners, the two plain direction marks) stay as they are.
"""

from __future__ import annotations

import re

_HIDING = re.compile(
    "[\u00ad\u034f\u180e\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)


def unhidden(text: str) -> str:
    """The text with each such letter as its number, such as `⟨202E⟩`."""
    return _HIDING.sub(lambda found: f"⟨{ord(found[0]):04X}⟩", text)
