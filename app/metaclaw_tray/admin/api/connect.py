"""What stands on either side of the proxy: upstreams, agents, and the secrets of both."""

from __future__ import annotations

from datetime import datetime

from msgspec import field

from metaclaw_tray.admin.api.base import Consented, Row, Said, Verb


class UpstreamRow(Row, frozen=True):
    name: str
    base_url: str
    dialects: list[str]
    model: str
    credential: str  # key, pass-through, none
    key_known: bool  # whether a key is kept where one is needed
    default: bool
    learning: bool
    models: dict[str, str] = field(default_factory=dict)  # by the agent's name for them
    fallback: str = ""
    input_usd_per_million: float | None = None
    output_usd_per_million: float | None = None


class ListUpstreams(Verb[list[UpstreamRow]], frozen=True, tag="upstream.list"):
    pass


class AddedUpstream(UpstreamRow, frozen=True):
    replaced: bool = False
    changed: dict[str, tuple[str, str]] = field(default_factory=dict)  # settings of it: before, after
    dropped_key_of: str = ""  # the origin of the key that was dropped, since it was not for this one


class AddUpstream(Consented[AddedUpstream], frozen=True, kw_only=True, tag="upstream.add"):
    """Add one, or replace one that is there. A `key` goes to the vault and nowhere else.

    What is None keeps the value it has; for another origin prices and credential begin anew. Prices of one
    that is there need consent.
    """

    name: str
    base_url: str
    dialects: list[str] | None = None
    model: str | None = None
    models: dict[str, str] | None = None
    fallback: str | None = None
    credential: str | None = None
    key: str | None = None
    default: bool = False
    input_usd_per_million: float | None = None
    output_usd_per_million: float | None = None


class RemoveUpstream(Verb[Said], frozen=True, tag="upstream.remove"):
    """Needs consent, by a code or with `yes` as for others, where agents would then send their own keys to
    another host."""

    name: str
    yes: bool = False


class UseUpstream(Verb[Said], frozen=True, tag="upstream.use"):
    """Make it the one that agents reach, or that this agent reaches; `default` gives an agent back to what
    all reach. Needs consent where they would then send their own keys to another host."""

    name: str
    agent: str = ""
    yes: bool = False


class UpstreamTest(Row, frozen=True):
    name: str
    ok: bool
    status: int  # HTTP status of its list of models; 0 where nothing answered
    milliseconds: float
    models: list[str]
    detail: str


class TestUpstream(Verb[UpstreamTest], frozen=True, tag="upstream.test"):
    __test__ = False  # not a test, whatever pytest makes of the name

    name: str


class AgentRow(Row, frozen=True):
    name: str
    observe_only: bool
    token_known: bool
    upstream: str = ""  # the one it reaches; empty: the default
    last_seen: datetime | None = None  # when it last asked for something; None where the record has nothing


class NewAgent(Row, frozen=True):
    """The only answer that ever holds a token."""

    name: str
    token: str
    base_url: str  # ends in /v1
    anthropic_base_url: str  # does not


class ListAgents(Verb[list[AgentRow]], frozen=True, tag="agents.list"):
    pass


class AddAgent(Verb[NewAgent], frozen=True, tag="agents.add"):
    name: str
    observe_only: bool = False


class RotateAgent(Verb[NewAgent], frozen=True, tag="agents.rotate"):
    """A new token; the old one opens nothing from now on."""

    name: str


class RemoveAgent(Verb[Said], frozen=True, tag="agents.remove"):
    name: str


class SecretRow(Row, frozen=True):
    name: str
    kept_in: str


class ListSecrets(Verb[list[SecretRow]], frozen=True, tag="secret.list"):
    pass


class SetSecret(Verb[Said], frozen=True, tag="secret.set"):
    name: str
    value: str


class RemoveSecret(Verb[Said], frozen=True, tag="secret.remove"):
    name: str
