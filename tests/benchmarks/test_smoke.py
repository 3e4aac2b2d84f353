"""The benchmark itself runs, and the answers that it counts are right. Speed is not asserted."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from benchmarks.cells import few_cells
from benchmarks.outcome import Outcome
from support.processes import TESTS, environment


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_smoke_run_answers_everything_and_drops_nothing(tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.run", "--smoke", "--json", str(found)],
        cwd=TESTS,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    outcome = msgspec.json.decode(found.read_bytes(), type=Outcome)
    assert outcome.unserved == []
    assert not any(each.dropped for each in outcome.steady)
    assert {each.cell for each in outcome.figures} == {cell.name for cell in few_cells()}
    assert {each.role for each in outcome.memory_after} >= {"main", "scribe"}
    assert all(set(each.value) == {"direct", "forwarder", "proxy", "proxy+skill"} for each in outcome.figures)
    assert outcome.growth
    assert outcome.growth.turns[-1] == 500
