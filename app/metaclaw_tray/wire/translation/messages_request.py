"""A request of Anthropic's messages as one of chat completions.

Left away, since they are hints, or the client's affairs with Anthropic: `cache_control`, `metadata`,
`service_tier`, `thinking` and its budgets, `context_management`, `diagnostics`, `speed`, `betas`, and fields
that nobody knew when this was written.
"""

from __future__ import annotations

from typing import Any

from metaclaw_tray.wire.request import Request
from metaclaw_tray.wire.translation.messages_history import chat_messages
from metaclaw_tray.wire.translation.names import Names, Tool
from metaclaw_tray.wire.translation.reading import value_of, without_halves, written
from metaclaw_tray.wire.translation.refusal import Untranslatable
from metaclaw_tray.wire.translation.thoughts import Recall
from metaclaw_tray.wire.translation.translated import Translated

_REFUSED = {
    "container": "there is no container to run code in",
    "mcp_servers": "it does not call servers of tools by itself",
    "inference_geo": "it does not say where it computes",
}
_SAME = ("max_tokens", "temperature", "top_p", "top_k")
_EFFORTS = ("low", "medium", "high")
_NO_SCHEMA = {"type": "object", "properties": {}}
_PLACEHOLDER = "DeferredToolPlaceholder"
"""Claude Code declares it so that there is a deferred tool; models are not to see it."""


def to_chat(
    request: Request,
    *,
    stream: bool,
    own_reasoning: bool = True,
    images: bool = True,
    recall: Recall | None = None,
) -> Translated:
    """The request as the upstream gets it. The model's name stays the client's.

    `own_reasoning`: thoughts that came through here go back to the upstream, and `recall` is asked for those
    that the client left away. `images`: its model sees.
    Raises WireError where the request cannot be read, Untranslatable where it says what cannot be said.
    """
    request = without_halves(request)
    for field, why in _REFUSED.items():
        if request.value(field):
            raise Untranslatable(field, why)
    names = Names()
    tools = _tools(request, names)
    messages = chat_messages(request, names, own_reasoning=own_reasoning, images=images, recall=recall)
    body: dict[str, Any] = {"model": request.model, "messages": messages}
    for field in _SAME:
        if (value := request.fields.get(field)) is not None and bytes(value) != b"null":
            body[field] = value
    if stops := request.value("stop_sequences"):
        body["stop"] = stops
    if tools:
        body["tools"] = tools
        body.update(_tool_choice(request.value("tool_choice"), names))
    body.update(_output(request))
    body["stream"] = stream
    if stream:
        body["stream_options"] = {"include_usage": True}
    return Translated(written(body), names)


def _tools(request: Request, names: Names) -> list[dict[str, Any]]:
    raw = request.fields.get("tools")
    declared = [] if raw is None else value_of(raw, "tools")
    if declared is None:
        return []
    if not isinstance(declared, list):
        raise Untranslatable("tools", "tools are a list")
    tools = []
    for index, tool in enumerate(declared):
        place = f"tools[{index}]"
        if not isinstance(tool, dict) or not isinstance(tool.get("name"), str):
            raise Untranslatable(place, "a tool has a name")
        kind = tool.get("type") or "custom"
        if isinstance(kind, str) and kind.startswith("tool_search_tool"):
            continue  # it looks for deferred tools, which are all there from the beginning
        if kind != "custom":
            raise Untranslatable(f"{place}.type", f"it knows no tool of type {kind!r}")
        if not (tool.get("defer_loading") and tool["name"] == _PLACEHOLDER):
            tools.append(_function(tool, place, names))
    return tools


def _function(tool: dict[str, Any], place: str, names: Names) -> dict[str, Any]:
    function: dict[str, Any] = {"name": names.to_chat(Tool(tool["name"]))}
    if isinstance(tool.get("description"), str):
        function["description"] = tool["description"]
    schema = tool.get("input_schema") or _NO_SCHEMA
    if not isinstance(schema, dict):
        raise Untranslatable(f"{place}.input_schema", "a schema is an object")
    # Some servers refuse a schema that names its own language.
    function["parameters"] = {key: value for key, value in schema.items() if key != "$schema"}
    if tool.get("strict") is True:
        function["strict"] = True
    return {"type": "function", "function": function}


def _tool_choice(choice: Any, names: Names) -> dict[str, Any]:
    if choice is None:
        return {}
    kind = choice.get("type") if isinstance(choice, dict) else None
    body: dict[str, Any] = {}
    match kind:
        case "auto" | "none":
            body["tool_choice"] = kind
        case "any":
            body["tool_choice"] = "required"
        case "tool" if isinstance(choice.get("name"), str):
            name = names.to_chat(Tool(choice["name"]))
            body["tool_choice"] = {"type": "function", "function": {"name": name}}
        case _:
            raise Untranslatable("tool_choice", "the choice is auto, any, none or a tool by its name")
    if choice.get("disable_parallel_tool_use") is True:
        body["parallel_tool_calls"] = False
    return body


def _output(request: Request) -> dict[str, Any]:
    """The form that the answer must have, and how hard the model is to try."""
    config = request.value("output_config")
    config = config if isinstance(config, dict) else {}
    body: dict[str, Any] = {}
    if config.get("effort") in _EFFORTS:
        body["reasoning_effort"] = config["effort"]
    field, form = "output_config.format", config.get("format")
    if form is None:
        field, form = "output_format", request.value("output_format")
    if form is not None:
        if not isinstance(form, dict) or form.get("type") != "json_schema":
            raise Untranslatable(field, "an answer has the form of a JSON schema or none")
        schema = {"name": "answer", "schema": form.get("schema") or {}, "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body
