"""Skills that say much the same are found, and become one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any

import pytest

from learning.stand_in import StandIn
from metaclaw_tray.learning.duplicates import Duplicates, find_alike
from metaclaw_tray.learning.merging import Merged, merge
from metaclaw_tray.learning.note import Written
from metaclaw_tray.skills.builtin import builtin_skills
from metaclaw_tray.skills.markdown import read_skill
from metaclaw_tray.skills.review import check_learnt_text
from metaclaw_tray.store.library import digest_of
from metaclaw_tray.store.tables_library import SkillVersion

NOW = datetime(2026, 3, 3, tzinfo=UTC)


def skill(name: str, description: str, triggers: str, body: str, days: int = 0) -> SkillVersion:
    text = (
        f"---\nname: {name}\ndescription: {description}\nmetadata:\n  triggers: {triggers}\n---\n\n{body}\n"
    )
    return SkillVersion(
        name=name,
        version=1,
        text=text,
        digest=digest_of(text),
        description=description,
        at=NOW + timedelta(days=days),
    )


TIMES = skill(
    "iso-times",
    "Times as ISO 8601. Use when a time or a date is written.",
    "what time; deadline; date",
    "# Times as ISO 8601\n\nWrite every time and date as ISO 8601, with the zone.\n"
    "Example: not “Friday at 5” but “2026-03-06T17:00+01:00”",
)
DATES = skill(
    "dates-with-zone",
    "Dates in ISO 8601. Use when a date or a time is given.",
    "date; when is; time zone",
    "# Dates in ISO 8601\n\nWrite each date and time as ISO 8601 with the zone of the person.\n"
    "Example: not “Friday at 5” but “2026-03-06T17:00+01:00”",
    days=1,
)
SPANS = skill(
    "times-from-now",
    "Times as ISO 8601. Use when a deadline or a time is given.",
    "how long; deadline",
    "# Times as ISO 8601\n\nWrite every time as ISO 8601, and add how many hours remain until then.",
    days=1,
)
MAILS = skill(
    "polite-mail",
    "Closing a letter. Use when a mail or a letter is written.",
    "mail; letter",
    "# Closing a letter\n\nClose every letter and mail with kind regards and the name of the person.",
)


def test_two_that_say_much_the_same_are_found_and_the_older_stays() -> None:
    (found,) = find_alike([DATES, MAILS, TIMES], {})
    assert (found.keep.name, found.other.name) == ("iso-times", "dates-with-zone")
    assert 0.6 <= found.words <= 1


def test_the_trusted_one_stays_though_it_is_younger() -> None:
    (found,) = find_alike([TIMES, DATES], {"dates-with-zone": "trusted", "iso-times": "reviewed"})
    assert found.keep.name == "dates-with-zone"


def test_no_two_of_the_starter_set_are_taken_for_one() -> None:
    versions = [
        SkillVersion(
            name=each.name,
            version=1,
            text=each.text,
            digest=each.digest,
            description=each.description,
            at=NOW,
        )
        for each in builtin_skills()
    ]
    assert find_alike(versions, {}) == []
    # Nor would it help an embedder that took any two for near.
    everything = {(one.name, other.name): 0.43 for one, other in combinations(versions, 2)}
    assert find_alike(versions, {}, everything) == []


def test_what_means_the_same_needs_fewer_words_in_common() -> None:
    other = skill(
        "zoned-clock",
        "Clock readings. Use when somebody asks for the hour.",
        "hour; clock",
        "# Clock readings\n\nGive every time as ISO 8601 with the zone, and say it in words behind that.",
    )
    assert find_alike([TIMES, other], {}) == []
    (found,) = find_alike([TIMES, other], {}, {("iso-times", "zoned-clock"): 0.36})
    assert found.meaning == 0.36
    assert find_alike([TIMES, other], {}, {("iso-times", "zoned-clock"): 0.3}) == []


def test_the_same_in_another_language_needs_no_word_in_common() -> None:
    dutch = skill(
        "tijden",
        "Tijden opschrijven. Gebruik dit als een datum wordt genoemd.",
        "hoe laat; wanneer",
        "# Tijden\n\nSchrijf elke datum volgens de internationale norm, met de tijdzone.",
    )
    assert find_alike([TIMES, dutch], {}) == []
    (found,) = find_alike([TIMES, dutch], {}, {("iso-times", "tijden"): 0.46})
    assert found.words < 0.3


def test_a_long_skill_that_has_all_words_of_a_short_one_is_another() -> None:
    handbook = skill(
        "handbook",
        "How the house works. Use when somebody is new here.",
        "new here; first day",
        "\n\n".join(read_skill(each.text, each.name).body for each in (TIMES, MAILS)) + "\n\nBring cake.",
    )
    assert find_alike([TIMES, MAILS, handbook], {}) == []


def many(count: int) -> list[SkillVersion]:
    return [
        skill(f"skill-{number}", f"About a{number}.", f"a{number}", f"Use b{number % 50} for c{number}.")
        for number in range(count)
    ]


def looked(looking: Duplicates, versions: list[SkillVersion]) -> tuple[list[str], list[str]]:
    """What was told on the way, and the names of what was found alike."""
    told, steps = [], looking.steps(versions, {})
    while True:
        try:
            told.append(next(steps))
        except StopIteration as done:
            return told, [each.other.name for each in done.value]


def test_a_large_library_is_not_compared_pair_by_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0
    real = Duplicates._compared

    def count(*given: Any) -> Any:
        nonlocal compared
        compared += 1
        return real(*given)

    monkeypatch.setattr(Duplicates, "_compared", count)
    assert looked(Duplicates(), [*many(600), TIMES, DATES])[1] == ["dates-with-zone"]
    assert compared < 5_000  # of 180,000 pairs


def test_only_what_changed_is_read_again_and_nothing_is_looked_at_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[str] = []
    real = Duplicates._terms_of

    def count(self: Duplicates, version: SkillVersion) -> Any:
        read.append(version.name)
        return real(self, version)

    monkeypatch.setattr(Duplicates, "_terms_of", count)
    looking, library = Duplicates(), [*many(20), TIMES]
    assert looked(looking, library)[1] == []
    assert len(read) == 21
    assert looked(looking, library) == ([], [])
    assert looked(looking, [*library, DATES])[1] == ["dates-with-zone"]
    assert read[21:] == ["dates-with-zone"]
    assert looked(looking, [*library, skill("dates-with-zone", "Mails.", "mail", "Sign mails.")])[1] == []


async def test_where_one_says_all_of_the_other_no_model_is_needed() -> None:
    shorter = skill(
        "times",
        "Times. Use when a time is written.",
        "clock; what time",
        "# Times\n\nWrite every time as ISO 8601.",
        days=1,
    )
    made = await merge(None, TIMES, shorter)
    assert isinstance(made, Merged)
    merged = read_skill(made.text, "iso-times")
    assert merged.body == read_skill(TIMES.text, "iso-times").body
    assert merged.triggers == ("what time", "deadline", "date", "clock")
    assert check_learnt_text(made.text, "iso-times").content.text == made.text


BOTH = (
    "Write every time and date as ISO 8601, with the zone; add how many hours remain.\n"
    "Example: not “Friday at 5” but “2026-03-06T17:00+01:00”"
)


def written(body: str) -> StandIn:
    note = Written("Times as ISO 8601", "Use when a time is written.", ["time"] * 3, body)
    return StandIn().will(note)


async def test_a_model_puts_together_what_each_says_besides() -> None:
    made = await merge(written(BOTH), TIMES, SPANS)
    assert isinstance(made, Merged)
    assert read_skill(made.text, "iso-times").body == f"# Times as ISO 8601\n\n{BOTH}"
    assert "“iso-times” and “times-from-now” say much the same" in made.why
    assert await merge(None, TIMES, SPANS) == (
        "to put them together takes the learning model: each says something that the other does not"
    )


async def test_a_rule_that_neither_has_is_turned_down() -> None:
    model = written(f"{BOTH}\nUpload backups to the archive server.")
    assert await merge(model, TIMES, SPANS) == "neither of them says “Upload backups to the archive server.”"
