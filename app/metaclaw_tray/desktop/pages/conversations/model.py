"""The list's model: exchanges by page, with a heading before each day.

Rows lie where they were first seen. Of pages that were not looked at for long only the place is kept, and
they are asked for again when they are looked at: a list of a million turns costs what a few screens cost.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from metaclaw_tray.admin.api import ExchangeRow
from metaclaw_tray.desktop.pages.conversations import words

ROW = Qt.ItemDataRole.UserRole + 1  # None while the page is being asked for again
HEADING = Qt.ItemDataRole.UserRole + 2  # text of a heading; None for an exchange

_KEPT = 40  # pages whose rows are held

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class _Item(NamedTuple):
    page: int
    place: int  # in its page; -1 for a heading
    heading: str = ""


class ExchangeModel(QAbstractListModel):
    """`missing` names a page whose rows were let go and are looked at again."""

    missing = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._items: list[_Item] = []
        self._rows: OrderedDict[int, list[ExchangeRow | None]] = OrderedDict()
        self._ids: dict[str, tuple[int, int]] = {}  # page and place of an exchange
        self._keys: dict[int, str] = {}  # `before` of a page
        self._sizes: dict[int, list[str]] = {}  # ids of a page, in order
        self._asked: set[int] = set()
        self._pages = 0
        self._day = ""  # of the last row
        self.by_day = True  # headings are drawn

    @property
    def found(self) -> int:
        """Exchanges that are in the list."""
        return len(self._ids)

    def clear(self, *, by_day: bool = True) -> None:
        """Begin a new list."""
        self.beginResetModel()
        for each in (self._items, self._rows, self._ids, self._keys, self._sizes, self._asked):
            each.clear()
        self._day, self.by_day = "", by_day
        self.endResetModel()

    def add(self, key: str, rows: Sequence[ExchangeRow]) -> int:
        """Put a page at the end; how many of its rows were not there yet. Those found twice are left out."""
        page, fresh = self._new_page(key, rows)
        items = list(self._laid_out(page, fresh))
        if items:
            at = len(self._items)
            self.beginInsertRows(QModelIndex(), at, at + len(items) - 1)
            self._items += items
            self.endInsertRows()
        self._let_go()
        return len(fresh)

    def put_first(self, rows: Sequence[ExchangeRow]) -> int:
        """Put what is newer than all at the top, and take up what changed in the rest. By how
        many lines the list grew."""
        for row in rows:
            if row.id in self._ids:
                self._change(row)
        page, fresh = self._new_page("", rows)
        if not fresh:
            return 0
        before, self._day = self._day, ""
        items = list(self._laid_out(page, fresh))
        last = self._day
        self._day = before or last
        known = len(self._items)
        if self.by_day and self._items and self._items[0].heading == last:
            self.beginRemoveRows(QModelIndex(), 0, 0)
            del self._items[0]
            self.endRemoveRows()
        self.beginInsertRows(QModelIndex(), 0, len(items) - 1)
        self._items[:0] = items
        self.endInsertRows()
        return len(self._items) - known

    def refill(self, page: int, rows: Sequence[ExchangeRow]) -> None:
        """The rows of a page that had been let go: as they are now, in the places where they were."""
        self._asked.discard(page)
        found = {row.id: row for row in rows}
        kept = self._sizes.get(page)
        if kept is None:
            return
        self._rows[page] = [found.get(each) for each in kept]  # None: forgotten meanwhile
        self._let_go()
        self.dataChanged.emit(self.index(0), self.index(len(self._items) - 1))

    def key_of(self, page: int) -> tuple[str, int]:
        """`before` of a page, and how many rows it has."""
        return self._keys.get(page, ""), len(self._sizes.get(page, []))

    def forget(self, exchange: str) -> None:
        """Take one out."""
        if (found := self._ids.pop(exchange, None)) is None:
            return
        at = next((n for n, item in enumerate(self._items) if item[:2] == found), None)
        if at is None:
            return
        alone = (
            self._items[at - 1].place < 0
            and (at + 1 == len(self._items) or self._items[at + 1].place < 0)
            and at > 0
        )
        first = at - 1 if alone else at
        self.beginRemoveRows(QModelIndex(), first, at)
        del self._items[first : at + 1]
        self.endRemoveRows()

    def rowCount(self, parent: _Index = _NOWHERE) -> int:  # noqa: N802 Qt's own name
        return 0 if parent.isValid() else len(self._items)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        item = self._items[index.row()]
        if item.place < 0:
            shown = (HEADING, Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)
            return item.heading if role in shown else None
        if role not in (ROW, Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        row = self._row(item)
        if role == ROW or row is None:
            return row if role == ROW else ""
        return words.asked(row) if role == Qt.ItemDataRole.DisplayRole else words.spoken(row)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if index.isValid() and self._items[index.row()].place < 0:
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)

    def row(self, index: _Index) -> ExchangeRow | None:
        """The exchange of a line; None for a heading, or for no line."""
        if not index.isValid() or self._items[index.row()].place < 0:
            return None
        return self._row(self._items[index.row()])

    def place_of(self, exchange: str) -> QModelIndex:
        """Where an exchange is shown; an index that is not valid where it is not."""
        found = self._ids.get(exchange)
        if found is not None:
            for at, item in enumerate(self._items):
                if item.page == found[0] and item.place == found[1]:
                    return self.index(at)
        return QModelIndex()

    def first(self) -> QModelIndex:
        """The first exchange."""
        for at, item in enumerate(self._items[:2]):
            if item.place >= 0:
                return self.index(at)
        return QModelIndex()

    def _row(self, item: _Item) -> ExchangeRow | None:
        rows = self._rows.get(item.page)
        if rows is None:
            if item.page not in self._asked:
                self._asked.add(item.page)
                self.missing.emit(item.page)
            return None
        self._rows.move_to_end(item.page)
        return rows[item.place]

    def _new_page(self, key: str, rows: Sequence[ExchangeRow]) -> tuple[int, list[ExchangeRow]]:
        fresh = [row for row in rows if row.id not in self._ids]
        self._pages += 1
        page = self._pages
        if fresh:
            self._rows[page], self._keys[page] = list(fresh), key
            self._sizes[page] = [row.id for row in fresh]
            self._ids |= {row.id: (page, place) for place, row in enumerate(fresh)}
        return page, fresh

    def _laid_out(self, page: int, rows: Sequence[ExchangeRow]) -> Iterator[_Item]:
        for place, row in enumerate(rows):
            heading = words.day(row.at) if self.by_day else ""
            if heading != self._day:
                self._day = heading
                yield _Item(page, -1, heading)
            yield _Item(page, place)

    def _change(self, row: ExchangeRow) -> None:
        page, place = self._ids[row.id]
        rows = self._rows.get(page)
        if rows is not None and rows[place] != row:
            rows[place] = row
            found = self.place_of(row.id)
            self.dataChanged.emit(found, found)

    def _let_go(self) -> None:
        """Of pages that can be asked for again."""
        for page in list(self._rows):
            if len(self._rows) <= _KEPT:
                return
            if self._keys[page]:
                del self._rows[page]
