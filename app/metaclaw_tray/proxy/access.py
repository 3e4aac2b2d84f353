"""Who may come in: the right host, no foreign page, a token of ours, and JSON only.

Web pages reach loopback too. A page's request carries its `Origin`, and one that rebinds a name of its own to
this machine carries that name as `Host`; both are compared exactly, before anything else happens. What a page
may send without asking first (text, forms, or no type at all) is no type that we take. Nothing here or in our
answers gives a page permission (CORS), so one that asks first is told no.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping

from msgspec import Struct
from multidict import MultiMapping

Headers = MultiMapping[str]


class TokenTable:
    """Tokens and the agents they name. Only keyed digests are kept, so that a look-up tells a guesser nothing
    about how close a guess was."""

    def __init__(self, tokens: Mapping[str, str] | None = None) -> None:
        """`tokens` maps each token to its agent's name; None where they are still to be read."""
        self._key = os.urandom(32)
        self._agents: dict[bytes, str] = {}
        self.known = False  # whether the tokens were read, so that one that is not here is nobody's
        if tokens is not None:
            self.replace(tokens)

    def replace(self, tokens: Mapping[str, str]) -> None:
        """From now on these tokens hold, and no others."""
        self.known = True
        self._agents = {self._digest(token): agent for token, agent in tokens.items()}

    def agent_of(self, token: str) -> str | None:
        """The agent that this token names."""
        return self._agents.get(self._digest(token))

    def _digest(self, token: str) -> bytes:
        return hashlib.blake2b(
            token.encode("utf-8", "surrogateescape"), digest_size=32, key=self._key
        ).digest()


class Entry(Struct, frozen=True, gc=False):
    """An agent that was let in."""

    agent: str
    token: str  # by which it came in
    own_credentials: bool  # it stood in the path, so other credentials are the client's for the upstream


class Door:
    """The addresses under which this server is itself."""

    def __init__(self, port: int) -> None:
        suffix = "" if port == 80 else f":{port}"
        self._hosts = frozenset(f"{name}{suffix}" for name in ("127.0.0.1", "localhost", "[::1]"))
        self._origins = frozenset(f"http://{host}" for host in self._hosts)

    def refusal(self, target: str, headers: Headers) -> str:
        """Why a request to this target, with these headers, is refused; empty where it is not.

        Hosts are compared as a whole, in any case (RFC 9110, 4.2.3), so nothing that only looks like one of
        ours is one. A target that names a host of its own would go before `Host` (RFC 9112, 3.2.2) and is
        taken by none of our clients.
        """
        if not target.startswith("/"):
            return "This server is no proxy for other addresses."
        hosts = headers.getall("Host", ())
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return "This server answers to 127.0.0.1 and localhost only."
        if "Origin" in headers:
            origins = headers.getall("Origin")
            if len(origins) != 1 or origins[0].lower() not in self._origins:
                return _NO_PAGES
        # Browsers only send this, and no page can change it: `same-site` is a page on another port.
        if any(site not in ("same-origin", "none") for site in headers.getall("Sec-Fetch-Site", ())):
            return _NO_PAGES
        return ""


_NO_PAGES = "Web pages may not use this server."


def is_json(headers: Headers) -> bool:
    """Whether a body is declared to be JSON, once and in so many words."""
    types = headers.getall("Content-Type", ())
    if len(types) != 1:
        return False
    named = types[0].partition(";")[0].strip().lower()
    return named == "application/json" or (named.startswith("application/") and named.endswith("+json"))


def split_path(path: str) -> tuple[str | None, str]:
    """The token in a path, and the path without it: `/a/TOKEN/v1/models` → TOKEN, `/v1/models`."""
    if not path.startswith("/a/"):
        return None, path
    token, slash, rest = path[3:].partition("/")
    return token, slash + rest


def enter(tokens: TokenTable, path_token: str | None, headers: Headers) -> Entry | None:
    """The agent behind a request; None where no token of ours is shown."""
    if path_token is not None:
        agent = tokens.agent_of(path_token)
        return Entry(agent, path_token, own_credentials=True) if agent is not None else None
    for token in (bearer(headers.get("Authorization", "")), headers.get("x-api-key", "")):
        agent = tokens.agent_of(token)
        if agent is not None:
            return Entry(agent, token, own_credentials=False)
    return None


def bearer(value: str) -> str:
    """The token of an Authorization header; the whole value where it names no scheme."""
    scheme, _, token = value.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else value
