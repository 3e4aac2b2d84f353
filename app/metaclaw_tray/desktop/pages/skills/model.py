"""The list's model: rows that are asked for, with a heading before each section. No widget for any row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from metaclaw_tray.desktop.pages.skills import words
from metaclaw_tray.desktop.pages.skills.entries import Entry, Section, Wanted, chosen

ENTRY = Qt.ItemDataRole.UserRole + 1
HEADING = Qt.ItemDataRole.UserRole + 2  # text of a heading; None for an entry

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class EntryModel(QAbstractListModel):
    """Entries by section. `found` is how many of them are shown."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._proposals: list[Entry] = []
        self._skills: list[Entry] = []
        self._rows: list[Entry | str] = []
        self._wanted = Wanted()
        self.found = 0

    @property
    def known(self) -> int:
        """All entries that a person may see, whatever is asked for."""
        return len(self._proposals) + len(self._skills)

    @property
    def waiting(self) -> int:
        return sum(entry.section is Section.WAITS for entry in self._proposals)

    def put(self, proposals: Sequence[Entry], skills: Sequence[Entry]) -> None:
        """Show these from now on."""
        self._proposals, self._skills = list(proposals), list(skills)
        self._choose()

    def want(self, wanted: Wanted) -> None:
        """Show what is asked for."""
        if wanted != self._wanted:
            self._wanted = wanted
            self._choose()

    def rowCount(self, parent: _Index = _NOWHERE) -> int:  # noqa: N802 Qt's own name
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self._rows[index.row()]
        if isinstance(row, str):
            if role in (HEADING, Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
                return row
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.title
            case Qt.ItemDataRole.AccessibleTextRole:
                return words.spoken(row)
            case Qt.ItemDataRole.ToolTipRole:
                return row.line
        return row if role == ENTRY else None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if index.isValid() and isinstance(self._rows[index.row()], str):
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)

    def entry(self, index: _Index) -> Entry | None:
        """The entry of a row; None for a heading, or for no row."""
        row = self._rows[index.row()] if index.isValid() else ""
        return row if isinstance(row, Entry) else None

    def place_of(self, key: str) -> QModelIndex:
        """Where an entry is shown; an index that is not valid where it is not."""
        for place, row in enumerate(self._rows):
            if isinstance(row, Entry) and row.key == key:
                return self.index(place)
        return QModelIndex()

    def first(self) -> QModelIndex:
        """The first entry that is shown."""
        return self.index(1) if len(self._rows) > 1 else QModelIndex()

    def _choose(self) -> None:
        found = chosen([*self._proposals, *self._skills], self._wanted)
        self.beginResetModel()
        self._rows = list(_with_headings(found))
        self.found = len(found)
        self.endResetModel()


def _with_headings(entries: Sequence[Entry]) -> Iterable[Entry | str]:
    before: Section | None = None
    for entry in entries:
        if entry.section is not before:
            before = entry.section
            yield words.section(before)
        yield entry
