"""Our own refusals, in the shape that clients of the dialect read."""

from __future__ import annotations

import socket
from collections.abc import Mapping

import aiohttp
import msgspec
from aiohttp import web

from metaclaw_tray.errors import UpstreamError
from metaclaw_tray.proxy.routing import Route
from metaclaw_tray.proxy.texts import encodable


def problem(
    status: int, code: str, message: str, *, headers: Mapping[str, str] | None = None, close: bool = False
) -> web.Response:
    """An error in OpenAI's shape. `close` ends the connection after it, for requests left unread."""
    kind = "invalid_request_error" if status < 500 else "upstream_error"
    error = {"message": encodable(message), "type": kind, "param": None, "code": code}
    response = web.Response(
        status=status,
        body=msgspec.json.encode({"error": error}),
        content_type="application/json",
        headers=headers,
    )
    if close:
        response.force_close()
    return response


def unreachable(error: BaseException, route: Route) -> UpstreamError:
    """Why an upstream gave no answer, for a person to read."""
    name, host = route.name, route.url("", "").raw_host or route.upstream.base_url
    test = f"Try `metaclaw-tray upstream test {name}`."
    match error:
        case aiohttp.ClientConnectorDNSError():
            detail, remedy = f"the name {host} is not known", "Check the network and the upstream's base URL."
        case aiohttp.ClientConnectorCertificateError():
            detail = f"the certificate of {host} is not valid: {error.certificate_error}"
            remedy = (
                "Check the base URL and this computer's clock; never send a key there until this is mended."
            )
        case aiohttp.ClientSSLError():
            detail, remedy = (
                f"{host} does not speak TLS",
                "Check whether its base URL begins with http or https.",
            )
        case aiohttp.ClientConnectorError():
            detail = f"{host} cannot be reached: {_in_words(error.os_error)}"
            remedy = f"Start it, or check its base URL {route.upstream.base_url}."
        case aiohttp.ConnectionTimeoutError():
            detail, remedy = f"{host} does not take connections", f"Check the network. {test}"
        case aiohttp.ServerDisconnectedError() | ConnectionError():
            detail, remedy = (
                f"{host} ended the connection without an answer",
                f"Send the request again. {test}",
            )
        case aiohttp.ClientResponseError():
            detail = f"{host} does not speak HTTP: {error.message.splitlines()[0] if error.message else ''}"
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
    return (error.strerror or str(error)).lower()
