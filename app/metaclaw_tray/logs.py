"""Logs: `key=value` on standard error and in a rotating file, without a secret and without prompts.

Keys and tokens are starred out twice over: by their shapes, and those that this process knows to the letter.
Of an error that quotes by its nature what was being read (a text that is no JSON, a key that is not there)
the log holds its name and its place in the program, never its words.

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
import traceback
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path
from types import TracebackType
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

_SHORTEST_SECRET = 8  # letters; what is shorter would star out ordinary words
_QUOTING = (ValueError, LookupError, TypeError)  # their words hold values; OSError's are the system's own
_known_secrets: tuple[str, ...] = ()  # the longest first; replaced as a whole, for any thread may log


def get_logger(name: str) -> logging.Logger:
    """The logger of a module."""
    return logging.getLogger(name)


def fields(**values: Any) -> str:
    """`key=value` pairs, quoted where a value holds a space or a quote."""
    return " ".join(f"{key}={_shown(value)}" for key, value in values.items())


def keep_out(secret: str | None) -> None:
    """Never let this text into a log of this process, wherever it may be quoted."""
    global _known_secrets
    if secret and len(secret) >= _SHORTEST_SECRET and secret not in _known_secrets:
        _known_secrets = tuple(sorted((*_known_secrets, secret), key=len, reverse=True))


def mask(text: str) -> str:
    """The text with tokens and keys starred out."""
    for secret in _known_secrets:
        text = text.replace(secret, "***")
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
    for chatty in ("httpx", "httpcore", "asyncio"):
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

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 logging's own name
        if record.name == "asyncio":  # the lines after the first hold objects, and those whatever they carry
            record.message = record.message.partition("\n")[0]
        return super().formatMessage(record)

    def formatException(self, ei: Any) -> str:  # noqa: N802 logging's own name
        return "\n".join(_told(ei[1], ei[2]))

    def format(self, record: logging.LogRecord) -> str:
        # A forged line break in a logged value must not look like a record of ours.
        return mask(super().format(record)).replace("\r", "\\r").replace("\n", "\n    ")


def _told(error: BaseException, trace: TracebackType | None) -> Iterator[str]:
    """An error with what led to it, the oldest first, as Python tells it but for words that quote."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        yield from _told(before, before.__traceback__)
        yield "From this came:" if error.__cause__ is not None else "While that was handled:"
    if trace is not None:
        yield "Traceback (most recent call last):"
        yield "".join(traceback.format_tb(trace)).rstrip("\n")
    words = "(its words may quote what was read)" if isinstance(error, _QUOTING) else str(error)
    yield f"{type(error).__qualname__}: {words}" if words else type(error).__qualname__
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _told(each, each.__traceback__)


class _PrivateFile(logging.handlers.RotatingFileHandler):
    """A rotating file of mode 0600."""

    def _open(self) -> TextIOWrapper:
        descriptor = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return TextIOWrapper(os.fdopen(descriptor, "ab"), encoding="utf-8", errors="backslashreplace")
