"""How well skills are found, by words and with the embedder: `python -m benchmarks.retrieval` from `tests/`.

Over the labelled requests of `tests/skills/labelled`, with the real child and model. By words means at once.
The embedder counts from the next exchange on, so it is measured in two of them: the same words once more, and
a message that goes on ("go ahead then"), which has no words to find anything by. The line after them is its
price: a request that needs nothing, after one about something else. What words found for that one stands on
the path already and is left out, as the proxy does.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import psutil

from metaclaw_tray.embedder.client import Embedder
from metaclaw_tray.embedder.likeness import TELLING, hints
from metaclaw_tray.runtime.phrasing import known
from metaclaw_tray.skills.hints import SKILLS as HINTS
from metaclaw_tray.skills.query import asking
from metaclaw_tray.skills.retrieval import NO_HINTS, Hints, Index
from metaclaw_tray.skills.words import terms
from skills.labels import ENTRIES, SHOWN, Labelled, Share, requests

_GOES_ON = {"en": "go ahead then", "nl": "ga je gang maar", "zh": "好的，继续吧"}

Found = Callable[[Labelled, Hints], set[str]]
"""The skills that the next message of a conversation gets, by what was said first and what that means."""


@dataclass(frozen=True)
class Way:
    """How skills were found, and how well."""

    name: str
    within: Share
    across: Share
    needless: Share

    def __str__(self) -> str:
        found = f"{self.name:<28} within {self.within}   across {self.across}"
        return f"{found}   injected for nothing {self.needless}"


@dataclass(frozen=True)
class Cost:
    """What the child took, on this machine and with what else it did."""

    start_seconds: float
    learn_seconds: float  # the whole library, of which nothing was kept
    milliseconds: tuple[float, ...]  # of each request, there and back
    megabytes: float  # resident, at the end

    def __str__(self) -> str:
        at = sorted(self.milliseconds)
        return (
            f"the child: started in {self.start_seconds:.1f} s, {len(ENTRIES)} skills learnt in "
            f"{self.learn_seconds:.1f} s, {statistics.median(at):.1f} ms a request "
            f"(95 of 100 under {at[int(0.95 * len(at))]:.1f} ms), {self.megabytes:.0f} MB"
        )


@dataclass(frozen=True)
class Measured:
    """All that is printed."""

    words: Way
    again: Way
    goes_on: Way
    stale: Share
    cost: Cost

    def lines(self) -> list[str]:
        return [
            *(str(way) for way in (self.words, self.again, self.goes_on)),
            f"{'after another subject':<28} injected for nothing {self.stale}",
            str(self.cost),
        ]


async def measure(split: str) -> Measured:
    """Measure a split of the labelled requests, dev or test."""
    of = requests(split)
    with tempfile.TemporaryDirectory() as folder:
        meant, cost = await _meant(of, Path(folder) / "vectors")
    index = Index(ENTRIES)

    def shown(text: str, by: Hints, exclude: Sequence[str] = ()) -> set[str]:
        return {match.name for match in index.look_up(text, SHOWN, exclude, hints=by).matches}

    return Measured(
        words=_way("by words", of, meant, lambda request, _: shown(request.text, NO_HINTS)),
        again=_way("the same words once more", of, meant, lambda request, by: shown(request.text, by)),
        goes_on=_way(
            "it goes on, without words", of, meant, lambda request, by: shown(_GOES_ON[request.language], by)
        ),
        stale=_stale(of, meant, shown),
        cost=cost,
    )


def _way(name: str, of: Sequence[Labelled], meant: Sequence[Hints], found: Found) -> Way:
    within = across = needed = reached = needless = wrong = 0
    for request, by in zip(of, meant, strict=True):
        got = found(request, by)
        needed += len(request.within)
        within += len(request.within & got)
        reached += len(request.across)
        across += len(request.across & got)
        if not request.within | request.across:
            needless += 1
            wrong += bool(got)
    return Way(name, Share(within, needed), Share(across, reached), Share(wrong, needless))


def _stale(of: Sequence[Labelled], meant: Sequence[Hints], shown: Callable[..., set[str]]) -> Share:
    fitting = [place for place, request in enumerate(of) if request.within | request.across]
    needless = [request for request in of if not request.within | request.across]
    wrong = 0
    for request, place in zip(needless, cycle(fitting)):
        stands = shown(of[place].text, NO_HINTS)
        wrong += bool(shown(request.text, meant[place], tuple(stands)))
    return Share(wrong, len(needless))


async def _meant(of: Sequence[Labelled], file: Path) -> tuple[list[Hints], Cost]:
    """What each request means for the next one, and what it took to know that."""
    begun = time.perf_counter()
    async with Embedder.start(file) as embedder:
        started = time.perf_counter()
        await embedder.learn(map(known, ENTRIES))
        learnt = time.perf_counter()
        found: list[Hints] = []
        took: list[float] = []
        for request in of:
            words = asking(request.text)
            if len(set(terms(words))) < TELLING:
                found.append(NO_HINTS)
                continue
            asked = time.perf_counter()
            near = await embedder.nearest(words, HINTS)
            took.append((time.perf_counter() - asked) * 1000)
            found.append(hints(near))
        megabytes = psutil.Process(embedder.pid).memory_info().rss / 1e6
    return found, Cost(started - begun, learnt - started, tuple(took), megabytes)


def main() -> None:
    """Print the figures of a split."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--split", choices=["dev", "test"], default="test")
    split = parser.parse_args().split
    measured = asyncio.run(measure(split))
    print(f"{split}: recall@{SHOWN}, each with its 95 percent interval")  # noqa: T201
    print("\n".join(measured.lines()))  # noqa: T201


if __name__ == "__main__":
    main()
