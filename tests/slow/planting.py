"""Secrets that are planted, and the search for what is left of them."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable
from pathlib import Path
from random import Random

from redact_cases.drawn import MAKERS

_LINE = 24  # characters of a line of a secret that tell it from any other text


class Garden:
    """Draws secrets, and remembers each with the place it was planted in."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._planted: dict[str, str] = {}  # secret: place

    def secret(self, place: str, kind: str) -> str:
        """A fresh secret of a kind that `redact_cases.drawn` makes."""
        made = MAKERS[kind](self._random)
        self._planted[made] = place
        return made

    def know(self, place: str, secret: str) -> str:
        """Look for this one too."""
        self._planted[secret] = place
        return secret

    def found(self, contents: Iterable[tuple[str, bytes]]) -> list[str]:
        """Which secrets stand in these contents, given with their names: in words, without the secrets."""
        needles = [(needle, place) for secret, place in self._planted.items() for needle in _forms(secret)]
        return sorted(
            {
                f"{place}: in {name}"
                for name, content in contents
                for needle, place in needles
                if needle in content
            }
        )


def _forms(secret: str) -> set[bytes]:
    """How a secret may look on a disk: as it is, within JSON, line by line, and within base64."""
    lines = [line.strip() for line in secret.splitlines() if not line.startswith("-----")]
    plain = {secret, json.dumps(secret)[1:-1], *(line for line in lines if len(line) >= _LINE)}
    coded = set()
    for shift in range(3):
        whole = b64encode(b"\0" * shift + secret.encode())
        coded.add(whole[4 : len(whole) - 4] if shift else whole[: len(whole) - 4])
    return {each.encode() for each in plain} | coded


def files(folder: Path, but: Iterable[str] = ()) -> list[tuple[str, bytes]]:
    """All files below a folder with what they hold, less those of these names."""
    left_out = set(but)
    return [
        (str(path.relative_to(folder)), path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in left_out
    ]
