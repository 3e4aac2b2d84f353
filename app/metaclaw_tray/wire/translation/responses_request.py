"""A request of OpenAI's responses as one of chat completions.

Left away, since they are hints, or the client's affairs with OpenAI: `store`, `include`, `metadata`,
`client_metadata`, `prompt_cache_*`, `service_tier`, `truncation`, `text.verbosity`, `user`, `stream_options`,
`max_tool_calls` (of the server's own tools), and fields that nobody knew when this was written.
"""

from __future__ import annotations

from typing import Any

from metaclaw_tray.wire.request import Request
from metaclaw_tray.wire.translation.names import Names
from metaclaw_tray.wire.translation.reading import without_halves, written
from metaclaw_tray.wire.translation.refusal import Untranslatable
from metaclaw_tray.wire.translation.responses_items import chat_messages
from metaclaw_tray.wire.translation.responses_tools import Toolbox
from metaclaw_tray.wire.translation.thoughts import Recall
from metaclaw_tray.wire.translation.translated import Translated

_REFUSED = {
    "previous_response_id": "earlier answers are not kept here; the whole conversation has to be sent",
    "conversation": "conversations are not kept here; the whole conversation has to be sent",
    "prompt": "templates of prompts are not kept here",
    "background": "it answers while the client waits",
    "top_logprobs": "how likely each word was is not passed on",
}
_SAME = ("temperature", "top_p", "top_k")
_EFFORTS = ("low", "medium", "high")


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
    tools = Toolbox(Names())
    tools.take(request.value("tools"), "tools")
    messages = chat_messages(request, tools, own_reasoning=own_reasoning, images=images, recall=recall)
    body: dict[str, Any] = {"model": request.model, "messages": messages}
    for field in _SAME:
        if (value := request.fields.get(field)) is not None and bytes(value) != b"null":
            body[field] = value
    if (most := request.value("max_output_tokens")) is not None:
        body["max_tokens"] = most
    choice = tools.choice(request.value("tool_choice"))
    if tools.functions:
        body["tools"] = tools.functions
        if choice is not None:
            body["tool_choice"] = choice
        if isinstance(parallel := request.value("parallel_tool_calls"), bool):
            body["parallel_tool_calls"] = parallel
    body.update(_output(request))
    body["stream"] = stream
    if stream:
        body["stream_options"] = {"include_usage": True}
    return Translated(written(body), tools.names)


def _output(request: Request) -> dict[str, Any]:
    """The form that the answer must have, and how hard the model is to try."""
    reasoning, text = request.value("reasoning"), request.value("text")
    body: dict[str, Any] = {}
    if isinstance(reasoning, dict) and reasoning.get("effort") in _EFFORTS:
        body["reasoning_effort"] = reasoning["effort"]
    form = text.get("format") if isinstance(text, dict) else None
    if form is None:
        return body
    kind = form.get("type") if isinstance(form, dict) else None
    match kind:
        case "text":
            pass
        case "json_object":
            body["response_format"] = {"type": "json_object"}
        case "json_schema":
            schema = {key: value for key, value in form.items() if key != "type" and value is not None}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        case _:
            raise Untranslatable("text.format.type", f"an answer cannot have the form {str(kind)[:80]}")
    return body
