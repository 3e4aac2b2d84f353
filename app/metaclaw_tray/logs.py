"""Logs: `key=value` on standard error and in a rotating file, without a secret and without prompts.

Where a message is called for in words, the words come first: `log.info("turn ended %s", fields(turn=id))`.
"""

from __future__ import annotations

import json
import logging
import logging.handlers
import os
import re
import sys
import time
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Final

from metaclaw_tray.files import in_words

FILE_BYTES: Final = 2 * 1024 * 1024
FILE_COUNT: Final = 3

_SECRETS = (
    (re.compile(r"/a/[^/\s\"'?]+"), "/a/***"),
    (re.compile(r"(?i)\b(bearer|basic)[ \t]+[^\s\"',]+"), r"\1 ***"),
    (
        re.compile(
            r"(?i)\b(x-api-key|authorization)([\"']?[ \t]*[:=][ \t]*[\"']?)(?!bearer |basic )[^\s\"',]+"
        ),
        r"\1\2***",
    ),
    (re.compile(r"\b(?:mct_|sk-|tml-)[A-Za-z0-9_-]{8,}"), "***"),
)


def get_logger(name: str) -> logging.Logger:
    """The logger of a module."""
    return logging.getLogger(name)


def fields(**values: Any) -> str:
    """`key=value` pairs, quoted where a value holds a space or a quote."""
    return " ".join(f"{key}={_shown(value)}" for key, value in values.items())


def mask(text: str) -> str:
    """The text with tokens and keys starred out."""
    for pattern, stars in _SECRETS:
        text = pattern.sub(stars, text)
    return text


def configure(
    folder: Path | None,
    level: int = logging.INFO,
    *,
    name: str = "metaclaw-tray.log",
    to_stderr: bool = True,
) -> Path | None:
    """Log to standard error and, if it can be written, to a file in `folder`. Returns that file.

    Meant for the start of a program; calling again replaces what was there.
    """
    stream = logging.StreamHandler(sys.stderr)
    stream.setFormatter(_Lines("%(asctime)s %(levelname)s %(name)s %(message)s"))
    _install([stream] if to_stderr else [logging.NullHandler()], level)
    if folder is None:
        return None
    path = folder / name
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = _PrivateFile(path, maxBytes=FILE_BYTES, backupCount=FILE_COUNT, encoding="utf-8")
    except OSError as error:
        get_logger(__name__).warning("no log file %s", fields(file=path, reason=in_words(error)))
        return None
    file.setFormatter(_Lines("%(asctime)s %(levelname)s %(name)s pid=%(process)d %(message)s"))
    logging.getLogger().addHandler(file)
    return path


def configure_child(level: int = logging.INFO) -> None:
    """In a child: to standard error, which the parent reads line by line; it adds the time."""
    stream = logging.StreamHandler(sys.stderr)
    stream.setFormatter(_Lines("%(levelname)s %(name)s %(message)s"))
    _install([stream], level)


def _install(handlers: list[logging.Handler], level: int) -> None:
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
        old.close()
    for handler in handlers:
        root.addHandler(handler)
    root.setLevel(level)
    for chatty in ("httpx", "httpcore", "aiohttp.access", "asyncio"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


def _shown(value: Any) -> str:
    text = str(value)
    if text and not re.search(r"[\s\"=\x00-\x1f\x7f]", text):
        return text
    return json.dumps(text, ensure_ascii=False)


class _Lines(logging.Formatter):
    """One record, one line (a traceback follows indented), times in UTC, secrets starred out."""

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def format(self, record: logging.LogRecord) -> str:
        # A forged line break in a logged value must not look like a record of ours.
        return mask(super().format(record)).replace("\r", "\\r").replace("\n", "\n    ")


class _PrivateFile(logging.handlers.RotatingFileHandler):
    """A rotating file of mode 0600."""

    def _open(self) -> TextIOWrapper:
        descriptor = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return TextIOWrapper(os.fdopen(descriptor, "ab"), encoding="utf-8", errors="backslashreplace")
