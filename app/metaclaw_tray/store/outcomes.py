"""What a measurement came to: four words that the gate writes and all else reads."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """What a skill was found to be worth."""

    BETTER = "better"  # measured better, on requests of the person's own that it was not written from
    PROMISING = "promising"  # better on k of n, too few or too synthetic to be sure
    SAME = "same"  # no difference
    WORSE = "worse"

    @property
    def offered(self) -> bool:
        """Whether the person is asked about it at all."""
        return self in (Outcome.BETTER, Outcome.PROMISING)

    @property
    def may_go_live_unasked(self) -> bool:
        """Whether a policy that the person chose may do without their yes."""
        return self is Outcome.BETTER

    @property
    def said(self) -> str:
        return _SAID[self]


_SAID = {
    Outcome.BETTER: "measured better",
    Outcome.PROMISING: "promising",
    Outcome.SAME: "no difference",
    Outcome.WORSE: "worse",
}
