"""One file from a model hub: ranges to go on where it was cut, and no byte taken of another file.

A hub answers the address of a large file with a redirect to its storage and announces the file's sha256 in
`X-Linked-ETag` on the way (the id of the object in Git LFS is that hash).
"""

from __future__ import annotations

import re
from collections.abc import Callable

import httpx

from metaclaw_tray.embedded.manifest import HubSource, Model
from metaclaw_tray.embedded.partial import Partial, SourceFailedError
from metaclaw_tray.errors import UpstreamError
from metaclaw_tray.network import way_to

CONNECT_SECONDS = 10.0
SILENCE_SECONDS = 60.0
CUTS = 20  # interruptions that are mended by asking for the rest

_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+)")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def download(
    source: HubSource,
    model: Model,
    partial: Partial,
    arrived: Callable[[int], None],
    transport: httpx.BaseTransport | None = None,
) -> None:
    """Bring `partial` to its full length; `arrived` hears the length now and then.

    Raises SourceFailedError when the hub cannot be reached, serves another file, or stops delivering.
    """
    partial.require_room()
    timeout = httpx.Timeout(SILENCE_SECONDS, connect=CONNECT_SECONDS)
    try:
        way = None if transport else way_to(source.url)
    except UpstreamError as error:
        raise SourceFailedError(f"{source.host} could not be reached ({error.detail})") from error
    proxy = httpx.Proxy(way.url, headers=way.headers) if way else None
    with httpx.Client(
        transport=transport, timeout=timeout, follow_redirects=True, proxy=proxy, trust_env=False
    ) as client:
        for _ in range(CUTS):
            before = partial.size
            try:
                _ask_for_the_rest(client, source, model, partial, arrived)
            except (httpx.TransportError, httpx.TooManyRedirects) as error:
                if partial.size == before:
                    raise SourceFailedError(
                        f"{source.host} could not be reached ({_reason(error)})"
                    ) from error
            if partial.complete:
                return
    raise SourceFailedError(f"{source.host} broke off {CUTS} times")


def _ask_for_the_rest(
    client: httpx.Client, source: HubSource, model: Model, partial: Partial, arrived: Callable[[int], None]
) -> None:
    have = partial.size
    headers = {"Accept-Encoding": "identity"}
    if have:
        headers["Range"] = f"bytes={have}-"
    with client.stream("GET", source.url, headers=headers) as response:
        _check_identity(source, model, response)
        if response.status_code == 206 and have:
            found = _RANGE.match(response.headers.get("Content-Range", ""))
            if not found or int(found[1]) != have:
                raise SourceFailedError(f"{source.host} sent another range than the one asked for")
            _check_length(source, model, int(found[2]))
        elif response.status_code == 200:
            length = response.headers.get("Content-Length", "")
            _check_length(source, model, int(length) if length.isdigit() else None)
            partial.truncate(0)  # it does not do ranges
        else:
            raise SourceFailedError(f"{source.host} answered with status {response.status_code}")

        size = partial.size

        def counted(block: bytes) -> bytes:
            nonlocal size
            arrived(size)
            size += len(block)
            return block

        partial.append(counted(block) for block in response.iter_raw())
    if partial.size == have:
        raise SourceFailedError(f"{source.host} sent nothing")


def _check_identity(source: HubSource, model: Model, response: httpx.Response) -> None:
    """Refuse a file that the hub announces with another hash than the pinned one."""
    first = response.history[0] if response.history else response  # the storage behind has tags of its own
    announced = first.headers.get("X-Linked-ETag", "").strip('"')
    if _SHA256.fullmatch(announced) and announced != model.sha256:
        raise SourceFailedError(
            f"{source.host} now serves another file (sha256 {announced[:16]}…) than the pinned one"
        )


def _check_length(source: HubSource, model: Model, length: int | None) -> None:
    """Refuse what is not the file: a sign-in page of a network, a notice, a newer upload."""
    if length != model.bytes:
        said = "does not say how long the file is" if length is None else f"serves {length} bytes"
        raise SourceFailedError(f"{source.host} {said} where the model has {model.bytes}")


def _reason(error: Exception) -> str:
    if isinstance(error, httpx.TimeoutException):
        return "no answer in time"
    return str(error) or type(error).__name__
