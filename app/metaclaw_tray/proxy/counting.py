"""Counting tokens for a client whose upstream cannot be asked in the client's dialect."""

from __future__ import annotations

import asyncio

import msgspec
from aiohttp import web

from metaclaw_tray.proxy.headers import encoding_of
from metaclaw_tray.proxy.limits import BODY_BYTES
from metaclaw_tray.proxy.problems import problem
from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.coding import decoded
from metaclaw_tray.wire.dialects import DIALECTS
from metaclaw_tray.wire.translation.messages_count import estimate_tokens

_ESTIMATED = {"x-metaclaw-estimated": "true"}


async def estimated(body: bytes, request: web.BaseRequest, dialect: str, recoded: bool) -> web.Response:
    """How many tokens a request has, about. The answer says in a header that it is an estimate."""
    encoding = "" if recoded else encoding_of(request.headers)

    def count() -> int:
        plain = decoded(body, encoding, BODY_BYTES) if encoding else body
        return estimate_tokens(DIALECTS[dialect].parse(plain))

    try:
        tokens = await asyncio.to_thread(count)
    except WireError as error:
        return problem(400, "not_translatable", str(error), dialect=dialect)
    counted = msgspec.json.encode({"input_tokens": tokens})
    return web.Response(body=counted, content_type="application/json", headers=_ESTIMATED)
