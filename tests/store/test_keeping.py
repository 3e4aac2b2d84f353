"""Messages are kept once, and worked on once."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from metaclaw_tray.store import keeping
from metaclaw_tray.store.keeping import Keeper

KEY = b"k" * 32
SECRET = "ghp_" + "a1B2" * 9


class Counting:
    """msgspec's JSON, with a count of what was written."""

    def __init__(self) -> None:
        self.encoded = 0

    def encode(self, value: object) -> bytes:
        self.encoded += 1
        return msgspec.json.encode(value)


@pytest.mark.parametrize(
    ("text", "encoded", "redactions", "cuts"),
    [("hello", 1, 0, 0), (SECRET, 2, 1, 0), ("long words " * 40_000, 2, 0, 1)],
)
def test_a_message_is_written_once_where_it_is_kept_as_it_came(
    monkeypatch: pytest.MonkeyPatch, text: str, encoded: int, redactions: int, cuts: int
) -> None:
    counting, rows = Counting(), list[dict[str, Any]]()
    monkeypatch.setattr(keeping, "msgspec", type("Msgspec", (), {"json": counting}))
    message = {"role": "user", "content": text}
    Keeper(KEY).keep(b"m" * 16, message, rows)
    (row,) = rows
    assert (counting.encoded, row["redactions"], row["cuts"]) == (encoded, redactions, cuts)
    assert row["size"] == len(msgspec.json.encode(message))
    assert SECRET.encode() not in row["body"]
