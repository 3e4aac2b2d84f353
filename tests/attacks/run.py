"""`python -m attacks.run URL [TOKEN]`: attack an app that runs, and tell what was got.

Without a token the attacks that need one are left out. The exit code is 1 where anything was got.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from attacks import doors, floods
from attacks.wire import Tally, Target

Attack = Callable[[Target], Awaitable[Tally]]

BY_ANYBODY: dict[str, Attack] = {
    "noise": doors.noise,
    "pipelines": floods.pipelines,
    "strangers' bodies": floods.strangers_bodies,
    "slow heads": floods.slow_heads,
    "endless heads": floods.endless_heads,
    "10,000 connections": floods.connections,
}
WITH_A_TOKEN: dict[str, Attack] = {
    "foreign pages": doors.pages,
    "rebound names": doors.rebound_names,
    "plain types": doors.plain_types,
    "10,000 guesses": doors.guesses,
    "smuggling": doors.smuggling,
    "bombs": doors.bombs,
    "half bodies": floods.half_bodies,
}


async def attack(target: Target) -> dict[str, Tally]:
    """Every attack that can be made, one after the other."""
    chosen = {**(WITH_A_TOKEN if target.token else {}), **BY_ANYBODY}
    tallies = {}
    for name, make in chosen.items():
        began = time.monotonic()
        tallies[name] = tally = await make(target)
        answered = " ".join(f"{what}:{often}" for what, often in sorted(tally.seen.items()))
        seconds, gains = time.monotonic() - began, len(tally.got)
        line = f"{name:20} {tally.tries:6} tries {seconds:6.1f} s  got {gains}  {answered}\n"
        sys.stdout.write(line)
        sys.stdout.flush()
    return tallies


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m attacks.run", description=__doc__)
    parser.add_argument("url", help="of the app, as in http://127.0.0.1:30000")
    parser.add_argument("token", nargs="?", default="", help="of an agent")
    given = parser.parse_args()
    port = urlsplit(given.url).port or 80
    tallies = asyncio.run(attack(Target(port, given.token)))
    for gain in (gain for tally in tallies.values() for gain in tally.got):
        sys.stdout.write(f"GOT {gain}\n")
    return 1 if any(tally.got for tally in tallies.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
