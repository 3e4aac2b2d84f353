"""What is fuzzed holds for a few inputs at least, so that the script stays able to run."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from fuzz import wire_fuzz
from fuzz.source import Source
from fuzz.targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_holds_for_a_few_inputs(name: str) -> None:
    chance = random.Random(7)
    for _ in range(300):
        TARGETS[name](Source(chance.randbytes(chance.randrange(200))))


def test_the_script_knows_every_target_and_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tuple(TARGETS) == wire_fuzz.TARGETS
    options = ["--plain", "--seconds", "0", "--findings", str(tmp_path / "found")]
    assert wire_fuzz.main(options) == 0
    assert "findings=0" in capsys.readouterr().out


def test_a_finding_is_told_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(source: Source) -> None:
        raise KeyError(source.rest())

    monkeypatch.setitem(TARGETS, "events", broken)
    options = ["--plain", "--seconds", "1", "--findings", str(tmp_path), "--only", "events"]
    assert wire_fuzz.main(options) == 1
    assert len(list(tmp_path.iterdir())) == 1
