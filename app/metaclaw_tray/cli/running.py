"""The app itself: serve, status, notices, doctor, demo, learn, model."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from metaclaw_tray.admin.api import (
    GetStatus,
    JudgeMeasured,
    LearnNow,
    LearnOutcome,
    LearnStatus,
    ListNotices,
    MeasureJudge,
    NoticeRow,
    ShowLearnStatus,
    ShowWindow,
    Status,
)
from metaclaw_tray.cli.asking import answer, ask, json_option
from metaclaw_tray.cli.output import note, pairs, say, say_json, table
from metaclaw_tray.errors import KnownError, NotRunningError
from metaclaw_tray.paths import Paths

if TYPE_CHECKING:
    from metaclaw_tray.embedded.fetch import Progress
    from metaclaw_tray.embedded.manifest import Model

# What only one command needs, and takes long to load, is imported inside it.


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), help="Port on 127.0.0.1; 0 takes a free one.")
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON when ready.")
def serve(port: int | None, as_json: bool) -> int:
    """Run the app without a screen, until SIGTERM or Ctrl-C."""
    from metaclaw_tray.runtime import serve as run_serve

    return run_serve(Paths.find(), port, as_json)


def open_tray(*, hidden: bool = False) -> int:
    """Bring the running app's window to the front; where no app runs, be it, with the tray. `hidden` leaves
    the window closed."""
    try:
        ask(ShowWindow(hidden=hidden))
    except NotRunningError:
        from metaclaw_tray.runtime import serve as run_serve

        return run_serve(Paths.find(), None, as_json=False, window="hidden" if hidden else "open")
    return 0


@click.command()
@json_option
def status(as_json: bool) -> None:
    """How the running app is."""
    answer(GetStatus(), as_json, _show_status)


@click.command()
@json_option
def notices(as_json: bool) -> None:
    """What did not happen, and why: the latest first."""
    answer(ListNotices(), as_json, _show_notices)


@click.command()
@click.option("--judge", is_flag=True, help="Measure how far the learning model can be trusted as a judge.")
@click.option("--split", type=click.Choice(["dev", "test"]), default="test", help="Of the labelled items.")
@click.option("--limit", type=click.IntRange(0), default=0, help="Labelled items of each kind; 0 for all.")
@json_option
def doctor(judge: bool, split: Literal["dev", "test"], limit: int, as_json: bool) -> int:
    """Look for what is broken or missing, whether the app runs or not."""
    if judge:
        answer(MeasureJudge(split=split, limit=limit), as_json, _show_judge)
        return 0
    from metaclaw_tray.cli import doctoring

    checks = doctoring.examine(Paths.find())
    if as_json:
        say_json(checks)
    else:
        for check in checks:
            say(f"{check.mark} {check.name}: {check.detail}")
            if check.remedy:
                say(f"    → {check.remedy}")
    return 1 if any(check.state == "broken" for check in checks) else 0


@click.command()
@click.option(
    "--upstream", metavar="URL", help="Use the model of this server, as in http://127.0.0.1:11434/v1."
)
@click.option("--model", metavar="NAME", help="Model to ask for at that server.")
@click.option("--key-env", metavar="VAR", help="Environment variable that holds the key for it.")
@click.option("--yes", is_flag=True, help="Fetch the model and approve the skill without asking.")
@click.option("--keep", is_flag=True, help="Keep the demo's folder to look into.")
def demo(**options: Any) -> int:
    """Show the whole loop once: a mistake, a correction, a skill, its measurement, and the difference."""
    from metaclaw_tray.demo import run_demo

    return run_demo(**options)


@click.group()
def learn() -> None:
    """Learning, by hand."""


@learn.command("now")
@json_option
def learn_now(as_json: bool) -> None:
    """Judge what waits and look for something to learn, telling each step."""
    answer(LearnNow(), as_json, _show_outcome)


@learn.command("status")
@json_option
def learn_status(as_json: bool) -> None:
    """What learning does, or why it waits."""
    answer(ShowLearnStatus(), as_json, _show_learning)


@click.group()
def model() -> None:
    """The embedded model, which runs on this machine and needs no key."""


@model.command("list")
@json_option
def model_list(as_json: bool) -> None:
    """Models that can be fetched, and those that are here."""
    from metaclaw_tray.embedded.manifest import load_manifest

    paths = Paths.find()
    models = load_manifest(paths).models
    if as_json:
        fields = ("id", "name", "publisher", "licence", "bytes")
        say_json(
            [{**each.model_dump(include=set(fields)), "present": each.is_present(paths)} for each in models]
        )
        return
    cells = [
        (each.id, f"{each.bytes / 1e9:.2f} GB", each.is_present(paths), each.licence, each.publisher)
        for each in models
    ]
    say(table(["id", "size", "here", "licence", "publisher"], cells, empty="No models are known."))


@model.command("fetch")
@click.argument("name", required=False)
@click.option("--yes", is_flag=True, help="Download without asking.")
def model_fetch(name: str | None, yes: bool) -> None:
    """Download a model, after showing its size and where it comes from."""
    from metaclaw_tray.embedded.fetch import plan
    from metaclaw_tray.embedded.manifest import load_manifest

    paths = Paths.find()
    manifest = load_manifest(paths)
    wanted = manifest.find(name) if name else manifest.default
    planned = plan(wanted, paths)
    for line in planned.lines():
        note(line)
    if not planned.present:
        if not yes and not click.confirm("Download it?", err=True):
            raise KnownError(
                "Not fetched", "There was no yes.", "Give --yes to download without being asked."
            )
        _fetch_showing(wanted, paths)
    say(str(wanted.path(paths)))


def _fetch_showing(wanted: Model, paths: Paths) -> Path:
    from metaclaw_tray.embedded.fetch import fetch

    with click.progressbar(length=wanted.bytes, label=wanted.id, file=sys.stderr) as bar:

        def show(progress: Progress) -> None:
            if progress.news:
                note(progress.news)
            bar.update(progress.done - bar.pos)

        return fetch(wanted, paths, show)


def _show_status(status: Status) -> None:
    say(
        pairs(
            [
                ("version", status.version),
                ("process", status.pid),
                ("home", status.home),
                ("address", status.url),
                ("running for", f"{status.uptime_seconds / 60:.0f} min"),
                ("upstream", status.upstream or "none: `metaclaw-tray upstream add`"),
                ("agents", status.agents),
                ("turns", status.turns),
                ("kept", status.kept),
                ("records dropped", status.dropped_records),
                ("records waiting", status.queue),
                ("generation", status.generation),
                ("active skills", status.active_skills),
                ("proposals for you", status.pending_proposals),
                ("on trial", status.trials),
                ("review policy", status.review),
                ("learning", status.learning),
                ("skills by meaning", status.embedder),
                ("spent today", f"{status.spent_today_usd:.4f} of {status.day_limit_usd:.2f} USD"),
                ("training window", status.open_window or f"closed: {status.why_not}"),
                ("secrets in", status.secrets),
                ("scripted use", "allowed" if status.allow_scripted else "not allowed"),
            ]
        )
    )
    for sentence in status.trouble:
        say(f"! {sentence}")


def _show_notices(rows: list[NoticeRow]) -> None:
    cells = [(row.at, row.kind, row.subject, row.count, row.reason) for row in rows]
    say(table(["at", "kind", "subject", "times", "reason"], cells, empty="Nothing was left undone."))


def _show_learning(status: LearnStatus) -> None:
    say(
        pairs(
            [
                ("learning", "ready" if status.ready else f"waits: {status.why_not}"),
                ("turns to judge", status.judging),
                ("judged", status.judged),
                ("unscored", status.unscored),
                ("gathering", status.clusters),
                ("last run", status.last_run or "-"),
                ("at", status.last_run_at),
            ]
        )
    )


def _show_outcome(outcome: LearnOutcome) -> None:
    for sentence in outcome.notes:
        say(sentence)
    say(f"Judged {outcome.judged}. Proposals that wait for you: {', '.join(outcome.proposals) or 'none'}.")
    if outcome.proposals:
        say(f"Read it: `metaclaw-tray review show {outcome.proposals[-1]}`")


def _show_judge(found: JudgeMeasured) -> None:
    say(f"{found.model} as a judge, on the {found.items} labelled turns of “{found.split}”:")
    say("\n".join(f"  {each}" for each in found.words))
    cost = "at a price that is not known" if found.usd is None else f"for {found.usd:.4f} USD"
    say(f"  {found.calls} calls {cost}, in {found.seconds / 60:.1f} minutes.")
    if found.wrong:
        say(f"  Judged otherwise: {', '.join(found.wrong)}")
    if found.left_out:
        say(f"  Left out: {', '.join(found.left_out)}. Run it again to go on: what was answered is kept.")


COMMANDS = [serve, status, notices, doctor, demo, learn, model]
