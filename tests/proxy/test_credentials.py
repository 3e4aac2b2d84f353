"""What opens an upstream, and who gets to see it."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL

from metaclaw_tray.proxy.access import Entry, TokenTable
from metaclaw_tray.proxy.headers import towards_upstream
from metaclaw_tray.proxy.routing import Route
from metaclaw_tray.settings import Upstream
from proxy.house import OTHER_TOKEN, TOKEN, House

OWN = {
    "Authorization": "Bearer sk-ant-oat01-own",
    "anthropic-beta": "oauth-2025-04-20,claude-code-20250219",
    "anthropic-version": "2023-06-01",
    "x-api-key": "own",
    "x-auth-token": "own",
    "cf-access-client-secret": "own",
    "ocp-apim-subscription-key": "own",
}


def sent(
    base_url: str,
    dialect: str,
    came: dict[str, str] | None = None,
    *,
    same_host: bool = True,
    **options: Any,
) -> dict[str, str]:
    upstream = Upstream(base_url=base_url, **{"credential": "key", **options})
    key = "sk-ours" if upstream.credential == "key" else None
    headers = towards_upstream(
        CIMultiDictProxy(CIMultiDict(OWN if came is None else came)),
        Route("one", upstream, key, dialect, speaks=dialect),
        Entry("claw", TOKEN, own_credentials=True),
        TokenTable({TOKEN: "claw", OTHER_TOKEN: "other"}),
        recoded=False,
        same_host=same_host,
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


DRESSES = [
    "{}",
    "Bearer {}",
    "Basic {}",
    "session={}; theme=dark",
    "/a/{}/v1/models",
    "http%3A%2F%2F127.0.0.1%2Fa%2F{}%2Fv1",
]


@pytest.mark.parametrize("name", ["Authorization", "x-api-key", "x-auth-token", "Cookie", "X-Original-Url"])
@pytest.mark.parametrize("dress", DRESSES)
@pytest.mark.parametrize("token", [TOKEN, OTHER_TOKEN])
def test_a_token_of_ours_goes_nowhere(name: str, dress: str, token: str) -> None:
    assert sent("https://x/v1", "chat", {name: dress.format(token)}, credential="pass-through") == {}


@pytest.mark.parametrize("token", [TOKEN, OTHER_TOKEN])
def test_a_token_of_ours_goes_nowhere_as_a_password(token: str) -> None:
    packed = base64.b64encode(f"me:{token}".encode()).decode()
    assert sent("https://x/v1", "chat", {"Authorization": f"Basic {packed}"}, credential="pass-through") == {}
    own = {"authorization": "Basic " + base64.b64encode(b"me:their own long password, no token").decode()}
    assert sent("https://x/v1", "chat", own, credential="pass-through") == own


def test_a_header_that_only_sounds_like_a_key_passes() -> None:
    came = {"idempotency-key": "1", "x-stainless-retry-count": "0", "x-tokens": "3", "session-id": "s"}
    assert sent("https://x/v1", "chat", came, credential="none") == came


@pytest.mark.parametrize(
    "name",
    ["apikey", "token", "key", "X-Auth-Key", "X-Auth-Email", "X-Functions-Key", "Ocp-Apim-Subscription-Key"],
)
def test_every_kind_of_key_stays_here_where_ours_opens_the_upstream(name: str) -> None:
    assert "own" not in sent("https://x/v1", "chat", {name: "own"}).values()
    assert sent("https://x/v1", "chat", {name: "own"}, credential="pass-through") == {name.lower(): "own"}


@pytest.mark.parametrize("credential", ["key", "none"])
def test_the_clients_account_never_goes_along_without_the_clients_key(credential: str) -> None:
    came = {"OpenAI-Organization": "own", "OpenAI-Project": "own", "ChatGPT-Account-Id": "own"}
    assert "own" not in sent("https://x/v1", "chat", came, credential=credential).values()
    assert len(sent("https://x/v1", "chat", came, credential="pass-through")) == 3


def test_another_host_learns_what_the_request_needs_and_no_more() -> None:
    needed = {
        "content-type": "application/json",
        "content-encoding": "gzip",
        "accept": "*/*",
        "user-agent": "claw/1",
        "anthropic-version": "2023-06-01",
        "openai-beta": "x",
    }
    came = {**needed, "x-custom": "1", "x-tenant": "2", "x-forwarded-for": "10.0.0.1", **OWN}
    kept = sent("https://x/v1", "chat", came, same_host=False, credential="none")
    assert kept == {**needed, "anthropic-beta": OWN["anthropic-beta"]}


@pytest.mark.parametrize(
    ("credential", "query", "kept"),
    [
        ("pass-through", f"api_key={TOKEN}&beta=true", "beta=true"),
        ("pass-through", f"u=http%3A%2F%2Fx%2Fa%2F{OTHER_TOKEN}%2Fv1&a=%20b&c", "a=%20b&c"),
        ("pass-through", "key=AIzaOwn&alt=sse", "key=AIzaOwn&alt=sse"),
        ("key", "key=AIzaOwn&api%5Fkey=own&access_token=own&sig=own&alt=sse", "alt=sse"),
        ("none", "api-version=2024-10-21&limit=3", "api-version=2024-10-21&limit=3"),
    ],
)
async def test_a_query_opens_nothing_that_headers_would_not(
    house: House, credential: str, query: str, kept: str
) -> None:
    house.route(credential=credential, key="sk-ours" if credential == "key" else "")
    async with house.client.get(URL(f"{house.url}/models?{query}", encoded=True)) as response:
        await response.read()
    assert house.upstream.seen[0].line == f"GET /v1/models?{kept} HTTP/1.1"


async def test_no_key_of_ours_is_needed_where_the_client_has_one(house: House) -> None:
    """C11."""
    house.route(credential="pass-through", dialects=["messages"])
    headers = {"x-api-key": "own", "anthropic-version": "2023-06-01"}
    async with house.client.post(f"{house.url}/messages", json={"messages": []}, headers=headers) as response:
        await response.read()
    assert house.upstream.seen[0].header("x-api-key") == "own"
    assert house.upstream.seen[0].header("Authorization") is None
