"""What may be asked of the list beside words: a row of choices that opens under the search field."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QWidget

from metaclaw_tray.admin.api import Facets, ListExchanges
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.parts import button
from metaclaw_tray.desktop.steady import Steady

_NARROWEST = 60  # pixels of a closed box


class Filters(QWidget):
    """Choices; `changed` tells that one was made."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.outcome = self._box(
            self.tr("How it went"),
            (self.tr("However it went"), ""),
            (self.tr("Went well"), "good"),
            (self.tr("Went wrong"), "bad"),
            (self.tr("Failed or cut off"), "failed"),
            (self.tr("Nobody said"), "unscored"),
        )
        self.when = self._box(
            self.tr("When"),
            (self.tr("At any time"), ""),
            (self.tr("Today"), "0"),
            (self.tr("Last 7 days"), "7"),
            (self.tr("Last 30 days"), "30"),
            (self.tr("Older than 7 days"), "-7"),
            (self.tr("Older than 30 days"), "-30"),
            (self.tr("Older than 90 days"), "-90"),
        )
        self.agent = self._box(self.tr("Which agent"), (self.tr("All agents"), ""))
        self.model = self._box(self.tr("Which model"), (self.tr("All models"), ""))
        self.skill = self._box(
            self.tr("With skills"),
            (self.tr("Any skills"), ""),
            (self.tr("With a skill"), "any"),
            (self.tr("Without skills"), "none"),
        )
        self.thumb = self._box(
            self.tr("Your thumb"),
            (self.tr("Any thumb"), ""),
            (self.tr("You said something"), "any"),
            (self.tr("You said: right"), "up"),
            (self.tr("You said: wrong"), "down"),
        )
        self.kind = self._box(
            self.tr("Whose requests"),
            (self.tr("Your requests"), "main"),
            (self.tr("The agent's own errands"), "side"),
        )
        self._clear = button(self.tr("No filters"), self.clear, "link")
        grid = QGridLayout()
        grid.setSpacing(theme.GAP_S)
        grid.setContentsMargins(0, 0, 0, 0)
        for place, box in enumerate(self.boxes):
            grid.addWidget(box, place // 2, place % 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self._clear, len(self.boxes) // 2, 1)
        self.setLayout(grid)

    @property
    def boxes(self) -> tuple[QComboBox, ...]:
        return (self.outcome, self.when, self.agent, self.model, self.skill, self.thumb, self.kind)

    @property
    def count(self) -> int:
        """How many of them are not at rest."""
        return sum(box.currentIndex() > 0 for box in self.boxes)

    def show_facets(self, facets: Facets) -> None:
        """Offer these agents and models; what is chosen stays chosen."""
        for box, names in ((self.agent, facets.agents), (self.model, facets.models)):
            chosen = box.currentData()
            wanted = [*names, *([chosen] if chosen and chosen not in names else [])]
            if wanted == [box.itemData(place) for place in range(1, box.count())]:
                continue
            box.blockSignals(True)
            while box.count() > 1:
                box.removeItem(1)
            for name in wanted:
                box.addItem(name, name)
            box.setCurrentIndex(max(0, box.findData(chosen)))
            box.blockSignals(False)

    def asked(self, text: str) -> ListExchanges:
        """The verb for what is chosen, its first page."""
        since, until = self._days()
        return ListExchanges(
            text=text,
            kind=self.kind.currentData(),
            agent=self.agent.currentData(),
            model=self.model.currentData(),
            outcome=self.outcome.currentData(),
            skill=self.skill.currentData(),
            thumb=self.thumb.currentData(),
            since=since,
            until=until,
        )

    def clear(self) -> None:
        """No choice at all."""
        before = self.count
        for box in self.boxes:
            box.blockSignals(True)
            box.setCurrentIndex(0)
            box.blockSignals(False)
        if before:
            self.changed.emit()

    def _days(self) -> tuple[datetime | None, datetime | None]:
        """From the beginning of a day by the clock on the wall."""
        chosen = self.when.currentData()
        if not chosen:
            return None, None
        today = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
        bound = (today - timedelta(days=abs(int(chosen)))).astimezone(UTC)
        return (bound, None) if not chosen.startswith("-") else (None, bound)

    def _box(self, name: str, *choices: tuple[str, str]) -> QComboBox:
        made = Steady()
        made.setAccessibleName(name)
        made.setToolTip(name)
        made.setMinimumWidth(_NARROWEST)
        made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for said, value in choices:
            made.addItem(said, value)
        made.currentIndexChanged.connect(lambda _place: self.changed.emit())
        return made
