"""What the embedder is worth, on labelled requests that nothing was tuned on."""

from __future__ import annotations

import pytest

from benchmarks.retrieval import measure

pytestmark = [pytest.mark.slow, pytest.mark.model]


async def test_meaning_finds_more_than_words_and_injects_hardly_anything_for_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    measured = await measure("test")
    with capsys.disabled():
        print("\n" + "\n".join(measured.lines()))  # noqa: T201 - the figures are what this test is for
    words, again, goes_on = measured.words, measured.again, measured.goes_on
    assert words.within.value >= 0.9
    assert again.within.k >= words.within.k  # what words find is never pushed out
    assert again.across.k > words.across.k
    assert goes_on.within.k > 0
    for way in (words, again, goes_on):
        assert way.needless.value <= 0.05, way
    assert measured.stale.value <= 0.05
    assert measured.cost.megabytes < 300
