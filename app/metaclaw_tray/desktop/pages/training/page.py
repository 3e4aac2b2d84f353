"""Training: what it is, how it stands, its windows, jobs and adapters."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QFileDialog, QWidget

from metaclaw_tray.admin import api
from metaclaw_tray.admin.window import Topic
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.page import Page
from metaclaw_tray.desktop.pages.training import rows, words
from metaclaw_tray.desktop.pages.training.curves import Curves
from metaclaw_tray.desktop.pages.training.section import Section
from metaclaw_tray.desktop.pages.training.status import StatusCard
from metaclaw_tray.desktop.parts import Card, Scroller, column, heading, label
from metaclaw_tray.desktop.remedies import in_window
from metaclaw_tray.desktop.sure import be_sure

_LISTED = 30  # jobs, and windows


class TrainingPage(Page):
    """`training/JOB` shows the curves of one job."""

    name, symbol = "training", "training"
    topics = frozenset[Topic]({"training", "settings"})

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._training: api.Training | None = None
        self._schedule: api.Schedule | None = None
        self._jobs: list[api.JobRow] = []
        self._chosen = ""  # the job whose curves are shown
        self.status = StatusCard()
        self.status.start.connect(lambda: self._do(api.StartTraining()))
        self.status.pause.connect(lambda: self._do(api.PauseTraining()))
        self.status.stop.connect(self._stop)
        self._done = Card(kind="note")
        self._done_words = label()
        self._done.body.addWidget(self._done_words)
        self._done.hide()
        self._later = label(
            self.tr("Once training is set up, its windows, its jobs and what came of them stand here."),
            "muted",
        )
        self.jobs: Section[api.JobRow] = Section(
            self.tr("Jobs"),
            self.tr("Each practises on some of your requests, is measured, and can be paused at any time."),
            self.tr("No job yet. The first begins in the next window."),
            lambda job: rows.job_row(job, chosen=job.id == self._chosen, show=self.go_to),
        )
        self.curves = Curves()
        self._notes = label(kind="muted", size=theme.SMALL)
        self._curves_title = heading("")
        self._curves_card = Card(self._curves_title, self.curves, self._notes)
        self.adapters: Section[api.AdapterRow] = Section(
            self.tr("What was trained"),
            self.tr("Each is an adapter: a small file that changes how its model answers."),
            self.tr("Nothing yet. What a job has trained stands here, with how much better it is."),
            self._adapter_row,
        )
        self._named: dict[str, api.AdapterRow] = {}
        self.windows: Section[api.WindowRow] = Section(
            self.tr("Windows"),
            self.tr("When training was allowed to run, and why it began and ended."),
            self.tr("There was none yet."),
            rows.window_row,
        )
        self._lists = QWidget()
        self._lists.setLayout(
            column(self.adapters, self.jobs, self._curves_card, self.windows, gap=theme.GAP_L)
        )
        inner = QWidget()
        inner.setLayout(
            column(
                label(words.what_it_is()),
                self._done,
                self.status,
                self._later,
                self._lists,
                None,
                gap=theme.GAP_L,
            )
        )
        self._curves_card.hide()
        self.body.setLayout(column(Scroller(inner)))

    def title(self) -> str:
        return self.tr("Training")

    def place(self) -> str:
        return self._chosen

    def go_to(self, place: str) -> None:
        """Show the curves of a job."""
        self._chosen = place
        if self._jobs:  # else it is asked for with them
            self.jobs.show_rows(self._jobs, anew=True)
            self._ask_job()

    def refresh(self) -> None:
        ask = self.bridge.ask
        ask(api.ShowTraining(), self._show_training, self.failed, owner=self)
        ask(api.ShowSchedule(), self._show_schedule, self._without, owner=self)
        ask(api.ListJobs(_LISTED), self._show_jobs, self._without, owner=self)
        ask(api.ListAdapters(), self._show_adapters, self._without, owner=self)
        ask(api.ListWindows(_LISTED), self.windows.show_rows, self._without, owner=self)

    def _show_training(self, training: api.Training) -> None:
        self._training = training
        there = training.state != "none"
        self._lists.setVisible(there)
        self._later.setVisible(not there)
        self.status.show_training(training, self._schedule)
        self.ready()

    def _show_schedule(self, schedule: api.Schedule) -> None:
        self._schedule = schedule
        if self._training is not None:
            self.status.show_training(self._training, schedule)

    def _show_jobs(self, jobs: list[api.JobRow]) -> None:
        self._jobs = jobs
        if not self._chosen and jobs:
            self._chosen = jobs[0].id
        self.jobs.show_rows(jobs)
        self._ask_job()

    def _ask_job(self) -> None:
        asked = self._chosen
        if not asked:
            self._curves_card.hide()
            return
        self.bridge.ask(
            api.ShowJob(asked), lambda job: self._show_job(asked, job), self._without_job, owner=self
        )

    def _show_job(self, asked: str, job: api.JobDetail) -> None:
        if asked != self._chosen:  # the person went on meanwhile
            return
        when = words.moment(job.job.started_at)
        self._curves_title.setText(self.tr("Curves of the job of {when}").format(when=when))
        self.curves.show_job(job)
        self._notes.setText("\n".join(job.notes))
        self._notes.setVisible(bool(job.notes))
        self._curves_card.show()

    def _without_job(self, _problem: Problem) -> None:
        self._curves_card.hide()

    def _show_adapters(self, adapters: list[api.AdapterRow]) -> None:
        self._named = {each.id: each for each in adapters}
        self.adapters.show_rows(adapters)

    def _without(self, _problem: Problem) -> None:
        """What training itself says is shown; a list that did not come stays as it was."""

    def _adapter_row(self, adapter: api.AdapterRow) -> QWidget:
        return rows.adapter_row(
            adapter,
            self._named,
            use=lambda of: self._do(api.UseAdapter(id=of)),
            roll_back=lambda: self._do(api.RollBackAdapter()),
            export=self._export,
        )

    def _stop(self) -> None:
        be_sure(
            self,
            self.tr("Stop this job?"),
            self.tr("What it has learnt up to its last checkpoint is kept. It does not go on by itself."),
            self.tr("Stop"),
            lambda: self._do(api.StopTraining()),
        )

    def _export(self, adapter: str, form: rows.Form) -> None:
        folder = QFileDialog.getExistingDirectory(self, self.tr("Where shall it be written?"))
        if not folder:
            return

        def done(made: api.Exported) -> None:
            said = self.tr("Written to {folder}: %n file(s).", "", len(made.files))
            self._say(said.format(folder=made.folder))

        self.bridge.ask(api.ExportAdapter(id=adapter, folder=folder, form=form), done, owner=self)

    def _do(self, verb: api.Verb[Any]) -> None:
        def done(said: api.Said) -> None:
            self._say(in_window(said.text).text)
            self._ask()

        self.bridge.ask(verb, done, owner=self)

    def _say(self, text: str) -> None:
        self._done_words.setText(text)
        self._done.show()
