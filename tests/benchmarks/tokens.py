"""How near the estimate of tokens comes to what real tokenizers count: `python -m benchmarks.tokens`.

The counts are checked in beside the texts (`tests/wire/translation/counted/languages.json`); `vocabularies`
made them. A row is a language and a length, a column a vocabulary; "?" is what a model of an unknown name
gets, against the mean of all vocabularies, and in brackets against the one that is farthest from it.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from metaclaw_tray.wire.translation.token_count import tokens_in
from metaclaw_tray.wire.translation.token_families import ANY
from metaclaw_tray.wire.translation.token_rates import FAMILIES

COUNTED = Path(__file__).parents[1] / "wire" / "translation" / "counted" / "languages.json"
LONG = 200  # characters
_TIMED = 8192


def samples() -> list[dict[str, Any]]:
    """Texts of ours, each with its language and with what each vocabulary makes of it."""
    found: list[dict[str, Any]] = json.loads(COUNTED.read_text("utf-8"))
    return found


def errors() -> dict[tuple[str, bool], list[tuple[int, list[int]]]]:
    """By language and whether the texts are long: for each vocabulary the estimate and the texts' counts."""
    found: dict[tuple[str, bool], list[tuple[int, list[int]]]] = {}
    groups: dict[tuple[str, bool], list[dict[str, Any]]] = defaultdict(list)
    for sample in samples():
        groups[sample["language"], len(sample["text"]) >= LONG].append(sample)
    for key, group in groups.items():
        found[key] = [
            (sum(tokens_in(each["text"], place) for each in group), [each["tokens"][name] for each in group])
            for place, name in enumerate(FAMILIES[:ANY])
        ]
    return found


def main() -> None:
    say = sys.stdout.write
    say(f"{'':12}{'length':>7}" + "".join(f"{name:>10}" for name in FAMILIES[:ANY]) + f"{'?':>18}\n")
    for (language, long), columns in sorted(errors().items()):
        texts = [
            each for each in samples() if (each["language"], len(each["text"]) >= LONG) == (language, long)
        ]
        length = sum(len(each["text"]) for each in texts) // len(texts)
        counts = [sum(counted) for _, counted in columns]
        unknown = sum(tokens_in(each["text"]) for each in texts)
        farthest = max((unknown / count - 1 for count in counts), key=abs)
        row = "".join(f"{estimate / sum(counted) - 1:>+10.1%}" for estimate, counted in columns)
        mean = sum(counts) / len(counts)
        say(f"{language:12}{length:>7}{row}{unknown / mean - 1:>+9.1%} ({farthest:+.0%})\n")
    for long in (True, False):
        off = sorted(
            abs(tokens_in(each["text"], place) / each["tokens"][name] - 1)
            for each in samples()
            if (len(each["text"]) >= LONG) == long
            for place, name in enumerate(FAMILIES[:ANY])
        )
        kind = f"of {LONG} characters and more" if long else "shorter"
        within = sum(each <= 0.1 for each in off) / len(off)
        say(f"Single texts {kind}: {within:.0%} within 10 %, half within {off[len(off) // 2]:.1%}, ")
        say(f"nine of ten within {off[len(off) * 9 // 10]:.1%}, the worst {off[-1]:.0%} off.\n")
    text = ("\n\n".join(each["text"] for each in samples() if each["language"] in ("english", "python")) * 9)[
        :_TIMED
    ]
    tokens_in(text)
    least = min(_seconds(text) for _ in range(200))
    say(f"{_TIMED} characters of English and Python, seen before: {least * 1000:.2f} ms\n")


def _seconds(text: str) -> float:
    begun = time.perf_counter()
    tokens_in(text)
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
