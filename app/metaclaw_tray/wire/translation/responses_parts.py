"""What a responses message holds, as content of chat completions.

Texts alone become one text: servers of chat completions that take no list of parts are many.
"""

from __future__ import annotations

from typing import Any

from metaclaw_tray.wire.translation.messages_parts import Part, joined, text_part
from metaclaw_tray.wire.translation.reading import written
from metaclaw_tray.wire.translation.refusal import Untranslatable

_TEXTS = ("input_text", "output_text", "text", "summary_text", "reasoning_text")
_DETAILS = ("auto", "low", "high")
_UNSEEN = text_part("[an image, which this model cannot see]")


def parts_of(content: Any, place: str, *, images: bool) -> list[Part]:
    """The parts of a message's content, which stands at `place`. Raises Untranslatable.

    Without `images` the upstream's model is blind, and a line stands in place of each picture.
    """
    if content is None:
        return []
    if isinstance(content, str):
        return [text_part(content)] if content else []
    if not isinstance(content, list):
        raise Untranslatable(place, "content is a text or a list of parts")
    parts = [_part(part, f"{place}[{index}]") for index, part in enumerate(content)]
    return parts if images else [_UNSEEN if part["type"] == "image_url" else part for part in parts]


def text_of(content: Any, place: str) -> str:
    """Content that may hold texts only: instructions, and what the model said. Raises Untranslatable."""
    parts = parts_of(content, place, images=True)
    for index, part in enumerate(parts):
        if part["type"] != "text":
            raise Untranslatable(f"{place}[{index}].type", "there can be text only")
    return joined(part["text"] for part in parts)


def result_of(output: Any, place: str, shown: list[Part], *, images: bool) -> str:
    """A result's text. Pictures and files in it are added to what is `shown` behind the results, since
    results hold texts only in chat completions. Raises Untranslatable."""
    if isinstance(output, dict):  # nobody should send it, but its words are there
        return written(output).decode()
    texts: list[str] = []
    for part in parts_of(output, place, images=images):
        if part["type"] == "text":
            texts.append(part["text"])
            continue
        kind = "image" if part["type"] == "image_url" else "file"
        number = 1 + sum(1 for each in shown if each["type"] != "text")
        texts.append(f"[{kind} {number} of the tools' results follows]")
        shown += [text_part(f"[{kind} {number} of the tools' results]"), part]
    return joined(texts)


def _part(part: Any, place: str) -> Part:
    if isinstance(part, str):
        return text_part(part)
    kind = part.get("type") if isinstance(part, dict) else None
    if kind in _TEXTS and isinstance(part.get("text"), str):
        return text_part(part["text"])
    match kind:
        case "refusal" if isinstance(part.get("refusal"), str):
            return text_part(part["refusal"])
        case "input_image" | "computer_screenshot":
            return _image(part, place)
        case "input_file":
            return _file(part, place)
        case "input_audio" if isinstance(part.get("input_audio"), dict):
            return {"type": "input_audio", "input_audio": part["input_audio"]}
    raise Untranslatable(f"{place}.type", f"a part of the kind {str(kind)[:80]} cannot be sent")


def _image(part: Part, place: str) -> Part:
    url = part.get("image_url")
    if not isinstance(url, str) or not url:
        field = "file_id" if part.get("file_id") else "image_url"
        raise Untranslatable(f"{place}.{field}", "an image can only be sent within the request or by its URL")
    detail = part.get("detail")
    more = {"detail": detail} if detail in _DETAILS else {}
    return {"type": "image_url", "image_url": {"url": url, **more}}


def _file(part: Part, place: str) -> Part:
    data, name = part.get("file_data"), part.get("filename")
    if not isinstance(data, str) or not data:
        field = "file_id" if part.get("file_id") else "file_url" if part.get("file_url") else "file_data"
        raise Untranslatable(f"{place}.{field}", "a file can only be sent within the request")
    more = {"filename": name} if isinstance(name, str) else {}
    return {"type": "file", "file": {**more, "file_data": data}}
