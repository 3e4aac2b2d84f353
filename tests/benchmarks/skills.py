"""The benchmark's library of skills: one that the conversations may ask for, and any number of others."""

from __future__ import annotations

from metaclaw_tray.store.library import SkillText

TOPIC = "timestamps of calendar meetings"
"""What the person asks about where a skill shall be injected."""

_WANTED = SkillText(
    "timestamps-of-meetings",
    f"How to write timestamps of calendar meetings. Use when the person asks about {TOPIC}.",
    "Write every date and time as ISO 8601 with its offset, such as 2026-03-01T09:30:00+01:00. Name the time "
    "zone of the person where it differs from that of the meeting. Never write a bare time of day.",
)
_THINGS = (
    "invoice",
    "recipe",
    "query",
    "letter",
    "backup",
    "playlist",
    "itinerary",
    "ledger",
    "poster",
    "form",
)
_DEEDS = ("sort", "shorten", "translate", "check", "merge", "rename", "archive", "plot", "sign", "quote")
_MANNERS = ("by supplier", "for print", "in a hurry", "without tables", "with footnotes", "in two columns")


def skill_texts(count: int) -> list[SkillText]:
    """So many skills, each a whole SKILL.md; the wanted one is the first."""
    return [_written(_WANTED), *(_written(_other(number)) for number in range(1, count))]


def _other(number: int) -> SkillText:
    thing, deed = _THINGS[number % 10], _DEEDS[number // 10 % 10]
    manner = _MANNERS[number // 100 % len(_MANNERS)]
    label = f"{_syllables(number)}"
    return SkillText(
        f"{deed}-{thing}-{number}",
        f"How to {deed} a {label} {thing} {manner}. Use when a {thing} of kind {label} comes up.",
        f"Open the {thing} first and {deed} it {manner}. Keep the {label} part as it is, and say what you "
        f"left out. Where two of them disagree, ask before you {deed} either.",
    )


def _syllables(number: int) -> str:
    """A made-up word for a number, so that skills differ in the words by which they are found."""
    word = ""
    for _ in range(4):
        number, place = divmod(number, 15)
        word += ("ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu")[
            place
        ]
    return word


def _written(skill: SkillText) -> SkillText:
    text = f"---\nname: {skill.name}\ndescription: {skill.description}\n---\n\n{skill.text}\n"
    return SkillText(skill.name, skill.description, text)
