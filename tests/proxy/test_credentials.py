"""What opens an upstream, and who gets to see it."""

from __future__ import annotations

from typing import Any

import pytest
from multidict import CIMultiDict, CIMultiDictProxy

from metaclaw_tray.proxy.access import Entry, TokenTable
from metaclaw_tray.proxy.headers import towards_upstream
from metaclaw_tray.proxy.routing import Route
from metaclaw_tray.settings import Upstream
from proxy.house import TOKEN, House

OWN = {
    "Authorization": "Bearer sk-ant-oat01-own",
    "anthropic-beta": "oauth-2025-04-20,claude-code-20250219",
    "anthropic-version": "2023-06-01",
    "x-api-key": "own",
    "x-auth-token": "own",
    "cf-access-client-secret": "own",
    "ocp-apim-subscription-key": "own",
}


def sent(base_url: str, dialect: str, came: dict[str, str] | None = None, **options: Any) -> dict[str, str]:
    upstream = Upstream(base_url=base_url, **{"credential": "key", **options})
    key = "sk-ours" if upstream.credential == "key" else None
    headers = towards_upstream(
        CIMultiDictProxy(CIMultiDict(OWN if came is None else came)),
        Route("one", upstream, key, dialect, speaks=dialect),
        Entry("claw", own_credentials=True),
        TokenTable({TOKEN: "claw"}),
        recoded=False,
    )
    return {name.lower(): value for name, value in headers.items()}


@pytest.mark.parametrize(
    ("base_url", "dialect", "opened"),
    [
        ("https://api.anthropic.com/v1", "messages", {"x-api-key": "sk-ours"}),
        ("https://api.anthropic.com/v1", "chat", {"authorization": "Bearer sk-ours"}),
        ("https://api.openai.com/v1", "responses", {"authorization": "Bearer sk-ours"}),
        ("https://api.anthropic.com/v1", "", {"x-api-key": "sk-ours"}),
        (
            "https://openrouter.ai/api/v1",
            "messages",
            {"authorization": "Bearer sk-ours", "x-api-key": "sk-ours"},
        ),
    ],
)
def test_our_key_goes_where_the_upstream_looks_for_it(
    base_url: str, dialect: str, opened: dict[str, str]
) -> None:
    headers = sent(base_url, dialect, dialects=["chat", "messages"])
    assert "own" not in headers.values()
    assert {name: headers[name] for name in ("authorization", "x-api-key") if name in headers} == opened
    assert headers["anthropic-beta"] == OWN["anthropic-beta"], "what is no credential passes"


def test_no_version_is_added_that_the_client_did_not_send() -> None:
    assert sent("https://api.anthropic.com/v1", "messages", {}) == {"x-api-key": "sk-ours"}


def test_a_subscription_passes_with_all_that_belongs_to_it() -> None:
    """C08."""
    headers = sent("https://api.anthropic.com/v1", "messages", credential="pass-through")
    assert headers == {name.lower(): value for name, value in OWN.items()}


@pytest.mark.parametrize("name", ["Authorization", "x-api-key", "x-auth-token"])
def test_a_token_of_ours_goes_nowhere(name: str) -> None:
    for value in (TOKEN, f"Bearer {TOKEN}"):
        assert sent("https://x/v1", "chat", {name: value}, credential="pass-through") == {}


def test_a_header_that_only_sounds_like_a_key_passes() -> None:
    came = {"idempotency-key": "1", "x-stainless-retry-count": "0", "x-tokens": "3", "session-id": "s"}
    assert sent("https://x/v1", "chat", came, credential="none") == came


async def test_no_key_of_ours_is_needed_where_the_client_has_one(house: House) -> None:
    """C11."""
    house.route(credential="pass-through", dialects=["messages"])
    headers = {"x-api-key": "own", "anthropic-version": "2023-06-01"}
    async with house.client.post(f"{house.url}/messages", json={"messages": []}, headers=headers) as response:
        await response.read()
    assert house.upstream.seen[0].header("x-api-key") == "own"
    assert house.upstream.seen[0].header("Authorization") is None
