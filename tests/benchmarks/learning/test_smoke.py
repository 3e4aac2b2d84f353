"""The benchmark of learning itself runs, with the real model. What it finds is not asserted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from benchmarks.learning.figures import Outcome
from metaclaw_tray.embedded.manifest import load_manifest
from metaclaw_tray.paths import Paths
from support.processes import TESTS, environment

MODEL = load_manifest(Paths.find()).default


@pytest.mark.slow
@pytest.mark.model
@pytest.mark.timeout(1800)
@pytest.mark.skipif(
    not MODEL.is_present(Paths.find()),
    reason=f"{MODEL.file} is not in the cache: `metaclaw-tray model fetch`",
)
def test_a_smoke_run_asks_teaches_and_learns_to_the_end(tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.learning", "--smoke", "--json", str(found)],
        cwd=TESTS,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    outcome = msgspec.json.decode(found.read_bytes(), type=Outcome)
    (rule,) = outcome.rules
    assert rule.before
    assert (rule.before.of, rule.lessons) == (2, 2)
    assert outcome.judge.scored + outcome.judge.unscored >= 3
    assert {each.purpose for each in outcome.calls} >= {"judge"}
    approved = any(offer.approved for offer in rule.offers)
    assert approved == (rule.with_skill is not None) == (rule.withheld is not None)
