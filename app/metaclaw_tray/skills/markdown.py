"""SKILL.md: lenient in, strict out.

The format is that of the Agent Skills specification (https://agentskills.io/specification): YAML between two
lines of `---`, then Markdown. Reading takes what people and programs really write, mends what it can and says
so in `warnings`. Writing gives only what the specification allows. Provenance (source, trust, version,
generation, learnt-from) and trigger phrases live under `metadata`, as text.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from io import StringIO

from ruamel.yaml import YAML

from metaclaw_tray.errors import SkillError
from metaclaw_tray.skills.frontmatter import parse_frontmatter
from metaclaw_tray.skills.reading import SKILL_BYTES, too_large
from metaclaw_tray.skills.texts import UNPRINTABLE, cut, first_paragraph, flat, printable, trim

NAME_LIMIT = 64  # characters
DESCRIPTION_LIMIT = 1024  # characters
COMPATIBILITY_LIMIT = 500  # characters

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_KNOWN = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
_RESTRICTION = re.compile(r"^\W*allowed[\s_-]*tools\W*:", re.IGNORECASE | re.MULTILINE)
_BEFORE = "\ufeff\u200b\n\t "  # may stand before a header
_NOTHING: Mapping[str, object] = {}
_KEY_LIMIT = 64  # characters of a key under metadata
_REST = "Description, continued: …"


@dataclass(frozen=True)
class Skill:
    """One SKILL.md as values.

    `allowed_tools` is None where the file does not restrict tools; an empty text restricts to none.
    `extra` holds top-level keys that the specification does not know.
    """

    name: str
    description: str
    body: str
    license: str = ""
    compatibility: str = ""
    allowed_tools: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    extra: Mapping[str, object] = field(default_factory=dict)
    warnings: tuple[str, ...] = field(default=(), compare=False)

    @property
    def triggers(self) -> tuple[str, ...]:
        """Phrases by which this skill is found, in the person's languages."""
        phrases = self.metadata.get("triggers", "").split(";")
        return tuple(phrase.strip() for phrase in phrases if phrase.strip())

    def with_metadata(self, **values: str) -> Skill:
        """The same skill with these entries of metadata set; `learnt_from` is written `learnt-from`."""
        named = {key.replace("_", "-"): value for key, value in values.items()}
        return replace(self, metadata={**self.metadata, **named})


def read_skill(source: bytes | str, where: str, folder: str = "", *, headless: bool = False) -> Skill:
    """Read a SKILL.md; `where` names it in errors, `folder` is the name of the folder it lies in.

    With `headless`, a text without a header is a body; not so where it seems to restrict tools.

    Raises SkillError where it is not UTF-8, has no header, a header that cannot be mended, or nothing that
    says what the skill is for.
    """
    text = _decode(source, where)
    if headless and _is_headless(text):
        header, body = "", trim(text)
        fields, warnings = _NOTHING, ["without a header"]
    else:
        header, body = _split(text, where)
        fields, warnings = parse_frontmatter(header, where)
    if warnings and _RESTRICTION.search(header) and not any(_meant(key) == "allowed-tools" for key in fields):
        raise _broken(
            where,
            "its header had to be mended, and a line of “allowed-tools” in it would be lost.",
            "Begin that line at the margin, and put values that hold a colon in double quotes.",
        )
    known, extra = _known(fields, where, warnings)
    name = _text(known, "name", warnings) or folder
    if not name:
        raise _broken(where, "the skill has no name.", "Add a line such as “name: iso-dates”.")
    if "name" not in known:
        warnings.append("without a name; named after its folder")
    elif folder and name != folder:
        warnings.append(f"named “{name}” in a folder named “{folder}”")
    description = _text(known, "description", warnings)
    if not description:
        description = first_paragraph(body)
        if not description:
            raise _broken(where, "there is no description and no text.", "Say what the skill is for.")
        warnings.append("without a description; its first paragraph stands in")
    if UNPRINTABLE.search(body):
        warnings.append("characters that cannot be shown become spaces")
    return Skill(
        name=name,
        description=description,
        body=body,
        license=_text(known, "license", warnings),
        compatibility=_text(known, "compatibility", warnings),
        allowed_tools=_tools(known, where),
        metadata=_metadata(known.get("metadata", ""), warnings),
        extra=extra,
        warnings=tuple(warnings),
    )


