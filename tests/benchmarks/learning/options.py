"""What the command line says: what is asked of which model."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from benchmarks.learning.house import Chosen, embedded
from benchmarks.learning.rules import ORDINARY, RULES, Lesson, Rule
from metaclaw_tray.errors import UsageError

ORDINARY_NAME = "ordinary"  # of the talk in which no rule is taught


class Options(Struct, frozen=True):
    rules: list[Rule]
    requests: int
    others: int
    lessons: int = 4  # of each rule, the last ones
    ordinary: int = len(ORDINARY)

    def taught(self) -> list[tuple[str, Sequence[Lesson]]]:
        """What is taught, in its order: ordinary talk first, then one rule after the other."""
        ordinary = [Lesson(case, "That is not right.") for case in ORDINARY[: self.ordinary]]
        return [
            (ORDINARY_NAME, ordinary),
            *((rule.name, rule.lessons[-self.lessons :]) for rule in self.rules),
        ]


def options_of(asked: argparse.Namespace) -> Options:
    """What is asked. Raises UsageError for a rule that there is not."""
    names = [name.strip() for name in asked.rules.split(",")] if asked.rules else []
    known = [rule.name for rule in RULES]
    for name in names:
        if name not in known:
            raise UsageError("No such rule", f"“{name}” is none of: {', '.join(known)}.", "")
    rules = [rule for rule in RULES if not names or rule.name in names]
    if asked.smoke:
        return Options(rules[:1], 2, 2, lessons=2, ordinary=1)
    return Options(rules, asked.requests, asked.others)


def chosen_of(asked: argparse.Namespace) -> Chosen:
    """The model in use. Raises UsageError, or ModelError where the embedded one is not here."""
    if not asked.upstream:
        if asked.model:
            raise UsageError("An address is missing", "--model belongs to --upstream URL.", "")
        return embedded()
    if not asked.model:
        raise UsageError("A model is missing", "--upstream needs --model NAME.", "")
    return Chosen(asked.model, asked.upstream, os.environ.get(asked.key_env, ""))


def parsed() -> argparse.Namespace:
    """The arguments of this process."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.learning", description="What learning is worth with a real model."
    )
    parser.add_argument("--smoke", action="store_true", help="a short run that only shows that all works")
    parser.add_argument("--rules", default="", help="names with commas between them (all)")
    parser.add_argument("--requests", type=int, default=20, help="unseen requests of each rule (20)")
    parser.add_argument("--others", type=int, default=40, help="requests of other kinds (40)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave everything there, and go on there")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all that was found there")
    parser.add_argument("--upstream", default="", metavar="URL", help="another model's server")
    parser.add_argument("--model", default="", metavar="NAME")
    parser.add_argument("--key-env", default="", metavar="VAR", help="environment variable with its key")
    return parser.parse_args()
