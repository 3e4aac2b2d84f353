"""The settings there are, with their defaults, limits and meaning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, LiteralString

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator
from pydantic_core import PydanticCustomError

from metaclaw_tray.settings.addresses import is_loopback, origin_of
from metaclaw_tray.settings.base_url import checked_base_url

Dialect = Literal["chat", "messages", "responses"]
Credential = Literal["key", "pass-through", "none"]
SecretsBackend = Literal["", "keyring", "memory", "file"]
ReviewPolicy = Literal["ask", "automatic", "off"]

DIALECTS: tuple[Dialect, ...] = ("chat", "messages", "responses")

NAME_PATTERN = r"^[a-z0-9][a-z0-9_-]{0,40}$"
Name = Annotated[str, StringConstraints(pattern=NAME_PATTERN)]
"""Of an upstream or an agent: it stands in addresses, in the keyring and on the command line."""

ModelName = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
"""Of a model, as agent or upstream call it."""

EMBEDDED = "embedded"
"""The upstream that this program serves itself; it exists while `embedded.model` is set."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Server(_Section):
    port: int = Field(30000, ge=0, le=65535, description="port on 127.0.0.1 that agents connect to")
    requests: int = Field(512, ge=1, le=10_000, description="requests of all agents that are open at once")
    connections: int = Field(1024, ge=16, le=20_000, description="connections of all agents at once")


class Learning(_Section):
    enabled: bool = Field(True, description="judge exchanges and propose skills")
    upstream: str = Field("", description="upstream that judges and evolves; empty: learning waits")
    model: str = Field("", description="model that judges and evolves; empty: learning waits")
    votes: int = Field(3, ge=1, le=9, description="votes of the judge on one turn")
    failures: int = Field(4, ge=1, le=100, description="failures of one kind that start the evolver")
    timeout_seconds: float = Field(120.0, gt=0, le=3600, description="patience with one call of learning")
    concurrency: int = Field(1, ge=1, le=16, description="calls of learning at a time")
    quiet_seconds: float = Field(
        10.0, ge=0, le=3600, description="how long no agent may have asked for anything before learning asks"
    )
    replay_tokens: int = Field(
        6000, ge=500, le=200_000, description="tokens of a request that is asked again to measure a skill"
    )


class Budget(_Section):
    day_usd: float = Field(0.50, ge=0, description="what learning may cost in a day, in USD")
    month_usd: float = Field(5.0, ge=0, description="what learning may cost in a month, in USD")


class Review(_Section):
    per_day: int = Field(
        3, ge=0, le=100, description="proposals of learning put before you in a day (UTC); the rest wait"
    )
    policy: ReviewPolicy = Field(
        "ask",
        description="ask; automatic: updates of trusted skills that were measured better need no yes; "
        "off: learning proposes nothing",
    )


class Injection(_Section):
    enabled: bool = Field(True, description="put skills that fit in front of the model")
    per_exchange: int = Field(2, ge=0, le=20, description="new skills at most per exchange")
    per_session: int = Field(8, ge=0, le=100, description="skills at most per session")
    session_tokens: int = Field(1600, ge=0, le=100_000, description="tokens of skills at most per session")


class Sessions(_Section):
    silence_minutes: int = Field(15, ge=1, le=10_080, description="silence that ends a session")


class Retention(_Section):
    days: int = Field(90, ge=0, le=36_500, description="days that turns are kept; 0: for ever")
    size_mb: int = Field(2048, ge=0, description="megabytes that the record may take; 0: no limit")


class Secrets(_Section):
    backend: SecretsBackend = Field(
        "",
        description="where keys and tokens are kept: keyring, file, memory; empty: what works here",
    )


_NIGHT = r"^(|([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9])$"

Hour = Annotated[str, StringConstraints(pattern=r"^(|([01][0-9]|2[0-3]):[0-5][0-9])$")]
"""A time of day by the clock on the wall, such as 22:00; empty for none."""


