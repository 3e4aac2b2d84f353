"""An upstream that is added where there may be one of this name already: what stays, and what does not."""

from __future__ import annotations

from typing import Any

from metaclaw_tray.admin.api import AddUpstream
from metaclaw_tray.secrets import NOWHERE, KeptKey
from metaclaw_tray.settings import Upstream, origin_text, value_text

_PRICE = "_usd_per_million"
_NAMED = ("dialects", "model", "models", "fallback", "credential", "input" + _PRICE, "output" + _PRICE)


def moves(former: Upstream | None, base_url: str) -> bool:
    """Whether the upstream that was there becomes another host, or another port of it."""
    return former is not None and origin_text(former.base_url) != origin_text(base_url)


def merged(wanted: AddUpstream, former: Upstream | None, *, moved: bool) -> dict[str, Any]:
    """The values of the upstream. What a command does not name stays as it is, but for what belongs to the
    host that is left: its prices, and the credential, which was meant for it alone."""
    values: dict[str, Any] = {} if former is None else former.model_dump(exclude_defaults=True)
    if moved:
        values = {key: value for key, value in values.items() if not key.endswith(_PRICE)}
        values.pop("credential", None)
    values["base_url"] = wanted.base_url
    for name in _NAMED:
        if (value := getattr(wanted, name)) is not None:
            values[name] = value
    if wanted.key:
        values["credential"] = "key"
    return values


def is_astray(kept: KeptKey, former: Upstream | None, base_url: str, *, moved: bool) -> bool:
    """Whether a key that is kept under the upstream's name was given for another host than this one."""
    if kept.origin == NOWHERE:
        return False  # given before the upstream was; it goes nowhere until the person agrees
    if not kept.origin:
        return moved or former is None
    return not kept.fits(base_url)


def changes_price(former: Upstream, after: Upstream) -> bool:
    """Whether a price that is known becomes another one: what learning may spend is counted by it."""
    return any(
        getattr(after, name) is not None and getattr(after, name) != getattr(former, name)
        for name in _NAMED
        if name.endswith(_PRICE)
    )


def differences(former: Upstream | None, after: Upstream) -> dict[str, tuple[str, str]]:
    """Each setting that is another one now, with both values in words."""
    if former is None:
        return {}
    old, new = former.model_dump(), after.model_dump()
    return {key: (value_text(old[key]), value_text(new[key])) for key in new if old[key] != new[key]}
