"""What a measurement came to: four words that the gate writes and all else reads."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """What a skill was found to be worth. Only what was measured better may take effect without the person's
    yes, where they chose a policy that allows it."""

    BETTER = "better"  # measured better, on requests of the person's own that it was not written from
    PROMISING = "promising"  # better on k of n, too few or too synthetic to be sure
    SAME = "same"  # no difference
    WORSE = "worse"

    @property
    def offered(self) -> bool:
        """Whether the person is asked about it at all."""
        return self in (Outcome.BETTER, Outcome.PROMISING)

    @property
    def said(self) -> str:
        return _SAID[self]


_SAID = {
    Outcome.BETTER: "measured better",
    Outcome.PROMISING: "promising",
    Outcome.SAME: "no difference",
    Outcome.WORSE: "worse",
}
