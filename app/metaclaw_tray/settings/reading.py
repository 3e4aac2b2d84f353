"""From a file to settings, or to a sentence that says where it is wrong and what was probably meant."""

from __future__ import annotations

import difflib
import re
import stat
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from metaclaw_tray.errors import SettingsError, UsageError
from metaclaw_tray.files import in_words
from metaclaw_tray.settings.model import EMBEDDED, Agent, Settings, Upstream

SIZE_LIMIT = 1024 * 1024  # bytes; more than anybody writes by hand
_STATEMENT_LINES = 200  # a value that spans more lines is reported without its line

_TITLE = "The settings cannot be used"
_REMEDY = "Mend the file, then see `metaclaw-tray config check`. It was left as it is."

_USER_INFO = re.compile(r"(//)[^/?#]*@")

_WORDS = {
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "string_type": "must be text in quotes",
    "bool_type": "must be true or false",
    "list_type": "must be a list in square brackets",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "finite_number": "must be a finite number",
    "too_short": "must not be empty",
    "string_pattern_mismatch": "must be 1 to 41 of a-z, 0-9, - and _, beginning with a letter or digit",
}


@dataclass(frozen=True)
class SettingLine:
    """One setting as it stands, for listings and for the documentation."""

    key: str
    value: Any
    default: Any
    meaning: str
    field: FieldInfo = dataclass_field(repr=False, compare=False)


def load_settings(path: Path) -> Settings:
    """The settings in `path`; the defaults if there is no such file. Raises SettingsError on any fault."""
    return parse_settings(read_text(path), path)


def read_text(path: Path) -> str:
    """The file's text, "" if there is none. Raises SettingsError if it cannot be read as UTF-8 text."""
    try:
        if not stat.S_ISREG(path.stat().st_mode) and not path.is_dir():  # a pipe would never end
            raise SettingsError(
                "The settings cannot be read", f"{path} is a pipe or a device, not a file.", "Move it away."
            )
        with path.open("rb") as file:
            data = file.read(SIZE_LIMIT + 1)
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise SettingsError(
            "The settings cannot be read",
            f"{path}: {in_words(error)}.",
            "Make the file readable for this user.",
        ) from error
    if len(data) > SIZE_LIMIT:
        raise SettingsError(_TITLE, f"{path} is larger than {SIZE_LIMIT} bytes.", _REMEDY)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise SettingsError(_TITLE, f"{path}, line 1: the file is UTF-16.", "Save it as UTF-8.")
    if data.startswith(b"\xef\xbb\xbf"):
        raise SettingsError(
            _TITLE,
            f"{path}, line 1: the file begins with a byte order mark, which TOML forbids.",
            "Save it as UTF-8 without BOM.",
        )
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SettingsError(
            _TITLE, f"{path}, line {line}: byte {data[error.start]:#04x} is not UTF-8.", "Save it as UTF-8."
        ) from error


