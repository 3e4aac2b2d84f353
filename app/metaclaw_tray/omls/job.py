"""What the scheduler drives: the training that runs in windows."""

from __future__ import annotations

from typing import Protocol

STOP_SECONDS = 3.5
"""Within which a job's process is gone after `pause`; with a look each second, which takes up to half of one,
that makes promise 6's five."""


class Job(Protocol):
    """Training, as the scheduler sees it. It remembers by itself where it was."""

    @property
    def local(self) -> bool:
        """Whether the engine runs on this machine."""
        ...

    @property
    def set_up(self) -> bool:
        """Whether there is something to train with."""
        ...

    @property
    def name(self) -> str:
        """Id of the job that runs or ran last; "" for none."""
        ...

    def unready(self) -> str:
        """Why nothing can be trained, as a sentence without its full stop; "" where something can. Cheap: it
        is asked at each look."""
        ...

    async def run(self, window_id: str) -> None:
        """Begin, or go on where the last window ended; returns when there is nothing left to do, or after
        `pause`."""
        ...

    async def pause(self) -> None:
        """Begin nothing new; the process is gone within STOP_SECONDS."""
        ...
