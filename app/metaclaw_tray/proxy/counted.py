"""What upstreams counted themselves: it sets our estimates of tokens right.

An estimate knows the vocabularies of some families of models, by the model's name. Any upstream says with its
answers how many tokens a request had: now and then one is estimated too, once the client has its answer, and
the two are compared. The comparison is kept and nothing of the request.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass

from metaclaw_tray.wire.request import decode
from metaclaw_tray.wire.translation.messages_count import tokens_of_chat

_MODELS = 64
_LARGEST = 128 * 1024  # bytes of a request that is compared
_FEWEST = 200  # tokens; in fewer, what templates put around messages weighs too much
_FURTHEST = 2.0  # times more or less than estimated: what is farther off counts something else
_ANEW = 100  # answers after which one is compared again
_ATTACHED = b";base64,"  # a picture's tokens depend on its size, which nobody here knows


@dataclass
class _Known:
    factor: float
    answers: int = 0  # since it was found


class Counted:
    """By how much the estimates are off, for each upstream and model."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str], _Known] = OrderedDict()

    def factor(self, upstream: str, model: str) -> float:
        """By what an estimate for this model is to be multiplied; 1 where nothing is known."""
        known = self._known.get((upstream, model))
        return known.factor if known else 1.0

    async def learn(self, upstream: str, model: str, body: bytes, tokens: int) -> None:
        """The upstream counted this request in chat completions. What would mislead is passed over."""
        known = self._known.get((upstream, model))
        if known is not None and known.answers < _ANEW:
            known.answers += 1
            return
        if tokens < _FEWEST or len(body) > _LARGEST or _ATTACHED in body:
            return
        try:
            estimate = await asyncio.to_thread(lambda: tokens_of_chat(decode(body)))
        except RecursionError:
            return
        factor = tokens / estimate if estimate else 0.0
        if 1 / _FURTHEST <= factor <= _FURTHEST:
            self._known[upstream, model] = _Known(factor)
            self._known.move_to_end((upstream, model))
            while len(self._known) > _MODELS:
                self._known.popitem(last=False)
