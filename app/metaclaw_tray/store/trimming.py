"""Cutting messages to what a record needs: pictures, sound and files become what they were, long texts lose
their middle.

Pure functions, linear in the size of what they are given. The shape of a message stays as the client sent it:
only strings change, so whoever reads one dialect's parts reads them still.
"""

from __future__ import annotations

import binascii
import hashlib
import re
import unicodedata
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote_to_bytes

from metaclaw_tray.wire.thinning import run_table

TEXT_LIMIT = 200_000
"""Characters of a string that are kept."""

_RUN = 1024  # characters of base64 in a text that are no word, name or digest any more
_ALPHABET = r"A-Za-z0-9+/_="  # of base64 and its variant for addresses, which also has the dash
_IN_TEXT = re.compile(
    rf"data:(?P<media>[\w.+-]{{1,80}}/[\w.+-]{{1,80}})(?:;[\w.+=-]{{1,80}}){{0,8}};base64,(?P<data>[{_ALPHABET}-]{{16,}})"
    rf"|(?<![{_ALPHABET}-])(?P<run>[{_ALPHABET}-]{{{_RUN},}})"
    rf"|(?<![{_ALPHABET}-])(?P<lines>(?:[{_ALPHABET}-]{{60,80}}\r?\n){{12,}}[{_ALPHABET}-]*)"
)
_ADDRESS = re.compile(r"data:(?P<media>[\w.+-]+/[\w.+-]+)?(?P<parameters>(?:;[\w.+=-]+)*),", re.ASCII)
_WHOLE = re.compile(rf"[{_ALPHABET}\s-]+")

_LINE = 1024  # characters of a line that is not to be cut
_PARTING = frozenset(" \t\r\"',;")

# Fields that hold bytes in one dialect or another, where a field beside them says so.
_BYTES = frozenset({"data", "file_data", "blob", "b64_json", "result"})
_MEDIA = ("media_type", "mime_type", "mimeType", "format", "filename")
_SAID_BY_TYPE = frozenset({"base64", "image_generation_call", "input_file"})
# Base64 that is no picture: what a provider signed or locked comes back with the next request.
_SEALED = frozenset({"signature", "thought_signature", "encrypted_content"})


_IN_LINES = run_table("+/=_-\r\n")
_SHORTEST = b"\1" * (12 * 61)  # of what `_IN_TEXT` takes for base64, but for addresses


def trimmed(message: dict[str, Any], limit: int = TEXT_LIMIT) -> tuple[dict[str, Any], int]:
    """The message with no string longer than about `limit` characters and no bytes as text; and how many
    strings were cut. The message that was given stays as it is."""
    top: list[Any] = [message]
    cuts = 0
    waiting: list[tuple[Any, Any]] = [(top, 0)]  # no recursion: a message may be nested as deep as it likes
    while waiting:
        holder, key = waiting.pop()
        value = holder[key]
        if isinstance(value, dict):
            holder[key] = value = dict(value)
            waiting += [(value, name) for name in value]
        elif isinstance(value, list):
            holder[key] = value = list(value)
            waiting += [(value, place) for place in range(len(value))]
        elif isinstance(value, str):
            short = _short(value, holder, key, limit)
            if short is not value:
                holder[key] = short
                cuts += 1
    return top[0], cuts


def _short(text: str, holder: Any, key: Any, limit: int) -> str:
    """The string as it is kept: itself where nothing is to be cut."""
    if isinstance(holder, dict) and key in _BYTES and _says_bytes(holder):
        found = _decoded(text) if _WHOLE.fullmatch(text) else None
        if found is not None:
            return _left_out(_media(holder), found)
    if text.startswith("data:"):
        whole = _address(text)
        if whole is not None:
            return whole
    cut = text
    if "data:" in text or (len(text) >= len(_SHORTEST) and key not in _SEALED and _may_hold_base64(text)):
        cut = _IN_TEXT.sub(_in_text, text)
    return _without_middle(cut, limit) if len(cut) > limit else cut if cut != text else text


