"""`turns forget`: what goes and what stays, a yes, the deed, and what was learnt from it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import click

from metaclaw_tray.admin.api import ForgetOutlook, ForgetTurns, LearntSkill, LookAtForgetting, RetireSkill
from metaclaw_tray.cli.asking import ask
from metaclaw_tray.cli.output import note, say, say_json, shown
from metaclaw_tray.errors import KnownError, UsageError

_DAY, _MINUTE = "%Y-%m-%d", "%Y-%m-%dT%H:%M"


@click.command("forget")
@click.argument("ids", nargs=-1)
@click.option("--session", default="", metavar="ID", help="All turns of this session.")
@click.option("--exchange", default="", metavar="ID", help="All turns of this exchange, by its id or `last`.")
@click.option("--agent", default="", metavar="NAME", help="All turns of this agent.")
@click.option(
    "--before",
    type=click.DateTime([_DAY, _MINUTE]),
    metavar="DATE",
    help="All turns that began before, as in 2026-03-01 or 2026-03-01T18:30, by your own clock.",
)
@click.option("--retire", is_flag=True, help="Retire the skills that were learnt from them, after it.")
@click.option("--yes", is_flag=True, help="Forget without asking.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def turns_forget(
    ids: tuple[str, ...],
    session: str,
    exchange: str,
    agent: str,
    before: datetime | None,
    retire: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Take turns out of the record for good, with all that quotes them.

    Options narrow each other: `--agent claw --before 2026-03-01` means both. It shows what would go and what
    would stay, and asks. What is forgotten cannot be brought back.
    """
    if not (ids or session or exchange or agent or before):
        raise UsageError(
            "Nothing to forget is named",
            "Give ids of turns, or --session, --exchange, --agent or --before.",
            "`metaclaw-tray turns list` shows them.",
        )
    meant = LookAtForgetting(
        turns=list(ids),
        session=session,
        exchange=exchange,
        agent=agent,
        before=before.astimezone()
        if before
        else None,  # a date that is typed is one of the person's own zone
    )
    seen = ask(meant)
    for line in _lines(seen):
        note(line)
    if not seen.turns:
        raise KnownError("Nothing to forget", "No turn that has ended is meant by this.", "")
    if not yes and not click.confirm("Forget them?", err=True):
        raise KnownError(
            "Nothing was forgotten", "There was no yes.", "Give --yes to forget without being asked."
        )
    done = ask(
        ForgetTurns(
            turns=meant.turns,
            session=session,
            exchange=exchange,
            agent=agent,
            before=meant.before,
            until=seen.until,
        )
    )
    if as_json:
        say_json(done)
    else:
        say(f"Forgotten: {done.turns} turns with {done.messages} messages.")
    _retire(done.skills, retire=retire, yes=yes)


def _lines(seen: ForgetOutlook) -> Iterable[str]:
    if seen.turns:
        yield f"These go, for good, between {shown(seen.first_at)} and {shown(seen.last_at)}:"
        yield f"  {seen.turns} turns, with all that was made of {seen.exchanges} exchanges"
        if seen.messages is None or seen.bytes is None:
            yield "  all their messages that nothing else needs"
        else:
            yield f"  {seen.messages} messages that nothing else needs, {seen.bytes / 1000:.0f} kB"
    if seen.sessions:
        yield f"  {seen.sessions} sessions that are empty then"
    for proposal in seen.proposals:
        yield f"  the proposal {proposal}, which was learnt from them and waits for you: it is withdrawn"
    for copy in seen.copies:
        yield f"  {copy}, a copy made before an update, because it holds them"
    stays = [
        (seen.under_way, "turns that are under way: forget them when they have ended"),
        (seen.shared, "messages that turns which stay were asked with"),
        (seen.claims, "claims: that something was learnt from an exchange, without its words"),
        (len(seen.skills), "skills that were learnt from them"),
    ]
    if any(count for count, _ in stays):
        yield "These stay:"
    for count, what in stays:
        if count:
            yield f"  {count} {what}"
    if seen.turns:
        yield "A conversation that goes on sends its history again, and is recorded again."


def _retire(skills: list[LearntSkill], *, retire: bool, yes: bool) -> None:
    """Retire what was learnt, each with the person's consent as ever, or say how."""
    for skill in skills:
        if retire:
            note(ask(RetireSkill(name=skill.name, yes=yes)).text)
        else:
            note(
                f"{skill.name}@{skill.version} ({skill.state}) was learnt from them. "
                f"To retire it: `metaclaw-tray skills retire {skill.name}`"
            )