class Notifications(_Section):
    enabled: bool = Field(True, description="tell you what needs you while the window is closed")
    proposals: bool = Field(True, description="tell of new skills to review")
    training: bool = Field(True, description="tell when training begins and ends")
    trouble: bool = Field(True, description="tell of trouble that needs a hand")
    titles: bool = Field(False, description="say the title of the meeting that training ran in")
    per_day: int = Field(
        6, ge=0, le=100, description="notifications at most in a day; the rest is in the window"
    )
    quiet_from: Hour = Field("22:00", description="when the quiet hours begin; empty: there are none")
    quiet_until: Hour = Field("07:00", description="when they end")


class Window(_Section):
    language: str = Field(
        "",
        pattern=r"^([a-z]{2,3}([_-][A-Za-z0-9]{2,8})*)?$",
        description="language of the window, such as en or nl; empty: the system's",
    )


SleepDay = Annotated[str, StringConstraints(pattern=r"^(every|mon|tue|wed|thu|fri|sat|sun)$")]
"""The day on which sleep hours begin."""

SleepHours = Annotated[str, StringConstraints(pattern=_NIGHT)]
"""Such as 23:30-07:00, by the clock on the wall; empty for none."""


class Schedule(_Section):
    """When the policy may be trained: while the person is away. Nothing runs before training is set up."""

    enabled: bool = Field(True, description="train while you are away")
    idle_minutes: int = Field(
        15, ge=1, le=480, description="minutes without a key or the mouse after which you are away"
    )
    sleep: dict[SleepDay, SleepHours] = Field(
        default_factory=dict,
        description="sleep hours, by the day on which they begin (every, mon … sun), such as 23:30-07:00",
    )
    sleep_unseen: bool = Field(
        False, description="count sleep hours even where it cannot be seen whether you are at the computer"
    )
    minimum_minutes: int = Field(10, ge=1, le=480, description="the shortest window that is worth it")
    meetings: bool = Field(True, description="train during meetings of your calendars")
    meeting_begins_minutes: int = Field(
        2, ge=0, le=120, description="minutes after a meeting's beginning from which you count as in it"
    )
    meeting_ends_minutes: int = Field(
        5, ge=0, le=120, description="minutes before a meeting's end from which you no longer do"
    )
    meeting_ends_by_input: bool = Field(
        False,
        description="end it in a meeting too when a key or the mouse is touched (notes you type do that)",
    )
    calendar_minutes: int = Field(
        15, ge=5, le=1440, description="minutes after which your calendars are read again"
    )
    on_battery: bool = Field(False, description="train on battery too")
    battery_percent: int = Field(50, ge=0, le=100, description="charge down to which that is allowed")
    on_metered: bool = Field(False, description="train over networks that cost by volume too")
    load_percent: int = Field(
        50, ge=1, le=1000, description="how busy others may keep the computer while it trains by itself"
    )

    @field_validator("sleep")
    @classmethod
    def _checked_sleep(cls, value: dict[str, str]) -> dict[str, str]:
        for day, hours in value.items():
            begin, _, end = hours.partition("-")
            if hours and begin == end:
                raise PydanticCustomError(
                    "sleep", "must end at another time than it begins: {day}", {"day": day}
                )
        return value


CalendarKind = Literal["ics", "file", "google"]


class Calendar(_Section):
    """A calendar of the person's. Its secret address, or the permission to read it, is in the keyring.

    What stands below `ids` says which events are meetings in which training may run
    (`omls.calendars.rules`).
    """

    kind: CalendarKind = Field(description="ics: by a secret address; file: an .ics file; google: an account")
    host: str = Field("", description="host that is asked for it")
    path: str = Field("", description="the file, for one that is a file")
    titles: bool = Field(False, description="of an account: read titles and kinds, not only busy times")
    me: str = Field("", description="your own address in its invitations, to know which you declined")
    ids: list[str] = Field(
        default_factory=lambda: ["primary"], min_length=1, description="of an account: which calendars"
    )
    all_day: bool = Field(False, description="events of whole days are meetings")
    out_of_office: bool = Field(True, description="hours out of office are meetings")
    focus: bool = Field(False, description="focus time is a meeting")
    free: bool = Field(False, description="events that leave your time free are meetings")
    tentative: bool = Field(False, description="tentative events are meetings")
    unanswered: bool = Field(False, description="invitations that you have not answered are meetings")


