from __future__ import annotations

import sys

import pytest

from metaclaw_tray.runtime.memory import Heap

MEBIBYTE = 2**20


class Program:
    """Grows as it is told, and shrinks when it is trimmed."""

    def __init__(self) -> None:
        self.megabytes, self.trimmed = 80, 0

    def size(self) -> int:
        return self.megabytes * MEBIBYTE

    def trim(self) -> None:
        self.trimmed += 1
        self.megabytes = 90


async def test_memory_goes_back_once_the_program_has_grown_and_rests() -> None:
    program = Program()
    heap = Heap(program.size, program.trim)
    for megabytes in (80, 100, 200, 300):  # it grows: not now
        program.megabytes = megabytes
        await heap.look()
    assert program.trimmed == 0
    await heap.look()
    assert program.trimmed == 1
    for _ in range(3):  # what is still in use is no reason to look again
        await heap.look()
    assert program.trimmed == 1


@pytest.mark.skipif(sys.platform != "linux", reason="the C library's own")
async def test_the_heap_of_this_system_is_looked_through() -> None:
    sizes = iter([100, 200, 200, 120])
    await (heap := Heap(lambda: next(sizes) * MEBIBYTE)).look()
    await heap.look()
    await heap.look()
    assert next(sizes, None) is None