def write_skill(skill: Skill) -> str:
    """The skill as a SKILL.md that the specification allows.

    Raises SkillError where it does not allow the skill; see `conform`.
    """
    wrong = problems(skill)
    if wrong:
        raise SkillError(
            "The skill cannot be written", f"“{skill.name}”: {'; '.join(wrong)}.", "Correct it and try again."
        )
    header = {"name": skill.name, "description": skill.description}
    for key, value in (("license", skill.license), ("compatibility", skill.compatibility)):
        if value:
            header[key] = value
    if skill.allowed_tools is not None:
        header["allowed-tools"] = skill.allowed_tools
    lines = "".join(_entry(key, value) for key, value in header.items())
    if skill.metadata:
        lines += "metadata:\n"
        lines += "".join(_entry(key, skill.metadata[key], "  ") for key in sorted(skill.metadata))
    return f"---\n{lines}---\n\n{skill.body}\n"


def _entry(key: str, value: str, indent: str = "") -> str:
    """One entry of the header, as a line or lines."""
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = False
    yaml.allow_unicode = True
    yaml.width = 1_000_000  # one line per value
    out = StringIO()
    yaml.dump({"metadata": {key: value}} if indent else {key: value}, out)
    text = out.getvalue().removeprefix("metadata:\n") if indent else out.getvalue()
    if "---" in text:  # readers, the reference validator among them, take it for the end of the header
        quoted = (json.dumps(part, ensure_ascii=False).replace("--", "-\\x2d") for part in (key, value))
        text = f"{indent}{': '.join(quoted)}\n"
    return text


def problems(skill: Skill) -> list[str]:
    """What keeps this skill from being written strictly, each a few words; empty where nothing does."""
    found = []
    if not is_name(skill.name):
        found.append(f"a name is at most {NAME_LIMIT} of a-z, 0-9 and single hyphens inside")
    if not 1 <= len(skill.description.strip()) <= len(skill.description) <= DESCRIPTION_LIMIT:
        found.append(f"a description has 1 to {DESCRIPTION_LIMIT} characters")
    if len(skill.compatibility) > COMPATIBILITY_LIMIT:
        found.append(f"“compatibility” has at most {COMPATIBILITY_LIMIT} characters")
    if skill.extra:
        found.append(f"unknown keys: {', '.join(skill.extra)}")
    if skill.body != trim(skill.body):
        found.append("the body begins or ends with blank lines")
    texts = (skill.name, skill.description, skill.license, skill.compatibility, skill.allowed_tools or "")
    if any(
        UNPRINTABLE.search(text) for text in (*texts, skill.body, *skill.metadata, *skill.metadata.values())
    ):
        found.append("characters that cannot be shown")
    if any(not key.strip() or "\n" in key for key in skill.metadata):
        found.append("a key of metadata is one line of text")
    return found


def conform(skill: Skill) -> Skill:
    """The nearest skill that can be written strictly; what had to change is added to `warnings`.

    Nothing is lost but characters that cannot be shown: the name that was, unknown keys and what was too long
    for its place are kept under metadata, the end of a long description in the body.
    """
    warnings = list(skill.warnings)
    metadata: dict[str, str] = {}
    for key, value in skill.metadata.items():
        _keep(metadata, key, value)
    for key, entry in skill.extra.items():
        _keep(metadata, key, _phrases(entry) if key == "triggers" else flat(entry))
        warnings.append(f"“{key}” moved into metadata")
    name, body = _nearest_name(skill.name), trim(printable(skill.body))
    if name != skill.name:
        warnings.append(f"renamed from “{skill.name}” to “{name}”")
        _keep(metadata, "original-name", skill.name)
    description = printable(skill.description).strip() or first_paragraph(body) or f"The skill {name}."
    if len(description) > DESCRIPTION_LIMIT:
        description, rest = cut(description, DESCRIPTION_LIMIT - 1)
        description += "…"
        body = trim(f"{body}\n\n{_REST}{rest}")
        warnings.append(f"description cut to {DESCRIPTION_LIMIT} characters; the rest stands in the body")
    compatibility = printable(skill.compatibility)
    if len(compatibility) > COMPATIBILITY_LIMIT:
        _keep(metadata, "compatibility", compatibility)
        compatibility = cut(compatibility, COMPATIBILITY_LIMIT - 1)[0] + "…"
        warnings.append("“compatibility” cut; it stands whole under metadata")
    tools = skill.allowed_tools
    return replace(
        skill,
        name=name,
        description=description,
        body=body,
        license=printable(skill.license),
        compatibility=compatibility,
        allowed_tools=None if tools is None else printable(tools),
        metadata=metadata,
        extra={},
        warnings=tuple(warnings),
    )


def _keep(metadata: dict[str, str], key: str, value: str) -> None:
    """Put a text under metadata, beside whatever has its key already."""
    wanted = cut(" ".join(printable(key).split()), _KEY_LIMIT)[0] or "unnamed"
    kept, free, number = printable(value), wanted, 2
    while metadata.get(free, kept) != kept:
        free, number = f"{wanted}-{number}", number + 1
    metadata[free] = kept


