"""Ways in that are none: foreign pages, rebound names, guessed tokens, requests of two readings, bombs."""

from __future__ import annotations

import asyncio
import gzip
import random
import secrets
import string

import brotli
import zstandard

from attacks.shapes import BODY, BROWSERS, FRAMINGS, HOSTS, ORIGINS, TARGETS, TYPES
from attacks.wire import Tally, Target, connected, exchange, until_closed

MEBIBYTE = 2**20
_GUESSES_AT_ONCE = 8


async def pages(target: Target) -> Tally:
    """A foreign page that even knows the token: by POST, by GET, and asking first."""
    tally = Tally()
    for lines in [*([f"Origin: {origin}"] for origin in ORIGINS), *BROWSERS]:
        tally.judge(f"page {lines}", await exchange(target, target.post(BODY, *lines)), 403)
        for path in ("/a/{token}/v1/models", "/readyz"):
            got = await exchange(target, target.head(*lines, method="GET", path=path))
            tally.judge(f"page {lines} {path}", got, 403)
        asks = [*lines, "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: content-type"]
        tally.judge(f"page {lines} asks", await exchange(target, target.head(*asks, method="OPTIONS")), 403)
    return tally


async def rebound_names(target: Target) -> Tally:
    """Another name for this machine, and targets that bring their own."""
    tally = Tally()
    for host in HOSTS:
        got = await exchange(target, target.post(BODY, f"Host: {host}", host=""))
        tally.judge(f"host {host}", got, 400, 403)
    for path in TARGETS:
        got = await exchange(target, target.head(method="GET", path=path))
        tally.judge(f"target {path}", got, 400, 403)
    return tally


async def plain_types(target: Target) -> Tally:
    """Bodies that a page may send without asking first."""
    tally = Tally()
    for types in TYPES:
        lines = [*(f"Content-Type: {each}" for each in types), f"Content-Length: {len(BODY)}"]
        for path in ("chat/completions", "messages", "messages/count_tokens", "responses", "embeddings"):
            got = await exchange(target, target.head(*lines, path=f"/a/{{token}}/v1/{path}") + BODY)
            tally.judge(f"type {types} {path}", got, 400, 415)
    return tally


async def guesses(target: Target, count: int = 10_000) -> Tally:
    """Tokens out of thin air, and some that are nearly right."""
    tally, token = Tally(), target.token
    near = [
        token[:-1],
        token + "A",
        token.swapcase(),
        f"%{ord(token[0]):02x}{token[1:]}",
        f"{token}%00",
        "mct_",
    ]
    near += [
        token[:place] + ("B" if token[place] == "A" else "A") + token[place + 1 :]
        for place in range(len(token))
    ]
    drawn = (f"mct_{secrets.token_urlsafe(32)}" for _ in range(count - len(near)))
    everyone = iter([*near, *drawn])

    async def guess() -> None:
        for one in everyone:
            way = random.choice(("path", "bearer", "key"))
            if way == "path":
                request = target.post(BODY, path=f"/a/{one}/v1/chat/completions")
            elif way == "bearer":
                request = target.post(BODY, f"Authorization: Bearer {one}", path="/v1/chat/completions")
            else:
                request = target.post(BODY, f"x-api-key: {one}", path="/v1/chat/completions")
            tally.judge(f"guess by {way}", await exchange(target, request), 401)

    async with asyncio.TaskGroup() as group:
        for _ in range(_GUESSES_AT_ONCE):
            group.create_task(guess())
    return tally


async def smuggling(target: Target) -> Tally:
    """One request in, two read: the second must not exist, neither with a token nor without."""
    tally = Tally()
    for lines, body in FRAMINGS:
        for path in (target.path, "/v1/chat/completions"):
            async with connected(target) as (reader, writer):
                head = target.head("Content-Type: application/json", *lines, path=path)
                writer.write(head + body + target.post(BODY))
                got = await until_closed(reader)
            tally.judge(f"framing {lines}", got, 400, 401, 411, 413, 415)
            if got.count(b"HTTP/1.1 ") + got.count(b"HTTP/1.0 ") > 1:
                tally.got.append(f"framing {lines}: two answers")
    return tally


async def noise(target: Target, count: int = 300) -> Tally:
    """What is no HTTP at all."""
    tally, rng = Tally(), random.Random(7)
    known = [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x05\x01\x00",
        b"\x00" * 4096,
    ]
    drawn = [rng.randbytes(rng.randint(1, 2000)) + b"\r\n\r\n" for _ in range(count)]
    letters = [("".join(rng.choices(string.printable, k=200)) + "\r\n\r\n").encode() for _ in range(count)]
    for data in [*known, *drawn, *letters]:
        async with connected(target) as (reader, writer):
            writer.write(data)
            writer.write_eof()
            tally.judge("noise", await until_closed(reader), 0, 400, 403, 431)
    return tally


async def bombs(target: Target) -> Tally:
    """Small bodies that would be large ones, from somebody who has a token."""
    tally = Tally()
    for encoding, bomb in await asyncio.to_thread(_bombs):
        got = await exchange(target, target.post(bomb, f"Content-Encoding: {encoding}"))
        tally.judge(f"bomb in {encoding}", got, 413)
    return tally


def _bombs() -> list[tuple[str, bytes]]:
    """By their encoding."""
    layer = gzip.compress(b"0" * MEBIBYTE) * 1000
    zeros = zstandard.compress(b"0" * (1000 * MEBIBYTE))
    return [
        ("gzip", layer),
        ("gzip, gzip", gzip.compress(layer)),
        ("gzip, gzip, gzip", gzip.compress(gzip.compress(layer))),
        ("br", brotli.compress(b"0" * (200 * MEBIBYTE), quality=1)),
        ("zstd", zeros),
        ("zstd, br, gzip", gzip.compress(brotli.compress(zeros, quality=1))),
    ]
