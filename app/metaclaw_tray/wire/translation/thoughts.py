"""The mark on thoughts that came from an upstream of chat completions.

Clients send thoughts back only with a signature beside them, and some upstreams refuse a conversation whose
thoughts are missing. The mark says that a thought is such an upstream's own, and holds no secret: thoughts
of chat completions are not signed. Thoughts with another's signature belong to another model.
"""

from __future__ import annotations

MARK = "metaclaw.cmVhc29uaW5nX2NvbnRlbnQ"


def is_ours(signature: object) -> bool:
    """Whether a thought with this signature came through a translation."""
    return isinstance(signature, str) and signature.startswith("metaclaw.")
