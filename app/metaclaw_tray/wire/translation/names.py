"""Tools under names that chat completions allow, and back.

Chat completions take names of letters, digits, `_` and `-`, 64 characters at most, and know neither
namespaces nor tools without a schema. A name that fits is never changed. Others get a name that depends on
nothing but themselves, so that it is the same in each request of a conversation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from secrets import token_hex
from typing import Literal

from msgspec import Struct

_FITS = re.compile(r"[A-Za-z0-9_-]{1,64}")
_STRANGE = re.compile(r"[^A-Za-z0-9_-]+")
_KEPT = 50  # characters of a name that does not fit

Kind = Literal["function", "custom", "search"]
"""What a call of the tool is: arguments; one free text; a search for tools that the client runs itself."""


class Tool(Struct, frozen=True, gc=False):
    """A tool as the client knows it."""

    name: str
    namespace: str = ""
    kind: Kind = "function"


@dataclass(slots=True)
class Names:
    """The names of one request's tools. Filled while the request is translated, read by its answer.

    `salt` is another one in each turn, by chance: what the translation makes ids of must not be the same in
    two conversations that began alike. Within the turn, and for as long as the client sends it back, an id
    stays as it is.
    """

    salt: str = field(default_factory=lambda: token_hex(12))
    _tools: dict[str, Tool] = field(default_factory=dict)  # by the name in chat completions
    _names: dict[Tool, str] = field(default_factory=dict)

    def to_chat(self, tool: Tool) -> str:
        """The tool's name upstream. A tool that was asked for before keeps its name."""
        if (known := self._names.get(tool)) is not None:
            return known
        plain = f"{tool.namespace}__{tool.name}" if tool.namespace else tool.name
        name = plain if _FITS.fullmatch(plain) and plain not in self._tools else _fitting(plain, tool)
        self._tools[name] = tool
        self._names[tool] = name
        return name

    def from_chat(self, name: str) -> Tool:
        """The client's tool of that name. Models leave namespaces away, where instructions do; a name that
        the client never gave stays as the model wrote it."""
        if (tool := self._tools.get(name)) is not None:
            return tool
        alike = [tool for tool in self._names if tool.name == name]
        return alike[0] if len(alike) == 1 else Tool(name)

    def __contains__(self, name: object) -> bool:
        """Whether a tool of the request has this name upstream."""
        return name in self._tools

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)


def _fitting(plain: str, tool: Tool) -> str:
    whole = f"{tool.namespace}\0{tool.name}\0{tool.kind}".encode("utf-8", "surrogatepass")
    return f"{_STRANGE.sub('_', plain)[:_KEPT]}_{blake2b(whole, digest_size=6).hexdigest()}"
