"""The window speaks what was set, else what the system does, else English."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from metaclaw_tray.desktop.language import best_of, country_of, install_language
from metaclaw_tray.paths import Paths, language_files

SOURCE = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="fy">
<context><name>Moments</name>
<message><source>just now</source><translation>krekt</translation></message></context>
</TS>
"""


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    found = Paths.find({"METACLAW_TRAY_HOME": str(tmp_path)})
    (found.config_dir / "languages").mkdir(parents=True)
    return found


def test_the_first_language_that_is_there_is_spoken() -> None:
    assert best_of(["pt-BR", "nl"], {"pt", "nl", "en"}) == "pt"
    assert best_of(["pt-BR"], {"pt", "pt_BR", "en"}) == "pt_BR"
    assert best_of(["xx"], {"nl", "en"}) == "en"


def test_a_translation_that_was_dropped_in_is_spoken(
    qapp: QCoreApplication, paths: Paths, tmp_path: Path
) -> None:
    source = tmp_path / "fy.ts"
    source.write_text(SOURCE, "utf-8")
    made = paths.config_dir / "languages" / "fy.qm"
    tool = Path(sys.executable).parent / "pyside6-lrelease"
    if not tool.exists():
        pytest.skip("pyside6-lrelease is not installed")
    subprocess.run([tool, source, "-qm", made], check=True, capture_output=True)
    paths.config_file.write_text('[window]\nlanguage = "fy"\n', "utf-8")
    assert "fy" in language_files(paths)
    before = QLocale()
    try:
        assert install_language(qapp, paths) == "fy"
        assert QCoreApplication.translate("Moments", "just now") == "krekt"
        assert QLocale().language() == QLocale.Language.WesternFrisian
        # What it lacks is said in English that counts properly.
        assert QCoreApplication.translate("Moments", "%n minute(s) ago", "", 1) == "1 minute ago"
        assert QCoreApplication.translate("Moments", "%n minute(s) ago", "", 2) == "2 minutes ago"
    finally:
        QLocale.setDefault(before)
        for each in qapp.findChildren(QTranslator):
            qapp.removeTranslator(each)
            each.deleteLater()


@pytest.mark.parametrize("text", ["[window", "window = 3", "[window]\nlanguage = 3"])
def test_a_settings_file_that_is_broken_does_not_keep_the_window_away(
    qapp: QCoreApplication, paths: Paths, text: str
) -> None:
    paths.config_file.write_text(text, "utf-8")
    elsewhere = replace(paths, config_dir=paths.config_dir)
    assert install_language(qapp, elsewhere)


@pytest.mark.parametrize(
    ("code", "one", "more"),
    [("en", "1 exchange", "3 exchanges"), ("nl", "1 uitwisseling", "3 uitwisselingen")],
)
def test_our_own_languages_count(
    qapp: QCoreApplication, paths: Paths, code: str, one: str, more: str
) -> None:
    paths.config_file.write_text(f'[window]\nlanguage = "{code}"\n', "utf-8")
    before = QLocale()
    try:
        assert install_language(qapp, paths) == code
        found = [QCoreApplication.translate("EffectTab", "%n exchange(s)", "", n) for n in (1, 3)]
        assert found == [one, more]
    finally:
        QLocale.setDefault(before)
        for each in qapp.findChildren(QTranslator):
            qapp.removeTranslator(each)
            each.deleteLater()


@pytest.mark.parametrize(
    ("system", "spoken", "number"),
    [
        ("nl_NL", "nl", "0,5"),
        ("de_DE", "en", "0,5"),  # English as it is written in Germany
        ("ar_EG", "en", "0.5"),
        ("fa_IR", "nl", "0,5"),
        ("C", "en", "0.5"),
    ],
)
def test_numbers_are_written_in_the_language_that_is_spoken(system: str, spoken: str, number: str) -> None:
    assert country_of(QLocale(system), spoken).toString(0.5, "f", 1) == number
