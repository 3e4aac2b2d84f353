"""Counting tokens for a client whose upstream cannot be asked in the client's dialect."""

from __future__ import annotations

import asyncio

import msgspec
from aiohttp import web

from metaclaw_tray.proxy.problems import problem
from metaclaw_tray.proxy.reasoning import Recalled
from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.dialects import DIALECTS
from metaclaw_tray.wire.translation.messages_count import estimate_tokens

_ESTIMATED = {"x-metaclaw-estimated": "true"}


async def estimated(plain: bytes | None, dialect: str, recalled: Recalled | None = None) -> web.Response:
    """How many tokens a request has, about, with what would be put back of the model's thoughts. The answer
    says in a header that it is an estimate."""
    try:
        tokens = await asyncio.to_thread(_count, plain, dialect, recalled)
    except WireError as error:
        return problem(400, "not_translatable", str(error), dialect=dialect)
    counted = msgspec.json.encode({"input_tokens": tokens})
    return web.Response(body=counted, content_type="application/json", headers=_ESTIMATED)


def _count(plain: bytes | None, dialect: str, recalled: Recalled | None) -> int:
    if plain is None:
        raise WireError("its content encoding cannot be read")
    request = DIALECTS[dialect].parse(plain)
    return estimate_tokens(request, None if recalled is None else recalled.recall(len(request.items)))
