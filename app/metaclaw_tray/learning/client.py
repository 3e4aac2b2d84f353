"""Asking the learning model: one call, held to a schema, a time limit and the budget.

Whatever is sent has its secrets taken out first. What was answered is kept by content and read before asking,
so a run that was killed pays for no call twice. A server that forces its output through a JSON schema is used
that way; one that refuses the schema gets it in words, and what it says is checked here either way. Servers
differ in what else they take: a parameter that one refuses by name is left out from then on. One that is busy
is waited for, as long as it asks, within bounds.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from sqlmodel import Session

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import UpstreamError
from metaclaw_tray.learning import answers
from metaclaw_tray.learning.model import (
    Asked,
    BusyError,
    LearningModel,
    Message,
    Outlay,
    RefusedError,
    Target,
    TooSlowError,
    TurnedDownError,
    UnusableAnswerError,
)
from metaclaw_tray.learning.patience import (
    BUSY,
    LONGEST_SECONDS,
    TRIES,
    Turnstile,
    pause_after,
    retry_after,
)
from metaclaw_tray.network import way_to
from metaclaw_tray.prices import Tokens, cost
from metaclaw_tray.prices.upstreams import tariff_of
from metaclaw_tray.redact import redact_json, redact_text
from metaclaw_tray.skills.tokens import estimate_tokens
from metaclaw_tray.store import kept, spend
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.forgetting import times_forgotten

if TYPE_CHECKING:
    import httpx

__all__ = [
    "Asked",
    "BusyError",
    "ChatModel",
    "LearningModel",
    "Message",
    "Outlay",
    "Target",
    "TooSlowError",
    "UnusableAnswerError",
]

log = logging.getLogger(__name__)

T = TypeVar("T")

_REFUSALS = (400, 404, 413, 415, 422, 500, 501)  # what servers say to a response_format they do not know
_NOT_THERE = (404, 501)  # what they say of any request where they have no such model or way to ask
_OPTIONS_ASKED = 10  # of the likeliest first tokens
_OPTIONAL = ("temperature", "seed")  # some models have neither
_SAID = 300  # characters of an upstream's own words
_THINKING_TOKENS = 2000  # room for models that count what they think as output


@dataclass(frozen=True)
class _Reply:
    """What came back for one request: an answer, or why there is none."""

    answer: Message
    charged: bool = False  # it may have been, whatever came
    refused: str = ""
    status: int = 0
    failed: str = ""
    slow: str = ""
    busy: bool = False
    pause: float | None = None  # seconds that a busy server asks for


class ChatModel:
    """A learning model behind `/chat/completions`."""

    def __init__(
        self,
        target: Target,
        store: Store,
        clock: Clock,
        caps: Callable[[], spend.Caps],
        *,
        seconds: float,
        turnstile: Turnstile | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`turnstile` is shared by all that ask for learning; without one this model is asked one thing at a
        time."""
        self._target = target
        self._store = store
        self._clock = clock
        self._caps = caps
        self._seconds = seconds
        self._turnstile = turnstile or Turnstile(lambda: 1)
        self._sleep = sleep
        self._tariff = tariff_of(target.upstream)
        self._takes_schema = True
        self._tells_likelihood = True
        self._left_out: set[str] = set()
        self._thinks = False
        headers = {"authorization": f"Bearer {target.key}"} if target.key else {}
        import httpx  # late: seven megabytes that an app which learns nothing does not need

        way = None if transport else way_to(target.upstream.base_url)
        proxy = httpx.Proxy(way.url, headers=way.headers) if way else None
        self._http = httpx.AsyncClient(
            timeout=seconds, transport=transport, headers=headers, proxy=proxy, trust_env=False
        )

    @property
    def name(self) -> str:
        return self._target.model

    async def aclose(self) -> None:
        await self._http.aclose()

    async def text(self, asked: Asked) -> str:
        tools = {"tools": list(asked.tools)} if asked.tools else {}
        try:
            return await self._ask(asked, tools, answers.said)
        except RefusedError as error:
            raise TurnedDownError("The learning model did not answer", str(error), "") from error

    async def fill(self, asked: Asked, form: type[T], schema: dict[str, Any]) -> T:
        def read(answer: Message) -> T:
            return answers.value(answers.content(answer), form)

        if self._takes_schema:
            wanted = {
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": schema},
            }
            try:
                return await self._ask(asked, {"response_format": wanted}, read)
            except RefusedError:
                self._takes_schema = False
        said = f"Answer with one JSON object and nothing else. Its JSON schema: {_text(schema)}"
        worded = _with(asked, [*asked.messages, {"role": "user", "content": said}])
        try:
            content = await self._ask(worded, {}, answers.content)
        except TurnedDownError:
            self._takes_schema = True  # it was not the schema that was refused
            raise
        try:
            return answers.value(content, form)
        except UnusableAnswerError as error:
            again = [
                *worded.messages,
                {"role": "assistant", "content": content},
                {
                    "role": "user",
                    "content": f"That is not right: {error.detail} Answer with the object alone.",
                },
            ]
            return await self._ask(_with(asked, again), {}, read)

    async def weigh(self, asked: Asked, options: Sequence[str]) -> dict[str, float] | None:
        if not self._tells_likelihood:
            return None
        extra = {"logprobs": True, "top_logprobs": _OPTIONS_ASKED}
        try:
            likely = await self._ask(
                asked, extra, lambda answer: answers.likelihood(answer, options), max_tokens=1
            )
        except RefusedError as error:
            self._tells_likelihood = not error.names("logprob")
            return None
        self._tells_likelihood = likely is not None
        return likely or None

    async def outlay(self, calls: int, sent: int, answered: int) -> Outlay:
        now = self._clock.now()
        answered += calls * (_THINKING_TOKENS if self._thinks else 0)
        each = Tokens(input=math.ceil(sent / max(calls, 1)), output=math.ceil(answered / max(calls, 1)))
        usd = await asyncio.to_thread(cost, self._tariff, [self._target.model], each, now)
        left = await self._store.aread(lambda db: spend.left(db, self._caps(), now))
        return Outlay(calls, None if usd is None else usd * calls, left)

    async def _ask(
        self, asked: Asked, extra: Message, read: Callable[[Message], T], max_tokens: int | None = None
    ) -> T:
        """What `read` makes of the answer: of one that is kept, or else of a new one, which is kept if `read`
        can make something of it."""
        limit = max_tokens or asked.max_tokens
        messages, sent = await asyncio.to_thread(_prepared, asked.messages, extra)
        key = self._key(asked, messages, extra, limit)
        before, forgotten = await self._store.aread(
            lambda db: (kept.find(db, key, self._clock.now()), times_forgotten(db))
        )
        if before is not None and not asked.anew:
            return read(before)
        async with self._turnstile.passed():
            answer = await self._call(asked, messages, sent, extra, limit)
        made = read(answer)
        choices = {"choices": answer.get("choices")}

        def keep(db: Session) -> None:
            # An answer quotes what it is about: none is kept where something was forgotten meanwhile.
            if times_forgotten(db) == forgotten:
                kept.keep(db, key, asked.purpose, choices, self._clock.now(), about=asked.about)

        _, secrets = await asyncio.to_thread(redact_json, choices)
        if not secrets:
            await self._store.awrite(keep)
        return made

    def _key(self, asked: Asked, messages: list[Message], extra: Message, limit: int) -> bytes:
        """All that decides an answer: whom is asked, what for, what is said, and how."""
        options = {"max_tokens": limit, "temperature": asked.temperature, "seed": asked.seed}
        origin = (*self._target.upstream.origin, self._target.upstream.base_url)
        return kept.key_of(origin, self._target.model, asked.purpose, messages, extra, options)

    async def _call(
        self, asked: Asked, messages: list[Message], sent: int, extra: Message, limit: int
    ) -> Message:
        """One call within the budget and the time limit; another one where the server wants it spelt anew, or
        wants to be left alone for a while."""
        tries = 0
        while True:
            room = limit + (_THINKING_TOKENS if self._thinks else 0)
            body = self._spelt(
                {
                    "model": self._target.model,
                    "messages": messages,
                    "max_tokens": room,
                    "temperature": asked.temperature,
                    "seed": asked.seed,
                    **extra,
                }
            )
            reply = await self._paid(asked, body, sent, room)
            if reply.busy:
                tries += 1
                await self._wait(reply, tries)
                continue
            if reply.refused and self._adapts(reply.refused, body):
                continue
            if reply.refused and extra:
                raise RefusedError(reply.refused, reply.status)
            if reply.slow:
                raise TooSlowError("The learning model did not answer in time", reply.slow, "")
            if reply.refused and reply.status not in _NOT_THERE:
                raise TurnedDownError("The learning model did not answer", reply.refused, "")
            if why := reply.failed or reply.refused:
                raise UpstreamError("The learning model did not answer", why, "")
            return reply.answer

    async def _wait(self, reply: _Reply, tries: int) -> None:
        """Leave a busy server alone for a while. Raises BusyError where that takes too long or too often."""
        pause = pause_after(tries) if reply.pause is None else reply.pause
        if tries >= TRIES or pause > LONGEST_SECONDS:
            asks = "" if reply.pause is None else f" It asks to be left alone for {pause:.0f} seconds."
            raise BusyError(
                "The learning model is busy",
                f"{reply.failed}.{asks} It was asked {tries} {'times' if tries > 1 else 'time'}.",
                "Learning goes on by itself later.",
                pause,
            )
        log.info("the learning model is busy pause=%.0f try=%d", pause, tries)
        await self._sleep(pause)

    async def _paid(self, asked: Asked, body: Message, sent: int, limit: int) -> _Reply:
        """What `_post` gives, reserved before and settled after."""
        now, target = self._clock.now(), self._target
        most = Tokens(input=sent, output=limit)
        # On a thread: the first time a table of prices may have to be loaded.
        dearest = await asyncio.to_thread(cost, self._tariff, [target.model], most, now)

        def reserve(session: Session) -> str:
            return spend.reserve(
                session, asked.purpose, target.name, target.model, dearest, self._caps(), now
            )

        taken = dearest or 0.0  # without a price it is not reserved either
        if asked.allowance is not None:
            asked.allowance.take(taken)
        reserved = await self._store.awrite(reserve)
        reply = await self._post(body)
        tokens = answers.tokens(reply.answer) or (most if reply.charged else Tokens())
        usd = cost(self._tariff, [target.model, answers.model_of(reply.answer)], tokens, now)
        if asked.allowance is not None:
            asked.allowance.settle(taken, usd, answered=reply.charged)
        if usd is not None:  # else what was reserved goes on to count in full
            await self._store.awrite(lambda session: spend.settle(session, reserved, usd, tokens))
        return reply

    def _spelt(self, body: Message) -> Message:
        """The request in the words that this server takes."""
        body = {key: value for key, value in body.items() if key not in self._left_out}
        if self._thinks:
            body["max_completion_tokens"] = body.pop("max_tokens")
        return body

    def _adapts(self, refusal: str, body: Message) -> bool:
        """Whether the refusal names something that can be asked otherwise; if so, it is from now on."""
        if "max_completion_tokens" in refusal and "max_tokens" in body:
            self._thinks = True
            return True
        named = {key for key in _OPTIONAL if key in body and key in refusal}
        self._left_out |= named
        return bool(named)

    async def _post(self, body: Message) -> _Reply:
        url = f"{self._target.upstream.base_url}/chat/completions"
        import httpx

        slow = f"{self.name} took longer than {self._seconds:g} seconds."
        try:
            async with asyncio.timeout(self._seconds):
                response = await self._http.post(url, json=body)
        except (TimeoutError, httpx.TimeoutException):
            return _Reply({}, charged=True, slow=slow)
        except httpx.HTTPError as error:
            # What broke after it was sent may have been answered, and charged.
            sent = not isinstance(error, httpx.ConnectError | httpx.ProxyError | httpx.UnsupportedProtocol)
            why = _safe(f"{url} cannot be reached: {error or type(error).__name__}.")
            return _Reply({}, charged=sent, failed=why)
        said = f"{url} answered HTTP {response.status_code}: {_safe(response.text)[:_SAID]}"
        if response.status_code in _REFUSALS:
            return _Reply({}, refused=said, status=response.status_code)
        if response.status_code in BUSY:
            asked_for = retry_after(response.headers.get("retry-after", ""), self._clock.now())
            return _Reply({}, failed=said, busy=True, pause=asked_for)
        if response.status_code != httpx.codes.OK:
            return _Reply({}, failed=said)
        try:
            answer = response.json()
        except ValueError:
            return _Reply({}, charged=True, failed=f"{url} answered something that is no JSON.")
        if not isinstance(answer, dict) or answer.get("error"):
            return _Reply({}, failed=f"{url} answered with an error: {_safe(str(answer))[:_SAID]}")
        return _Reply(answer, charged=True)


def _with(asked: Asked, messages: Sequence[Message]) -> Asked:
    return replace(asked, messages=messages)


def _prepared(messages: Sequence[Message], extra: Message) -> tuple[list[Message], int]:
    """What may be sent, and about how many tokens it is with what else is asked: the model reads a schema
    too. Long texts take a while: not for the loop."""
    redacted, _ = redact_json(list(messages))
    return redacted, estimate_tokens(_text([redacted, extra]))


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _safe(said: str) -> str:
    """What an upstream said, without the keys that it quotes."""
    return redact_text(said)[0]
