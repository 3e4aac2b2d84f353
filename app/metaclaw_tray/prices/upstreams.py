"""The tariffs that the settings make. Apart from the rest, for the scribe does without the settings."""

from __future__ import annotations

from collections.abc import Callable

from metaclaw_tray.prices.tariff import FREE, OwnPrices, Tariff
from metaclaw_tray.settings import EMBEDDED, Settings, Upstream


def tariff_of(upstream: Upstream) -> Tariff:
    """The tariff of one upstream."""
    sent, got = upstream.input_usd_per_million, upstream.output_usd_per_million
    if sent is None or got is None:
        return FREE if upstream.loopback else Tariff(upstream.base_url)
    cached, written = upstream.cached_usd_per_million, upstream.cache_write_usd_per_million
    own = OwnPrices(sent, got, sent if cached is None else cached, sent if written is None else written)
    return Tariff(own=own)


def tariff_named(settings: Settings, name: str) -> Tariff | None:
    """The tariff of an upstream by its name; None where there is none of that name (any more)."""
    if name == EMBEDDED:
        return FREE
    upstream = settings.upstreams.get(name)
    return None if upstream is None else tariff_of(upstream)


def needs_table(settings: Settings) -> bool:
    """Whether there is an upstream whose prices the person did not give and that is not this machine."""
    return any(tariff_of(each).base_url for each in settings.upstreams.values())


class Tariffs:
    """The tariffs by the settings in force, made once for all turns until they change."""

    def __init__(self, settings: Callable[[], Settings]) -> None:
        self._settings = settings
        self._made_of: Settings | None = None
        self._made: dict[str, Tariff | None] = {}

    def get(self, name: str) -> Tariff | None:
        """As `tariff_named`."""
        settings = self._settings()
        if settings is not self._made_of:
            self._made_of, self._made = settings, {}
        if name not in self._made:
            self._made[name] = tariff_named(settings, name)
        return self._made[name]
