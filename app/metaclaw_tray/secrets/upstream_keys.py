"""Keys of upstreams, each with the origin it was given for: a key is sent to no other one.

The origin lies in the vault beside the key, under a name of its own. It is written after the key and removed
after it, so that whatever cuts this short leaves a key that goes nowhere rather than one that goes astray.
"""

from __future__ import annotations

from dataclasses import dataclass

from metaclaw_tray.secrets.vault import ORIGIN_PREFIX, SecretVault
from metaclaw_tray.settings import origin_text

NOWHERE = "none"
"""The origin of a key that was given for an upstream which was not there."""


def upstream_secret(name: str) -> str:
    """The name under which an upstream's key is kept."""
    return f"upstream:{name}"


@dataclass(frozen=True)
class KeptKey:
    """A key, and the origin (`https://host`) it was given for; "" where an older version kept none."""

    key: str
    origin: str

    def fits(self, base_url: str) -> bool:
        """Whether it may be sent there without asking. One of an older version goes where it went before."""
        return self.origin in ("", origin_text(base_url))


class UpstreamKeys:
    """The keys in a vault. Methods raise SecretError as the vault does."""

    def __init__(self, vault: SecretVault) -> None:
        self._vault = vault

    async def find(self, name: str) -> KeptKey | None:
        """The key of an upstream, or None where there is none."""
        key = await self._vault.aget(upstream_secret(name))
        if key is None:
            return None
        return KeptKey(key, await self._vault.aget(ORIGIN_PREFIX + name) or "")

    async def give(self, name: str, key: str, base_url: str | None) -> None:
        """Keep a key for the origin of `base_url`; None where there is no such upstream yet."""
        await self._vault.aset(upstream_secret(name), key)
        await self.bind(name, base_url)

    async def bind(self, name: str, base_url: str | None) -> None:
        """Let the key that is kept go to the origin of `base_url` from now on, and to no other one."""
        await self._vault.aset(ORIGIN_PREFIX + name, NOWHERE if base_url is None else origin_text(base_url))

    async def drop(self, name: str) -> None:
        """Forget a key; no matter if there is none."""
        await self._vault.aremove(upstream_secret(name))
        await self._vault.aremove(ORIGIN_PREFIX + name)