def _nearest_name(name: str) -> str:
    """`slug`, or a name of numbers for one that has no letter to go by."""
    try:
        return name if is_name(name) else slug(name)
    except SkillError:
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
        return f"skill-{digest[:8]}"


def is_name(name: str) -> bool:
    """True if the specification allows this name, and with it a folder of this name."""
    return len(name) <= NAME_LIMIT and _NAME.fullmatch(name) is not None


def slug(name: str) -> str:
    """The nearest name the specification allows. Raises SkillError where no letter or digit is left."""
    letters = "".join(
        letter if not unicodedata.combining(letter) else ""
        for letter in unicodedata.normalize("NFKD", name.casefold())
    )
    found = re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:NAME_LIMIT].rstrip("-")
    if not found:
        raise SkillError(
            "The skill has no usable name",
            f"Nothing of “{name}” is a letter a-z or a digit.",
            "Name it with letters a-z, digits and hyphens.",
        )
    return found


def _bytes_of(source: bytes | str) -> int:
    return len(source) if isinstance(source, bytes) else len(source.encode("utf-8", "surrogatepass"))


def _decode(source: bytes | str, where: str) -> str:
    if len(source) > SKILL_BYTES or _bytes_of(source) > SKILL_BYTES:
        raise _broken(where, f"{too_large('it')}.", "Keep to what a model must do.")
    try:
        text = source if isinstance(source, str) else source.decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise _broken(where, f"line {line} is not UTF-8.", "Save the file as UTF-8.") from error
    return text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _is_headless(text: str) -> bool:
    return not text.lstrip(_BEFORE).startswith("---") and not _RESTRICTION.search(text)


def _split(text: str, where: str) -> tuple[str, str]:
    lines = text.lstrip(_BEFORE).split("\n")
    if lines[0].rstrip() != "---":
        raise _broken(
            where, "it does not begin with a header.", "Begin with “---”, a name, a description, “---”."
        )
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == "---":
            return "\n".join(lines[1:number]), trim("\n".join(lines[number + 1 :]))
    raise _broken(where, "its header has no end.", "Close the header with a line of “---”.")


def _known(
    fields: Mapping[str, object], where: str, warnings: list[str]
) -> tuple[dict[str, object], dict[str, object]]:
    """The keys of the specification, under their right names, and all others."""
    known: dict[str, object] = {}
    extra: dict[str, object] = {}
    for key, value in fields.items():
        meant = _meant(key)
        if meant not in _KNOWN:
            extra[key] = value
            warnings.append(f"“{key}” is no part of the Agent Skills format")
        elif meant in known:
            raise _broken(where, f"“{meant}” stands there twice, as “{key}” too.", "Keep one of them.")
        else:
            known[meant] = value
            if meant != key:
                warnings.append(f"“{key}” read as “{meant}”")
    return known, extra


def _meant(key: str) -> str:
    """The key of the specification that this one stands for: `Allowed_Tools` must not lose a restriction."""
    plain = re.sub(r"[\s_-]", "", key).casefold()
    return "allowed-tools" if plain == "allowedtools" else plain if plain in _KNOWN else key


def _text(known: Mapping[str, object], key: str, warnings: list[str]) -> str:
    value = known.get(key, "")
    if not isinstance(value, str):
        warnings.append(f"“{key}” is not a text; kept as JSON")
    return flat(value).strip()


def _tools(known: Mapping[str, object], where: str) -> str | None:
    """A restriction is kept as it stands, or the file is refused: never read as no restriction."""
    if "allowed-tools" not in known:
        return None
    value = known["allowed-tools"]
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return " ".join(item.strip() for item in value)
    if not isinstance(value, str):
        raise _broken(where, "“allowed-tools” is not a list of names.", "Write “allowed-tools: Read Grep”.")
    return value.strip()


def _metadata(value: object, warnings: list[str]) -> dict[str, str]:
    if not value:
        return {}
    if not isinstance(value, dict):
        warnings.append("“metadata” is not a list of keys and texts; kept under the key “metadata”")
        return {"metadata": flat(value)}
    found = {}
    for key, entry in value.items():
        text = _phrases(entry) if key == "triggers" else flat(entry)
        if text is not entry:
            warnings.append(f"“metadata.{key}” is not a text; kept as one")
        found[str(key)] = text
    return found


def _phrases(value: object) -> str:
    """Trigger phrases as we write them, also from a list."""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "; ".join(item.strip() for item in value)
    return flat(value)


def _broken(where: str, detail: str, remedy: str) -> SkillError:
    return SkillError("Cannot read the skill", f"{where}: {detail}", remedy)
