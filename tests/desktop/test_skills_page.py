"""The page of skills with the app's own handlers behind it, on a real store."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop.live import LiveApp
from desktop.looking import twice_pressed
from desktop.skills_home import ME, Library
from metaclaw_tray.admin.window import Sheet
from metaclaw_tray.desktop.bridge import NOT_DONE, Bridge
from metaclaw_tray.desktop.pages.skills.asking import RejectSheet, TrialSheet
from metaclaw_tray.desktop.pages.skills.bringing import BringSheet
from metaclaw_tray.desktop.pages.skills.page import SkillsPage
from metaclaw_tray.store import decisions, library
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.library import SkillText
from support.clock import FakeClock

OTHER = SkillText("other", "about", "---\nname: other\ndescription: about\n---\n\nx\n")


@dataclass(frozen=True)
class Kept:
    """A home that was filled once, for all tests to begin with."""

    folder: Path
    ids: dict[str, str]
    seconds: float  # that its clock has run


class Window:
    """The page on a bridge to a live app; sheets are kept, and answered by `say`."""

    def __init__(self, qtbot: QtBot, home: Path, kept: Kept | None = None) -> None:
        self.bot = qtbot
        if kept is not None:
            shutil.copytree(kept.folder, home, dirs_exist_ok=True)
        self.app = LiveApp(home)
        self.app.clock.advance(kept.seconds if kept else 0)
        self.ids = kept.ids if kept else {}
        self.bridge = Bridge(self.app)
        self.sheets: list[Sheet] = []
        self.problems: list[Any] = []
        self.page = SkillsPage(self.bridge)
        self.bridge.sheet.connect(self.sheets.append)
        self.bridge.problem.connect(self.problems.append)
        self.bridge.news.connect(lambda topics: self.page.news(set(topics)))
        self.page.resize(1000, 700)
        qtbot.addWidget(self.page)
        self.bridge.start()
        self.page.show()
        if kept is not None:
            qtbot.waitUntil(lambda: self.is_shown(), timeout=40_000)

    def is_shown(self) -> bool:
        subject = self.page.detail.subject
        return subject is not None and subject.whole and self.page.detail.tabs.isVisible()

    def go_to(self, name: str) -> None:
        self.page.go_to(self.ids.get(name, name))
        self.bot.waitUntil(
            lambda: self.is_shown() and self.page.detail.subject.entry.name == name, timeout=40_000
        )

    def tab(self, words: str) -> str:
        """Turn to a tab; all that it says."""
        tabs = self.page.detail.tabs
        place = next(at for at in range(tabs.count()) if tabs.tabText(at) == words)
        tabs.setCurrentIndex(place)
        return said(tabs.widget(place))

    def press(self, words: str, within: QWidget | None = None) -> None:
        def found() -> list[QPushButton]:
            buttons = (within or self.page).findChildren(QPushButton)
            return [each for each in buttons if each.text() == words and each.isVisible()]

        self.bot.waitUntil(lambda: bool(found()))  # what was just made is shown a moment later
        self.bot.mouseClick(found()[0], Qt.MouseButton.LeftButton)

    def told(self, words: str) -> None:
        notice = self.page.notice
        self.bot.waitUntil(lambda: words in said(notice) and notice.isVisible(), timeout=40_000)

    def state(self, name: str) -> str:
        return {each.name: each.state for each in self.app.store.read(library.skills)}.get(name, "")


def said(widget: QWidget) -> str:
    return "\n".join(each.text() for each in widget.findChildren(QLabel))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    folder, clock = tmp_path_factory.mktemp("kept"), FakeClock()
    begun = clock.now()
    store = Store.open(folder / "store.sqlite3", clock)
    ids = Library(store, clock).fill()
    store.close()
    return Kept(folder, ids, (clock.now() - begun).total_seconds())


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, kept: Kept) -> Iterator[Window]:
    made = Window(qtbot, tmp_path / "home", kept)
    yield made
    made.page.hide()
    made.app.close()


def test_what_waits_is_shown_first_and_read_before_it_is_approved(window: Window) -> None:
    entry = window.page.listing.current
    assert entry is not None
    assert entry.proposal
    window.go_to("meeting-notes-with-owners")
    shown = window.page.detail._text._shown.toPlainText()
    assert "an owner and a date" in shown
    assert "triggers:" in shown
    window.press("Approve")
    window.told("“Meeting notes with owners” is approved.")
    assert window.sheets == []  # what the app would have shown was on the screen
    assert window.state("meeting-notes-with-owners") == "active"
    window.press("Undo", window.page.notice)
    window.bot.waitUntil(lambda: len(window.sheets) == 1)
    assert "meeting-notes-with-owners afterwards" in window.sheets[0].text
    window.bridge.agree(window.sheets[0], yes=True)
    window.bot.waitUntil(lambda: window.state("meeting-notes-with-owners") == "retired")


def test_a_view_that_is_stale_brings_a_sheet_instead(window: Window) -> None:
    window.go_to("weekly-report-in-bullets")
    made = window.ids["weekly-report-in-bullets"]

    def change(db: Any) -> None:
        proposal = library.proposal(db, made).proposal
        proposal.text = proposal.text.replace("Four", "Three")
        db.add(proposal)

    window.app.store.write(change)
    window.press("Approve")
    window.bot.waitUntil(lambda: len(window.sheets) == 1)
    assert "Three bullets" in window.sheets[0].text
    window.bridge.agree(window.sheets[0], yes=False)
    window.bot.waitUntil(lambda: bool(window.problems))
    assert [each.title for each in window.problems] == [NOT_DONE]  # their own no, which no box tells them of
    assert window.page.detail.actions_bar.isEnabled()
    kept = window.app.store.read(lambda db: library.proposal(db, made)).proposal
    assert kept.state == "pending"


def test_the_second_press_of_a_double_click_approves_nothing(window: Window) -> None:
    window.go_to("meeting-notes-with-owners")
    approve = window.page.detail.actions_bar._approve
    assert approve is not None
    twice_pressed(approve)
    assert not window.bridge.is_waiting
    assert window.state("meeting-notes-with-owners") == ""


def test_the_keys_approve_too(window: Window) -> None:
    window.go_to("meeting-notes-with-owners")
    window.page.activateWindow()
    window.page.setFocus()
    window.bot.keyClick(window.page, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    window.told("is approved")


def test_what_is_not_only_the_persons_words_takes_a_second_key(window: Window) -> None:
    window.go_to("vendor-api-retries")
    window.page.activateWindow()
    keys = (window.page, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    window.bot.keyClick(*keys)
    approve = window.page.detail.actions_bar._approve
    window.bot.waitUntil(approve.hasFocus)
    assert window.state("vendor-api-retries") == ""
    window.bot.keyClick(approve, Qt.Key.Key_Space)
    window.told("is approved")


def test_a_proposal_is_rejected_with_a_reason(window: Window) -> None:
    window.go_to("vendor-api-retries")
    window.press("Reject…")
    sheet = window.page.findChild(RejectSheet)
    sheet.reason.setPlainText("not mine")
    window.press("Reject", sheet)
    window.told("is rejected")
    assert window.sheets == []
    made = window.app.store.read(lambda db: library.proposal(db, window.ids["vendor-api-retries"])).proposal
    assert (made.state, made.reason) == ("rejected", "not mine")


def test_a_trial_is_agreed_to_where_its_terms_stand(window: Window) -> None:
    window.go_to("meeting-notes-with-owners")
    window.press("Try it first…")
    sheet = window.page.findChild(TrialSheet)
    sheet.sessions.setValue(6)
    assert "For 6 sessions" in said(sheet)
    window.press("Start the trial", sheet)
    window.told("is on trial for 6 conversation(s)")
    assert window.sheets == []


def test_a_snooze_puts_it_off(window: Window) -> None:
    window.go_to("meeting-notes-with-owners")
    window.page.detail.actions_bar._snooze(7)
    window.told("comes back in 7 day(s)")
    window.bot.waitUntil(
        lambda: any(
            entry.proposal == window.ids["meeting-notes-with-owners"] and entry.section == "later"
            for entry in window.page._waiting or []
        )
    )


def test_an_edit_is_checked_and_its_change_is_seen_before_it_is_approved(window: Window) -> None:
    window.go_to("meeting-notes-with-owners")
    window.press("Edit")
    editor = window.page.detail.editor
    window.bot.waitUntil(lambda: "token" in editor._state.text())
    assert not editor.save.isEnabled()  # nothing is changed yet
    text = editor._plain.toPlainText()
    editor._plain.setPlainText(text.replace("name: meeting-notes-with-owners", "name: other-name"))
    window.bot.waitUntil(lambda: "renamed" in editor._state.text())
    assert not editor.save.isEnabled()
    editor._plain.setPlainText(text.replace("Decisions first", "Decisions at the top"))
    window.bot.waitUntil(editor.save.isEnabled)
    window.press("See what changes")
    assert "Decisions at the top" in editor._change.toPlainText()
    window.press("Approve this text")
    window.told("is approved in your words")
    assert window.sheets == []
    found = window.app.store.read(lambda db: library.version_of(db, "meeting-notes-with-owners"))
    assert "Decisions at the top" in found.text


def test_what_is_typed_is_not_lost_without_a_question(window: Window) -> None:
    window.go_to("meeting-notes-with-owners")
    window.press("Edit")
    editor = window.page.detail.editor
    editor._plain.appendPlainText("more")
    window.page.listing.select("dutch-mail-informal")
    assert editor.isVisible()
    sheet = next(each for each in window.page.findChildren(QWidget) if type(each).__name__ == "LoseSheet")
    window.press("Throw it away", sheet)
    window.bot.waitUntil(
        lambda: window.is_shown() and window.page.detail.subject.entry.name == "dutch-mail-informal"
    )


def test_to_keep_writing_leads_back_to_what_is_written(window: Window) -> None:
    window.go_to("meeting-notes-with-owners")
    window.press("Edit")
    window.page.detail.editor._plain.appendPlainText("more")
    window.page.listing.select("dutch-mail-informal")
    window.press("Keep writing")
    assert window.page.detail.editor.isVisible()
    assert window.page.place() == window.ids["meeting-notes-with-owners"]


def test_what_an_action_changed_is_shown_at_once(window: Window) -> None:
    window.page.listing.select("dutch-mail-informal")
    window.bot.waitUntil(lambda: window.is_shown() and not window.page.detail.subject.is_proposal)
    assert "Trusted" not in said(window.page.detail.head)
    window.page.detail.actions_bar._trust(True)
    window.bot.waitUntil(lambda: "Trusted" in said(window.page.detail.head))


def test_proof_says_how_many_of_how_many_and_how_surely(window: Window) -> None:
    window.go_to("meeting-notes-with-owners")
    shown = window.tab("Proof")
    assert "Better on 9 of 11 requests it was not taught on" in shown
    assert "How sure: of 100 such requests" in shown
    assert "Without it" in shown
    assert "All 10 others" in shown
    window.go_to("weekly-report-in-bullets")
    assert "too few to tell" in window.tab("Proof")


def test_evidence_tells_whose_words_it_is_before_all_else(window: Window) -> None:
    window.go_to("vendor-api-retries")
    assert window.page.detail.head.care.isVisible()
    shown = window.tab("Evidence")
    assert shown.startswith("Careful: a part of this came from a web page, not from you.")
    assert "this went wrong" in shown
    assert "a web page's words, not yours" in shown
    assert "You said to that" in shown
    window.go_to("meeting-notes-with-owners")
    assert not window.page.detail.head.care.isVisible()
    assert window.tab("Evidence").startswith("It was learnt from what you said.")


def test_a_skill_shows_what_became_of_it_and_can_be_taken_back(window: Window) -> None:
    window.page.listing.select("weekly-report-in-bullets")
    window.bot.waitUntil(lambda: window.is_shown() and not window.page.detail.subject.is_proposal)
    window.tab("Effect")
    effect = window.page.detail._effect
    window.bot.waitUntil(lambda: "9 of 11 went well" in said(effect))
    assert "in the long run likely" in said(effect)
    window.tab("History")
    history = window.page.detail._history
    window.bot.waitUntil(lambda: "Approved, version 1" in said(history))
    window.press("What it did", history)
    window.bot.waitUntil(lambda: "measured better" in said(history))
    window.press("Undo…", history)
    window.bot.waitUntil(lambda: len(window.sheets) == 1)
    window.bridge.agree(window.sheets[0], yes=True)
    window.told("It is taken back.")
    assert window.state("weekly-report-in-bullets") == "retired"


def test_a_trial_says_that_it_is_too_early(window: Window) -> None:
    window.page.listing.select("ask-for-the-deadline")
    window.bot.waitUntil(lambda: window.is_shown() and window.page.detail.subject.entry.state == "trial")
    window.tab("Effect")
    window.bot.waitUntil(lambda: "Too few to tell yet" in said(window.page.detail._effect))
    assert "6 of 20 conversations" in said(window.page.detail._effect)


def test_a_built_in_skill_says_that_nothing_taught_it(window: Window) -> None:
    window.page.listing.select("unambiguous-dates")
    window.bot.waitUntil(lambda: window.is_shown() and window.page.detail.subject.entry.source == "builtin")
    assert "It came with the app" in window.tab("Proof")
    assert "It came with the app" in window.tab("Evidence")


@pytest.mark.parametrize(
    ("press", "state"),
    [("_disable", "disabled"), ("_retire", "retired")],
)
def test_a_skill_is_switched_off_and_retired_without_a_second_question(
    window: Window, press: str, state: str
) -> None:
    window.page.listing.select("dutch-mail-informal")
    window.bot.waitUntil(
        lambda: window.is_shown() and window.page.detail.subject.entry.name == "dutch-mail-informal"
    )
    getattr(window.page.detail.actions_bar, press)()
    window.bot.waitUntil(lambda: window.state("dutch-mail-informal") == state)
    assert window.sheets == []
    window.bot.waitUntil(lambda: window.page.detail.subject.entry.state == state)


def test_a_new_skill_is_written_in_plain_fields(window: Window) -> None:
    window.press("New skill")
    editor, new = window.page.detail.editor, window.page.detail.editor._new
    new.name.setText("Plain Words")
    new.when.setText('Use it: when a "text" is written.')
    new.phrases.setText("plain; words")
    new.body.setPlainText("Use short words.")
    window.bot.waitUntil(editor.save.isEnabled)
    window.press("See it")
    assert "Use short words." in editor._preview.toPlainText()
    window.press("Save")
    window.told("“Plain words” is saved.")
    found = window.app.store.read(lambda db: library.version_of(db, "plain-words"))
    assert found.description == 'Use it: when a "text" is written.'


@pytest.mark.filterwarnings("ignore:Function. 'QDragEnterEvent:DeprecationWarning")
def test_a_folder_that_is_dropped_shows_what_it_would_bring_and_its_warnings(
    window: Window, tmp_path: Path
) -> None:
    folder = tmp_path / "theirs" / "tidy"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: tidy\ndescription: Tidy up.\n---\n\nTidy up.\n")
    (folder / "run.sh").write_text("#!/bin/sh\n")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "theirs"))])
    where, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entered = QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, where, keys)
    window.page.dragEnterEvent(entered)
    assert entered.isAccepted()
    window.page.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, where, keys))
    sheet = window.page.findChild(BringSheet)
    window.bot.waitUntil(lambda: sheet.list.count() == 1)
    assert "1 script was left out" in said(sheet)
    window.bot.mouseClick(sheet.bring, Qt.MouseButton.LeftButton)
    window.bot.waitUntil(lambda: len(window.sheets) == 1)
    window.bridge.agree(window.sheets[0], yes=True)
    window.bot.waitUntil(lambda: window.state("tidy") == "active")


def test_a_folder_with_nothing_in_it_says_so(window: Window, tmp_path: Path) -> None:
    window.page.bring(str(tmp_path / "not-there"))
    sheet = window.page.findChild(BringSheet)
    window.bot.waitUntil(lambda: "Cannot look for skills" in said(sheet))
    assert not sheet.bring.isEnabled()


def test_an_empty_library_says_what_a_skill_is(qtbot: QtBot, tmp_path: Path) -> None:
    window = Window(qtbot, tmp_path)
    qtbot.waitUntil(lambda: "A skill is a short note" in said(window.page))
    window.press("Write one yourself")
    assert window.page.detail.editor.isVisible()
    window.app.close()


def test_narrow_windows_show_one_after_the_other(window: Window) -> None:
    page = window.page
    page.setMinimumSize(300, 300)  # as the window, whose own smallest size counts
    page.resize(640, 600)
    window.bot.waitUntil(lambda: not page.detail.isVisible())
    page.listing.select("dutch-mail-informal")
    window.bot.keyClick(page.listing.list, Qt.Key.Key_Return)
    assert page.detail.isVisible()
    assert not page.listing.isVisible()
    window.bot.waitUntil(window.is_shown)
    window.press("All skills")
    assert page.listing.isVisible()


def test_a_change_from_elsewhere_is_shown_and_the_place_is_kept(window: Window) -> None:
    window.page.listing.select("dutch-mail-informal")
    window.app.store.write(lambda db: decisions.add_skill(db, OTHER, ME, window.app.clock.now()))
    window.page.news({"library"})
    window.bot.waitUntil(lambda: window.page.listing.model.place_of("other").isValid())
    assert window.page.place() == "dutch-mail-informal"


def test_everything_that_takes_the_keyboard_has_a_name(window: Window) -> None:
    for widget in window.page.findChildren(QWidget):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible():
            text = getattr(widget, "text", lambda: "")()
            named = widget.accessibleName() or text or type(widget).__name__ in ("QTabBar", "QTabWidget")
            assert named, widget


def test_the_keyboard_goes_from_search_over_the_list_to_the_tabs_and_the_buttons(window: Window) -> None:
    page = window.page
    order, now = [], page.listing.search
    for _ in range(300):
        order.append(now)
        now = now.nextInFocusChain()
        if now is page.listing.search:
            break
    places = [
        order.index(each)
        for each in (
            page.listing.search,
            page.listing.states,
            page.listing.list,
            page.detail.tabs.tabBar(),
            page.detail.actions_bar._approve,
        )
    ]
    assert places == sorted(places)
