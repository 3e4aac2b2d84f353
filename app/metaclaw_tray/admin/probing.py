"""Whether an upstream is there, asked in the cheapest way: for its list of models."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import msgspec

from metaclaw_tray.admin.api import UpstreamTest
from metaclaw_tray.errors import UpstreamError
from metaclaw_tray.network import way_to
from metaclaw_tray.settings import Upstream

if TYPE_CHECKING:
    import httpx

_SECONDS = 10.0
_BODY_LIMIT = 4 * 1024 * 1024  # bytes; the longest lists of models are some 400 kB
_MODELS_SHOWN = 200


class _Model(msgspec.Struct):
    id: str


class _Models(msgspec.Struct):
    data: list[_Model]


async def probe(
    name: str, upstream: Upstream, key: str | None, transport: httpx.AsyncBaseTransport | None = None
) -> UpstreamTest:
    """Ask `GET …/models`. What goes wrong is in the answer, never raised."""
    import httpx  # late: it is large, and seldom needed

    headers = upstream.opened_by(key, "") if key else {}
    if "messages" in upstream.dialects:
        headers["anthropic-version"] = "2023-06-01"
    started = time.monotonic()
    status, models, detail = 0, list[str](), ""
    try:
        way = None if transport else await asyncio.to_thread(way_to, upstream.base_url)
        proxy = httpx.Proxy(way.url, headers=way.headers) if way else None
        async with (
            httpx.AsyncClient(timeout=_SECONDS, transport=transport, proxy=proxy, trust_env=False) as client,
            client.stream("GET", f"{upstream.base_url}/models", headers=headers) as response,
        ):
            status = response.status_code
            body = b""
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > _BODY_LIMIT:
                    break
            kind = response.headers.get("content-type", "").partition(";")[0] or "no content type"
        models, detail = _read(status, body, kind, upstream)
    except UpstreamError as error:
        detail = f"{error.title}: {error.detail}. {error.remedy}"
    except httpx.TimeoutException:
        detail = f"{upstream.base_url} did not answer within {_SECONDS:g} seconds."
    except httpx.HTTPError as error:
        detail = f"{upstream.base_url} cannot be reached: {str(error) or type(error).__name__}."
    return UpstreamTest(
        name=name,
        ok=(status == 200 and not detail) or (status in (401, 403) and upstream.credential == "pass-through"),
        status=status,
        milliseconds=round((time.monotonic() - started) * 1000, 1),
        models=models,
        detail=detail,
    )


def _read(status: int, body: bytes, kind: str, upstream: Upstream) -> tuple[list[str], str]:
    if status in (401, 403):
        sent = {
            "key": "It refused the key.",
            "none": "It wants a key, and none is set for it.",
            "pass-through": "It wants a key; agents send their own, so this says little.",
        }
        return [], f"{sent[upstream.credential]} (HTTP {status})"
    if status >= 500:
        return [], f"It is there, and says that it cannot serve now (HTTP {status})."
    if status != 200:
        return [], f"It answered HTTP {status}; perhaps the address does not end where it should, as in …/v1."
    try:
        models = [model.id for model in msgspec.json.decode(body, type=_Models).data]
    except (msgspec.DecodeError, RecursionError):
        return [], f"It answered {kind} that is no list of models; perhaps the address is not an API's."
    if upstream.model and models and upstream.model not in models:
        return models[:_MODELS_SHOWN], f"It has no model {upstream.model!r}."
    return models[:_MODELS_SHOWN], ""
