"""Secrets drawn at random in the shapes of real ones. None was ever issued; none stands in a file."""

from __future__ import annotations

import json
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from random import Random

UPPER, LOWER, DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789"
B62 = UPPER + LOWER + DIGITS
HEX = "0123456789abcdef"
_CASES = Path(__file__).with_name("secrets.jsonl")
_WORDS = ("lantern", "orbit", "velvet", "canyon", "maple", "whisper", "pigeon", "harvest")
_HOLE = re.compile("⟦([a-z_0-9]+)⟧")


def draw(random: Random, letters: str, count: int) -> str:
    return "".join(random.choice(letters) for _ in range(count))


def _password(random: Random) -> str:
    word = random.choice(["harbour", "Willow", "tr0mpet", "Anemone", "orchard", "Vuurtoren", "Regenbogen"])
    return random.choice(
        [
            f"{word}{random.randint(10, 9999)}",
            f"{word}-{random.randint(1, 99)}!",
            f"{random.randint(1, 9)}x{word}#{random.randint(10, 99)}",
        ]
    )


def _signs(random: Random) -> str:
    """With what a shell or an address would read as its own."""
    return (
        "".join(
            (
                draw(random, B62, 6),
                random.choice("&;'!$*()[|,<`"),
                draw(random, B62, 4),
                random.choice("&;'\"*("),
            )
        )
        + draw(random, UPPER, 4)
        + "9z"
    )


def _pem(random: Random, kind: str = "RSA PRIVATE KEY") -> str:
    body = "\n".join(draw(random, B62 + "+/", 64) for _ in range(5))
    return f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----"


def _jwt(random: Random) -> str:
    parts = [
        urlsafe_b64encode(json.dumps(part, separators=(",", ":")).encode()).decode().rstrip("=")
        for part in ({"alg": "HS256"}, {"sub": str(random.random())})
    ]
    return ".".join([*parts, draw(random, B62 + "-_", 43)])


def _uuid(random: Random) -> str:
    return "-".join(draw(random, HEX, count) for count in (8, 4, 4, 4, 12))


def _base64(random: Random, size: int) -> str:
    return b64encode(random.randbytes(size)).decode()


