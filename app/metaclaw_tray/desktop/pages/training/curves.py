"""The curves of a job: how its answers were judged, how far it went from the base, what it spent."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from metaclaw_tray.admin.api import JobDetail, JobPoint
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.charts.bar_chart import Bar, BarChart
from metaclaw_tray.desktop.charts.boxed import BoxedChart
from metaclaw_tray.desktop.charts.line_chart import LineChart
from metaclaw_tray.desktop.charts.lines import Value
from metaclaw_tray.desktop.charts.multiples import Multiples
from metaclaw_tray.desktop.charts.painting import number
from metaclaw_tray.desktop.pages.today.words import money
from metaclaw_tray.desktop.parts import column, label

_MOST_BARS = 20
_HIGH = 170

translate = QCoreApplication.translate


class Curves(QWidget):
    """Three small charts of one job, over its steps."""

    def __init__(self) -> None:
        super().__init__()
        step = self.tr("Step")
        self._reward = LineChart(
            self.tr("How good its answers were"),
            lambda each: self.tr("Step {step}: {value}, most between {low} and {high}").format(
                step=number(each.x, 0),
                value=number(each.y, 2),
                low=number(each.low or 0.0, 2),
                high=number(each.high or 0.0, 2),
            ),
            [step, self.tr("Mean reward"), self.tr("Lower edge"), self.tr("Upper edge")],
            height=_HIGH,
        )
        self._far = LineChart(
            self.tr("How far it drifted"),
            lambda each: self.tr("Step {step}: {value}").format(
                step=number(each.x, 0), value=number(each.y, 3)
            ),
            [step, self.tr("Distance (KL, nats a token)")],
            height=_HIGH,
        )
        self._spent = BarChart(self.tr("What it spent"), (step, "USD"), height=_HIGH)
        about = (
            self.tr("Reward: 1 is best. The band holds most answers of a step."),
            self.tr("From the base model. One that drifts too far forgets what it could, so it stops there."),
            self.tr("In USD, by steps."),
        )
        charts = (self._reward, self._far, self._spent)
        self.boxes = tuple(
            BoxedChart(chart, chart.accessibleName(), legend=label(said, "muted", size=theme.SMALL))
            for chart, said in zip(charts, about, strict=True)
        )
        self._none = label(self.tr("It has made no step yet, so there is nothing to draw."), "muted")
        self._all = Multiples(self.boxes)
        self.setLayout(column(self._none, self._all))

    def show_job(self, job: JobDetail) -> None:
        """Show a job's curves."""
        points = job.points
        self._none.setVisible(not points)
        self._all.setVisible(bool(points))
        if not points:
            return
        rewards = [Value(each.step, each.reward, each.reward_low, each.reward_high) for each in points]
        self._reward.show_values(rewards)
        self._reward.say(_course([each.reward for each in points], points, 2))
        limit = (job.kl_stop, self.tr("stops here"))
        far = [Value(each.step, each.kl) for each in points]
        self._far.show_values(far, from_zero=True, limit=limit, digits=3)
        self._far.say(_course([each.kl for each in points], points, 3))
        self._spent.show_bars(list(spent(points)))
        self._spent.say(self.tr("{usd} in all.").format(usd=money(points[-1].usd)))
        for each in self.boxes:
            if each.as_table:
                each.fill()


def spent(points: Sequence[JobPoint]) -> Sequence[Bar]:
    """What each step cost, or a few of them together where there are many."""
    together = -(-len(points) // _MOST_BARS)
    bars, before = [], 0.0
    for first in range(0, len(points), together):
        some = points[first : first + together]
        usd = max(0.0, some[-1].usd - before)
        before = some[-1].usd
        steps = number(some[0].step, 0)
        if len(some) > 1:
            steps = f"{steps}–{number(some[-1].step, 0)}"
        said = translate("Curves", "Step {steps}: {usd}").format(steps=steps, usd=money(usd))
        bars.append(Bar(steps, usd, said))
    return bars


def _course(values: Sequence[float], points: Sequence[JobPoint], digits: int) -> str:
    """A curve in a sentence: where it began and ended, and its highest."""
    top = max(range(len(values)), key=values.__getitem__)
    said = translate(
        "Curves", "From {first} at step {begin} to {last} at step {end}; highest {top} at step {at}."
    )
    return said.format(
        first=number(values[0], digits),
        begin=number(points[0].step, 0),
        last=number(values[-1], digits),
        end=number(points[-1].step, 0),
        top=number(values[top], digits),
        at=number(points[top].step, 0),
    )
