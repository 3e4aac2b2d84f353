"""What can be asked for, and no way to anything else."""

from __future__ import annotations

import pytest

from metaclaw_tray.proxy.endpoints import endpoint
from proxy.house import TOKEN, House, raw_exchange

WAYS_OUT = [
    "../files",
    "..",
    ".",
    "./..",
    "m/../../files",
    "m/%2e%2e/%2E./files",
    "%2e%2e%2ffiles",
    "%252e%252e/files",
    "%25252e%25252e/files",
    "..%5cfiles",
    "..\\files",
    "..;a=b/files",
    "..%3b/files",
    "%09../files",
    "..%00/files",
    "..%20/files",
    "x#/../files",
    "",
]


@pytest.mark.parametrize("way", WAYS_OUT)
def test_the_name_of_a_model_leads_nowhere_else(way: str) -> None:
    assert endpoint(f"/v1/models/{way}") is None


@pytest.mark.parametrize(
    "name",
    [
        "gpt-6.2-sol",
        "org/name",
        "org%2Fname",
        "accounts/fireworks/models/qwen3-coder-480b",
        "llama3.2:1b@q4..v2",
        "%2Fmodels%2Ftiny...gguf",
        "50%25",
        "北京",
        "..hidden",
    ],
)
def test_models_have_names_of_all_kinds(name: str) -> None:
    assert endpoint(f"/v1/models/{name}") is endpoint("/v1/models") is not None


@pytest.mark.parametrize("way", ["../files?x=1", "%2e%2e/files", "org/../../files"])
async def test_no_way_out_reaches_the_upstream_with_the_persons_key(house: House, way: str) -> None:
    house.route(credential="key", key="sk-person")
    request = f"GET /a/{TOKEN}/v1/models/{way} HTTP/1.1\r\nHost: 127.0.0.1:{house.port}\r\n\r\n"
    status, _ = await raw_exchange(house.port, request.encode())
    assert (status, house.upstream.seen) == (404, [])


async def test_a_model_of_an_organisation_is_asked_for_as_it_is_written(house: House) -> None:
    async with house.client.get(f"{house.url}/models/org/name") as response:
        assert response.status == 200
    assert house.upstream.seen[0].line == "GET /v1/models/org/name HTTP/1.1"


async def test_an_answer_that_the_upstream_keeps_is_fetched_from_it(house: House) -> None:
    house.route(dialects=["responses"])
    async with house.client.get(f"{house.url}/responses/resp_1?include=x") as response:
        assert response.status == 200
    assert house.upstream.seen[0].line == "GET /v1/responses/resp_1?include=x HTTP/1.1"
    for way in ("../files", "a/b", "input_tokens", "compact"):
        assert endpoint(f"/v1/responses/{way}") is None
