"""The benchmark itself runs, and the answers that it counts are right. Speed is not asserted."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from benchmarks.report import CELLS
from benchmarks.run import Outcome
from support.processes import TESTS, environment


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_smoke_run_answers_everything_and_drops_nothing(tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.run", "--smoke", "--json", str(figures)],
        cwd=TESTS,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    outcome = msgspec.json.decode(figures.read_bytes(), type=Outcome)
    assert [each.dropped for each in outcome.steady] == [0, 0, 0, 0]
    assert {each.cell for each in outcome.figures} == {cell.name for cell in CELLS}
    assert {each.role for each in outcome.memory_after} >= {"main", "scribe"}
    assert all(set(each.value) == {"direct", "forwarder", "proxy", "proxy+skill"} for each in outcome.figures)
