"""What this process wrote, remembered so that it need not be asked for: no more than what is on the disk."""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Remembered(OrderedDict[K, V]):
    """The entries set last, up to a bound. Those of a transaction that is undone are forgotten with it."""

    def __init__(self, bound: int) -> None:
        super().__init__()
        self._bound = bound
        self._fresh: set[K] = set()

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self._fresh.add(key)

    def commit(self) -> None:
        """What was set since the last call is on the disk now."""
        self._fresh.clear()
        while len(self) > self._bound:
            self.popitem(last=False)

    def forget_uncommitted(self) -> None:
        """What was set since the last commit may have been undone."""
        for key in self._fresh:
            self.pop(key, None)
        self._fresh.clear()
