"""Killed with -9 at random moments of streaming, evolving and approving, again and again on one home.

METACLAW_TRAY_KILL_ROUNDS and METACLAW_TRAY_KILL_SEED choose how often and which moments. Learning runs for
real; only the model behind it is a deterministic one.
"""

from __future__ import annotations

import json
import logging
import os
import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from slow.acknowledged import Acknowledged
from slow.commands import QuickHome
from slow.operator import Operator
from slow.talkers import Talker
from slow.wholeness import faults, strays
from support.processes import Home, Program, ScriptedLlm

log = logging.getLogger(__name__)

ROUNDS = int(os.environ.get("METACLAW_TRAY_KILL_ROUNDS", "50"))
SEED = int(os.environ.get("METACLAW_TRAY_KILL_SEED", "2603"))
_TALKERS = 2
_LONGEST_START, _LONGEST_ROUND = 2.0, 3.0  # seconds before the kill
_DRAIN_SECONDS = 30.0  # a hang guard: what a child held when its parent died takes far less
_VICTIMS = ["main", "main", "main", "main and children", "scribe, then main"]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120 + 30 * ROUNDS)]


@pytest.fixture
def model() -> Iterator[ScriptedLlm]:
    model = ScriptedLlm()
    yield model
    model.stop()


@pytest.fixture
def home(tmp_path: Path) -> Iterator[QuickHome]:
    home = QuickHome(tmp_path / "home")
    yield home
    home.close()


def _prepare(home: Home, model: ScriptedLlm) -> str:
    """Make the model and an agent known; gives the agent's token."""
    app = home.serve()
    try:
        home.do("upstream", "add", "scripted", "--base-url", model.url, "--model", "scripted", "--default")
        home.do("config", "set", "learning.upstream", "scripted")
        home.do("config", "set", "learning.model", "scripted")
        home.do("config", "set", "review.per_day", "100")  # the more decisions the kills meet, the better
        home.do("config", "set", "learning.quiet_seconds", "0")  # no round is as long as learning would wait
        home.do("config", "set", "learning.votes", "1")  # judging leaves time for the rest
        token: str = json.loads(home.do("agents", "add", "talker", "--json"))["token"]
    finally:
        assert app.stop() == 0
    return token


def _kill(app: Program, victim: str, rng: random.Random) -> None:
    """Kill -9 what the victim names."""
    children = app.tree()[1:]
    if victim == "scribe, then main":
        for child in children:
            if "scribe" in child.cmdline():
                child.kill()
        time.sleep(
            rng.uniform(0.0, 0.6)
        )  # the moment is the point: before, while or after it is started again
    elif victim == "main and children":
        for child in children:
            child.kill()
    app.kill()


@dataclass
class _Round:
    """What happened between a start and the kill."""

    seen: Counter[str]
    turns: set[str]  # named in answers, and begun before the scribe was killed if it was


def _work(app: Program, home: Home, token: str, acknowledged: Acknowledged, rng: random.Random) -> _Round:
    """Agents talk and a person works until the app is killed under them."""
    url = f"{app.ready['url']}/a/{token}/v1/"
    with ExitStack() as stack:
        talkers = [stack.enter_context(Talker(url, rng.randrange(2**32))) for _ in range(_TALKERS)]
        operator = stack.enter_context(Operator(home, acknowledged, rng.randrange(2**32)))
        time.sleep(rng.uniform(0.0, _LONGEST_ROUND))
        victim = rng.choice(_VICTIMS)
        _kill(app, victim, rng)
        for talker in talkers:
            talker.leave()
    seen = Counter(
        {
            f"killed {victim}": 1,
            "commands": operator.commands,
            "answers": sum(talker.answers for talker in talkers),
            "broken answers": sum(talker.broken for talker in talkers),
        }
    )
    # What the main process had written for the scribe survives it; nothing survives both.
    return _Round(seen, set().union(*(talker.turns for talker in talkers)) if victim == "main" else set())


def test_nothing_acknowledged_is_missing_after_any_kill(model: ScriptedLlm, home: QuickHome) -> None:
    rng, acknowledged, seen = random.Random(SEED), Acknowledged(), Counter[str]()
    token = _prepare(home, model)
    store_file = home.folder / "state" / "store.sqlite3"
    on_their_way: set[str] = set()  # turns that a scribe may still be storing
    for number in range(2 * ROUNDS):
        if number >= ROUNDS and _tells_enough(acknowledged):
            break
        told = f"round {number} of seed {SEED}, after {dict(seen)}"
        if rng.random() < 0.2:
            home.serve_briefly(rng.uniform(0.0, _LONGEST_START))
            seen["killed while starting"] += 1
        app = home.serve()
        try:
            assert acknowledged.missing(store_file) == [], told
            if rng.random() < 0.2:
                assert faults(home, store_file) == [], told
            done = _work(app, home, token, acknowledged, rng)
        finally:
            app.kill()
        seen += done.seen
        on_their_way |= done.turns
        if rng.random() < 0.5:  # in the other half the next app starts while the old scribe still stores
            assert strays(home, (), _DRAIN_SECONDS) == [], told
            acknowledged.see_names(on_their_way)
            assert acknowledged.missing(store_file) == [], told
    app = home.serve()
    try:
        assert strays(home, [each.pid for each in app.tree()], _DRAIN_SECONDS) == []
        acknowledged.see_names(on_their_way)
        assert acknowledged.missing(store_file) == []
        assert faults(home, store_file) == []
    finally:
        assert app.stop() == 0
    assert strays(home, (), _DRAIN_SECONDS) == []
    log.info("seen %s; acknowledged %s", dict(seen), acknowledged.summary())
    assert _tells_enough(acknowledged), "hardly a proposal was decided: little was tested"


def _tells_enough(acknowledged: Acknowledged) -> bool:
    """Whether the kills met enough decisions; a busy machine takes more rounds to come to them."""
    return ROUNDS < 20 or len(acknowledged.decided) > ROUNDS // 10
