"""Texts that hold no secret and much that looks like one: from a file, and drawn at random."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from random import Random

from redact_cases.drawn import B62, DIGITS, HEX, LOWER, MAKERS, UPPER, draw

_TEXTS = Path(__file__).with_name("honest.jsonl")
_NAMES = ("left-pad", "js-tokens", "path-key", "passport-local", "secretstorage", "keyv", "cookie", "authlib")
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def _base64(random: Random, size: int) -> str:
    return b64encode(random.randbytes(size)).decode()


def _npm(random: Random) -> str:
    name = random.choice(_NAMES)
    return json.dumps(
        {
            f"node_modules/{name}": {
                "version": "4.0.0",
                "resolved": f"https://registry.example.com/{name}/-/{name}-4.0.0.tgz",
                "integrity": f"sha512-{_base64(random, 64)}",
                "dependencies": {"js-tokens": "^3.0.0 || ^4.0.0", "keyv": "~4.5.4"},
            }
        },
        indent=2,
    )


def _poetry(random: Random) -> str:
    name = random.choice(_NAMES)
    return (
        f'[[package]]\nname = "{name}"\nversion = "1.{random.randint(0, 99)}.0"\nfiles = [\n'
        f'    {{file = "{name}-1.0.0-py3-none-any.whl", hash = "sha256:{draw(random, HEX, 64)}"}},\n]\n'
    )


def _cargo(random: Random) -> str:
    name = random.choice(_NAMES)
    return f'[[package]]\nname = "{name}"\nversion = "0.3.1"\nchecksum = "{draw(random, HEX, 64)}"\n'


def _minified(random: Random) -> str:
    a, b, c = (random.choice(LOWER) for _ in range(3))
    return (
        f"!function({a},{b}){{var {c}={a}.key||{b}.token;if({a}.password!=={b}.password)throw Error({c});"
        f'return{{key:{a}.key,token:{c},secret:!0,auth:void 0,type:"{b}{c}",hash:"{draw(random, HEX, 8)}"}}}}'
        f'({a}[{random.randint(0, 9)}],{{tokenType:"ident",keyCode:{random.randint(8, 90)},'
        f"pass:{b}=>{b}+1}});"
    )


def _mappings(random: Random) -> str:
    return ";".join(f"{draw(random, UPPER + 'kgBCD', 4)},{draw(random, UPPER, 5)}" for _ in range(40))


def _diff(random: Random) -> str:
    old, new = draw(random, HEX, 7), draw(random, HEX, 7)
    head = f"diff --git a/auth.py b/auth.py\nindex {old}..{new} 100644"
    return f"{head}\n--- a/auth.py\n+++ b/auth.py\n+    token = None\n"


def _log(random: Random) -> str:
    return (
        f"2025-03-{random.randint(10, 28)}T10:00:{random.randint(10, 59)}.{draw(random, DIGITS, 6)}Z INFO "
        f"request_id={MAKERS['uuid'](random)} trace={draw(random, HEX, 32)} tokens={random.randint(1, 9999)} "
        f"key_count={random.randint(1, 9)} status=200"
    )


GENERATED: dict[str, Callable[[Random], str]] = {
    "git sha": lambda r: f"commit {draw(r, HEX, 40)}\nMerge: {draw(r, HEX, 7)}\n\n    Refresh the token",
    "git log": lambda r: "\n".join(f"{draw(r, HEX, 9)} fix the password form" for _ in range(5)),
    "uuid": lambda r: f'{{"id": "{MAKERS["uuid"](r)}", "session_id": "{MAKERS["uuid"](r)}"}}',
    "picture": lambda r: f"![](data:image/png;base64,{_base64(r, 3000)})",
    "picture in a value": lambda r: json.dumps({"type": "image", "data": _base64(r, 600)}),
    "npm": _npm,
    "poetry": _poetry,
    "cargo": _cargo,
    "go.sum": lambda r: f"github.com/golang-jwt/jwt v3.2.2+incompatible h1:{_base64(r, 32)}",
    "minified": _minified,
    "diff": _diff,
    "log": _log,
    "hashes in a document": lambda r: f"sha256: {draw(r, HEX, 64)}  dist/app.tar.gz\nmd5 {draw(r, HEX, 32)}",
    "ulid": lambda r: f"turn 01J{draw(r, _CROCKFORD, 23)} follows 01J{draw(r, _CROCKFORD, 23)}",
    "tool call": lambda r: json.dumps({"id": f"toolu_01{draw(r, B62, 22)}", "name": "get_token_count"}),
    "chat completion": lambda r: json.dumps(
        {"id": f"chatcmpl-{draw(r, B62, 29)}", "system_fingerprint": f"fp_{draw(r, HEX, 10)}"}
    ),
    "source map": lambda r: json.dumps({"version": 3, "mappings": _mappings(r)}),
    "svg": lambda r: "<path d=\"M" + " ".join(f"{r.uniform(0, 99):.2f}" for _ in range(30)) + "z\"/>",
    "public key": lambda r: f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{draw(r, B62, 43)} me@example.com",
    "certificate": lambda r: MAKERS["pem"](r).replace("RSA PRIVATE KEY", "CERTIFICATE"),
    "telephone": lambda r: f"+31 6 {draw(r, DIGITS, 8)}, NL{draw(r, DIGITS, 2)}BANK{draw(r, DIGITS, 10)}",
    "numbers": lambda r: ", ".join(f"{r.random():.12f}" for _ in range(20)),
    "digest of an image": lambda r: f"image: registry.example.com/app@sha256:{draw(r, HEX, 64)}",
    "etag": lambda r: f'etag: "{draw(r, HEX, 32)}"\nx-request-id: {MAKERS["uuid"](r)}',
    "cache key": lambda r: f"key: Linux-build-{draw(r, HEX, 64)}\nrestore-keys: Linux-build-",
}  # fmt: skip


def texts(seed: int, each: int = 6) -> list[tuple[str, str]]:
    """Kind and text."""
    random = Random(seed)
    written = [json.loads(line) for line in _TEXTS.read_text("utf-8").splitlines()]
    drawn = [(kind, make(random)) for kind, make in GENERATED.items() for _ in range(each)]
    return [(case["kind"], case["text"]) for case in written] + drawn
