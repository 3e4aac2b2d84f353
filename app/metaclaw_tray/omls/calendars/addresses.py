"""Addresses of calendars, and getting what is there: bounded in size and time, never over plain http but on
this machine, and named in no error but by host."""

from __future__ import annotations

import time
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from metaclaw_tray.errors import UsageError
from metaclaw_tray.omls.calendars.frames import failure
from metaclaw_tray.settings.addresses import is_loopback

MOST_BYTES = 10 * 1024 * 1024
_SECONDS = 45.0  # for all of it
_SILENCE = 20.0  # seconds without a byte
_REDIRECTS = 5
_PIECE = 64 * 1024


@dataclass(frozen=True)
class Got:
    """What came. `content` is None where it is the same as before."""

    content: bytes | None
    etag: str = ""
    modified: str = ""


def checked_address(address: str) -> str:
    """The address as it is asked: webcal is https. Raises UsageError, which does not repeat the address."""
    try:
        parts = urlsplit(address.strip())
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host:
        raise UsageError("This is no address", "A calendar's address looks like https://host/….ics.", "")
    scheme = parts.scheme.lower()
    if scheme in ("webcal", "webcals"):
        scheme = "http" if is_loopback(host) and scheme == "webcal" else "https"
    if scheme != "https" and not (scheme == "http" and is_loopback(host)):
        raise UsageError(
            "This address is not safe",
            f"{host} would be asked by {scheme or 'no'} protocol, where everybody on the way reads along.",
            "Use the calendar's https address.",
        )
    return urlunsplit((scheme, parts.netloc, parts.path or "/", parts.query, ""))


def host_of(address: str) -> str:
    """The host, with its port where it is an unusual one; nothing else of an address is ever shown."""
    parts = urlsplit(address)
    usual = {"https": 443, "http": 80}.get(parts.scheme)
    host = parts.hostname or ""
    return host if parts.port in (None, usual) else f"{host}:{parts.port}"


def fetch(
    address: str, etag: str, modified: str, *, most: int = MOST_BYTES, seconds: float = _SECONDS
) -> Got:
    """Get it, blocking. Raises FailedError in words that name the host alone."""
    import httpx  # late: only the child that reads needs it

    host = host_of(address)
    asked = {"User-Agent": "MetaClaw-Tray", "Accept": "text/calendar, */*;q=0.5"}
    if etag:
        asked["If-None-Match"] = etag
    elif modified:
        asked["If-Modified-Since"] = modified
    end = time.monotonic() + seconds
    direct = is_loopback(urlsplit(address).hostname or "")
    try:
        with httpx.Client(timeout=min(_SILENCE, seconds), trust_env=not direct) as client:
            for _ in range(_REDIRECTS + 1):
                with client.stream("GET", address, headers=asked) as answer:
                    if answer.has_redirect_location:
                        address = _next(address, answer.headers.get("location", ""), host)
                        continue
                    return _read(answer, host, most, end)
        raise failure("refused", f"{host} sends from one address to the next, without an end.")
    except httpx.TimeoutException:
        raise failure("away", f"{host} did not answer in time.") from None
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise failure("away", f"{host} could not be reached ({type(error).__name__}).") from None


def _read(answer, host: str, most: int, end: float) -> Got:  # type: ignore[no-untyped-def]  # httpx comes late
    if answer.status_code == 304:
        return Got(None)
    if answer.status_code != 200:
        raise _refusal(answer.status_code, answer.headers.get("retry-after", ""), host)
    content = bytearray()
    for piece in answer.iter_bytes(_PIECE):
        content += piece
        if len(content) > most:
            raise failure("broken", f"The calendar at {host} is larger than {most / 2**20:.0f} MB.")
        if time.monotonic() > end:
            raise failure("away", f"{host} is too slow: not all of the calendar came in time.")
    return Got(bytes(content), answer.headers.get("etag", ""), answer.headers.get("last-modified", ""))


def _refusal(code: int, after: str, host: str) -> Exception:
    wait = float(after) if after.isdigit() else 0.0
    if code == 429 or code >= 500:
        return failure("busy" if code == 429 else "away", f"{host} answered {code}.", after=min(wait, 86_400))
    return failure(
        "refused",
        f"{host} no longer gives the calendar for this address (it answered {code}).",
        "Look up its secret address again, and connect it anew.",
    )


def _next(address: str, location: str, host: str) -> str:
    from urllib.parse import urljoin

    try:
        return checked_address(urljoin(address, location))
    except UsageError:
        raise failure("refused", f"{host} sends to an address that is not safe to follow.") from None
