"""The starter set that comes with the program, in `resources/skills`.

Nothing of it is live until the person says so: it is offered as skills that are disabled, of the source
`builtin`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from metaclaw_tray.errors import SkillError
from metaclaw_tray.paths import resources_dir
from metaclaw_tray.skills.markdown import read_skill
from metaclaw_tray.skills.reading import read_plainly

_FILE = "SKILL.md"
_SIZE_LIMIT = 16 * 1024  # bytes


@dataclass(frozen=True)
class BuiltinSkill:
    """One skill of the starter set."""

    name: str
    description: str
    triggers: tuple[str, ...]
    text: str  # the whole SKILL.md
    digest: str  # sha256 of the text's UTF-8 bytes, in hex, as the store has it


def builtin_skills(folder: Path | None = None) -> list[BuiltinSkill]:
    """The starter set by name, from the installed package or the source tree; blocking.

    Raises SkillError where the installation lacks it or something in it was changed into no skill.
    """
    folder = folder or resources_dir() / "skills"
    found = []
    try:
        for place in sorted(path for path in folder.iterdir() if path.is_dir()):
            data = read_plainly(place / _FILE, _SIZE_LIMIT)
            skill = read_skill(data, f"{place.name}/{_FILE}", place.name)
            digest = hashlib.sha256(data).hexdigest()
            found.append(
                BuiltinSkill(skill.name, skill.description, skill.triggers, data.decode("utf-8"), digest)
            )
    except (OSError, ValueError) as error:
        raise SkillError(
            "The built-in skills cannot be read", f"{folder}: {error}.", "Install the program again."
        ) from error
    return found
