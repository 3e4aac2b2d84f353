"""The list of skills: what is asked for, how much work a row costs, and what is read aloud."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from pytestqt.qtbot import QtBot

from metaclaw_tray.admin.api import ProposalRow, SkillRow
from metaclaw_tray.desktop.named import titled
from metaclaw_tray.desktop.pages.skills import entries
from metaclaw_tray.desktop.pages.skills.entries import Section, State, Wanted, chosen
from metaclaw_tray.desktop.pages.skills.listing import Listing
from metaclaw_tray.desktop.pages.skills.model import ENTRY, HEADING, EntryModel


def skill(name: str, state: str = "active", source: str = "learnt", description: str = "about") -> SkillRow:
    return SkillRow(
        name=name,
        version=1,
        state=state,
        source=source,
        trust="reviewed",
        generation=1,
        description=description,
    )


def proposed(skill: str, **more: Any) -> ProposalRow:
    values: dict[str, Any] = {
        "id": f"p-{skill}",
        "op": "create",
        "why": "because",
        "evidence": [],
        "gate": None,
    }
    return ProposalRow(skill=skill, **(values | more))


SKILLS = [
    entries.of_skill(skill("dates", description="Write ISO dates")),
    entries.of_skill(skill("mail", "disabled", "person")),
    entries.of_skill(skill("old", "retired", "builtin")),
]
PROPOSALS = entries.open_proposals(
    [
        proposed("later", waits="tomorrow"),
        proposed("no", state="refused"),
        proposed("gone", state="approved"),
        proposed("new", taint="web"),
    ]
)


def names(wanted: Wanted) -> list[str]:
    return [entry.name for entry in chosen([*PROPOSALS, *SKILLS], wanted)]


def test_what_waits_for_the_person_comes_first_and_what_was_turned_down_is_not_in_the_way() -> None:
    assert names(Wanted()) == ["new", "later", "dates", "mail", "old"]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Wanted(state=State.WAITS), ["new", "later"]),
        (Wanted(state=State.REFUSED), ["no"]),
        (Wanted(state=State.DISABLED), ["mail"]),
        (Wanted(source="person"), ["mail"]),
        (Wanted(source="learnt"), ["new", "later", "dates"]),
        (Wanted("iso DATES"), ["dates"]),
        (Wanted("mail", source="learnt"), []),
    ],
)
def test_each_filter_gives_what_it_says(wanted: Wanted, found: list[str]) -> None:
    assert names(wanted) == found


def test_a_name_is_shown_as_words() -> None:
    assert titled("no-invented-apis") == "No invented apis"


def test_a_proposal_that_is_not_only_the_persons_words_says_so_aloud(qapp: object) -> None:
    model = EntryModel()
    model.put(PROPOSALS, SKILLS)
    row = model.place_of("proposal:p-new")
    spoken = model.data(row, Qt.ItemDataRole.AccessibleTextRole)
    assert "Waits for you" in spoken
    assert "Careful: not only your words" in spoken


def test_headings_stand_before_their_sections_and_cannot_be_chosen(qapp: object) -> None:
    model = EntryModel()
    model.put(PROPOSALS, SKILLS)
    rows = [model.index(place) for place in range(model.rowCount())]
    headings = [model.data(row, HEADING) for row in rows if model.data(row, HEADING)]
    assert headings == ["Waits for you", "Comes later", "Skills"]
    assert all(model.flags(row) == Qt.ItemFlag.NoItemFlags for row in rows if model.entry(row) is None)
    assert model.waiting == 1


class CountingModel(EntryModel):
    def __init__(self) -> None:
        super().__init__()
        self.looks: set[int] = set()

    def data(self, index: Any, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role in (ENTRY, HEADING):
            self.looks.add(index.row())
        return super().data(index, role)


def test_of_ten_thousand_skills_only_those_on_the_screen_are_looked_at(qtbot: QtBot) -> None:
    listing = Listing()
    model = CountingModel()
    listing.model = model
    listing.list.setModel(model)
    qtbot.addWidget(listing)
    listing.resize(300, 600)
    listing.show()
    model.put([], [entries.of_skill(skill(f"skill-{number:05}")) for number in range(10_000)])
    qtbot.waitUntil(lambda: bool(model.looks))
    seen = listing.list.viewport().height() // listing.list.sizeHintForRow(0) + 2
    assert len(model.looks) <= seen
    model.looks.clear()
    listing.list.scrollToBottom()
    qtbot.waitUntil(lambda: 10_000 in model.looks)
    assert len(model.looks) <= 2 * seen
    hints: list[QModelIndex] = []
    _counted(listing._delegate, hints)
    listing.list.doItemsLayout()
    assert len(hints) <= 2  # one height for all: laying them out looks at no row


def _counted(delegate: Any, hints: list[QModelIndex]) -> None:
    real = delegate.sizeHint

    def size_hint(option: Any, index: QModelIndex) -> Any:
        hints.append(index)
        return real(option, index)

    delegate.sizeHint = size_hint


@pytest.fixture
def listing(qtbot: QtBot) -> Listing:
    made = Listing()
    qtbot.addWidget(made)
    made.resize(300, 500)
    made.show()
    made.put(PROPOSALS, SKILLS)
    return made


def test_what_is_selected_stays_so_when_the_list_is_asked_for_anew(listing: Listing) -> None:
    heard: list[Any] = []
    assert listing.select("mail")
    listing.chosen.connect(heard.append)
    listing.put(PROPOSALS, [*SKILLS, entries.of_skill(skill("zebra"))])
    assert listing.current is not None
    assert listing.current.name == "mail"
    assert heard == []


def test_where_it_is_gone_the_first_one_is_selected(listing: Listing) -> None:
    listing.select("proposal:p-new")
    listing.put([], SKILLS)
    assert listing.current is not None
    assert listing.current.name == "dates"


def test_nothing_found_says_so_and_shows_all_again(qtbot: QtBot, listing: Listing) -> None:
    listing.search.setText("zzz")
    qtbot.waitUntil(lambda: listing._nothing.isVisible())
    assert listing.current is None
    listing.show_all()
    assert listing.list.isVisible()
    assert listing.model.found == 5


def test_an_entry_that_the_filters_hide_is_shown_when_it_is_asked_for(listing: Listing) -> None:
    listing.states.setCurrentIndex(listing.states.findData(State.RETIRED.value))
    assert listing.model.found == 1
    assert listing.select("dates")
    assert listing.states.currentIndex() == 0


def test_arrows_move_and_enter_opens(qtbot: QtBot, listing: Listing) -> None:
    opened: list[bool] = []
    listing.opened.connect(lambda: opened.append(True))
    listing.select("proposal:p-new")
    qtbot.keyClick(listing.list, Qt.Key.Key_Down)
    assert listing.current is not None
    assert listing.current.section is Section.LATER  # over the heading between
    qtbot.keyClick(listing.list, Qt.Key.Key_Return)
    assert opened == [True]


def test_every_part_has_a_name_for_screen_readers(listing: Listing) -> None:
    parts = (listing.search, listing.states, listing.sources, listing.list)
    assert all(part.accessibleName() for part in parts)


def test_each_kind_of_row_can_be_drawn(qtbot: QtBot, listing: Listing) -> None:
    kinds = [*PROPOSALS, *SKILLS, entries.of_skill(skill("tried", "trial"))]
    listing.put([], kinds)
    listing.select("mail")
    assert not listing.list.grab().isNull()
    assert listing.list.indexAt(QPoint(20, 20)).isValid()


def test_the_pause_of_typing_asks_once(qtbot: QtBot, listing: Listing) -> None:
    asked: list[Wanted] = []
    real: Callable[[Wanted], None] = listing.model.want
    listing.model.want = lambda wanted: (asked.append(wanted), real(wanted))[1]  # type: ignore[method-assign]
    qtbot.keyClicks(listing.search, "dates")
    qtbot.waitUntil(lambda: listing.model.found == 1)
    assert asked[-1] == Wanted("dates")
