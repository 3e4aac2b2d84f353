"""What learning is worth: before, taught, and the same requests with what was learnt and without.

    cd tests && python -m benchmarks.learning [--smoke] [options]

    --rules times,…      which of the rules: times, file names, front matter, backup first, log line (all)
    --requests N         unseen requests of each rule (20)
    --others N           requests of other kinds (40)
    --keep FOLDER        leave homes and journal there; a run that was killed goes on with the same folder
    --json FILE          write all that was found there
    --upstream URL --model NAME [--key-env VAR]    another model than the embedded one, for all three parts

Every request is a session of its own through a real app, one at a time, at temperature 0. "Before" is asked
in another home than the one that learns, so that nothing of it can be measured on. The person corrects an
answer that the code holds for wrong and thanks for one that it holds for right; whatever is put before them
they approve. "Withheld" is the same request once more in the same session, with its skills switched off.
Where a rule ended without an approved skill, its requests are not asked again and the columns stay empty.

`--smoke`: one rule, two requests of it and two others; shows that all works and says nothing about worth.

Exit code 1 if the run did not end, or a part of the app did not do its work: a proposal that waited could not
be approved, or a skill was put into a session for which skills are off. Never because a figure is poor.
"""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from benchmarks.learning import exam
from benchmarks.learning.agent import Agent
from benchmarks.learning.figures import OTHERS_NAME, Outcome, figures
from benchmarks.learning.house import Chosen, Say, house
from benchmarks.learning.journal import Journal
from benchmarks.learning.options import Options, chosen_of, options_of, parsed
from benchmarks.learning.records import Answered, Identity, Learnt, Taught
from benchmarks.learning.rules import OTHERS, Case, Lesson
from benchmarks.learning.school import School
from benchmarks.learning.telling import told
from metaclaw_tray.admin import api
from metaclaw_tray.demo.app import App
from metaclaw_tray.errors import KnownError, UsageError


class Run:
    """Goes through all steps that the journal does not have yet."""

    def __init__(self, folder: Path, options: Options, chosen: Chosen, say: Say) -> None:
        self._folder = folder
        self._options = options
        self._chosen = chosen
        self._say = say
        self.journal = Journal(folder / "journal.jsonl")

    def measure(self) -> None:
        """Do all steps. Raises KnownError where the app or the model is away."""
        self._identify()
        with house(self._folder / "before", self._chosen, self._say) as (_, agent):
            for rule in self._options.rules:
                self._ask(agent, "before", rule.name, rule.unseen[: self._options.requests])
            self._ask(agent, "before", OTHERS_NAME, OTHERS[: self._options.others])
        with house(self._folder / "learnt", self._chosen, self._say) as (app, agent):
            self._teach(School(app, agent, self._options.rules, self._say))
            self._compare(app, agent)

    def outcome(self) -> Outcome:
        """What there is so far."""
        return figures(self.journal, self._options.rules)

    def _identify(self) -> None:
        now = Identity(self._chosen.model, self._chosen.base_url, _commit(), _machine())
        first = self.journal.once("identity", Identity, lambda: now)
        if first != now:
            raise UsageError(
                "Another run",
                f"The run in {self._folder} was begun with {first.model} at {first.commit}.",
                "Take another folder.",
            )

    def _ask(self, agent: Agent, part: str, name: str, cases: Sequence[Case]) -> None:
        self._say(f"{part}: {name}")
        for number, case in enumerate(cases):
            self._once(part, name, number, agent, case)

    def _once(self, part: str, name: str, number: int, agent: Agent, case: Case) -> Answered:
        session = _session(part, name, number)
        return self.journal.once(
            f"{part}/{name}/{number}", Answered, lambda: exam.ask(agent, session, case, self._say)
        )

    def _teach(self, school: School) -> None:
        taught: dict[str, list[Taught]] = {}
        known: set[str] = set()
        for name, lessons in self._options.taught():
            self._say(f"teaching: {name}")
            taught[name] = [self._lesson(school, name, *each) for each in enumerate(lessons)]
            known.update(offer.id for offer in self._learn(school, name, taught, known).offers)

    def _learn(self, school: School, name: str, taught: dict[str, list[Taught]], known: set[str]) -> Learnt:
        self._say(f"learning: {name}")
        return self.journal.once(f"learn/{name}", Learnt, lambda: school.learn(taught, name, known))

    def _lesson(self, school: School, name: str, number: int, lesson: Lesson) -> Taught:
        session = _session("teach", name, number)
        return self.journal.once(f"teach/{name}/{number}", Taught, lambda: school.teach(session, lesson))

    def _compare(self, app: App, agent: Agent) -> None:
        found = {rule.name: rule for rule in self.outcome().rules}
        learnt = [
            rule for rule in self._options.rules if any(offer.approved for offer in found[rule.name].offers)
        ]
        for rule in learnt:
            self._say(f"with and withheld: {rule.name}")
            for number, case in enumerate(rule.unseen[: self._options.requests]):
                self._once("with", rule.name, number, agent, case)
                self._withheld(app, agent, rule.name, number, case)
        if any(skill.state == "active" for skill in app.commands.call(api.ListSkills())):
            self._ask(agent, "with", OTHERS_NAME, OTHERS[: self._options.others])

    def _withheld(self, app: App, agent: Agent, name: str, number: int, case: Case) -> None:
        session = _session("with", name, number)
        self.journal.once(
            f"withheld/{name}/{number}",
            Answered,
            lambda: exam.ask_without(app, agent, session, case, self._say),
        )


def _session(part: str, name: str, number: int) -> str:
    return f"{part}-{name.replace(' ', '-')}-{number}"


def _commit() -> str:
    """The code that runs, as far as it is known: a wheel has no history."""
    asked = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
    except OSError:
        return "an unknown commit"
    return done.stdout.strip() or "an unknown commit"


def _machine() -> str:
    return f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}"


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="metaclaw-learning-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def main() -> int:
    """Run it, tell it, and give the exit code."""
    asked = parsed()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        options, chosen = options_of(asked), chosen_of(asked)
        with _folder(asked.keep) as folder:
            return _measured(Run(folder, options, chosen, _say), asked.json)
    except KnownError as error:
        _say("\n".join(error.lines()))
        return 1


def _measured(run: Run, file: Path | None) -> int:
    """Measure and tell it; what there is, where it did not get to the end."""
    why = ""
    try:
        run.measure()
    except KeyboardInterrupt:
        why = "It was stopped."
    except KnownError as error:
        why = " ".join(error.lines())
    outcome = run.outcome()
    sys.stdout.write(told(outcome) + "\n")
    if file:
        file.write_bytes(msgspec.json.format(msgspec.json.encode(outcome), indent=2) + b"\n")
    if why:
        _say(f"The run did not end, so not all of it stands here. {why}")
    return 1 if why or outcome.complaints else 0


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