class Embedded(_Section):
    """The model that this program serves itself, as the upstream `embedded`."""

    model: str = Field("", description="id of the embedded model to serve; empty: none")


class Embedder(_Section):
    """What texts mean, known by a child process of the optional extra `embedder`."""

    enabled: bool = Field(
        False, description="find skills by meaning too, for a session's next exchange, and propose phrases"
    )
    idle_minutes: int = Field(
        10, ge=1, le=1440, description="silence after which its process ends, until it is needed again"
    )


class Upstream(_Section):
    """The provider that requests are forwarded to."""

    base_url: str = Field(description="address up to where the dialect's own path begins, such as …/v1")
    dialects: list[Dialect] = Field(
        default_factory=lambda: list[Dialect](["chat"]), min_length=1, description="wire protocols it speaks"
    )
    model: str = Field("", description="model asked for instead of the agent's choice; empty: the agent's")
    models: dict[ModelName, ModelName] = Field(
        default_factory=dict,
        description="models by the agent's name for them, a * at its end for any; goes before `model`",
    )
    fallback: str = Field("", description="upstream to ask when this one is away or overloaded; empty: none")
    credential: Credential = Field("none", description="key: ours; pass-through: the agent's own; none")
    images: bool = Field(True, description="its models take pictures; where not, a word stands for each")
    tool_text: bool = Field(False, description="its model writes tool calls as text (small models do)")
    input_usd_per_million: float | None = Field(None, ge=0, description="price of a million input tokens")
    output_usd_per_million: float | None = Field(None, ge=0, description="price of a million output tokens")
    cached_usd_per_million: float | None = Field(
        None, ge=0, description="price of a million input tokens from the cache; none: as input"
    )
    cache_write_usd_per_million: float | None = Field(
        None, ge=0, description="price of a million input tokens put into the cache; none: as input"
    )

    @field_validator("base_url")
    @classmethod
    def _checked_base_url(cls, value: str) -> str:
        return checked_base_url(value)

    @field_validator("models")
    @classmethod
    def _checked_models(cls, value: dict[str, str]) -> dict[str, str]:
        for name in value:
            if "*" in name[:-1]:
                raise PydanticCustomError("models", "may have a * only at the end of a name")
        return value

    @property
    def origin(self) -> tuple[str, str, int]:
        """Scheme, host and port: what a credential for it is meant for."""
        return origin_of(self.base_url)

    @property
    def loopback(self) -> bool:
        """Whether it runs on this machine, so that it costs nothing and nothing leaves."""
        return is_loopback(self.origin[1])

    def opened_by(self, key: str, dialect: str) -> dict[str, str]:
        """The headers that carry a key to it. Anthropic takes one kind only; others that speak its dialect
        take one of the two, and the key is theirs in either. `dialect` "" is a request of none, such as for
        its models."""
        bearer = {"Authorization": f"Bearer {key}"}
        if dialect != "messages" and (dialect or "messages" not in self.dialects):
            return bearer
        if self.origin[1].endswith("anthropic.com"):
            bearer = {}
        return {"x-api-key": key, **bearer}

    def named_here(self, model: str) -> str:
        """What this upstream calls the model that an agent asks for: the longest pattern that fits counts."""
        if not self.models:
            return self.model or model
        if model in self.models:
            return self.models[model]
        fitting = [key for key in self.models if key.endswith("*") and model.startswith(key[:-1])]
        if fitting:
            return self.models[max(fitting, key=len)]
        return self.model or model


