"""How long searches and pages of conversations take: `python -m benchmarks.searching FILE [TIMES]`

FILE is a store made by `benchmarks.spoken`. Where it is not searchable yet it is made so first, as the scribe
does it, and the processor's time for that is told. Nothing is written but the index.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click

from metaclaw_tray.admin.api import ListExchanges
from metaclaw_tray.clock import SystemClock
from metaclaw_tray.runtime.facade.conversations import list_exchanges
from metaclaw_tray.runtime.facade.exchanges import show_exchange
from metaclaw_tray.settings import Settings
from metaclaw_tray.store import indexing, turns
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.leaving import raw

_HALF = timedelta(days=15)  # of what `benchmarks.aged` writes


def make_searchable(store: Store) -> None:
    """Bring all turns into the index, in slices of the scribe's own size."""
    waiting = store.read(lambda db: indexing.progress(raw(db))).waiting
    begun, before = time.process_time(), store.bytes_on_disk()
    while store.write(lambda db: indexing.bring_in(raw(db), lambda: True)):
        pass
    if waiting:
        took = (time.process_time() - begun) / waiting * 1000
        grown = (store.bytes_on_disk() - before) / waiting
        click.echo(f"{waiting} turns brought in, {took:.2f} ms of processor and {grown:.0f} bytes each")


def measure(store: Store, times: int) -> None:
    """A line for each question."""
    ago = datetime.now(UTC) - _HALF
    first = store.read(lambda db: list_exchanges(db, ListExchanges()))
    questions = {
        "first page": ListExchanges(),
        "next page": ListExchanges(before=first.next),
        "before the middle": ListExchanges(until=ago),
        "went wrong (none)": ListExchanges(outcome="bad"),
        "no skill (none)": ListExchanges(skill="none"),
        "another model (none)": ListExchanges(model="other"),
        "errands (none)": ListExchanges(kind="side"),
        "a rare word": ListExchanges(text="needle0007"),
        "a common word": ListExchanges(text="ba"),
        "three words": ListExchanges(text="bada fege nilo"),
        "two signs": ListExchanges(text="会议"),
        "a word and a filter": ListExchanges(text="ba", outcome="bad"),
    }
    for name, verb in questions.items():
        _tell(name, times, store, lambda db, asked=verb: list_exchanges(db, asked))
    row, now = first.rows[0], datetime.now(UTC)

    def shown(db: Any) -> Any:
        return show_exchange(db, turns.exchange(db, row.id), row, Settings(), now)

    _tell("one exchange", times, store, shown)


def _tell(name: str, times: int, store: Store, work: Callable[[Any], Any]) -> None:
    taken, worked = [], []
    for _ in range(times):
        begun, before = time.perf_counter(), time.thread_time()
        store.read(work)
        worked.append((time.thread_time() - before) * 1000)
        taken.append((time.perf_counter() - begun) * 1000)
    click.echo(
        f"{name:24} first {taken[0]:7.1f} ms, median {statistics.median(taken):7.1f} ms, "
        f"of which the processor {statistics.median(worked):7.1f} ms"
    )


def main() -> None:
    store = Store.open(Path(sys.argv[1]), SystemClock())
    try:
        make_searchable(store)
        measure(store, int(sys.argv[2]) if len(sys.argv) > 2 else 11)
    finally:
        store.close()


if __name__ == "__main__":
    main()
