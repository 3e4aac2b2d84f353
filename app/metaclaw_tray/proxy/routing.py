"""Where requests go: the upstreams, the one in use, and what opens them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from yarl import URL

from metaclaw_tray.settings import Upstream


@dataclass(frozen=True)
class Route:
    """One upstream, ready to be called."""

    name: str
    upstream: Upstream
    key: str | None = field(default=None, repr=False)  # the credential of ours, where it takes one

    @property
    def model(self) -> str | None:
        """The model's name that replaces the client's; None leaves the client's."""
        return self.upstream.model or None

    def url(self, path: str, query: str) -> URL:
        """The address of a path below `/v1`, such as `/chat/completions`."""
        address = self.upstream.base_url.rstrip("/") + path
        return URL(f"{address}?{query}" if query else address, encoded=True)


class Routing:
    """The upstreams as of now. A change takes hold with the next request."""

    def __init__(self) -> None:
        self._route: Route | None = None
        self._missing = _NONE_CHOSEN

    def replace(
        self,
        upstreams: Mapping[str, Upstream],
        default: str,
        credentials: Mapping[str, str],
        own_port: int = 0,
    ) -> None:
        """`credentials` maps names of upstreams to their keys; `own_port` is where this program listens, so
        that it never sends a request to itself for ever."""
        self._route = None
        if not default:
            self._missing = _NONE_CHOSEN
        elif default not in upstreams:
            self._missing = f"The upstream {default!r} is not among the settings. {_ADD}"
        elif upstreams[default].credential == "key" and not credentials.get(default):
            self._missing = (
                f"The key of the upstream {default!r} is not there. "
                f"Set it: `metaclaw-tray secret set upstream:{default}`."
            )
        elif upstreams[default].loopback and URL(upstreams[default].base_url).port == own_port:
            self._missing = (
                f"The upstream {default!r} is this program itself. "
                "Give it the address of the model's server: "
                f"`metaclaw-tray upstream add {default} --base-url URL`."
            )
        else:
            self._route = Route(default, upstreams[default], credentials.get(default))

    @property
    def route(self) -> Route | None:
        """Where a request goes now; None where it cannot go anywhere."""
        return self._route

    @property
    def missing(self) -> str:
        """What is missing for requests to go anywhere, and how to mend it."""
        return "" if self._route else self._missing


_ADD = "Add one: `metaclaw-tray upstream add NAME --base-url URL --default`."
_NONE_CHOSEN = f"No upstream is chosen. {_ADD}"
