"""The YAML header of a SKILL.md, read as text only, and mended where people commonly slip.

Every scalar stays the text that was written (`1.0` is not a number here, `no` not a boolean): the format
knows texts only, and a version must not change by being read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import AliasEvent

from metaclaw_tray.errors import SkillError
from metaclaw_tray.skills.texts import UNPRINTABLE

_SIZE_LIMIT = 16 * 1024  # characters: far above any honest header, and quick to read however it is built
_DEEP = re.compile(r"(?:[\[{]\s*|[-?][ \t]+){32}")  # the parser takes seconds to give up on such a line
_ENTRY = re.compile(r"(?P<key>[A-Za-z_][\w-]*):(?:[ \t]+(?P<value>\S.*))?[ \t]*")
# One line of what most headers consist of: a key, and a text that means itself. Whatever YAML may read in
# another way (an indicator in front, ": ", " #", tabs, breaks of other kinds, escapes) does not match.
_PLAIN_ENTRY = re.compile(
    r"(?P<indent> *)(?P<key>[A-Za-z_][A-Za-z0-9_-]{0,63}):"
    r"(?: +(?:'(?P<single>(?:[^']|'')*)'|\"(?P<double>[^\"\\]*)\""
    r"|(?P<plain>[^ !\"#%&'*,:>?@\[\\\]`{|}-](?:[^ :]|:(?! |$)| (?![ #]|$))*)))? *"
)
_RESTRICTING = re.compile(r"allowed[_-]*tools", re.IGNORECASE)
_INDENT = re.compile(r"^[ \t]+")
_SHOWN = re.compile("[ -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff\n]*")


def parse_frontmatter(header: str, where: str) -> tuple[Mapping[str, object], list[str]]:
    """The header's keys and values, and a sentence for each repair.

    Values are texts, lists and mappings of texts. Raises SkillError naming the line that cannot be mended.
    """
    if len(header) > _SIZE_LIMIT:
        raise _unreadable(ValueError(f"it is larger than {_SIZE_LIMIT // 1024} KiB"), where)
    try:
        return _load(header), []
    except (YAMLError, RecursionError, ValueError) as error:
        shown = UNPRINTABLE.sub(" ", header)
        mended, repairs = _mend(shown)
        if shown != header:
            repairs.append("characters that cannot be shown were read as spaces")
        if not repairs:
            raise _unreadable(error, where) from error
        try:
            return _load(mended), repairs
        except (YAMLError, RecursionError, ValueError) as again:
            raise _unreadable(again, where) from again


def _load(text: str) -> Mapping[str, object]:
    if _DEEP.search(text):
        raise ValueError("it is nested too deeply")
    plain = read_plain(text)
    return read_yaml(text) if plain is None else plain


def read_plain(text: str) -> dict[str, object] | None:
    """What `read_yaml` gives for a header of one-line texts, such as ours, in a fiftieth of the time; None
    where the text is anything but that."""
    if not _SHOWN.fullmatch(text):
        return None
    found: dict[str, object] = {}
    inner: dict[str, object] = {}
    opened, step = "", 0  # the key that a mapping may stand under, and how far in that stands
    for line in text.split("\n"):
        entry = _PLAIN_ENTRY.fullmatch(line)
        if entry is None:
            return None
        indent, key, single, double, plain = entry.groups()
        value = plain or double or (single or "").replace("''", "'")
        if not indent:
            open_ended = single is None and double is None and plain is None
            into, inner, opened, step = found, {}, key if open_ended else "", 0
        elif opened and len(indent) == (step or len(indent)):
            into, step = inner, len(indent)
            found[opened] = inner
        else:
            return None
        if key in into:
            return None
        into[key] = value
    return found


def read_yaml(text: str) -> Mapping[str, object]:
    """A header of any shape, its scalars as they were written. Raises YAMLError, ValueError, RecursionError
    where it is none."""
    # Aliases buy nothing in a header and let a few lines unfold into gigabytes.
    if "*" in text and any(
        isinstance(event, AliasEvent) for event in YAML(typ="base", pure=True).parse(text)
    ):
        raise ValueError("it uses a YAML alias (*name)")
    yaml = YAML(typ="base", pure=True)
    yaml.composer.warn_double_anchors = False  # two anchors of one name hurt nobody where none is referred to
    found = yaml.load(text)
    if found is None or found == "":
        return {}
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        raise ValueError("it is not a list of “key: value” lines")
    return found


def _mend(header: str) -> tuple[str, list[str]]:
    """Quote the values that YAML cannot read by themselves, and leave the last of several that share a key;
    every other line stays as it is."""
    entries: list[list[str]] = []
    for line in header.split("\n"):
        if entries and (not line.strip() or line[0] in " \t-#"):
            entries[-1].append(line)
        else:
            entries.append([line])
    entries, repairs = _last_of_each(entries)
    mended: list[str] = []
    for entry in entries:
        lines, repaired = _mend_entry(entry)
        mended += lines
        repairs += repaired
    return "\n".join(mended), repairs


def _last_of_each(entries: list[list[str]]) -> tuple[list[list[str]], list[str]]:
    """Of two entries with one key the last, as most programs read it; but never one restriction of tools
    instead of another: that header stays unreadable."""
    keys = [match["key"] if (match := _ENTRY.fullmatch(entry[0])) else None for entry in entries]
    kept, repairs = [], []
    for place, (key, entry) in enumerate(zip(keys, entries, strict=True)):
        if key is None or key not in keys[place + 1 :] or _RESTRICTING.fullmatch(key):
            kept.append(entry)
        else:
            repairs.append(f"“{key}” stands there more than once; the last one counts")
    return kept, repairs


def _mend_entry(entry: list[str]) -> tuple[list[str], list[str]]:
    spaced = [_INDENT.sub(lambda found: found[0].replace("\t", "  "), line) for line in entry]
    for tried in (entry, spaced):
        try:
            _load("\n".join(tried))
        except (YAMLError, RecursionError, ValueError):
            continue
        return tried, [] if tried is entry else ["tabs before a line were read as spaces"]
    entry = spaced
    match = _ENTRY.fullmatch(entry[0])
    if not match:
        return entry, []
    if match["value"] is None:  # a mapping: mend the lines below it, one step further in
        inner = [line for line in entry[1:] if line.strip()]
        step = min((len(line) - len(line.lstrip(" ")) for line in inner), default=0)
        if step == 0:
            return entry, []
        lines, repairs = _mend("\n".join(line[step:] for line in inner))
        return [entry[0], *(" " * step + line for line in lines.split("\n"))], repairs
    if match["value"][0] in "|>":  # a block: joining its lines would change the text
        return entry, []
    value = " ".join(line.strip() for line in (match["value"], *entry[1:]) if line.strip())
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        value = value[1:-1]
    return [f"{match['key']}: {json.dumps(value, ensure_ascii=False)}"], [
        f"“{match['key']}” had to be put in quotes to be read"
    ]


def _unreadable(error: Exception, where: str) -> SkillError:
    at = ""
    said = str(error)
    if isinstance(error, MarkedYAMLError):
        said = error.problem or "it is not YAML"
        if error.problem_mark is not None:
            at = f" line {error.problem_mark.line + 2},"  # the header begins below the first line
    elif isinstance(error, RecursionError):
        said = "it is nested too deeply"
    elif isinstance(error, YAMLError):
        said = said.split("\n", 1)[0]
    return SkillError(
        "Cannot read the skill",
        f"{where}:{at} the header cannot be read: {said}.",
        "Put values that hold a colon, a quote or a bracket in double quotes.",
    )
