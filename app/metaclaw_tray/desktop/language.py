"""The language of the window: the one that was set, else the system's, else English.

A translation is a compiled file (.qm) named by its language, of ours or dropped into the folder `languages`
of the configuration. English has one too, for its plurals; what another language lacks is said by it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator, Signal

from metaclaw_tray.admin.api import ListConfig, SettingRow
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.paths import Paths, language_files

_OWN = "en"
_KEY = "window.language"


class LanguageKeeper(QObject):
    """Notices when another language is set than the window began with: `changed`. Qt's widgets say most of
    their words once, so the way to another language is a window that begins anew."""

    changed = Signal()

    def __init__(self, bridge: Bridge, wanted: str) -> None:
        super().__init__()
        self._bridge, self._wanted = bridge, wanted
        bridge.news.connect(self._news)

    def _news(self, topics: list[str]) -> None:
        if "settings" in topics:
            self._bridge.ask(ListConfig(), self._took, self._unknown, owner=self)

    def _took(self, rows: list[SettingRow]) -> None:
        wanted = next((each.value for each in rows if each.key == _KEY), self._wanted)
        if wanted != self._wanted:
            self.changed.emit()

    def _unknown(self, _problem: Problem) -> None:
        """The page of the settings says it where somebody looks."""


def install_language(app: QCoreApplication, paths: Paths) -> str:
    """Speak the person's language from now on; its code. For the start, before any widget is made."""
    wanted = wanted_language(paths)
    files = language_files(paths)
    chosen = best_of([wanted] if wanted else QLocale.system().uiLanguages(), files.keys() | {_OWN})
    written = QLocale(wanted) if wanted else country_of(QLocale.system(), chosen)
    if wanted or written != QLocale.system():
        QLocale.setDefault(written)  # dates and numbers go with it
    for each in dict.fromkeys((_OWN, chosen)):  # the last one is asked first
        if each in files:
            _install(app, files[each])
    _install(app, Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)) / f"qtbase_{chosen}.qm")
    return chosen


def country_of(system: QLocale, spoken: str) -> QLocale:
    """How dates and numbers are written: as the system does; where it speaks another language than the
    window, as that one does in its country, so that no sentence is half of each."""
    language = QLocale(spoken).language()
    if system.language() in (language, QLocale.Language.C):
        return system
    return QLocale(language, system.territory())


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


def wanted_language(paths: Paths) -> str:
    """What the settings file says, and nothing where it says nothing that can be read: the app itself checks
    the file and tells what is wrong with it. Blocking, for the start."""
    try:
        window = tomllib.loads(paths.config_file.read_text("utf-8")).get("window", {})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return ""
    language = window.get("language", "") if isinstance(window, dict) else ""
    return language if isinstance(language, str) else ""
