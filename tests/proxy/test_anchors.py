"""Decisions in memory: a session's own first, few bytes each, and only so many."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc

from metaclaw_tray.proxy import Anchors, Block
from support.processes import environment

KEPT = 20_000


def decision(text: str, session: str = "s", at: float = 0.0) -> Block:
    return Block(text, ("dates@1",) if text else (), 10 if text else 0, 1, session, at)


def anchor(number: int) -> bytes:
    return number.to_bytes(16, "big")


def test_a_sessions_own_decision_comes_first_and_a_stranger_takes_the_latest() -> None:
    anchors = Anchors()
    for text, session in (("a1", "a"), ("b1", "b"), ("a2", "a"), ("c1", "c")):
        anchors.put(anchor(1), decision(text, session))
    held = {session: anchors.at(anchor(1), session) for session in ("a", "b", "c", "stranger")}
    assert {session: block and block.text for session, block in held.items()} == {
        "a": "a2",
        "b": "b1",
        "c": "c1",
        "stranger": "c1",
    }
    assert anchors.at(anchor(2), "a") is None
    assert anchors.spent("a") == (2, 20)


def test_the_decisions_used_last_are_kept() -> None:
    anchors = Anchors()
    for number in range(KEPT):
        anchors.put(anchor(number), decision(""))
    assert anchors.at(anchor(0), "s") is not None, "now it was used"
    anchors.put(anchor(KEPT), decision(""))
    assert anchors.at(anchor(1), "s") is None
    assert anchors.at(anchor(0), "s") is not None


def test_equal_texts_are_kept_once() -> None:
    anchors = Anchors()
    for number in range(2):
        anchors.put(anchor(number), decision("".join(["a ", "note"]), "".join(["ses", "sion"])))
    first, second = (anchors.at(anchor(number), "session") for number in range(2))
    assert first is not None
    assert second is not None
    assert first.text is second.text
    assert first.session_id is second.session_id


def test_a_hundred_thousand_decisions_fit_into_a_few_megabytes() -> None:
    # In a process of its own: here the interpreter's table of interned texts, which all tests have filled,
    # may double meanwhile.
    code = "from proxy.test_anchors import held_by_decisions; print(held_by_decisions(100_000))"
    ran = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) < 8 * 2**20


def held_by_decisions(count: int) -> int:
    """Bytes that so many decisions take, of which those used last are kept."""
    anchors = Anchors()
    tracemalloc.start()
    for number in range(count):
        anchors.put(anchor(number), decision("", f"agent/{number // 10:032}", float(number)))
    held, _ = tracemalloc.get_traced_memory()
    assert anchors.at(anchor(count - 1), "s") is not None
    return held
