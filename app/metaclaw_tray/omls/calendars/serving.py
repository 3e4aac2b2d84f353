"""The child that reads calendars: one question, one answer. What it imports is large, and gone with it."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from datetime import UTC, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from metaclaw_tray import logs
from metaclaw_tray.child import ChildPipe, serve_child
from metaclaw_tray.files import in_words
from metaclaw_tray.omls.calendars.addresses import MOST_BYTES, fetch
from metaclaw_tray.omls.calendars.frames import (
    Failed,
    FailedError,
    Found,
    FromCalendar,
    ReadGoogle,
    ReadIcs,
    SignedOut,
    SignIn,
    SignInAt,
    SignOut,
    ToCalendar,
    Unchanged,
    failure,
)

log = logging.getLogger(__name__)

_MOST_MEMORY = 1024 * 1024 * 1024  # bytes: a file that blows up ends this child and nothing else


def child_main(args: list[str]) -> int:
    """Answer one message."""
    del args
    logs.configure_child(logging.WARNING)
    for name in (
        "googleapiclient",
        "google",
        "google_auth_httplib2",
        "httplib2",
        "oauthlib",
        "requests_oauthlib",
    ):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # they write addresses into the log
    pipe: ChildPipe[ToCalendar, FromCalendar] = serve_child(ToCalendar, FromCalendar)
    message = pipe.receive()
    if isinstance(message, ReadIcs):  # never where a browser is started, which would be bound too
        _bound_memory()
    if message is not None:
        pipe.send(answer(message, lambda said: pipe.send(said)))
    return 0


def answer(message: ToCalendar, tell: Callable[[SignInAt], object] = lambda _: None) -> FromCalendar:
    """Do what is asked. Whatever goes wrong is an answer too, and no words of a calendar are in it."""
    try:
        match message:
            case ReadIcs():
                return _read_ics(message)
            case ReadGoogle():
                from metaclaw_tray.omls.calendars.google import read

                return read(message, zone_of(message.zone))
            case SignIn():
                from metaclaw_tray.omls.calendars.signin import sign_in

                return sign_in(message, lambda url: tell(SignInAt(url)))
            case SignOut():
                from metaclaw_tray.omls.calendars.signin import revoke

                revoke(message.account)
                return SignedOut()
    except FailedError as error:
        return error.failed
    except ModuleNotFoundError as error:
        return Failed(
            trouble="missing",
            detail=f"A part that reads this kind of calendar is not installed ({error.name}).",
            remedy="Install it: `pip install 'metaclaw-tray[google]'`.",
        )
    except MemoryError:
        return Failed(trouble="broken", detail="The calendar takes too much memory to read.")
    except Exception as error:  # noqa: BLE001 its words and its traceback may quote the calendar
        where = error.__traceback__
        while where is not None and where.tb_next is not None:
            where = where.tb_next
        place = f"{Path(where.tb_frame.f_code.co_filename).name}:{where.tb_lineno}" if where else ""
        log.error("a calendar could not be read error=%s place=%s", type(error).__name__, place)  # noqa: TRY400
        return Failed(trouble="broken", detail=f"It could not be read ({type(error).__name__}, {place}).")


def zone_of(name: str) -> tzinfo:
    """The zone of this name; UTC where the system's has none."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return UTC


def _read_ics(message: ReadIcs) -> FromCalendar:
    from metaclaw_tray.omls.calendars import ics

    etag, modified = "", ""
    if message.address:
        logs.keep_out(message.address)
        got = fetch(message.address, message.etag, message.modified)
        if got.content is None:
            return Unchanged()
        content, etag, modified = got.content, got.etag, got.modified
    else:
        file = Path(message.path)
        try:
            stamp = file.stat()
            etag = f"{stamp.st_mtime_ns}-{stamp.st_size}"
            if etag == message.etag:
                return Unchanged()
            if stamp.st_size > MOST_BYTES:
                raise failure("broken", f"{file.name} is larger than {MOST_BYTES / 2**20:.0f} MB.")
            content = file.read_bytes()
        except OSError as error:
            raise failure("refused", f"{file} cannot be read: {in_words(error)}.") from error
    found = ics.read(content, zone_of(message.zone), message.begin, message.end, message.me)
    return Found(events=found.events, skipped=found.skipped, etag=etag, modified=modified)


def _bound_memory() -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        if hard == resource.RLIM_INFINITY or hard > _MOST_MEMORY:
            resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, hard))
