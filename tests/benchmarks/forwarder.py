"""The least that a forwarding proxy on aiohttp can do: the limit to hold the real one against.

It reads the body, sends it on, and hands the answer back as it comes. No token, no conversation tree, no
injection, no record. `python -m benchmarks.forwarder UPSTREAM` prints one line with its URL and serves until
its standard input ends.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

import aiohttp
import uvloop
from aiohttp import web

from support.standalone import announce, until_input_ends

_HOP_BY_HOP = frozenset(  # RFC 9110, section 7.6.1, and the framing that each side makes for itself
    {
        "connection",
        "content-length",
        "host",
        "keep-alive",
        "proxy-authorization",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)


def _end_to_end(headers: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(name, value) for name, value in headers.items() if name.lower() not in _HOP_BY_HOP]


class Forwarder:
    """Sends whatever comes to `upstream`, a base URL that ends in `/v1`."""

    def __init__(self, upstream: str, session: aiohttp.ClientSession) -> None:
        self._origin = upstream.removesuffix("/v1")
        self._session = session

    async def forward(self, request: web.BaseRequest) -> web.StreamResponse:
        body = await request.read()
        sent = self._session.request(
            request.method, self._origin + request.path_qs, data=body, headers=_end_to_end(request.headers)
        )
        async with sent as answer:
            headers = _end_to_end(answer.headers)
            if answer.content_length is not None:
                return web.Response(status=answer.status, headers=headers, body=await answer.read())
            stream = web.StreamResponse(status=answer.status, headers=headers)
            await stream.prepare(request)
            async for piece in answer.content.iter_any():
                await stream.write(piece)
            await stream.write_eof()
            return stream


async def serve(upstream: str) -> None:
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=60)
    async with aiohttp.ClientSession(
        connector=connector, auto_decompress=False, timeout=aiohttp.ClientTimeout(total=None)
    ) as session:
        server = web.Server(Forwarder(upstream, session).forward, access_log=None)
        runner = web.ServerRunner(server)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        port = runner.addresses[0][1]
        announce(f"http://127.0.0.1:{port}/v1")
        await until_input_ends()
        await runner.cleanup()


if __name__ == "__main__":
    uvloop.run(serve(sys.argv[1]))
