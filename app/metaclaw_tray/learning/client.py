"""Asking the learning model: one call, held to a schema, a time limit and the budget.

Whatever is sent has its secrets taken out first. A server that forces its output through a JSON schema is
used that way; one that refuses the schema gets it in words, and what it says is checked here either way.
Servers differ in what else they take: a parameter that one refuses by name is left out from then on.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec
from sqlmodel import Session

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import UpstreamError
from metaclaw_tray.network import way_to
from metaclaw_tray.prices import Tokens, cost
from metaclaw_tray.prices.upstreams import tariff_of
from metaclaw_tray.redact import redact_json, redact_text
from metaclaw_tray.settings import Upstream
from metaclaw_tray.skills.tokens import estimate_tokens
from metaclaw_tray.store import spend
from metaclaw_tray.store.engine import Store
from metaclaw_tray.wire.answer_chat import chat_usage

if TYPE_CHECKING:
    import httpx

log = logging.getLogger(__name__)

T = TypeVar("T")
Message = dict[str, Any]

_REFUSALS = (400, 404, 415, 422, 500, 501)  # what servers say to a response_format they do not know
_OPTIONS_ASKED = 10  # of the likeliest first tokens
_OPTIONAL = ("temperature", "seed")  # some models have neither
_SAID = 300  # characters of an upstream's own words
_THINKING_TOKENS = 2000  # room for models that count what they think as output


@dataclass(frozen=True)
class Target:
    """The model that learning asks, and what opens it."""

    name: str  # of the upstream
    upstream: Upstream
    model: str
    key: str | None = None


@dataclass(frozen=True)
class Asked:
    """One call: what for, what is said, and how long the answer may be."""

    purpose: str  # judge, evolver, gate
    messages: Sequence[Message]
    max_tokens: int
    temperature: float = 0.0
    seed: int = 0


class LearningModel(Protocol):
    """What judge, evolver and gate ask of a model. Each method raises LearningError where the budget says no,
    and UpstreamError where no usable answer comes in time."""

    @property
    def name(self) -> str: ...

    async def text(self, asked: Asked) -> str:
        """The answer in words."""
        ...

    async def fill(self, asked: Asked, form: type[T], schema: dict[str, Any]) -> T:
        """The answer as a value of `form`, whose JSON schema is `schema`."""
        ...

    async def weigh(self, asked: Asked, options: Sequence[str]) -> dict[str, float] | None:
        """How likely the answer is to begin with each of the options, adding up to 1; None where the server
        does not tell."""
        ...


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
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._target = target
        self._store = store
        self._clock = clock
        self._caps = caps
        self._seconds = seconds
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
        answer = await self._call(asked, {})
        return _content(answer)

    async def fill(self, asked: Asked, form: type[T], schema: dict[str, Any]) -> T:
        if self._takes_schema:
            wanted = {
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": schema},
            }
            try:
                return _value(_content(await self._call(asked, {"response_format": wanted})), form)
            except _RefusedError:
                self._takes_schema = False
        said = f"Answer with one JSON object and nothing else. Its JSON schema: {_text(schema)}"
        messages = [*asked.messages, {"role": "user", "content": said}]
        worded = Asked(asked.purpose, messages, asked.max_tokens, asked.temperature, asked.seed)
        content = _content(await self._call(worded, {}))
        try:
            return _value(content, form)
        except UnusableAnswerError as error:
            messages += [
                {"role": "assistant", "content": content},
                {
                    "role": "user",
                    "content": f"That is not right: {error.detail} Answer with the object alone.",
                },
            ]
            again = Asked(asked.purpose, messages, asked.max_tokens, asked.temperature, asked.seed)
            return _value(_content(await self._call(again, {})), form)

    async def weigh(self, asked: Asked, options: Sequence[str]) -> dict[str, float] | None:
        if not self._tells_likelihood:
            return None
        try:
            answer = await self._call(asked, {"logprobs": True, "top_logprobs": _OPTIONS_ASKED}, max_tokens=1)
        except _RefusedError:
            self._tells_likelihood = False
            return None
        try:
            first = answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
            likely = [
                (str(each["token"]).strip().lower(), math.exp(float(each["logprob"]))) for each in first
            ]
        except (KeyError, IndexError, TypeError, ValueError, OverflowError):
            self._tells_likelihood = False
            return None
        weights = {option: sum(p for token, p in likely if token == option.lower()) for option in options}
        total = sum(weights.values())
        return {option: weight / total for option, weight in weights.items()} if total > 0 else None

    async def _call(self, asked: Asked, extra: Message, max_tokens: int | None = None) -> Message:
        """One call within the budget and the time limit; another one where the server wants it spelt anew."""
        messages, sent = await asyncio.to_thread(_prepared, asked.messages, extra)
        while True:
            limit = (max_tokens or asked.max_tokens) + (_THINKING_TOKENS if self._thinks else 0)
            body = self._spelt(
                {
                    "model": self._target.model,
                    "messages": messages,
                    "max_tokens": limit,
                    "temperature": asked.temperature,
                    "seed": asked.seed,
                    **extra,
                }
            )
            answer = await self._paid(asked.purpose, body, sent, limit)
            refusal = str(answer.get("refused", ""))
            if refusal and self._adapts(refusal, body):
                continue
            if refusal and extra:
                raise _RefusedError(refusal)
            if slow := answer.get("slow"):
                raise TooSlowError("The learning model did not answer in time", str(slow), "")
            if failure := answer.get("failed") or refusal:
                raise UpstreamError("The learning model did not answer", str(failure), "")
            return answer

    async def _paid(self, purpose: str, body: Message, sent: int, limit: int) -> Message:
        """What `_post` gives, reserved before and settled after."""
        now, target = self._clock.now(), self._target
        most = Tokens(input=sent, output=limit)
        # On a thread: the first time a table of prices may have to be loaded.
        dearest = await asyncio.to_thread(cost, self._tariff, [target.model], most, now)

        def reserve(session: Session) -> str:
            return spend.reserve(session, purpose, target.name, target.model, dearest, self._caps(), now)

        reserved = await self._store.awrite(reserve)
        answer, charged = await self._post(body)
        tokens = _tokens(answer) or (most if charged else Tokens())
        usd = cost(self._tariff, [target.model, _model(answer)], tokens, now)
        if usd is not None:  # else what was reserved goes on to count in full
            await self._store.awrite(lambda session: spend.settle(session, reserved, usd, tokens))
        return answer

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

    async def _post(self, body: Message) -> tuple[Message, bool]:
        """The answer, or {"failed": why}, or {"refused": why}; and whether it may have been charged."""
        url = f"{self._target.upstream.base_url}/chat/completions"
        import httpx

        try:
            async with asyncio.timeout(self._seconds):
                response = await self._http.post(url, json=body)
        except TimeoutError:
            return {"slow": f"{self.name} took longer than {self._seconds:g} seconds."}, True
        except httpx.TimeoutException:
            return {"slow": f"{self.name} took longer than {self._seconds:g} seconds."}, True
        except httpx.HTTPError as error:
            return {"failed": _safe(f"{url} cannot be reached: {error or type(error).__name__}.")}, False
        said = f"{url} answered HTTP {response.status_code}: {_safe(response.text)[:_SAID]}"
        if response.status_code in _REFUSALS:
            return {"refused": said}, False
        if response.status_code != httpx.codes.OK:
            return {"failed": said}, False
        try:
            answer = response.json()
        except ValueError:
            return {"failed": f"{url} answered something that is no JSON."}, True
        if not isinstance(answer, dict) or answer.get("error"):
            return {"failed": f"{url} answered with an error: {_safe(str(answer))[:_SAID]}"}, False
        return answer, True


class TooSlowError(UpstreamError):
    """The model took longer over this one call than is allowed."""


class UnusableAnswerError(UpstreamError):
    """The model answered, and what it said cannot be used."""


class _RefusedError(Exception):
    """The server does not take a schema."""


def _prepared(messages: Sequence[Message], extra: Message) -> tuple[list[Message], int]:
    """What may be sent, and about how many tokens it is with what else is asked: the model reads a schema
    too. Long texts take a while: not for the loop."""
    redacted, _ = redact_json(list(messages))
    return redacted, estimate_tokens(_text([redacted, extra]))


def _content(answer: Message) -> str:
    try:
        content = answer["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError):
        content = None
    if not isinstance(content, str) or not content.strip():
        raise UnusableAnswerError("The learning model said nothing", "Its answer holds no text.", "")
    return content


def _value(content: str, form: type[T]) -> T:
    """The JSON object in an answer, around which models like to talk. Raises UpstreamError."""
    start, end = content.find("{"), content.rfind("}")
    try:
        return msgspec.json.decode(content[start : end + 1] if start >= 0 else content, type=form)
    except (msgspec.DecodeError, RecursionError) as error:
        raise UnusableAnswerError("The learning model's answer is out of shape", f"{error}.", "") from error


def _tokens(answer: Message) -> Tokens | None:
    """What the server counted; None where it did not say both numbers."""
    usage = answer.get("usage")
    if not isinstance(usage, dict):
        return None
    sent, got = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if not isinstance(sent, int) or not isinstance(got, int) or (counted := chat_usage(usage)) is None:
        return None
    return Tokens(
        input=counted.input,
        cached=counted.cached,
        output=counted.output,
        cache_write=counted.cache_write,
        reasoning=counted.reasoning,
    )


def _model(answer: Message) -> str:
    """What the server calls the model that answered."""
    name = answer.get("model")
    return name if isinstance(name, str) else ""


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _safe(said: str) -> str:
    """What an upstream said, without the keys that it quotes."""
    return redact_text(said)[0]
