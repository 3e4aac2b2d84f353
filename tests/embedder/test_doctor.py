"""What the doctor says of the embedder."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaclaw_tray.cli.doctoring import Check, examine
from metaclaw_tray.embedder import model
from metaclaw_tray.paths import Paths


def said(home: Path, settings: str) -> Check:
    paths = Paths.find({"METACLAW_TRAY_HOME": str(home)})
    paths.prepare()
    paths.config_file.write_text(f'[secrets]\nbackend = "memory"\n{settings}')
    return next(check for check in examine(paths) if check.name == "embedder")


def test_it_is_off_unless_it_is_wanted(tmp_path: Path) -> None:
    check = said(tmp_path, "")
    assert (check.state, check.detail) == ("fine", "It is off: skills are found by words.")


def test_its_weights_are_those_that_were_measured(tmp_path: Path) -> None:
    check = said(tmp_path, "[embedder]\nenabled = true\n")
    assert check.state == "fine"
    assert "those that were measured" in check.detail


def test_where_it_is_wanted_and_missing_the_doctor_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model, "installed", lambda: None)
    check = said(tmp_path, "[embedder]\nenabled = true\n")
    assert check.state == "broken"
    assert "not installed" in check.detail
    assert "metaclaw-tray extras add embedder" in check.remedy
