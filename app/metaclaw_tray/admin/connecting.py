"""Upstreams, agents and secrets: what the app does when asked, and a command on its own while none runs."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

import msgspec

from metaclaw_tray.admin import moving, replacing
from metaclaw_tray.admin.api import (
    AddAgent,
    AddedUpstream,
    AddUpstream,
    AgentRow,
    NewAgent,
    Said,
    SecretRow,
    UpstreamRow,
    UpstreamTest,
)
from metaclaw_tray.admin.changing import Changing
from metaclaw_tray.admin.probing import probe
from metaclaw_tray.errors import KnownError, NotFoundError, SecretError, SettingsError, UsageError
from metaclaw_tray.secrets import SecretVault, UpstreamKeys, upstream_secret
from metaclaw_tray.settings import (
    EMBEDDED,
    Agent,
    Settings,
    Upstream,
    checked_agent,
    checked_upstream,
    origin_text,
    refuse_loop,
)

TOKEN_PREFIX = "mct_"  # noqa: S105 it is how a token is recognised, and redacted
_TOKEN_BYTES = 32

DEFAULT = "default"
"""In place of an upstream's name: the one that all agents reach."""


def agent_secret(name: str) -> str:
    """The name under which an agent's token is kept."""
    return f"agent:{name}"


def new_token() -> str:
    """A token for an agent: 256 random bits."""
    return TOKEN_PREFIX + secrets.token_urlsafe(_TOKEN_BYTES)


