"""The page Training: honest while nothing is set up, complete once there is something."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from desktop import trainings
from desktop.looking import press, said
from desktop.stand_in import AWAY, StandInBridge
from metaclaw_tray.admin import api
from metaclaw_tray.desktop.pages.training.curves import spent
from metaclaw_tray.desktop.pages.training.page import TrainingPage
from metaclaw_tray.desktop.pages.training.rows import lineage
from metaclaw_tray.desktop.sure import SureDialog

JOBS = {job.id: job for job in (trainings.RUNNING, trainings.DONE, trainings.STOPPED)}
NOTHING: dict[type[api.Verb[Any]], Any] = {
    api.ShowTraining: trainings.NONE,
    api.ShowSchedule: trainings.NO_SCHEDULE,
    api.ListJobs: [],
    api.ListAdapters: [],
    api.ListWindows: [],
}
EVERYTHING: dict[type[api.Verb[Any]], Any] = {
    api.ShowTraining: trainings.RUNS,
    api.ShowSchedule: trainings.RUNS_IN,
    api.ListJobs: list(JOBS.values()),
    api.ListAdapters: [trainings.IN_USE, trainings.FIRST, trainings.REFUSED],
    api.ListWindows: [trainings.OPEN, trainings.MEETING, trainings.NOTHING_RAN],
    api.ShowJob: lambda verb: trainings.detail(JOBS[verb.id]),
}
WAITS = EVERYTHING | {api.ShowTraining: trainings.WAITS, api.ShowSchedule: trainings.WAITS_IN}


def shown(qtbot: QtBot, bridge: StandInBridge, answers: dict[type[api.Verb[Any]], Any]) -> TrainingPage:
    bridge.answers |= answers
    page = TrainingPage(bridge)
    qtbot.addWidget(page)
    page.resize(940, 700)
    page.show()
    qtbot.waitUntil(lambda: page._training is not None and page._schedule is not None)
    qtbot.waitUntil(lambda: page.windows._shown is not None)
    QApplication.processEvents()  # what has just come into a layout is shown with the next events
    return page


def buttons(page: TrainingPage) -> list[str]:
    return [each.text() for each in page.findChildren(QPushButton) if each.isVisibleTo(page)]


def test_while_nothing_is_set_up_it_says_what_training_is_and_that_nothing_is_missing(
    qtbot: QtBot, bridge: StandInBridge
) -> None:
    page = shown(qtbot, bridge, NOTHING)
    text = said(page)
    assert "While you are away, a model of your own can practise on requests of yours" in text
    assert "No training is set up. Skills are learnt all the same." in text
    assert "Not set up" in text
    assert buttons(page) == []
    assert page._lists.isHidden()


def test_how_to_begin_is_said_in_order_where_the_app_knows_it(qtbot: QtBot, bridge: StandInBridge) -> None:
    begin = ["Give the key of a service that trains.", "Look at what would leave this machine."]
    page = shown(qtbot, bridge, NOTHING | {api.ShowTraining: replace(trainings.NONE, begin=begin)})
    assert f"1. {begin[0]}\n2. {begin[1]}" in said(page)


def test_where_it_is_set_up_and_nothing_ran_each_list_says_so(qtbot: QtBot, bridge: StandInBridge) -> None:
    nothing = {api.ShowTraining: trainings.WAITS, api.ShowSchedule: trainings.WAITS_IN}
    text = said(shown(qtbot, bridge, NOTHING | nothing))
    assert "No job yet. The first begins in the next window." in text
    assert "There was none yet." in text
    assert "11 of the 32 it needs" in text


def test_it_says_why_not_now_and_when_the_next_window_is(qtbot: QtBot, bridge: StandInBridge) -> None:
    page = shown(qtbot, bridge, WAITS)
    text = said(page)
    assert "Why not now: you are at the keyboard." in text
    assert ", a meeting. Your calendar has a meeting then." in text
    assert "Such forecasts came true 8 times in 10." in text
    press(page, "What decides")
    assert "Touched 3 seconds ago." in said(page)
    assert "Speaks against it" in said(page)


def test_while_it_runs_it_says_since_when_and_how_far(qtbot: QtBot, bridge: StandInBridge) -> None:
    page = shown(qtbot, bridge, EVERYTHING)
    text = said(page)
    assert "Your sleep hours began at 00:30 and nothing was touched for 40 minutes." in text
    assert "Step 12 of 40 · 0.84 USD of at most 3.00 USD" in text
    assert "tinker.example (what it practises on is sent there)" in text
    assert "3.57 USD of at most 10.00 USD" in text


@pytest.mark.parametrize(
    ("answers", "pressed", "asked"),
    [
        (WAITS, "Start now", api.StartTraining()),
        (WAITS, "Pause", api.PauseTraining()),
        (EVERYTHING, "Pause", api.PauseTraining()),
        (
            EVERYTHING | {api.ShowTraining: replace(trainings.RUNS, state="paused")},
            "Go on",
            api.StartTraining(),
        ),
        (EVERYTHING, "Use…", api.UseAdapter(id="a1")),
        (EVERYTHING, "Roll back…", api.RollBackAdapter()),
    ],
)
def test_each_button_is_one_verb_and_what_came_of_it_is_said(
    qtbot: QtBot, bridge: StandInBridge, answers: Any, pressed: str, asked: api.Verb[Any]
) -> None:
    page = shown(qtbot, bridge, answers)
    before = len(bridge.of(api.ShowTraining))
    press(page, pressed)
    assert bridge.of(type(asked)) == [asked]
    qtbot.waitUntil(lambda: len(bridge.of(api.ShowTraining)) > before)
    assert "Done." in said(page)


def test_stopping_is_asked_once_more(qtbot: QtBot, bridge: StandInBridge) -> None:
    page = shown(qtbot, bridge, EVERYTHING)
    press(page, "Stop…")
    (dialog,) = page.findChildren(SureDialog)
    assert "up to its last checkpoint is kept" in said(dialog)
    assert bridge.of(api.StopTraining) == []
    dialog.accept()
    qtbot.waitUntil(lambda: bridge.of(api.StopTraining) == [api.StopTraining()])


@pytest.mark.parametrize(("folder", "asked"), [("/somewhere", 1), ("", 0)])
def test_an_adapter_is_exported_to_a_folder_of_the_person_s_choice(
    qtbot: QtBot, bridge: StandInBridge, monkeypatch: pytest.MonkeyPatch, folder: str, asked: int
) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: folder)
    bridge.answers[api.ExportAdapter] = api.Exported(folder="/somewhere/night-2", files=["a", "b"])
    page = shown(qtbot, bridge, EVERYTHING)
    export = next(each for each in page.adapters.findChildren(QPushButton) if each.text() == "Export")
    export.menu().actions()[1].trigger()
    assert len(bridge.of(api.ExportAdapter)) == asked
    if asked:
        assert bridge.of(api.ExportAdapter) == [api.ExportAdapter(id="a2", folder=folder, form="gguf")]
        qtbot.waitUntil(lambda: "Written to /somewhere/night-2: 2 file(s)." in said(page))


def test_adapters_tell_how_good_they_are_why_they_are_used_and_where_they_come_from(
    qtbot: QtBot, bridge: StandInBridge
) -> None:
    page = shown(qtbot, bridge, EVERYTHING)
    text = said(page.adapters)
    assert "0.61 → 0.66" in text
    assert "Before: 0.61, between 0.54 and 0.68. After: 0.66, between 0.59 and 0.73." in text
    assert "you took it into use on 3 March" in text
    assert "Qwen3-8B → night-1 → night-2" in text
    assert "It was not measurably better." in text
    uses = [each for each in page.adapters.findChildren(QPushButton) if each.text() == "Use…"]
    assert [each.accessibleName() for each in uses] == ["Use night-1"]


def test_a_lineage_that_bites_its_tail_ends() -> None:
    one, other = replace(trainings.IN_USE, parent="a1"), replace(trainings.FIRST, parent="a2")
    assert lineage(one, {"a1": other, "a2": one}) == "Qwen3-8B → night-1 → night-2"


def test_windows_tell_why_they_opened_and_closed(qtbot: QtBot, bridge: StandInBridge) -> None:
    text = said(shown(qtbot, bridge, EVERYTHING).windows)
    assert "Meeting: Planning" in text
    assert "Closed: An agent was asked for something." in text
    assert "41 min of training" in text
    assert "no training" in text


def test_the_newest_job_shows_its_curves_and_another_can_be_looked_at(
    qtbot: QtBot, bridge: StandInBridge
) -> None:
    page = shown(qtbot, bridge, EVERYTHING)
    qtbot.waitUntil(lambda: not page._curves_card.isHidden())
    reward, far, cost = (each.chart for each in page.curves.boxes)
    assert reward.accessibleDescription().startswith("From 0.")
    assert "at step 12" in reward.accessibleDescription()
    assert len(reward.places) == len(far.places) == len(cost.places) == 12
    assert cost.accessibleDescription() == "0.84 USD in all."
    assert "the machine slept in the middle of it" in said(page)
    press(page.jobs, "Curves", at=1)
    qtbot.waitUntil(lambda: len(reward.places) == 30)
    assert page.place() == "job-2"
    QTest.keyClick(reward, Qt.Key.Key_End)
    assert reward.accessibleDescription().startswith("Step 30: 0.")


def test_a_job_is_opened_by_its_name_before_anything_came(qtbot: QtBot, bridge: StandInBridge) -> None:
    bridge.answers |= EVERYTHING
    page = TrainingPage(bridge)
    qtbot.addWidget(page)
    page.go_to("job-2")
    assert bridge.asked == []
    page.show()
    qtbot.waitUntil(lambda: not page._curves_card.isHidden())
    assert bridge.of(api.ShowJob)[-1].id == "job-2"


def test_a_job_that_is_gone_shows_no_curves(qtbot: QtBot, bridge: StandInBridge) -> None:
    page = shown(qtbot, bridge, EVERYTHING | {api.ShowJob: AWAY})
    qtbot.waitUntil(lambda: bool(bridge.of(api.ShowJob)))
    qtbot.wait(20)
    assert page._curves_card.isHidden()


def test_a_late_answer_for_another_job_is_not_shown(qtbot: QtBot, bridge: StandInBridge) -> None:
    page = shown(qtbot, bridge, EVERYTHING)
    page.go_to("job-2")
    page._show_job("job-1", trainings.detail(trainings.STOPPED))
    assert "2 03 2026" not in page._curves_title.text()


def test_a_job_without_a_step_has_nothing_to_draw(qtbot: QtBot, bridge: StandInBridge) -> None:
    planned = replace(trainings.RUNNING, state="planned", step=0)
    answers = EVERYTHING | {api.ListJobs: [planned], api.ShowJob: trainings.detail(planned)}
    page = shown(qtbot, bridge, answers)
    qtbot.waitUntil(lambda: "It has made no step yet" in said(page))


def test_what_many_steps_cost_is_told_by_a_few_at_a_time() -> None:
    bars = spent(trainings.points(50))
    assert len(bars) == 17
    assert bars[0].label == "1–3"
    assert bars[-1].label == "49–50"
    assert sum(each.value for each in bars) == pytest.approx(50 * 0.07)


def test_an_app_that_does_not_answer_is_said(qtbot: QtBot, bridge: StandInBridge) -> None:
    bridge.answers |= dict.fromkeys(EVERYTHING, AWAY)
    page = TrainingPage(bridge)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitUntil(lambda: "The app does not answer." in said(page))


def test_what_does_not_change_keeps_the_hand_that_is_on_it(qtbot: QtBot, bridge: StandInBridge) -> None:
    page = shown(qtbot, bridge, EVERYTHING)
    before = list(page.adapters.findChildren(QPushButton))
    page.news({"training"})
    qtbot.waitUntil(lambda: len(bridge.of(api.ListAdapters)) == 2)
    qtbot.wait(20)
    assert page.adapters.findChildren(QPushButton) == before
