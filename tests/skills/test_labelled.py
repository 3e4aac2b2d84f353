"""Retrieval finds what fits and leaves alone what needs nothing, measured on labelled requests.

Tuned on `dev`; `test` is only measured. The figures are printed with their intervals.
"""

from __future__ import annotations

import pytest

from metaclaw_tray.skills.query import asking
from metaclaw_tray.skills.retrieval import Index
from skills.labels import ENTRIES, SKILLS, false_injection, recall, requests

INDEX = Index(ENTRIES)
LANGUAGES = ("en", "nl", "zh")


def test_the_set_is_large_enough_and_a_third_of_it_needs_nothing() -> None:
    dev, test = requests("dev"), requests("test")
    both = dev + test
    assert len(SKILLS) >= 60
    assert len(both) >= 200
    needless = [each for each in both if not each.within | each.across]
    assert 3 * len(needless) >= len(both) - 2
    assert {each.language for each in both} == set(LANGUAGES)
    assert not {each.text for each in dev} & {each.text for each in test}
    assert all(each.within | each.across <= SKILLS.keys() for each in both)


@pytest.mark.parametrize("split", ["dev", "test"])
def test_what_fits_is_among_the_first_two_and_what_needs_nothing_gets_nothing(
    split: str, capsys: pytest.CaptureFixture[str]
) -> None:
    of = requests(split)
    within = recall(INDEX, of, lambda each: each.within)
    needless = false_injection(INDEX, of)
    lines = [f"{split}: recall@2 within a language {within}"]
    for name in LANGUAGES:
        lines.append(f"  {name} {recall(INDEX, [e for e in of if e.language == name], lambda e: e.within)}")
    for kind in ("plain", "shared", "paraphrase", "pasted"):
        lines.append(f"  {kind} {recall(INDEX, [e for e in of if e.kind == kind], lambda e: e.within)}")
    lines.append(f"  across languages {recall(INDEX, of, lambda each: each.across)}")
    lines.append(f"  false injection {needless}")
    with capsys.disabled():
        print("\n" + "\n".join(lines))  # noqa: T201 - the figures are what this test is for
    assert within.value >= 0.9
    assert needless.value <= 0.05


def test_pasted_text_gives_nothing_to_find_skills_by() -> None:
    pasted = [each for split in ("dev", "test") for each in requests(split) if each.kind == "pasted"]
    assert len(pasted) >= 5
    for request in pasted:
        assert len(asking(request.text)) <= len(request.text)
        found = {match.name for match in INDEX.find(request.text, 2)}
        assert found <= request.within | request.across, request.text
