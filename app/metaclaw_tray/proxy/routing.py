"""Where requests go: the upstreams, which agent reaches which, and what opens them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from yarl import URL

from metaclaw_tray.settings import EMBEDDED, Upstream
from metaclaw_tray.settings.addresses import leads_to

_REMEMBERED = 512  # routes
_LONGEST = 200  # characters of a model's name for which a route is remembered


@dataclass(frozen=True)
class Route:
    """One upstream, ready to be called in one dialect, or with a request of none."""

    name: str
    upstream: Upstream
    key: str | None = field(default=None, repr=False)  # the credential of ours, where it takes one
    dialect: str = "chat"  # the client's
    speaks: str = "chat"  # the upstream's: the same, or chat completions, into which it is translated
    model: str | None = None  # the name that replaces the client's; None leaves the client's
    asked: str = ""  # the client's name for the model
    fallback: Route | None = None  # whom to ask where this one is away or overloaded

    @property
    def sends(self) -> str:
        """The model's name as this upstream gets it."""
        return self.model or self.asked

    def url(self, path: str, query: str) -> URL:
        """The address of a path below `/v1`, such as `/chat/completions`."""
        address = self.upstream.base_url.rstrip("/") + path
        return URL(f"{address}?{query}", encoded=True) if query else _known_url(address)


@lru_cache(256)
def _known_url(address: str) -> URL:
    """The same for every request: what was read of an address is read once."""
    return URL(address, encoded=True)


@dataclass(frozen=True)
class NoRoute:
    """Why a request can go nowhere, as the client gets to see it."""

    status: int
    code: str
    message: str


class Routing:
    """The upstreams as of now. A change takes hold with the next request."""

    def __init__(self) -> None:
        self._upstreams: Mapping[str, Upstream] = {}
        self._keys: Mapping[str, str] = {}
        self._agents: Mapping[str, str] = {}
        self._default = ""
        self._faults: dict[str, str] = {}  # by upstream: why it cannot be called
        self._found: dict[tuple[str, str, str], Route | NoRoute] = {}  # what was asked before

    def replace(
        self,
        upstreams: Mapping[str, Upstream],
        default: str,
        credentials: Mapping[str, str],
        own_port: int = 0,
        agents: Mapping[str, str] | None = None,
    ) -> None:
        """`credentials` maps names of upstreams to their keys, `agents` names of agents to the upstreams that
        they reach instead of the default one; `own_port` is where this program listens, so that it never
        sends a request to itself for ever."""
        self._upstreams, self._keys, self._default = dict(upstreams), dict(credentials), default
        self._agents = {agent: name for agent, name in (agents or {}).items() if name}
        self._found.clear()
        self._faults = {
            name: fault
            for name, each in upstreams.items()
            if (fault := _fault(name, each, self._keys, own_port))
        }

    def route_for(self, agent: str, dialect: str, model: str = "") -> Route | NoRoute:
        """Where a request of this agent goes. `dialect` "" is a request of no dialect, such as the list of
        models: any upstream takes it, and its model keeps its name. `model` is the name that the client
        gives."""
        if len(model) > _LONGEST:
            return self._find(agent, dialect, model)
        asked = (agent, dialect, model)
        found = self._found.get(asked)
        if found is None:
            if len(self._found) >= _REMEMBERED:
                self._found.clear()
            found = self._found[asked] = self._find(agent, dialect, model)
        return found

    def _find(self, agent: str, dialect: str, model: str) -> Route | NoRoute:
        name = self._agents.get(agent, self._default)
        if missing := self._missing(name):
            return NoRoute(503, "no_upstream", missing)
        if dialect and not _spoken(self._upstreams[name], dialect):
            return NoRoute(400, "dialect_not_spoken", self._not_spoken(agent, name, dialect))
        return self._route(name, dialect, model, frozenset())

    @property
    def faults(self) -> Mapping[str, str]:
        """By upstream: why it cannot be called, be it a default or a fallback."""
        return self._faults

    @property
    def missing(self) -> str:
        """What is missing for requests to go anywhere, and how to mend it."""
        missing = self._missing(self._default)
        usable = missing and any(not self._missing(name) for name in self._agents.values())
        return "" if usable else missing

    def _missing(self, name: str) -> str:
        if name in self._upstreams:
            return self._faults.get(name, "")
        if name == EMBEDDED:
            return "The embedded model is not served now; `metaclaw-tray status` says why."
        return f"The upstream {name!r} is not among the settings. {_ADD}" if name else _NONE_CHOSEN

    def _route(self, name: str, dialect: str, model: str, before: frozenset[str]) -> Route:
        upstream = self._upstreams[name]
        named = upstream.named_here(model) if dialect else model
        way = before | {name}
        following = upstream.fallback
        usable = following and following not in way and not self._missing(following)
        spoken = usable and (not dialect or bool(_spoken(self._upstreams[following], dialect)))
        return Route(
            name,
            upstream,
            self._keys.get(name),
            dialect,
            _spoken(upstream, dialect) if dialect else "",
            named if named != model else None,
            model,
            self._route(following, dialect, model, way) if spoken else None,
        )

    def _not_spoken(self, agent: str, name: str, dialect: str) -> str:
        speaking = [
            other
            for other, upstream in self._upstreams.items()
            if dialect in upstream.dialects and other not in self._faults
        ]
        spoken = ",".join(self._upstreams[name].dialects)
        use = f"`metaclaw-tray upstream use {speaking[0] if speaking else 'NAME'} --agent {agent}`"
        return (
            f"The upstream {name!r} is set to speak {spoken}, and this request is in {dialect}. "
            + (
                f"{speaking[0]!r} speaks it; let the agent reach that one: {use}. "
                if speaking
                else f"Add an upstream that speaks it, and let the agent reach that one: {use}. "
            )
            + f"Or, if its server speaks {dialect} too, say so: "
            f"`metaclaw-tray config set upstreams.{name}.dialects {spoken},{dialect}`."
        )


def _spoken(upstream: Upstream, dialect: str) -> str:
    """The dialect in which an upstream is asked what a client asks in its own; "" where there is none."""
    if dialect in upstream.dialects:
        return dialect
    return "chat" if "chat" in upstream.dialects else ""


def _fault(name: str, upstream: Upstream, keys: Mapping[str, str], own_port: int) -> str:
    """Why an upstream cannot be called; "" where it can."""
    if upstream.credential == "key" and not keys.get(name):
        return (
            f"The key of the upstream {name!r} is not there. "
            f"Set it: `metaclaw-tray secret set upstream:{name}`."
        )
    if leads_to(upstream.base_url, own_port):
        return (
            f"The upstream {name!r} is this program itself. "
            "Give it the address of the model's server: "
            f"`metaclaw-tray upstream add {name} --base-url URL`."
        )
    return ""


_ADD = "Add one: `metaclaw-tray upstream add NAME --base-url URL --default`."
_NONE_CHOSEN = f"No upstream is chosen. {_ADD}"
