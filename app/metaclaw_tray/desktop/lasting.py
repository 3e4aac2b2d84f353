"""None that lasts: PySide 6.12 takes a reference from None with each call that returns nothing.

Since Python 3.12 None has no count that could run out (PEP 683), and the binding relies on that; before, some
ten thousand calls of a painter end the process with "deallocating None".
"""

from __future__ import annotations

import ctypes
import sys

_ENOUGH = 1 << 40
_IMMORTAL = (3, 12)


def make_none_last() -> None:
    """Give None more references than any window takes. Without effect where it needs none."""
    if sys.version_info >= _IMMORTAL or sys.getrefcount(None) >= _ENOUGH:
        return
    count = ctypes.c_ssize_t.from_address(id(None))
    if abs(count.value - sys.getrefcount(None)) < 100:  # else the count lies elsewhere, as in debug builds
        count.value += _ENOUGH
