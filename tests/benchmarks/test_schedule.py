"""The measurement of the scheduler's cost runs. Cost is not asserted."""

from __future__ import annotations

from pathlib import Path

import msgspec

from benchmarks.schedule import Cost, main
from support.xvfb import needs_x


@needs_x
def test_a_smoke_run_measures_a_person_who_is_there_and_an_open_window(tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    assert main(["--minutes", "0.05", "--json", str(file)]) == 0
    there, opened = msgspec.json.decode(file.read_bytes(), type=list[Cost])
    assert there.state == "there"
    assert opened.state == "open"
    assert not there.open
    assert opened.looks > 0
