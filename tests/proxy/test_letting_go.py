"""What left the record is remembered by nobody."""

from __future__ import annotations

from metaclaw_tray.proxy.anchors import Anchors, Block
from metaclaw_tray.proxy.threads import Thread, Threads


def test_a_decision_at_a_node_that_left_is_decided_no_longer() -> None:
    anchors = Anchors()
    for node, session in ((b"gone", "one"), (b"gone", "two"), (b"stays", "one")):
        anchors.put(node, Block("text", ("skill@1",), 3, 1, session, 0.0))
    anchors.let_go({b"gone"})
    assert anchors.at(b"gone", "one") is None
    assert anchors.at(b"gone", "two") is None
    assert anchors.at(b"stays", "one") is not None


def test_a_thread_whose_answer_left_is_not_gone_on_with() -> None:
    threads = Threads(b"k" * 32)
    for name in ("gone", "stays"):
        threads.put(name, Thread("agent", "session", name.encode(), (), False))
    threads.let_go({b"gone"})
    assert list(threads._known) == [("agent", "stays")]
