"""Our own refusals, in the shape that clients of the dialect read."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

import msgspec
from multidict import CIMultiDict

from metaclaw_tray.errors import UpstreamError
from metaclaw_tray.network import SystemProxy
from metaclaw_tray.proxy.failures import (
    CertificateError,
    ConnectingTooLongError,
    DisconnectedError,
    NameUnknownError,
    NoConnectionError,
    NotHttpError,
    NotTlsError,
    ProxyAwayError,
    ProxyRefusedError,
)
from metaclaw_tray.proxy.reply import Reply
from metaclaw_tray.proxy.routing import Route
from metaclaw_tray.proxy.texts import encodable

_ANTHROPIC = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
"""Anthropic's names of errors by status (docs.anthropic.com, API errors)."""


def problem(
    status: int,
    code: str,
    message: str,
    *,
    dialect: str = "chat",
    headers: Mapping[str, str] | None = None,
    close: bool = False,
) -> Reply:
    """An error of ours, in the shape of the dialect. `close` ends the connection after it, for requests left
    unread."""
    sent = CIMultiDict(headers or {})
    if status == 429:  # some clients give up at once where it does not say when to come again
        sent.setdefault("Retry-After", "1")
    sent["Content-Type"] = "application/json; charset=utf-8"
    body = msgspec.json.encode(error_body(status, code, message, dialect))
    return Reply(status, sent, body, ends=close)


def error_body(status: int, code: str, message: str, dialect: str) -> dict[str, object]:
    """What the body of an error says: Anthropic's shape for messages, OpenAI's for the others."""
    message = encodable(message)
    if dialect == "messages":
        kind = _ANTHROPIC.get(status, "invalid_request_error" if status < 500 else "api_error")
        return {"type": "error", "error": {"type": kind, "message": message}}
    kind = "invalid_request_error" if status < 500 else "upstream_error"
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def unreachable(error: BaseException, route: Route, proxy: SystemProxy | None = None) -> UpstreamError:
    """Why an upstream gave no answer, for a person to read. `proxy` is what lay on the way to it."""
    name, host = route.name, route.url("", "").raw_host or route.upstream.base_url
    test = f"Try `metaclaw-tray upstream test {name}`."
    match error:
        case ProxyAwayError():
            place = proxy.place if proxy else "that the system names"
            detail = f"the network's proxy {place} cannot be reached: {_in_words(error.reason)}"
            remedy = "Check the system's proxy settings, or HTTPS_PROXY and NO_PROXY."
        case ProxyRefusedError():
            place = proxy.place if proxy else "that the system names"
            detail = f"the network's proxy {place} refused the way to {host} with status {error.status}"
            remedy = "Check the proxy's user name and password in the system's settings, or in HTTPS_PROXY."
        case NameUnknownError():
            detail, remedy = f"the name {host} is not known", "Check the network and the upstream's base URL."
        case CertificateError():
            detail = f"the certificate of {host} is not valid: {error}"
            remedy = (
                "Check the base URL and this computer's clock; never send a key there until this is mended."
            )
        case NotTlsError():
            detail, remedy = (
                f"{host} does not speak TLS",
                "Check whether its base URL begins with http or https.",
            )
        case NoConnectionError():
            detail = f"{host} cannot be reached: {_in_words(error.reason)}"
            remedy = f"Start it, or check its base URL {route.upstream.base_url}."
        case ConnectingTooLongError():
            detail, remedy = f"{host} does not take connections", f"Check the network. {test}"
        case DisconnectedError() | ConnectionError():
            detail, remedy = (
                f"{host} ended the connection without an answer",
                f"Send the request again. {test}",
            )
        case NotHttpError():
            detail = f"{host} does not speak HTTP: {error}"
            remedy = "Check the port in its base URL."
        case _:
            detail, remedy = f"{host}: {error or type(error).__name__}", test
    return UpstreamError(f"The upstream {name!r} did not answer", detail, remedy)


def in_one_line(error: UpstreamError) -> str:
    """The error as one message for a client to show."""
    return f"{error.title}: {error.detail}. {error.remedy}"


def _in_words(error: OSError) -> str:
    if isinstance(error, socket.gaierror):
        return "its name is not known"
    if "Connect call failed" in str(error):  # asyncio's words, with the address as Python writes it
        return os.strerror(error.errno).lower() if error.errno else "none of its addresses takes connections"
    return (error.strerror or str(error)).lower()
