"""`skills measure`: what a skill in force is worth, found out again."""

from __future__ import annotations

import click

from metaclaw_tray.admin.api import MeasureSkill, SkillMeasured
from metaclaw_tray.cli.asking import answer, json_option
from metaclaw_tray.cli.output import pairs, say
from metaclaw_tray.store.outcomes import Outcome


@click.command("measure")
@click.argument("name")
@json_option
def skills_measure(name: str, as_json: bool) -> None:
    """Measure a learnt skill again, on the requests that it was measured on before it was offered."""
    answer(MeasureSkill(name=name), as_json, _show)


def _show(found: SkillMeasured) -> None:
    rows = [
        ("skill", f"{found.name}@{found.version}"),
        ("outcome", Outcome(found.outcome).said),
        ("why", found.reason),
        ("measured on", f"{found.requests} requests with {found.model}"),
        ("better", found.wins),
        ("worse", found.losses),
        ("alike", found.ties),
    ]
    say(pairs(rows))
