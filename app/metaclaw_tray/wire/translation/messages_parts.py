"""What stands in a message of Anthropic's, part by part: texts, pictures, documents, results of searches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from metaclaw_tray.wire.translation.refusal import Untranslatable

Part = dict[str, Any]
_UNSEEN = "[an image, which this model cannot see]"
_BETWEEN = "\n\n"


def parts_of(content: Any, place: str, *, images: bool) -> list[Part]:
    """The content as parts of chat completions. Raises Untranslatable.

    Without `images` the upstream's model is blind, and a line stands in place of each picture.
    """
    if content is None:
        return []
    if isinstance(content, str):
        return [text_part(content)] if content else []
    if not isinstance(content, list):
        raise Untranslatable(place, "content is a text or a list of blocks")
    parts: list[Part] = []
    for index, block in enumerate(content):
        parts += parts_of_block(block, f"{place}[{index}]", images=images)
    return parts


def parts_of_block(block: Any, place: str, *, images: bool) -> list[Part]:
    """One block as parts. Raises Untranslatable where chat completions have none for it."""
    kind = kind_of(block, place)
    match kind:
        case "text":
            text = text_in(block, "text", place)
            return [text_part(text)] if text else []
        case "image":
            url = _url_of(block.get("source"), f"{place}.source")
            return [{"type": "image_url", "image_url": {"url": url}}] if images else [text_part(_UNSEEN)]
        case "document":
            return _document(block, place, images)
        case "search_result":
            head = [block.get("title"), block.get("source")]
            found = parts_of(block.get("content"), f"{place}.content", images=images)
            return [text_part(joined(text for text in head if isinstance(text, str))), *found]
        case "tool_reference":
            return [text_part(f"[the tool {text_in(block, 'tool_name', place)} can be called]")]
    raise Untranslatable(f"{place}.type", f"a block of type {kind!r} has no place in it")


def text_part(text: str) -> Part:
    return {"type": "text", "text": text}


def simplest(parts: list[Part]) -> str | list[Part]:
    """One text where there is nothing but text: many servers and templates take no list."""
    if all(part["type"] == "text" for part in parts):
        return joined(part["text"] for part in parts)
    return parts


def joined(texts: Iterable[str]) -> str:
    """Texts that stood in blocks of their own, as one."""
    return _BETWEEN.join([text for text in texts if text])


def kind_of(block: Any, place: str) -> str:
    """The type of a block. Raises Untranslatable for what is no block."""
    if not isinstance(block, dict) or not isinstance(block.get("type"), str):
        raise Untranslatable(place, "this is no block with a type")
    kind: str = block["type"]
    return kind


def text_in(block: Part, field: str, place: str) -> str:
    """A text that a block must hold. Raises Untranslatable."""
    value = block.get(field)
    if not isinstance(value, str):
        raise Untranslatable(f"{place}.{field}", "a text is missing here")
    return value


def _source(source: Any, place: str) -> tuple[Part, str]:
    if not isinstance(source, dict) or not isinstance(source.get("type"), str):
        raise Untranslatable(place, "this is no source with a type")
    return source, source["type"]


def _url_of(source: Any, place: str) -> str:
    source, kind = _source(source, place)
    if kind == "base64":
        media_type = text_in(source, "media_type", place)
        return f"data:{media_type};base64,{text_in(source, 'data', place)}"
    if kind == "url":
        return text_in(source, "url", place)
    raise Untranslatable(f"{place}.type", f"the content of a source of type {kind!r} is not in the request")


def _document(block: Part, place: str, images: bool) -> list[Part]:
    source, kind = _source(block.get("source"), f"{place}.source")
    title = block.get("title") if isinstance(block.get("title"), str) else None
    head = [text_part(text) for text in (title, block.get("context")) if isinstance(text, str) and text]
    match kind:
        case "text":
            return [*head, text_part(text_in(source, "data", f"{place}.source"))]
        case "content":
            return [*head, *parts_of(source.get("content"), f"{place}.source.content", images=images)]
        case "base64":
            media_type = text_in(source, "media_type", f"{place}.source")
            data = f"data:{media_type};base64,{text_in(source, 'data', f'{place}.source')}"
            file = {"filename": title or "document.pdf", "file_data": data}
            return [*head[bool(title) :], {"type": "file", "file": file}]
    raise Untranslatable(
        f"{place}.source.type", f"the content of a source of type {kind!r} is not in the request"
    )
