"""The language of the window: the one that was set, else the system's, else English.

A translation is a compiled file (.qm) named by its language, of ours or dropped into the folder `languages`
of the configuration. English has one too, for its plurals.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from metaclaw_tray.paths import Paths, language_files

_OWN = "en"


def install_language(app: QCoreApplication, paths: Paths) -> str:
    """Speak the person's language from now on; its code. For the start, before any widget is made."""
    wanted = _wanted(paths.config_file)
    files = language_files(paths)
    chosen = best_of([wanted] if wanted else QLocale.system().uiLanguages(), files.keys() | {_OWN})
    if wanted:
        QLocale.setDefault(QLocale(wanted))  # dates and numbers go with it
    if chosen in files:
        _install(app, files[chosen])
    _install(app, Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)) / f"qtbase_{chosen}.qm")
    return chosen


def best_of(wanted: Sequence[str], there: set[str]) -> str:
    """The first wanted language that is there, such as `pt_BR` or else `pt` for `pt-BR`."""
    return next((code for each in wanted for code in _forms(each) if code in there), _OWN)


def _forms(language: str) -> Iterator[str]:
    parts = language.replace("-", "_").split("_")
    for end in range(len(parts), 0, -1):
        yield "_".join(parts[:end])


def _install(app: QCoreApplication, file: Path) -> None:
    translator = QTranslator(app)
    if file.exists() and translator.load(str(file)):
        app.installTranslator(translator)


def _wanted(config: Path) -> str:
    """What the settings file says, and nothing where it says nothing that can be read: the app itself checks
    the file and tells what is wrong with it."""
    try:
        window = tomllib.loads(config.read_text("utf-8")).get("window", {})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return ""
    language = window.get("language", "") if isinstance(window, dict) else ""
    return language if isinstance(language, str) else ""
