"""Settings and secrets brought to the proxy: where requests go, and who may send them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from metaclaw_tray.errors import KnownError, LearningError
from metaclaw_tray.learning.client import Target
from metaclaw_tray.proxy.access import TokenTable
from metaclaw_tray.proxy.server import Proxy
from metaclaw_tray.runtime.embedded import EmbeddedKeeper
from metaclaw_tray.runtime.trouble import Troubles
from metaclaw_tray.secrets import NOWHERE, KeptKey, SecretVault, UpstreamKeys, upstream_secret
from metaclaw_tray.settings import EMBEDDED, Settings, origin_text

_ASTRAY = (
    "The key of the upstream {name} is not sent to {there}: it was given for {origin}. To send it there, "
    "agree by `metaclaw-tray config set upstreams.{name}.base_url {base_url}`; or give another one: "
    "`metaclaw-tray secret set upstream:{name}`."
)
_LOST = "The token of the agent {0} is not kept: `metaclaw-tray agents rotate {0}`."


class Connections:
    """What settings, secrets and the embedded model come to. Keys are held in memory, never logged."""

    def __init__(
        self,
        settings: Callable[[], Settings],
        vault: SecretVault,
        embedded: EmbeddedKeeper,
        tokens: TokenTable,
        troubles: Troubles,
    ) -> None:
        self._settings = settings
        self._vault = vault
        self._upstream_keys = UpstreamKeys(vault)
        self._embedded = embedded
        self._tokens = tokens
        self._troubles = troubles
        self._keys: dict[str, KeptKey] = {}
        self._astray: dict[str, str] = {}  # why the keys of upstreams are not sent
        self._unread: frozenset[str] = frozenset()  # names of secrets that could not be read
        self._agent_tokens: dict[str, str] = {}
        self._one_at_a_time = asyncio.Lock()

    @property
    def default(self) -> str:
        """The upstream that agents reach: the chosen one, or else the only one there is."""
        return self._settings().chosen_upstream

    @property
    def missing(self) -> str:
        """Why requests cannot go to the default upstream yet, where that is not the settings' fault."""
        return self._embedded.trouble if self.default == EMBEDDED else ""

    async def load(self) -> None:
        """Read tokens and keys from the vault. What cannot be read now keeps its former value, for a keyring
        that hesitates is no reason to shut an agent out; what is not there is a trouble, not an end."""
        async with self._one_at_a_time:
            settings, failed = self._settings(), dict[str, str]()
            keys: dict[str, KeptKey] = {}
            astray: dict[str, str] = {}
            for name, upstream in settings.upstreams.items():
                kept = await self._key(name, failed) if upstream.credential == "key" else None
                if kept is None:
                    continue
                there = origin_text(upstream.base_url)
                if not kept.fits(upstream.base_url):
                    origin = "no address yet" if kept.origin == NOWHERE else kept.origin
                    astray[name] = _ASTRAY.format(
                        name=name, there=there, origin=origin, base_url=upstream.base_url
                    )
                    continue
                keys[name] = kept
                if not kept.origin:  # kept by an older version, which sent it there
                    await self._bind(name, upstream.base_url, failed)
                    keys[name] = KeptKey(kept.key, there)
            self._astray = astray
            tokens: dict[str, str] = {}
            for name in settings.agents:
                token = await self._token(name, failed)
                if token:
                    tokens[name] = token
            # What could not be read may well be there: one sentence says why, and not one for each.
            lost = [each for each in settings.agents if each not in tokens and f"agent:{each}" not in failed]
            self._troubles.replace("agent ", {name: _LOST.format(name) for name in lost})
            self._troubles.set("secrets", next(iter(failed.values()), ""))
            self._unread = frozenset(failed)
            self._keys, self._agent_tokens = keys, tokens
            self._tokens.replace({token: name for name, token in tokens.items()})

    def route(self, proxy: Proxy) -> None:
        """Let the proxy route by what is known now."""
        upstreams, keys = dict(self._settings().upstreams), self._fitting()
        served = self._embedded.served
        if served is not None:
            upstreams[EMBEDDED], keys[EMBEDDED] = served.upstream, served.key
        agents = {name: agent.upstream for name, agent in self._settings().agents.items()}
        faults = proxy.replace_routing(upstreams, self.default, keys, agents)
        told = {name: fault for name, fault in faults.items() if upstream_secret(name) not in self._unread}
        self._troubles.replace("upstream ", {**told, **self._astray})

    def learning(self) -> Target:
        """What learning may ask. Raises LearningError with the reason where there is nothing."""
        chosen = self._settings().learning
        if not chosen.enabled:
            raise LearningError("Learning is off", "learning.enabled is false.", "Set it to true to go on.")
        if self._settings().review.policy == "off":
            raise LearningError(
                "Learning is off",
                "review.policy is off, so nothing is proposed, and nothing is judged for that.",
                "Set it to ask to go on.",
            )
        if not chosen.upstream or not (chosen.model or chosen.upstream == EMBEDDED):
            empty = [f"learning.{name}" for name in ("upstream", "model") if not getattr(chosen, name)]
            raise LearningError(
                "No model is chosen for learning",
                f"Empty: {' and '.join(empty)}. No other key or model is ever used.",
                "Choose: `metaclaw-tray config set learning.upstream NAME`, then learning.model.",
            )
        if chosen.upstream == EMBEDDED:
            served = self._embedded.served
            if served is None:
                raise LearningError(
                    "The embedded model is away", self._embedded.trouble or "It is not served.", ""
                )
            return Target(EMBEDDED, served.upstream, chosen.model or served.model, served.key)
        upstream = self._settings().upstreams[chosen.upstream]
        if upstream.credential == "pass-through":
            raise LearningError(
                "Learning has no key of its own",
                f"The upstream {chosen.upstream} takes the agents' own keys, which learning never uses.",
                "Choose an upstream with a key of yours, or a model on this machine.",
            )
        return Target(chosen.upstream, upstream, chosen.model, self._fitting().get(chosen.upstream))

    def _fitting(self) -> dict[str, str]:
        """The keys that may go where their upstreams are now: settings can change before keys are loaded."""
        return {
            name: self._keys[name].key
            for name, upstream in self._settings().upstreams.items()
            if name in self._keys and self._keys[name].fits(upstream.base_url)
        }

    async def _key(self, name: str, failed: dict[str, str]) -> KeptKey | None:
        try:
            return await self._upstream_keys.find(name)
        except KnownError as error:
            failed[upstream_secret(name)] = " ".join(error.lines())
            return self._keys.get(name)

    async def _bind(self, name: str, base_url: str, failed: dict[str, str]) -> None:
        try:
            await self._upstream_keys.bind(name, base_url)
        except KnownError as error:
            failed[upstream_secret(name)] = " ".join(error.lines())

    async def _token(self, name: str, failed: dict[str, str]) -> str | None:
        try:
            return await self._vault.aget(f"agent:{name}")
        except KnownError as error:
            failed[f"agent:{name}"] = " ".join(error.lines())
            return self._agent_tokens.get(name)
