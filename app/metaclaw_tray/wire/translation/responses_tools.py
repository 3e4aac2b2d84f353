"""The tools of a responses request as functions of chat completions.

Tools stand in `tools`, travel inside the input, and come out of searches. Namespaces are flattened. A custom
tool, which takes free text, becomes a function of one text. Deferred tools are plain ones, and the server's
own search for them is not needed then; a search that the client runs is a function like others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from metaclaw_tray.wire.translation.names import Names, Tool
from metaclaw_tray.wire.translation.refusal import Untranslatable

INPUT = "input"
"""The one parameter of a custom tool's function."""

SEARCH = Tool("tool_search", kind="search")

_NOTHING = {"type": "object", "properties": {}}
_FREE_TEXT = {"type": "object", "properties": {INPUT: {"type": "string"}}, "required": [INPUT]}


@dataclass(slots=True)
class Toolbox:
    """Takes tools from wherever they stand, each once."""

    names: Names
    functions: list[dict[str, Any]] = field(default_factory=list)
    _found: dict[Tool, dict[str, Any]] = field(default_factory=dict)
    _left_away: list[str] = field(default_factory=list)

    def take(self, tools: Any, place: str) -> list[str]:
        """Take a list of tools that stands at `place` in the request. Returns their names upstream.

        Raises Untranslatable.
        """
        if tools is None:
            return []
        if not isinstance(tools, list):
            raise Untranslatable(place, "tools are a list")
        names: list[str] = []
        for index, tool in enumerate(tools):
            names += self._take_one(tool, f"{place}[{index}]")
        return names

    def _take_one(self, tool: Any, place: str) -> list[str]:
        kind = tool.get("type") if isinstance(tool, dict) else None
        match kind:
            case "function" | "custom":
                return [self._put(tool, Tool(_name(tool, place), "", kind), place)]
            case "namespace":
                return self._take_namespace(tool, place)
            case "tool_search":
                return [self._put(tool, SEARCH, place)] if tool.get("execution") == "client" else []
            case str() if kind == "web_search" or kind.startswith("web_search_"):
                self._left_away.append(place)  # agents declare it among others, and do without
                return []
        raise Untranslatable(f"{place}.type", f"a tool of the kind {_shown(kind)} cannot be offered")

    def _take_namespace(self, space: dict[str, Any], place: str) -> list[str]:
        name, about, inner = _name(space, place), _about(space), space.get("tools")
        if not isinstance(inner, list):
            raise Untranslatable(f"{place}.tools", "tools are a list")
        names = []
        for index, tool in enumerate(inner):
            here = f"{place}.tools[{index}]"
            kind = tool.get("type") if isinstance(tool, dict) else None
            if kind not in ("function", "custom"):
                raise Untranslatable(f"{here}.type", f"a tool of the kind {_shown(kind)} cannot be offered")
            if index == 0 and about:  # said once is enough
                tool = {**tool, "description": f"{about}\n\n{_about(tool)}".rstrip()}
            names.append(self._put(tool, Tool(_name(tool, here), name, kind), here))
        return names

    def _put(self, tool: dict[str, Any], known: Tool, place: str) -> str:
        name = self.names.to_chat(known)
        if known not in self._found:
            self._found[known] = function = {"name": name, **_function(tool, known, place)}
            self.functions.append({"type": "function", "function": function})
        return name

    def choice(self, value: Any) -> Any:
        """The choice between the tools, once all are taken; it may leave only some of them. None where
        nothing is to be said. Raises Untranslatable."""
        if not self.functions and self._left_away:
            raise Untranslatable(self._left_away[0], "a search of the web cannot be offered")
        if value is None or not self.functions:
            return None
        if value in ("auto", "none", "required"):
            return value
        kind = value.get("type") if isinstance(value, dict) else None
        if kind in ("function", "custom"):
            return {"type": "function", "function": {"name": self._named(value, "tool_choice")}}
        if kind != "allowed_tools" or not isinstance(value.get("tools"), list):
            raise Untranslatable("tool_choice", f"a choice of the kind {_shown(kind)} cannot be made")
        allowed = {self._named(each, f"tool_choice.tools[{n}]") for n, each in enumerate(value["tools"])}
        self.functions = [each for each in self.functions if each["function"]["name"] in allowed]
        return "required" if value.get("mode") == "required" and self.functions else None

    def _named(self, chosen: Any, place: str) -> str:
        """The name upstream of a tool that the client names, in whatever namespace it is."""
        name = chosen.get("name") if isinstance(chosen, dict) else None
        space = chosen.get("namespace") if isinstance(chosen, dict) else None
        for tool, function in self._found.items():
            if tool.name == name and space in (None, tool.namespace):
                return str(function["name"])
        raise Untranslatable(f"{place}.name", f"there is no tool {_shown(name)}")


def _function(tool: dict[str, Any], known: Tool, place: str) -> dict[str, Any]:
    """The function of a tool, but for its name."""
    if known.kind == "custom":
        return {"description": _about_free_text(tool), "parameters": _FREE_TEXT}
    function: dict[str, Any] = {"description": about} if (about := _about(tool)) else {}
    schema = tool.get("parameters")
    if schema is not None and not isinstance(schema, dict):
        raise Untranslatable(f"{place}.parameters", "a schema is an object")
    # Some servers refuse a schema that names its own language.
    function["parameters"] = {key: value for key, value in (schema or _NOTHING).items() if key != "$schema"}
    if tool.get("strict") is True:
        function["strict"] = True
    return function


def _about_free_text(tool: dict[str, Any]) -> str:
    """What a custom tool is for, and the grammar that its text follows."""
    form = tool.get("format")
    grammar = form.get("definition") if isinstance(form, dict) else None
    if not isinstance(form, dict) or not isinstance(grammar, str):
        return _about(tool)
    return f"{_about(tool)}\n\nThe input follows this grammar ({form.get('syntax')}):\n{grammar}".lstrip()


def _about(tool: dict[str, Any]) -> str:
    about = tool.get("description")
    return about if isinstance(about, str) else ""


def _name(tool: dict[str, Any], place: str) -> str:
    name = tool.get("name")
    if not isinstance(name, str) or not name:
        raise Untranslatable(f"{place}.name", "a tool needs a name")
    return name


def _shown(value: Any) -> str:
    """What a client wrote, short enough for a message."""
    return str(value)[:80]