class Agent(_Section):
    """A client that has a token of its own."""

    observe_only: bool = Field(False, description="learn from it, but inject nothing into its requests")
    upstream: str = Field("", description="upstream that this agent reaches; empty: the default")


class Settings(_Section):
    """Everything that can be set. Immutable: a change makes a new value."""

    default_upstream: str = Field("", description="upstream that agents reach; empty: the only one there is")
    server: Server = Field(default_factory=Server)
    learning: Learning = Field(default_factory=Learning)
    budget: Budget = Field(default_factory=Budget)
    review: Review = Field(default_factory=Review)
    injection: Injection = Field(default_factory=Injection)
    sessions: Sessions = Field(default_factory=Sessions)
    retention: Retention = Field(default_factory=Retention)
    secrets: Secrets = Field(default_factory=Secrets)
    schedule: Schedule = Field(default_factory=Schedule)
    notifications: Notifications = Field(default_factory=Notifications)
    window: Window = Field(default_factory=Window)
    embedded: Embedded = Field(default_factory=Embedded)
    embedder: Embedder = Field(default_factory=Embedder)
    upstreams: dict[Name, Upstream] = Field(default_factory=dict)
    agents: dict[Name, Agent] = Field(default_factory=dict)
    calendars: dict[Name, Calendar] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _names_are_known(self) -> Settings:
        if EMBEDDED in self.upstreams:
            raise PydanticCustomError(
                "reserved_upstream", "the name `embedded` is taken by the embedded model"
            )
        for key, name in self.mentions():
            if name not in self.upstream_names:
                raise PydanticCustomError("unknown_upstream", "{name}", {"key": key, "name": name})
        for name, upstream in self.upstreams.items():
            self._check_fallback(name, upstream)
        return self

    @property
    def upstream_names(self) -> list[str]:
        """Every upstream there is, the embedded model among them."""
        return [*self.upstreams, *([EMBEDDED] if self.embedded.model else [])]

    @property
    def chosen_upstream(self) -> str:
        """The upstream that agents reach: the default, or else the only one there is; "" where neither is."""
        names = self.upstream_names
        return self.default_upstream or (names[0] if len(names) == 1 else "")

    def mentions(self) -> Iterator[tuple[str, str]]:
        """Each setting that names an upstream, with the name."""
        naming = [
            ("default_upstream", self.default_upstream),
            ("learning.upstream", self.learning.upstream),
            *((f"upstreams.{name}.fallback", each.fallback) for name, each in self.upstreams.items()),
            *((f"agents.{name}.upstream", each.upstream) for name, each in self.agents.items()),
        ]
        return ((key, name) for key, name in naming if name)

    def _check_fallback(self, name: str, upstream: Upstream) -> None:
        """A fallback gets the same requests, so it speaks the same dialect; it gets no credential of another
        host; and it ends somewhere."""

        def refuse(reason: LiteralString, **context: Any) -> PydanticCustomError:
            return PydanticCustomError("fallback", reason, {"key": f"upstreams.{name}.fallback", **context})

        way = [name]
        while (following := self.upstreams.get(way[-1])) is not None and following.fallback:
            way.append(following.fallback)
            if way[-1] in way[:-1]:
                raise refuse("must not lead back to where it began: {way}", way=" → ".join(way))
        for later in way[1:]:
            behind = self.upstreams.get(later)
            if behind and behind.credential == "pass-through" and behind.origin != upstream.origin:
                raise refuse(
                    "must not {be} {other}: it takes the agent's own credential, which is not meant for its "
                    "host",
                    be="be" if later == upstream.fallback else "lead to",
                    other=later,
                )
        other = self.upstreams.get(upstream.fallback)
        if other is None:
            return
        if not set(other.dialects) & set(upstream.dialects):
            raise refuse(
                "must speak a dialect of its own upstream; {other} speaks {dialects}",
                other=upstream.fallback,
                dialects=", ".join(other.dialects),
            )
