"""What is remembered is what is on the disk."""

from __future__ import annotations

from metaclaw_tray.store.remembering import Remembered


def test_what_was_committed_stays_and_what_may_be_undone_goes() -> None:
    known: Remembered[str, int] = Remembered(9)
    known["before"] = 1
    known.commit()
    known["after"] = 2
    known["before"] = 3
    known.forget_uncommitted()
    assert dict(known) == {}
    known["again"] = 4
    known.commit()
    known.forget_uncommitted()
    assert dict(known) == {"again": 4}


def test_those_set_last_are_remembered() -> None:
    known: Remembered[int, None] = Remembered(3)
    for number in range(5):
        known[number] = None
    assert len(known) == 5, "what is not on the disk yet is needed"
    known.commit()
    assert list(known) == [2, 3, 4]


def test_what_was_taken_out_is_no_longer_there_to_forget() -> None:
    known: Remembered[str, int] = Remembered(3)
    known["a"] = 1
    del known["a"]
    known.forget_uncommitted()
    known.commit()
    assert dict(known) == {}
