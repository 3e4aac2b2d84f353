"""The child that knows what texts mean, at the lowest priority and on one thread: nobody waits for it."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from metaclaw_tray.child import ChildPipe, serve_child
from metaclaw_tray.embedder.frames import (
    Begin,
    Compare,
    Compared,
    FromEmbedder,
    Learn,
    Learned,
    Near,
    Nearest,
    Ready,
    ToEmbedder,
    Unable,
)
from metaclaw_tray.embedder.model import Model, ModelMissingError
from metaclaw_tray.logs import configure_child

if TYPE_CHECKING:
    from metaclaw_tray.embedder.table import Table

log = logging.getLogger(__name__)

_LOWEST = 19  # of nice
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def child_main(args: list[str]) -> int:
    """Answer each message in its turn, until the parent closes the pipe."""
    del args
    configure_child()
    pipe: ChildPipe[ToEmbedder, FromEmbedder] = serve_child(ToEmbedder, FromEmbedder)
    begin = pipe.receive()
    if begin is None:
        return 0
    if not isinstance(begin, Begin):
        log.error("the first message must say where to begin, and was %s", type(begin).__name__)
        return 1
    _step_back()
    try:
        model = Model.load()
    except ModelMissingError as error:
        pipe.send(Unable(error.detail, error.remedy))
        return 1
    table = _table(model, Path(begin.vectors_file))
    pipe.send(Ready())
    for message in pipe:
        pipe.send(_answer(table, message))
    return 0


def _step_back() -> None:
    """Leave the machine to everybody else. Before numpy is imported: its threads are started then."""
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    with contextlib.suppress(OSError, psutil.Error):
        if sys.platform == "win32":
            psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
        else:
            psutil.Process().nice(_LOWEST)


def _table(model: Model, file: Path) -> Table:
    from metaclaw_tray.embedder.table import Table  # numpy, after the number of threads is set
    from metaclaw_tray.embedder.vectors import Vectors

    return Table(model, Vectors(file))


def _answer(table: Table, message: ToEmbedder) -> FromEmbedder:
    match message:
        case Learn():
            embedded = table.learn(message.come, message.gone)
            if message.last:
                table.keep()
            return Learned(len(table), embedded)
        case Nearest():
            return Near(table.nearest(message.text, message.limit))
        case Compare():
            return Compared(table.compare(message.texts, message.skill))
        case Begin():
            raise ValueError("the embedder has begun already")
