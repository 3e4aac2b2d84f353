"""A step is done once, whatever happens between two runs."""

from __future__ import annotations

from pathlib import Path

from benchmarks.learning.journal import Journal


def test_a_step_is_done_once_and_remembered_by_the_next_run(tmp_path: Path) -> None:
    file = tmp_path / "journal.jsonl"
    calls: list[int] = []

    def work() -> int:
        calls.append(1)
        return 7

    assert [Journal(file).once("a/0", int, work) for _ in range(3)] == [7, 7, 7]
    assert len(calls) == 1


def test_a_line_that_a_kill_cut_is_as_if_it_was_never_begun(tmp_path: Path) -> None:
    file = tmp_path / "journal.jsonl"
    Journal(file).once("a/0", int, lambda: 1)
    with file.open("ab") as cut:
        cut.write(b'{"key": "a/1", "val')
    again = Journal(file)
    assert again.get("a/1", int) is None
    assert again.once("a/1", int, lambda: 2) == 2
    assert list(Journal(file).under("a", int)) == [1, 2]


def test_steps_of_a_folder_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.jsonl")
    for number in (10, 2, 1):
        journal.once(f"a/{number}", int, lambda number=number: number)  # type: ignore[misc]
    journal.once("ab/1", int, lambda: 99)
    journal.once("a", int, lambda: 98)
    assert list(journal.under("a", int)) == [1, 2, 10]