def _may_hold_base64(text: str) -> bool:
    """A look that is a hundred times cheaper than the pattern, for most texts have spaces."""
    return _SHORTEST in text.encode("utf-8", "surrogatepass").translate(_IN_LINES)


def _says_bytes(holder: dict[str, Any]) -> bool:
    return holder.get("type") in _SAID_BY_TYPE or any(isinstance(holder.get(name), str) for name in _MEDIA)


def _media(holder: dict[str, Any]) -> str:
    for name in ("media_type", "mime_type", "mimeType"):
        if isinstance(holder.get(name), str):
            return str(holder[name])[:80]
    if isinstance(holder.get("format"), str):  # of sound: wav, mp3
        return f"audio/{holder['format'][:40]}"
    return "image/png" if holder.get("type") == "image_generation_call" else "application/octet-stream"


def _address(text: str) -> str | None:
    """What a data address held, where the whole string is one."""
    found = _ADDRESS.match(text)
    if found is None:
        return None
    rest = text[found.end() :]
    media = found["media"] or "text/plain"
    if not found["parameters"].endswith(";base64"):
        return _left_out(media, unquote_to_bytes(rest)) if not media.startswith("text/") else None
    data = _decoded(rest) if _WHOLE.fullmatch(rest) else None
    return None if data is None else _left_out(media, data)


def _in_text(found: re.Match[str]) -> str:
    """What a run of base64 in a text was; the run itself where it is none."""
    text = found["data"] or found["run"] or found["lines"]
    if not found["data"] and not _looks_like_base64(text):
        return found[0]
    data = _decoded(text)
    if data is None:
        return found[0]
    ending = "\n" if found["lines"] and text.endswith("\n") else ""
    return _left_out(found["media"] or "application/octet-stream", data) + ending


def _looks_like_base64(text: str) -> bool:
    """Base64 of any length has letters of both cases and digits; hexadecimal and rulers do not."""
    tests: tuple[Callable[[str], bool], ...] = (str.isupper, str.islower, str.isdigit)
    start = text[:_RUN]
    return all(any(test(letter) for letter in start) for test in tests)


def _decoded(text: str) -> bytes | None:
    plain = "".join(text.split()).replace("-", "+").replace("_", "/").rstrip("=")
    if not plain or "=" in plain:
        return None
    try:
        return binascii.a2b_base64(plain + "=" * (-len(plain) % 4))
    except binascii.Error:
        return None


def _left_out(media: str, data: bytes) -> str:
    """What stands for bytes: kind, media type, size, and the sha256 of the bytes themselves."""
    kind = media.partition("/")[0]
    kind = kind if kind in ("image", "audio", "video") else "file"
    return f"[left out: {kind} {media}, {len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}]"


def _without_middle(text: str, limit: int) -> str:
    head = _between(text, limit // 2)
    tail = _between(text, len(text) - (limit - limit // 2))
    if tail == head:  # one line more than there may be
        return text
    return f"{text[:head]}\n[left out: {tail - head} characters]\n{text[tail:]}"


def _between(text: str, at: int) -> int:
    """A place at or before `at` that nothing lies across which belongs together: half a key is not known for
    one. The end of a line is such a place, or else of a word, or else of a letter with its marks."""
    near = max(at - _LINE, 0)
    if (newline := text.rfind("\n", near, at)) >= 0:
        return newline + 1
    for place in range(at, near, -1):
        if text[place - 1] in _PARTING:
            return place
    for place in range(at, max(at - 32, 0), -1):
        if not (_goes_on(text[place]) or text[place - 1] == "\u200d"):
            return place
    return at


def _goes_on(letter: str) -> bool:
    return (
        unicodedata.category(letter)[0] == "M"  # marks and variation selectors
        or letter == "\u200d"
        or "\U0001f3fb" <= letter <= "\U0001f3ff"  # skin tones
        or "\udc00" <= letter <= "\udfff"  # the second half of a sign
    )
