"""What redaction costs: `python -m benchmarks.redaction` from `tests/`.

Milliseconds of the processor for 8 KB of ordinary texts, and how much longer lines made to be slow take at
1 MB than at 128 KB: 8 where time grows with length alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import process_time

from metaclaw_tray import redact
from metaclaw_tray.redact import redact_json, redact_text
from redact_cases.drawn import B62, draw
from redact_cases.honest import texts

KB = 1024
_HOSTILE = (
    "a", "=", "-----BEGIN", "eyJ", "://", "key=key=key=", '"', "\\", "'", "aGVsbG8+/", "0123456789", "A_A_A_",
    "-----BEGIN PRIVATE KEY-----", "Bearer ", "password is ", "sk-", "Authorization: ", "密码", "/a/",
    "KEY=\"", " ", "\n", "a1-", "pass:", "mysql -p", "[redacted:",
    "A_KEY=a&", "KEY=a\"", "Passwort: a", "token:\n", "-eyJ", "-sk-proj-", "twilio ", "totp AAAA ",
    "Z2hw ", "pw=x;",
)  # fmt: skip


def ordinary() -> dict[str, str]:
    """8 KB each of what passes through."""
    random = Random(1)
    here = Path(redact.__file__).parent.parent
    code = "".join(path.read_text("utf-8") for path in sorted((here / "proxy").glob("*.py")))
    env = "".join(
        f"SERVICE_{n}_API_KEY={draw(random, B62, 32)}\nDB_{n}_PASSWORD={draw(random, B62, 12)}\n"
        for n in range(99)
    )
    settings = "".join(f"SETTING_{n}=value of {n}\n" for n in range(99)) + "DB_PASSWORD=tr0mpet-50!\n"
    rows = [
        {"id": n, "name": f"user {n}", "tags": ["a", "b"], "at": "2025-01-01T00:00:00Z"} for n in range(99)
    ]
    kinds = {
        "prose": "The fox, which nobody had seen for weeks, came back (as expected) on a Tuesday. ",
        "chinese": "我们今天讨论如何在生产环境中部署服务，以及如何监控它。",
        "code": code,
        "json": json.dumps(rows),
        "what looks like secrets": "\n".join(text for _, text in texts(1, each=1) if len(text) < KB),
        ".env, one in a hundred secret": settings,
        ".env, all secret": env,
    }
    return {kind: (text * (8 * KB // len(text) + 1))[: 8 * KB] for kind, text in kinds.items()}


def seconds(work: Callable[[], object], times: int) -> float:
    """The best of several runs: the others tell of the machine."""
    best = float("inf")
    for _ in range(times):
        started = process_time()
        work()
        best = min(best, process_time() - started)
    return best


def lines() -> list[str]:
    told = ["ms per 8 KB"]
    for kind, text in ordinary().items():
        told.append(f"  {kind:28} {1000 * seconds(lambda text=text: redact_text(text), 15):8.3f}")
    message = {
        "role": "user",
        "content": [{"type": "text", "text": f"hello {n}, how are you?"} for n in range(300)],
    }
    told.append(f"  {'300 short texts in JSON':28} {1000 * seconds(lambda: redact_json(message), 15):8.3f}")
    told.append("made to be slow: ms per 8 KB at 1 MB, and its time divided by that of 128 KB")
    for piece in _HOSTILE:
        long = (piece * (KB * KB // len(piece) + 1))[: KB * KB]
        short = seconds(lambda long=long: redact_text(long[: 128 * KB]), 3)
        whole = seconds(lambda long=long: redact_text(long), 1)
        told.append(f"  {piece!r:32} {1000 * whole / 128:8.3f} {whole / short:8.1f}")
    return told


if __name__ == "__main__":
    sys.stdout.write("\n".join(lines()) + "\n")
