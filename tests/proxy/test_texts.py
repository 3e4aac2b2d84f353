"""Names that clients give, as they are kept."""

from __future__ import annotations

from random import Random

import pytest

from metaclaw_tray.proxy.texts import label
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