def parse_settings(text: str, path: Path) -> Settings:
    """The settings in a text that comes from, or goes to, `path`. Raises SettingsError with every fault."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"\(at line (\d+), column (\d+)\)$", str(error))
        line = f", line {found[1]}" if found else ", at its end"
        reason = re.sub(r" \(at .*\)$", "", str(error))
        raise SettingsError(_TITLE, f"{path}{line}: this is not TOML: {reason}.", _REMEDY) from error
    except RecursionError as error:
        raise SettingsError(_TITLE, f"{path}: values are nested too deeply.", _REMEDY) from error
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        faults = [_fault(detail, values) for detail in error.errors(include_url=False)]
    raise SettingsError(_TITLE, "\n".join(_placed(fault, text, path) for fault in faults), _REMEDY)


def checked_upstream(name: str, values: dict[str, Any], among: Settings | None = None) -> Upstream:
    """An upstream from what a person gave for it, to stand `among` the others. Raises UsageError with every
    fault."""
    whole = (among or Settings()).model_dump(exclude_defaults=True)
    whole["upstreams"] = {**whole.get("upstreams", {}), name: values}
    try:
        return Settings.model_validate(whole).upstreams[name]
    except ValidationError as error:
        faults = [_fault(detail, whole).sentence for detail in error.errors(include_url=False)]
    raise UsageError("This cannot be an upstream", "\n".join(faults), "")


def checked_agent(name: str, values: dict[str, Any]) -> Agent:
    """An agent likewise."""
    try:
        return Settings.model_validate({"agents": {name: values}}).agents[name]
    except ValidationError as error:
        faults = [_fault(detail, {}).sentence for detail in error.errors(include_url=False)]
    raise UsageError("This cannot be an agent", "\n".join(faults), "")


def list_settings(settings: Settings) -> list[SettingLine]:
    """Each setting with its value, upstreams and agents included."""
    return list(_lines(settings, ()))


def changed_keys(before: Settings, after: Settings) -> dict[str, tuple[Any, Any]]:
    """Each key whose value differs, with both; None where the key itself is not there. Of an upstream or
    a calendar that comes or goes, what stands at its default is left out."""
    old, new = ({line.key: line for line in list_settings(each)} for each in (before, after))
    found = {}
    for key in sorted(old.keys() | new.keys()):
        was, now = old.get(key), new.get(key)
        only = now if was is None else was if now is None else None
        if only is not None and key.startswith(("upstreams.", "calendars.")) and only.value == only.default:
            continue
        values = was and was.value, now and now.value
        if values[0] != values[1] or only is not None:
            found[key] = values
    return found


def value_text(value: Any) -> str:
    """A value in a sentence for a person."""
    match value:
        case None | "" | []:
            return "not set"
        case bool():
            return "yes" if value else "no"
        case list() | tuple():
            return ",".join(map(str, value))
        case dict():
            return ",".join(f"{name}={item}" for name, item in value.items()) or "not set"
        case float():
            return f"{value:g}"
        case _:
            return str(value)


def key_names(settings: Settings) -> list[str]:
    """Each key that can be read or set now, dotted."""
    return [line.key for line in list_settings(settings)]


def near_key(key: str, settings: Settings) -> str:
    """A hint at the setting that was probably meant, also where only its last part was given."""
    names = key_names(settings)
    by_last = {name.rsplit(".", 1)[-1]: name for name in reversed(names)}
    close = difflib.get_close_matches(key, by_last, n=1, cutoff=0.7)
    return near_miss(key, names) or (f" Did you mean {by_last[close[0]]}?" if close else "")


def near_miss(word: str, choices: Sequence[str]) -> str:
    """A hint at what was probably meant, with a leading space, or nothing."""
    close = difflib.get_close_matches(word, choices, n=1, cutoff=0.6)
    return f" Did you mean {close[0]}?" if close else ""


@dataclass(frozen=True)
class _Fault:
    key: tuple[str, ...]
    sentence: str


def _placed(fault: _Fault, text: str, path: Path) -> str:
    line = _line_of(fault.key, text)
    return f"{path}{f', line {line}' if line else ''}: {fault.sentence}"


def _fault(detail: ErrorDetails, values: dict[str, Any]) -> _Fault:
    # An index into a list, or pydantic's mark for a dictionary's key, is no part of a setting's name.
    key = tuple(str(part) for part in detail["loc"] if not isinstance(part, int) and part != "[key]")
    name, kind = ".".join(key), detail["type"]
    if kind == "reserved_upstream":
        return _Fault(("upstreams", EMBEDDED), f"{detail['msg']}; give this one another name.")
    if kind == "unknown_upstream":
        name, wanted = detail["ctx"]["key"], detail["ctx"]["name"]
        known = [key for key in values.get("upstreams") or {} if not name.startswith(f"upstreams.{key}.")]
        hint = near_miss(wanted, known) or (
            f" There are: {', '.join(sorted(known))}." if known else " There is none yet."
        )
        if wanted == EMBEDDED:
            hint = " Set embedded.model first: `metaclaw-tray model list` shows the choice."
        return _Fault(
            tuple(name.split(".")), f"{name} names the upstream {wanted!r}, which is not there.{hint}"
        )
    if kind == "fallback":
        name = detail["ctx"]["key"]
        return _Fault(tuple(name.split(".")), f"{name} {detail['msg']}.")
    if kind == "extra_forbidden":
        return _Fault(key, f"there is no setting {name}.{_did_you_mean(key)}")
    if kind == "missing":
        return _Fault(key[:-1], f"{name} is missing.")
    given = detail["input"]
    if kind == "literal_error":
        choices = re.findall(r"'([^']*)'", detail["msg"])
        shown = ", ".join(choice or '""' for choice in choices)
        return _Fault(key, f"{name} must be one of {shown}, not {given!r}.{near_miss(str(given), choices)}")
    words = _WORDS.get(kind) or detail["msg"].replace("Input should be", "must be").replace(
        "Value error, ", ""
    )
    shown = repr(given) if isinstance(given, str | int | float) else f"a {_toml_name(given)}"
    shown = _USER_INFO.sub(r"\1***@", shown)  # a password is not said again
    return _Fault(key, f"{name} {words}, not {shown}.")


def _toml_name(value: Any) -> str:
    return {"dict": "table", "list": "list"}.get(type(value).__name__, type(value).__name__)


def _did_you_mean(key: tuple[str, ...]) -> str:
    """The nearest setting: first among those of the same section, then anywhere."""
    section = _section(key[:-1])
    siblings = list(section.model_fields) if section else []
    prefix = ".".join(key[:-1])
    if hint := near_miss(key[-1], siblings):
        return hint.replace("mean ", f"mean {prefix}.") if prefix else hint
    return near_key(key[-1], Settings())


def _section(parts: Sequence[str]) -> type[BaseModel] | None:
    """The section at a dotted place; after `upstreams` and `agents` it is the same for any name."""
    annotation: Any = Settings
    for part in parts:
        if get_origin(annotation) is dict:
            annotation = get_args(annotation)[1]
        elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
            field = annotation.model_fields.get(part)
            annotation = field.annotation if field else None
    return annotation if isinstance(annotation, type) and issubclass(annotation, BaseModel) else None


def is_map(annotation: Any) -> bool:
    """Whether a setting is one table from text to text, and not a table of settings."""
    if get_origin(annotation) is not dict:
        return False
    kind = get_args(annotation)[1]
    return get_origin(kind) is Annotated and get_args(kind)[0] is str


def _lines(section: BaseModel, above: tuple[str, ...]) -> Iterator[SettingLine]:
    for name, field in type(section).model_fields.items():
        value = getattr(section, name)
        if isinstance(value, BaseModel):
            yield from _lines(value, (*above, name))
        elif isinstance(value, dict) and not is_map(field.annotation):
            for key, item in value.items():
                yield from _lines(item, (*above, name, key))
        else:
            default = None if field.is_required() else field.get_default(call_default_factory=True)
            yield SettingLine(".".join((*above, name)), value, default, field.description or "", field)


def _line_of(key: tuple[str, ...], text: str) -> int | None:
    """The line on which the statement begins that first gives `key` a value; tomllib does not tell.

    A statement is complete where the text up to its last line parses, so lists over several lines come right.
    """
    if not key:
        return None
    lines = text.splitlines(keepends=True)
    for start, line in enumerate(lines):
        if key[-1] not in line:
            continue
        for end in range(start + 1, min(start + 1 + _STATEMENT_LINES, len(lines) + 1)):
            try:
                values = tomllib.loads("".join(lines[:end]))
            except tomllib.TOMLDecodeError:
                continue
            if _holds(values, key):
                return start + 1
            break
    return None


def _holds(values: Any, key: tuple[str, ...]) -> bool:
    for part in key:
        if not isinstance(values, dict) or part not in values:
            return False
        values = values[part]
    return True
