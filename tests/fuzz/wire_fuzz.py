"""Fuzzes what reads the bytes of others: `python -m fuzz.wire_fuzz --seconds 300 [--only requests]`.

With atheris it is guided by coverage; it stops at the first finding and leaves the input in the folder
`--findings`. Without, a seeded mutator goes on to the end and leaves one input for each kind of finding.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOMS = ["metaclaw_tray.wire", "metaclaw_tray.redact", "metaclaw_tray.proxy"]
LONGEST = 2048  # bytes of an input
TARGETS = ("events", "requests", "answers", "encodings", "secrets", "secrets_in_json", "http")

Try = Callable[[bytes], None]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=TARGETS, action="append", help="leave the other targets out")
    parser.add_argument("--findings", type=Path, default=Path(tempfile.gettempdir()))
    parser.add_argument("--plain", action="store_true", help="without atheris, also where it is installed")
    options = parser.parse_args(argv)
    names = options.only or TARGETS
    options.findings.mkdir(parents=True, exist_ok=True)
    if options.plain or importlib.util.find_spec("atheris") is None:
        _say("mutating without the guidance of atheris")
        return _mutate(_tries(names), options.seconds, options.seed, options.findings)
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=ROOMS):
        attempt = _tries(names)
    atheris.Setup(
        [
            sys.argv[0],
            f"-max_total_time={options.seconds}",
            f"-max_len={LONGEST}",
            "-len_control=0",  # long inputs from the beginning
            f"-seed={options.seed}",
            f"-artifact_prefix={options.findings}/",
            "-print_final_stats=1",
        ],
        attempt,
    )
    atheris.Fuzz()  # ends the process
    return 0


def _tries(names: Sequence[str]) -> Try:
    """One input to one target: its first byte says which."""
    source = importlib.import_module("fuzz.source").Source
    targets = importlib.import_module("fuzz.targets").TARGETS
    chosen = [targets[name] for name in names]

    def attempt(data: bytes) -> None:
        given = source(data)
        given.pick(chosen)(given)

    return attempt


def _mutate(attempt: Try, seconds: int, seed: int, findings: Path) -> int:
    chance = random.Random(seed)
    inputs = [chance.randbytes(chance.randrange(LONGEST)) for _ in range(500)]
    found: dict[str, Path] = {}
    tried, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        data = _mutated(chance, inputs)
        tried += 1
        try:
            attempt(data)
        except Exception as error:  # noqa: BLE001 - any error is a finding
            where = traceback.extract_tb(error.__traceback__)[-1]
            kind = f"{type(error).__name__}-{Path(where.filename).stem}-{where.lineno}"
            if kind not in found:
                found[kind] = findings / f"crash-{kind}"
                found[kind].write_bytes(data)
                _say(traceback.format_exc())
    _say(f"inputs={tried} findings={len(found)}")
    for path in found.values():
        _say(f"  {path}")
    return 1 if found else 0


def _mutated(chance: random.Random, inputs: list[bytes]) -> bytes:
    data = bytearray(chance.choice(inputs))
    for _ in range(chance.randrange(1, 6)):
        place = chance.randrange(len(data) + 1)
        match chance.randrange(4):
            case 0:
                data[place:place] = chance.randbytes(chance.randrange(1, 9))
            case 1:
                del data[place : place + chance.randrange(1, 30)]
            case 2:
                data[place : place + 1] = chance.randbytes(1)
            case _:
                other = chance.choice(inputs)
                data[place:] = other[chance.randrange(len(other) + 1) :]
    result = bytes(data[:LONGEST])
    if chance.random() < 0.05:
        inputs[chance.randrange(len(inputs))] = result
    return result


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
