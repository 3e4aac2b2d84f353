"""Names that clients give, as they are kept."""

from __future__ import annotations

from random import Random

import pytest

from metaclaw_tray.proxy.texts import label
from metaclaw_tray.redact import find_secrets
from proxy.house import House
from redact_cases.drawn import MAKERS


@pytest.mark.parametrize(
    "name",
    [
        "gpt-6.2-sol",
        "0199c1b2-7d5e-7c10-9d9a-4b1f7e2c9a11",
        "ses_5f0a1b2c3d4e5F6G7h8i9jKlMnOp",
        "agent:main:telegram:12345",
        "accounts/fireworks/models/qwen3-coder-480b",
    ],
)
def test_an_honest_name_stays_as_it_is(name: str) -> None:
    assert label(name) == name


def test_a_name_that_is_a_secret_becomes_a_digest_and_two_stay_two() -> None:
    first, second = (MAKERS["github"](Random(seed)) for seed in range(2))
    assert first not in label(first)
    assert label(first) == label(first) != label(second)


def test_a_name_of_any_length_is_cut_and_two_stay_two(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[int] = []

    def looks(text: str) -> list[object]:
        looked_at.append(len(text))
        return list(find_secrets(text))

    monkeypatch.setattr("metaclaw_tray.proxy.texts.find_secrets", looks)
    first, second = (label("secret is " * 100_000 + end) for end in "ab")
    assert first != second
    assert max(len(first), len(second)) <= 200
    assert max(looked_at) <= 1000, "no name holds up anybody"
    plain = label("gpt" * 100_000)
    assert plain.startswith("gptgpt")
    assert len(plain) == 200


@pytest.mark.parametrize("before", [0, 150, 170, 195])
def test_a_secret_that_stands_where_a_long_name_is_cut_is_seen(before: int) -> None:
    secret = MAKERS["github"](Random(3))
    said = label("x" * before + " " + secret + " " + "y" * 5000)
    assert said.startswith("secret-")


async def test_a_name_of_any_length_is_kept_by_nobody(house: House) -> None:
    for number in range(3):
        body = {"model": f"{number}" * 500_000, "messages": [{"role": "user", "content": "hi"}]}
        async with house.client.post(f"{house.url}/chat/completions", json=body) as response:
            assert response.status == 200
    assert house.upstream.seen[-1].json["model"] == "2" * 500_000
    assert {len(begun.model) for begun in await house.begun(3)} == {200}
    assert {len(ended.model) for ended in await house.ended(3)} == {200}
    assert max(len(model) for _, _, model in house.proxy._routing._found) == 0