class Connecting:
    """Changes to settings and vault that belong together.

    `address` is where the proxy listens, as `http://127.0.0.1:30000`. `alone` says that no app runs: what
    is kept in memory would be gone with this process, so it is refused.
    """

    def __init__(self, changing: Changing, vault: SecretVault, address: str, *, alone: bool = False) -> None:
        self._changing = changing
        self._file = changing.file
        self._vault = vault
        self._keys = UpstreamKeys(vault)
        self._address = address
        self._alone = alone

    async def list_upstreams(self) -> list[UpstreamRow]:
        kept = await self._vault.anames()
        settings = self._file.settings
        rows = [self._row(name, each, settings, kept) for name, each in settings.upstreams.items()]
        return [*rows, *_embedded(settings)]

    async def add_upstream(self, wanted: AddUpstream) -> AddedUpstream:
        """Add or replace. The key first, so that an upstream never stands there without the key it needs."""
        settings = self._file.settings
        former = settings.upstreams.get(wanted.name)
        moved = replacing.moves(former, wanted.base_url)
        upstream = checked_upstream(wanted.name, replacing.merged(wanted, former, moved=moved), settings)
        for port in (settings.server.port, urlsplit(self._address).port or 0):
            refuse_loop(wanted.name, upstream, port)
        changed = replacing.differences(former, upstream)
        if former is not None and replacing.changes_price(former, upstream):
            prices = [f"{key}: {old} → {new}" for key, (old, new) in changed.items() if "_usd_" in key]
            await self._changing.consent(f"change prices of {wanted.name}", "\n".join(prices))
        await self._agree_to_hosts(f"have agents reach {wanted.name}", wanted.name, upstream, wanted.default)
        dropped = await self._settle_key(wanted, former, moved=moved)
        settings = await self._changing.settings(
            lambda: self._file.put_upstream(wanted.name, upstream, default=wanted.default)
        )
        row = self._row(wanted.name, upstream, settings, await self._vault.anames())
        return AddedUpstream(
            **msgspec.structs.asdict(row),
            replaced=former is not None,
            changed=changed,
            dropped_key_of=dropped,
        )

    async def _settle_key(self, wanted: AddUpstream, former: Upstream | None, *, moved: bool) -> str:
        """Keep the key that was given, or drop one that is not for this host, and give that one's origin."""
        kept = await self._keys.find(wanted.name)
        if wanted.key:
            await self._keep(
                upstream_secret(wanted.name),
                lambda key: self._keys.give(wanted.name, key, wanted.base_url),
                wanted.key,
            )
            return ""
        if kept is None or not replacing.is_astray(kept, former, wanted.base_url, moved=moved):
            return ""
        await self._keys.drop(wanted.name)
        self._changing.secret(upstream_secret(wanted.name), "kept", "removed")
        return kept.origin or (origin_text(former.base_url) if former else "another address")

    async def _agree_to_hosts(
        self, action: str, name: str, upstream: Upstream | None, default: bool = False
    ) -> None:
        """Ask before an upstream that comes, or goes, has agents send their own keys to another host."""
        before = self._file.settings
        held = await asyncio.to_thread(self._file.asks_upstream, name, upstream, default=default)
        after = moving.with_upstream(before, name, upstream, default=default)
        if told := moving.where_to(held, before, after):
            await self._changing.consent(action, "\n".join(told))

    async def remove_upstream(self, name: str) -> Said:
        await self._agree_to_hosts(f"remove {name}", name, None)
        await self._changing.settings(lambda: self._file.remove_upstream(name))
        await self._keys.drop(name)
        return Said(text=f"The upstream {name} and its key are gone.")

    async def use_upstream(self, name: str, agent: str = "") -> Said:
        """Let agents reach it, or this one alone. `default` is for an agent what all reach."""
        if agent:
            self._agent(agent)
            if name == DEFAULT and DEFAULT not in self._file.settings.upstreams:
                await self._use(f"agents.{agent}.upstream", "")
                return Said(text=f"The agent {agent} reaches the default upstream from now on.")
        if name == EMBEDDED and not self._file.settings.embedded.model:
            raise SettingsError(
                "No embedded model is chosen",
                "embedded.model is empty.",
                "`metaclaw-tray model list` names them; then `metaclaw-tray config set embedded.model ID`.",
            )
        if name != EMBEDDED:
            self._upstream(name)
        key = f"agents.{agent}.upstream" if agent else "default_upstream"
        await self._use(key, name)
        which = "the embedded model" if name == EMBEDDED else name
        return Said(text=f"{f'The agent {agent} reaches' if agent else 'Agents reach'} {which} from now on.")

    async def _use(self, key: str, name: str) -> None:
        before = self._file.settings
        after = await asyncio.to_thread(self._file.preview, key, name)
        held = await asyncio.to_thread(self._file.asks, key, name)
        if told := moving.where_to(held, before, after):
            await self._changing.consent(f"set {key} to {name or 'the default'}", "\n".join(told))
        await self._changing.settings(lambda: self._file.set_text(key, name, shown=after))

    async def test_upstream(self, name: str) -> UpstreamTest:
        upstream = self._upstream(name)
        if upstream.credential != "key":
            return await probe(name, upstream, None)
        kept = await self._keys.find(name)
        if kept is None or not kept.fits(upstream.base_url):
            raise SecretError(
                "The key is missing",
                f"No key is kept for {name}."
                if kept is None
                else f"The key that is kept for {name} was not given for {origin_text(upstream.base_url)}.",
                f"Give it: `metaclaw-tray secret set {upstream_secret(name)}`.",
            )
        return await probe(name, upstream, kept.key)

    async def list_agents(self) -> list[AgentRow]:
        kept = await self._vault.anames()
        return [
            AgentRow(
                name=name,
                observe_only=agent.observe_only,
                token_known=agent_secret(name) in kept,
                upstream=agent.upstream,
            )
            for name, agent in self._file.settings.agents.items()
        ]

    async def add_agent(self, wanted: AddAgent) -> NewAgent:
        agent = checked_agent(wanted.name, {"observe_only": wanted.observe_only})
        if wanted.name in self._file.settings.agents:
            raise UsageError(
                "There is such an agent",
                f"{wanted.name!r} has a token already.",
                f"Take another name, or make a new token: `metaclaw-tray agents rotate {wanted.name}`.",
            )
        token = new_token()
        await self._keep_token(wanted.name, token)
        await self._changing.settings(lambda: self._file.put_agent(wanted.name, agent))
        return self._new_agent(wanted.name, token)

    async def rotate_agent(self, name: str) -> NewAgent:
        self._agent(name)
        token = new_token()
        await self._keep_token(name, token)
        return self._new_agent(name, token)

    async def remove_agent(self, name: str) -> Said:
        await self._changing.settings(lambda: self._file.remove_agent(name))
        await self._vault.aremove(agent_secret(name))
        self._changing.secret(agent_secret(name), "kept", "removed")
        return Said(text=f"The agent {name} is gone, and its token opens nothing any more.")

    async def list_secrets(self) -> list[SecretRow]:
        return [SecretRow(name=name, kept_in=self._vault.backend) for name in await self._vault.anames()]

    async def set_secret(self, name: str, value: str) -> Said:
        kind, _, owner = name.partition(":")
        if kind not in ("upstream", "agent") or not owner:
            raise UsageError(
                "No such secret",
                f"{name!r} is not upstream:NAME or agent:NAME.",
                "`metaclaw-tray secret list`",
            )
        if kind == "agent":
            await self._keep_token(owner, value)
        else:
            upstream = self._file.settings.upstreams.get(owner)
            base_url = upstream.base_url if upstream else None
            await self._keep(name, lambda key: self._keys.give(owner, key, base_url), value)
        return Said(text=f"{name} is kept in the {self._vault.backend}.")

    async def remove_secret(self, name: str) -> Said:
        if name not in await self._vault.anames():
            raise NotFoundError(
                "Not found", f"There is no secret {name!r}.", "`metaclaw-tray secret list` names them."
            )
        kind, _, owner = name.partition(":")
        await (self._keys.drop(owner) if kind == "upstream" else self._vault.aremove(name))
        self._changing.secret(name, "kept", "removed")
        return Said(text=f"{name} is gone.")

    def _upstream(self, name: str) -> Upstream:
        upstream = self._file.settings.upstreams.get(name)
        if upstream is None:
            raise _nothing("upstream", name, "upstream list")
        return upstream

    def _agent(self, name: str) -> Agent:
        agent = self._file.settings.agents.get(name)
        if agent is None:
            raise _nothing("agent", name, "agents list")
        return agent

    async def _keep_token(self, agent: str, token: str) -> None:
        name = agent_secret(agent)
        await self._keep(name, lambda value: self._vault.aset(name, value), token)

    async def _keep(self, name: str, keep: Callable[[str], Awaitable[None]], value: str) -> None:
        if self._alone and self._vault.backend == "memory":
            raise KnownError(
                "There is nowhere to keep it",
                "No keyring answers, and no app is running that could hold it in memory.",
                "Start the app and try again, or accept a file that only you can read: "
                "`metaclaw-tray config set secrets.backend file`.",
            )
        before = "kept" if name in await self._vault.anames() else "none"
        await keep(value)
        self._changing.secret(name, before, "a new one")

    def _new_agent(self, name: str, token: str) -> NewAgent:
        base = f"{self._address}/a/{token}"
        return NewAgent(name=name, token=token, base_url=f"{base}/v1", anthropic_base_url=base)

    @staticmethod
    def _row(name: str, upstream: Upstream, settings: Settings, kept: list[str]) -> UpstreamRow:
        return UpstreamRow(
            name=name,
            base_url=upstream.base_url,
            dialects=list(upstream.dialects),
            model=upstream.model,
            credential=upstream.credential,
            key_known=upstream_secret(name) in kept,
            default=name == settings.chosen_upstream,
            learning=name == settings.learning.upstream,
            models=dict(upstream.models),
            fallback=upstream.fallback,
            input_usd_per_million=upstream.input_usd_per_million,
            output_usd_per_million=upstream.output_usd_per_million,
        )


def _embedded(settings: Settings) -> list[UpstreamRow]:
    """The model that the app serves itself stands among the others, without an address of its own."""
    if not settings.embedded.model:
        return []
    return [
        UpstreamRow(
            name=EMBEDDED,
            base_url="",
            dialects=["chat"],
            model=settings.embedded.model,
            credential="none",
            key_known=False,
            default=settings.chosen_upstream == EMBEDDED,
            learning=settings.learning.upstream == EMBEDDED,
        )
    ]


def _nothing(kind: str, name: str, listing: str) -> NotFoundError:
    remedy = f"`metaclaw-tray {listing}` names them."
    return NotFoundError("Not found", f"There is no {kind} {name!r}.", remedy)