MAKERS: dict[str, Callable[[Random], str]] = {
    "password": _password,
    "word": lambda r: r.choice(["swordfish", "sesameopen", "marmalade", "bergamot"]),
    "symbols": lambda r: draw(r, LOWER + DIGITS + "!@#^*+-", 40) + "9z",
    "signs": _signs,
    "quote_within": lambda r: f'abc"{draw(r, LOWER, 5)}&{draw(r, UPPER, 9)}',
    "base62": lambda r: draw(r, B62, 32),
    "opaque": lambda r: r.choice([draw(r, B62, 24), draw(r, HEX, 32), draw(r, B62 + "-_", 40) + "a1"]),
    "hex32": lambda r: draw(r, HEX, 32),
    "hex40": lambda r: draw(r, HEX, 40),
    "hex64": lambda r: draw(r, HEX, 64),
    "uuid": _uuid,
    "base64": lambda r: _base64(r, 32),
    "base64url": lambda r: draw(r, B62, 43),
    "azure": lambda r: _base64(r, 64),
    "basic": lambda r: b64encode(f"user:{_password(r)}".encode()).decode(),
    "token43": lambda r: draw(r, B62 + "-_", 41) + "a1",
    "jwt": _jwt,
    "pem": _pem,
    "pem_escaped": lambda r: _pem(r, "PRIVATE KEY").replace("\n", "\\n"),
    "pem_indented": lambda r: _pem(r).replace("\n", "\n    "),
    "pem_cut": lambda r: _pem(r)[:200],
    "openssh": lambda r: _pem(r, "OPENSSH PRIVATE KEY"),
    "aws": lambda r: "AKIA" + draw(r, UPPER + DIGITS, 16),
    "aws_secret": lambda r: draw(r, B62 + "+/", 38) + "b7",
    "openai": lambda r: "sk-" + "proj-" + draw(r, B62 + "-_", 60),
    "openrouter": lambda r: "sk-" + "or-v1-" + draw(r, HEX, 64),
    "anthropic": lambda r: "sk-" + "ant-api03-" + draw(r, B62 + "-_", 80),
    "github": lambda r: "gh" + "p_" + draw(r, B62, 36),
    "gitlab": lambda r: "glpat" + "-" + draw(r, B62 + "-_", 20),
    "slack": lambda r: "xox" + "b-" + draw(r, DIGITS, 12) + "-" + draw(r, B62, 24),
    "google": lambda r: "AIza" + draw(r, B62 + "-_", 35),
    "gocspx": lambda r: "GOCSPX" + "-" + draw(r, B62, 28),
    "hugging": lambda r: "hf" + "_" + draw(r, B62, 34),
    "tinker": lambda r: "tml" + "-" + draw(r, B62, 40),
    "metaclaw": lambda r: "mct" + "_" + draw(r, B62 + "-_", 43),
    "stripe": lambda r: "sk" + "_live_" + draw(r, B62, 24),
    "whsec": lambda r: "whsec" + "_" + draw(r, B62, 32),
    "npm": lambda r: "npm" + "_" + draw(r, B62, 36),
    "pypi": lambda r: "pypi" + "-" + draw(r, B62 + "-_", 80),
    "sendgrid": lambda r: "SG" + "." + draw(r, B62, 22) + "." + draw(r, B62, 43),
    "digitalocean": lambda r: "dop" + "_v1_" + draw(r, HEX, 64),
    "telegram": lambda r: draw(r, "123456789", 9) + ":AA" + draw(r, B62 + "-_", 33),
    "vault": lambda r: "hvs" + "." + draw(r, B62, 24),
    "groq": lambda r: "gsk" + "_" + draw(r, B62, 52),
    "shopify": lambda r: "shpat" + "_" + draw(r, HEX, 32),
    "databricks": lambda r: "dapi" + draw(r, HEX, 32),
    "telegram_any": lambda r: draw(r, "123456789", 9) + ":" + draw(r, B62, 35),
    "mailgun": lambda r: "-".join(draw(r, HEX, count) for count in (32, 8, 8)),
    "square": lambda r: "EA" + "AA" + draw(r, B62, 60),
    "age": lambda r: "AGE-SECRET" + "-KEY-1" + draw(r, UPPER + DIGITS, 58),
    "bcrypt": lambda r: "$2y" + "$10$" + draw(r, B62 + "./", 53),
    "apr1": lambda r: "$apr1" + "$" + draw(r, B62, 8) + "$" + draw(r, B62 + "./", 22),
    "sha": lambda r: "{SHA}" + _base64(r, 20),
    "phrase": lambda r: " ".join(r.choice(_WORDS) for _ in range(12)),
    "phrase_counted": lambda r: " ".join(f"{n + 1}. {r.choice(_WORDS)}" for n in range(24)),
    "cookie": lambda r: draw(r, LOWER, 8) + draw(r, UPPER, 8),
    "camel": lambda r: r.choice(["SonnenBlume", "ZonneBloem", "MiClaveSecreta", "Wolken$Kratzer"]),
    "base32": lambda r: draw(r, UPPER + "234567", 15) + "7",
    "base32_parted": lambda r: " ".join(draw(r, UPPER + "234567", 4) for _ in range(4)),
    "github_encoded": lambda r: b64encode(MAKERS["github"](r).encode()).decode(),
    "anthropic_encoded": lambda r: b64encode(MAKERS["anthropic"](r).encode()).decode(),
    "aws_encoded": lambda r: b64encode(f"{MAKERS['aws'](r)}:{MAKERS['aws_secret'](r)}".encode()).decode(),
    "letters": lambda r: draw(r, "bcdfghjklmnpqrstvwxz", 6) + draw(r, LOWER, 20),
    "linear": lambda r: "lin" + "_api_" + draw(r, B62, 40),
    "twilio": lambda r: "SK" + draw(r, HEX, 32),
    "figma": lambda r: "figd" + "_" + draw(r, B62 + "-_", 40),
    "discord": lambda r: f"MT{draw(r, B62, 22)}.{draw(r, B62, 6)}.{draw(r, B62 + '-_', 38)}",
    "mailchimp": lambda r: draw(r, HEX, 32) + "-us" + draw(r, "123456789", 1),
    "artifactory": lambda r: "AKCp" + draw(r, B62, 69),
    "entra": lambda r: draw(r, B62, 3) + "8" + "Q~" + draw(r, B62 + "_.-~", 33) + "x",
}  # fmt: skip


def cases(seed: int) -> list[tuple[str, str, list[str]]]:
    """Kind of context, text, and the secrets planted in it."""
    random = Random(seed)
    drawn = []
    for line in _CASES.read_text("utf-8").splitlines():
        case = json.loads(line)
        secrets: list[str] = []

        def fill(hole: re.Match[str], secrets: list[str] = secrets) -> str:
            secrets.append(MAKERS[hole[1]](random))
            return secrets[-1]

        drawn.append((case["kind"], _HOLE.sub(fill, case["text"]), secrets))
    return drawn
