"""The tariffs that the settings make. Apart from the rest, for the scribe does without the settings."""

from __future__ import annotations

from collections.abc import Callable

from metaclaw_tray.prices.tariff import FREE, OwnPrices, Tariff
from metaclaw_tray.settings import EMBEDDED, Settings, Upstream


def tariff_of(upstream: Upstream) -> Tariff:
    """The tariff of one upstream."""
    if upstream.loopback:
        return FREE
    sent, got = upstream.input_usd_per_million, upstream.output_usd_per_million
    if sent is None or got is None:
        return Tariff(upstream.base_url)
    cached, written = upstream.cached_usd_per_million, upstream.cache_write_usd_per_million
    own = OwnPrices(sent, got, sent if cached is None else cached, sent if written is None else written)
    return Tariff(own=own)


class Tariffs:
    """The tariffs of all upstreams by their names, as the settings in force make them."""

    def __init__(self, settings: Callable[[], Settings]) -> None:
        self._settings = settings
        self._made_of: Settings | None = None
        self._tariffs: dict[str, Tariff] = {}

    def get(self, name: str) -> Tariff | None:
        """The tariff of one upstream; None where there is none of that name any more."""
        settings = self._settings()
        if settings is not self._made_of:
            named = {each: tariff_of(upstream) for each, upstream in settings.upstreams.items()}
            self._tariffs = {**named, EMBEDDED: FREE}
            self._made_of = settings
        return self._tariffs.get(name)
