"""The benchmark of the window runs to its end and prints each figure. How fast it is, is not asserted."""

import subprocess
import sys

import pytest

from support.processes import TESTS, environment


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_small_run_prints_weight_and_stalls() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.desktop_stalls", "--skills", "300", "--streams", "2"],
        cwd=TESTS,
        env=environment({"QT_QPA_PLATFORM": "offscreen"}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for figure in (
        "window with the skills listed, MB",
        "longest stall, skills, ms",
        "longest stall of all, ms",
    ):
        assert figure in done.stdout
