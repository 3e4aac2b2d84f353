"""One setting changed by a person: what they have to agree to first, and what they are told after."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from metaclaw_tray.admin.api import Said, SetConfig
from metaclaw_tray.admin.changing import Changing
from metaclaw_tray.admin.moving import where_to
from metaclaw_tray.secrets import NOWHERE, KeptKey, SecretVault, UpstreamKeys
from metaclaw_tray.settings import (
    EMBEDDED,
    Retention,
    Settings,
    Upstream,
    list_settings,
    origin_text,
    value_text,
    weight_of,
)

AT_THE_NEXT_START = ("server.port", "secrets.backend")

WouldGo = Callable[[Retention, Retention], Awaitable[str]]
"""What leaves the record if the first becomes the second, in a sentence; "" for nothing."""


class SettingDesk:
    """Changes single settings. Raises SettingsError, NotFoundError and ConsentError with nothing changed."""

    def __init__(
        self, changing: Changing, vault: SecretVault, would_go: WouldGo, *, alone: bool = False
    ) -> None:
        """`alone` says that no app runs which would go on with the old value."""
        self._changing = changing
        self._vault = vault
        self._keys = UpstreamKeys(vault)
        self._would_go = would_go
        self._alone = alone

    async def set(self, verb: SetConfig) -> Said:
        file = self._changing.file
        before, old = file.settings, file.get(verb.key)
        after = await _preview(self._changing, verb)
        meaning = next(each.meaning for each in list_settings(before) if each.key == verb.key)
        change = f"{verb.key} ({meaning}) is {value_text(old)} now and would be {verb.value or 'not set'}."
        reasons = astray = await self._reasons(verb.key, before, after)
        asks = await asyncio.to_thread(file.asks, verb.key, verb.value)
        if reasons or (asks and weight_of(verb.key) == "code"):
            whom = whom_learning_asks([verb.key], after) if asks else []
            if not reasons:
                reasons = where_to(asks, before, after)
            await self._changing.consent(f"change {verb.key}", "\n".join([change, *reasons, *whom]))
        elif asks and weight_of(verb.key) == "word":
            await self._changing.spoken(f"change {verb.key}")
        elif verb.key.startswith("retention."):
            gone = await self._would_go(before.retention, after.retention)
            if gone:
                await self._changing.confirm(f"change {verb.key}", f"{change} {gone}")
        await self._changing.settings(lambda: file.set_text(verb.key, verb.value, shown=after))
        name = _upstream_of(verb.key)
        if astray and after.upstreams[name].credential == "key":
            await self._keys.bind(name, after.upstreams[name].base_url)
        return Said(text=self._told(verb.key, value_text(old), value_text(file.get(verb.key))))

    async def _reasons(self, key: str, before: Settings, after: Settings) -> list[str]:
        """Why this would send a credential to where it was not meant to go."""
        name = _upstream_of(key)
        if not name or not key.endswith((".base_url", ".credential")):
            return []
        former, upstream = before.upstreams[name], after.upstreams[name]
        was, there = origin_text(former.base_url), origin_text(upstream.base_url)
        kept = await self._keys.find(name)
        if kept is not None and not kept.origin:  # of an older version, which sent it there
            await self._keys.bind(name, former.base_url)
            kept = KeptKey(kept.key, was)
        if upstream.credential == "key" and kept is not None and kept.origin != there:
            given = "before there was such an upstream" if kept.origin == NOWHERE else f"for {kept.origin}"
            return [f"The key that is kept for {name} was given {given}; it would be sent to {there}."]
        if upstream.credential == "pass-through" and was != there:
            return [f"The agents' own keys, which are meant for {was}, would be sent to {there}."]
        if upstream.credential == "pass-through" != former.credential:
            return [f"The agents' own keys would be sent to {there}."]
        return []

    def _told(self, key: str, old: str, new: str) -> str:
        said = f"{key} is {new} now" + (f", was {old}." if old != new else ", as it was.")
        if key in AT_THE_NEXT_START and not self._alone:
            said += " It counts from the next start."
        if key == "secrets.backend" and not self._alone:
            said += f" Until then keys stay in the {self._vault.backend}: give them after it."
        return said


def whom_learning_asks(keys: Sequence[str], after: Settings) -> list[str]:
    """Whom, and at which price, where a yes to one of these keys is a yes to that."""
    name, model = after.learning.upstream, after.learning.model
    if not name or not set(keys) & {"learning.upstream", "learning.model", "review.policy"}:
        return []
    if name == EMBEDDED:
        return [f"Learning asks {model or after.embedded.model}, which runs here."]
    upstream = after.upstreams[name]
    return [
        f"Learning asks {model} at {origin_text(upstream.base_url)}; your exchanges are sent there, with "
        f"secrets blacked out. It costs {_price(upstream)}."
    ]


def _price(upstream: Upstream) -> str:
    if upstream.loopback:
        return "nothing, as it runs here"
    prices = upstream.input_usd_per_million, upstream.output_usd_per_million
    if None in prices:
        return "what the list of prices says"
    return "{:g} and {:g} USD for a million tokens in and out, as its settings say".format(*prices)


async def _preview(changing: Changing, verb: SetConfig) -> Settings:
    return await asyncio.to_thread(changing.file.preview, verb.key, verb.value)


def _upstream_of(key: str) -> str:
    """The upstream that a key is a setting of, or ""."""
    parts = key.split(".")
    return parts[1] if parts[0] == "upstreams" and len(parts) > 2 else ""
