"""Counting tokens for a client whose upstream cannot be asked in the client's dialect."""

from __future__ import annotations

import asyncio

import msgspec
from multidict import CIMultiDict

from metaclaw_tray.proxy.counted import Counted
from metaclaw_tray.proxy.problems import problem
from metaclaw_tray.proxy.reasoning import Recalled
from metaclaw_tray.proxy.reply import Reply
from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.dialects import DIALECTS
from metaclaw_tray.wire.translation.messages_count import estimate_tokens

_ESTIMATED = {"x-metaclaw-estimated": "true"}


async def estimated(
    plain: bytes | None, dialect: str, upstream: str, counted: Counted, recalled: Recalled | None = None
) -> Reply:
    """How many tokens a request has, about, with what would be put back of the model's thoughts; set right by
    what this upstream counted before. The answer says in a header that it is an estimate."""
    try:
        tokens = await asyncio.to_thread(_count, plain, dialect, upstream, counted, recalled)
    except WireError as error:
        return problem(400, "not_translatable", str(error), dialect=dialect)
    said = msgspec.json.encode({"input_tokens": tokens})
    return Reply(200, CIMultiDict({"Content-Type": "application/json", **_ESTIMATED}), said)


def _count(
    plain: bytes | None, dialect: str, upstream: str, counted: Counted, recalled: Recalled | None
) -> int:
    if plain is None:
        raise WireError("its content encoding cannot be read")
    request = DIALECTS[dialect].parse(plain)
    recall = None if recalled is None else recalled.recall(len(request.items))
    return round(estimate_tokens(request, recall) * counted.factor(upstream, request.model))
