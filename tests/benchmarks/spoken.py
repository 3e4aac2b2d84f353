"""A million turns in words that differ, for measuring searches: `python -m benchmarks.spoken FILE [TURNS]`

The messages of `aged` are all alike; here each holds words of a vocabulary of which few are common and most
are rare, as in any language.
"""

from __future__ import annotations

import json
import random
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from benchmarks.aged import add_turns
from metaclaw_tray.clock import SystemClock
from metaclaw_tray.store.engine import Store

_SYLLABLES = [first + last for first in "bdfgklmnpr" for last in "aeio"]
_WORDS = 20_000
_RARE = 3_000  # of the pool's messages, one holds each of these
_CHINESE = "会议记录的时间需要写清楚，请把上周的报告发给我。"


def vocabulary(chance: random.Random) -> list[str]:
    """Words, the common ones first and short."""
    made = {"".join(chance.choices(_SYLLABLES, k=chance.randint(1, 5))) for _ in range(_WORDS * 2)}
    return sorted(made, key=lambda word: (len(word), word))[:_WORDS]


def reword(file: Path) -> None:
    """Give each message of the store words of its own."""
    chance = random.Random(1)
    words = vocabulary(chance)
    weights = [1 / (place + 8) for place in range(len(words))]
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("SELECT id, role FROM message ORDER BY id").fetchall()
        for place, (made, role) in enumerate(rows):
            said = " ".join(chance.choices(words, weights, k=chance.randint(12, 220)))
            text = f"{said} needle{place % _RARE:04}." + (_CHINESE if place % 50 == 0 else "")
            body = json.dumps({"role": role, "content": text}, ensure_ascii=False).encode()
            connection.execute("UPDATE message SET body = ?, size = ? WHERE id = ?", (body, len(body), made))
        connection.commit()


def main() -> None:
    file, turns = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    Store.open(file, SystemClock()).close()
    add_turns(file, turns, "claw")
    reword(file)


if __name__ == "__main__":
    main()
