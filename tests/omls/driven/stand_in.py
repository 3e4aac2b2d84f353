"""A job's child: it counts steps into a file, and goes on from the last one that it kept.

`python stand_in.py --child stand-in FOLDER [STEPS]`. Each step is a line of `steps.log` (step, process id,
time); `checkpoint` holds the last one, replaced as a whole. It ends after its step when its input ends.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

from msgspec import Struct

from metaclaw_tray.child import run_child, serve_child

_STEP_SECONDS = 0.02


class Go(Struct, tag="go"):
    """Nothing is ever asked of it."""


class Done(Struct, tag="done"):
    step: int


def child_main(args: list[str]) -> int:
    pipe = serve_child(Go, Done)
    folder, last = Path(args[0]), int(args[1]) if len(args) > 1 else sys.maxsize
    ended = threading.Event()

    def listen() -> None:
        for _ in pipe:
            pass
        ended.set()

    threading.Thread(target=listen, daemon=True).start()
    checkpoint, partial = folder / "checkpoint", folder / "checkpoint.part"
    step = int(checkpoint.read_text()) if checkpoint.exists() else 0
    with (folder / "steps.log").open("a") as log:
        while step < last and not ended.wait(_STEP_SECONDS):
            step += 1
            log.write(f"{step} {os.getpid()} {time.time()}\n")
            log.flush()
            partial.write_text(str(step))
            partial.replace(checkpoint)
    if step >= last:
        pipe.send(Done(step))
    return 0


if __name__ == "__main__":
    sys.exit(run_child(sys.argv[2:], {"stand-in": "__main__"}))
