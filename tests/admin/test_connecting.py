from __future__ import annotations

import socket

import httpx
import pytest

from metaclaw_tray.admin.api import AddAgent, AddUpstream, all_verbs, answer_type, verb_name
from metaclaw_tray.admin.changing import Changing
from metaclaw_tray.admin.connecting import Connecting
from metaclaw_tray.admin.consent import ConsentError, Granted
from metaclaw_tray.admin.probing import probe
from metaclaw_tray.admin.protocol import read_verb, to_line
from metaclaw_tray.errors import KnownError, NotFoundError, SecretError, SettingsError, UsageError
from metaclaw_tray.paths import Paths
from metaclaw_tray.redact import redact_text
from metaclaw_tray.secrets import KeptKey, SecretVault, UpstreamKeys, aopen_vault
from metaclaw_tray.settings import EMBEDDED, Settings, SettingsFile, Upstream, load_settings


@pytest.fixture
def paths(tmp_path) -> Paths:
    return Paths.find({"METACLAW_TRAY_HOME": str(tmp_path)})


@pytest.fixture
async def vault(paths: Paths) -> SecretVault:
    return await aopen_vault(paths, Settings.model_validate({"secrets": {"backend": "memory"}}))


class Asked:
    """A person who says yes, or no, to everything."""

    def __init__(self, *, yes: bool = True) -> None:
        self._yes = yes
        self.texts: list[str] = []

    async def consent(self, action: str, text: str) -> Granted:
        self.texts.append(f"{action}: {text}")
        if not self._yes:
            raise ConsentError("Not done", "The code was not typed.", "")
        return Granted("terminal", [])

    confirm = consent

    async def spoken(self, action: str) -> None:
        """A person asks."""


def desk(paths: Paths, vault: SecretVault, *, port: int = 30000, **options) -> Connecting:
    changing = Changing(SettingsFile(paths.config_file), Asked())
    return Connecting(changing, vault, f"http://127.0.0.1:{port}", **options)


@pytest.fixture
def connecting(paths: Paths, vault: SecretVault) -> Connecting:
    return desk(paths, vault)


def upstream(name: str = "one", **options) -> AddUpstream:
    return AddUpstream(name=name, base_url="http://127.0.0.1:1/v1", **options)


async def test_an_upstreams_key_goes_to_the_vault_and_not_to_the_file(connecting, vault, paths):
    row = await connecting.add_upstream(upstream(key="sk-secret", default=True))
    assert (row.credential, row.key_known, row.default) == ("key", True, True)
    assert await vault.aget("upstream:one") == "sk-secret"
    assert "sk-secret" not in paths.config_file.read_text()
    assert load_settings(paths.config_file).upstreams["one"].credential == "key"


FAR = "https://far/v1"


async def test_a_key_does_not_follow_an_upstream_to_another_host(connecting, vault):
    await connecting.add_upstream(upstream(key="sk-secret", model="m", input_usd_per_million=1.0))
    row = await connecting.add_upstream(AddUpstream(name="one", base_url=FAR))
    assert (row.replaced, row.credential, row.key_known) == (True, "none", False)
    assert row.dropped_key_of == "http://127.0.0.1:1"
    assert (row.model, row.input_usd_per_million) == ("m", None)
    assert row.changed["base_url"] == ("http://127.0.0.1:1/v1", FAR)
    assert row.changed["credential"] == ("key", "none")
    assert await vault.aget("upstream:one") is None


async def test_a_new_key_for_another_host_is_bound_to_that_one(connecting, vault):
    await connecting.add_upstream(upstream(key="sk-secret"))
    row = await connecting.add_upstream(AddUpstream(name="one", base_url=FAR, key="sk-far"))
    assert (row.credential, row.dropped_key_of) == ("key", "")
    kept = await UpstreamKeys(vault).find("one")
    assert kept == KeptKey("sk-far", "https://far")
    assert await vault.anames() == ["upstream:one"]  # and its origin is no secret to list


async def test_a_key_of_an_older_version_is_dropped_as_well(connecting, vault):
    await connecting.add_upstream(upstream())
    await vault.aset("upstream:one", "sk-old")
    row = await connecting.add_upstream(AddUpstream(name="one", base_url=FAR))
    assert row.dropped_key_of == "http://127.0.0.1:1"
    assert await vault.anames() == []


async def test_a_key_that_was_left_behind_is_not_for_whoever_takes_the_name(connecting, vault):
    await vault.aset("upstream:one", "sk-old")
    row = await connecting.add_upstream(AddUpstream(name="one", base_url=FAR))
    assert (row.dropped_key_of, await vault.anames()) == ("another address", [])


async def test_what_is_not_named_stays_when_an_upstream_is_replaced(connecting, paths):
    await connecting.add_upstream(
        upstream(key="sk-1", dialects=["chat", "messages"], models={"big": "large"}, fallback="")
    )
    SettingsFile(paths.config_file).set("upstreams.one.tool_text", True)
    connecting._file.reload()
    row = await connecting.add_upstream(upstream(model="m"))
    assert (row.replaced, row.changed, row.dropped_key_of) == (True, {"model": ("not set", "m")}, "")
    assert (row.credential, row.key_known, row.dialects) == ("key", True, ["chat", "messages"])
    kept = load_settings(paths.config_file).upstreams["one"]
    assert (kept.tool_text, kept.models, kept.model) == (True, {"big": "large"}, "m")


async def test_the_price_of_an_upstream_that_is_there_takes_a_code(connecting, paths, vault):
    await connecting.add_upstream(upstream(input_usd_per_million=3.0))
    refused = Connecting(
        Changing(SettingsFile(paths.config_file), Asked(yes=False)), vault, "http://127.0.0.1:30000"
    )
    with pytest.raises(ConsentError):
        await refused.add_upstream(upstream(input_usd_per_million=0.0))
    assert load_settings(paths.config_file).upstreams["one"].input_usd_per_million == 3.0
    await refused.add_upstream(upstream(input_usd_per_million=3.0, model="m"))


async def test_a_test_sends_no_key_to_a_host_it_was_not_given_for(connecting, paths):
    await connecting.add_upstream(upstream(key="sk-secret"))
    SettingsFile(paths.config_file).set("upstreams.one.base_url", FAR)
    connecting._file.reload()
    with pytest.raises(SecretError, match="was not given for https://far"):
        await connecting.test_upstream("one")


async def test_an_agent_is_given_back_to_what_all_reach(connecting, paths):
    await connecting.add_upstream(upstream("one", default=True))
    await connecting.add_upstream(upstream("two"))
    await connecting.add_agent(AddAgent("claw"))
    await connecting.use_upstream("two", "claw")
    assert "the default upstream" in (await connecting.use_upstream("default", "claw")).text
    assert load_settings(paths.config_file).agents["claw"].upstream == ""


async def test_what_is_changed_is_gathered_without_any_secret(paths, vault):
    changing = Changing(SettingsFile(paths.config_file), Asked())
    made = Connecting(changing, vault, "http://127.0.0.1:30000")
    await made.add_upstream(upstream(key="sk-secret", default=True))
    secret, settings = changing.entries
    assert (secret.action, secret.subject) == ("secret", "upstream:one")
    assert (settings.action, settings.subject) == ("settings", "default_upstream, upstreams.one")
    assert settings.before == {
        "default_upstream": "", "upstreams.one.base_url": None, "upstreams.one.credential": None
    }  # fmt: skip
    assert settings.after == {
        "default_upstream": "one",
        "upstreams.one.base_url": "http://127.0.0.1:1/v1",
        "upstreams.one.credential": "key",
    }
    assert "sk-secret" not in repr(changing.entries)


async def test_a_removed_upstream_takes_its_key_along(connecting, vault):
    await connecting.add_upstream(upstream(key="sk-secret"))
    await connecting.remove_upstream("one")
    assert await vault.anames() == []
    with pytest.raises(NotFoundError):
        await connecting.remove_upstream("one")


async def test_an_upstream_in_use_keeps_its_key(connecting, vault):
    await connecting.add_upstream(upstream(key="sk-secret", default=True))
    with pytest.raises(SettingsError, match="in use"):
        await connecting.remove_upstream("one")
    assert await vault.anames() == ["upstream:one"]


async def test_a_wrong_upstream_is_wrong_usage_and_keeps_no_key(connecting, vault, paths):
    with pytest.raises(UsageError, match="base_url must begin with http"):
        await connecting.add_upstream(AddUpstream(name="one", base_url="ftp://x", key="sk-secret"))
    with pytest.raises(UsageError, match="must be 1 to 41 of a-z"):
        await connecting.add_upstream(upstream("No Name", key="sk-secret"))
    with pytest.raises(UsageError, match="Did you mean messages"):
        await connecting.add_upstream(upstream(dialects=["message"]))
    assert await vault.anames() == []
    assert not paths.config_file.exists()


async def test_the_only_upstream_is_the_one_that_agents_reach_until_another_is_used(connecting):
    await connecting.add_upstream(upstream("one"))
    assert [row.default for row in await connecting.list_upstreams()] == [True]
    await connecting.add_upstream(upstream("two"))
    assert [row.default for row in await connecting.list_upstreams()] == [False, False]
    await connecting.use_upstream("two")
    assert [row.default for row in await connecting.list_upstreams()] == [False, True]
    with pytest.raises(NotFoundError):
        await connecting.use_upstream("three")


async def test_an_agent_can_have_an_upstream_of_its_own(connecting, paths):
    await connecting.add_upstream(upstream("one", default=True))
    await connecting.add_upstream(upstream("two"))
    await connecting.add_agent(AddAgent("claw"))
    assert "claw reaches two" in (await connecting.use_upstream("two", "claw")).text
    assert load_settings(paths.config_file).agents["claw"].upstream == "two"
    assert [row.upstream for row in await connecting.list_agents()] == ["two"]
    with pytest.raises(NotFoundError, match="no agent 'nobody'"):
        await connecting.use_upstream("two", "nobody")
    with pytest.raises(SettingsError, match=r"agents\.claw\.upstream names 'two'"):
        await connecting.remove_upstream("two")


async def test_an_upstream_brings_its_models_and_its_fallback(connecting):
    await connecting.add_upstream(upstream("spare"))
    row = await connecting.add_upstream(upstream("one", models={"big": "large"}, fallback="spare"))
    assert (row.models, row.fallback) == ({"big": "large"}, "spare")
    with pytest.raises(SettingsError, match=r"upstreams\.one\.fallback names 'spare'"):
        await connecting.remove_upstream("spare")


async def test_a_fallback_that_cannot_be_one_is_refused_before_a_key_is_kept(connecting, vault):
    await connecting.add_upstream(
        AddUpstream(name="far", base_url="https://far/v1", credential="pass-through")
    )
    await connecting.add_upstream(AddUpstream(name="other", base_url="http://o/v1", dialects=["messages"]))
    for fallback, words in (
        ("fra", r"names the upstream 'fra', which is not there\. Did you mean far"),
        ("far", "takes the agent's own credential, which is not meant for its host"),
        ("other", "other speaks messages"),
        ("one", "must not lead back to where it began: one → one"),
    ):
        with pytest.raises(UsageError, match=words):
            await connecting.add_upstream(upstream(fallback=fallback, key="sk-secret"))
    assert await vault.anames() == []


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "127.1.2.3", "127.1", "{name}"]
)
async def test_the_address_of_this_very_program_is_no_upstream(connecting, host: str):
    """C18."""
    own = f"http://{host.format(name=socket.gethostname())}:30000/a/x/v1"
    with pytest.raises(SettingsError, match="would ask itself for ever"):
        await connecting.add_upstream(AddUpstream(name="loop", base_url=own))
    await connecting.add_upstream(AddUpstream(name="near", base_url=own.replace("30000", "30001")))


async def test_the_port_that_is_in_use_counts_as_well_as_the_one_that_is_set(paths, vault):
    running = desk(paths, vault, port=41234)
    for port in (30000, 41234):
        with pytest.raises(SettingsError, match="itself"):
            await running.add_upstream(AddUpstream(name="loop", base_url=f"http://localhost:{port}/v1"))


async def test_the_embedded_model_stands_among_the_upstreams(connecting, paths, vault):
    with pytest.raises(SettingsError, match="No embedded model is chosen"):
        await connecting.use_upstream(EMBEDDED)
    SettingsFile(paths.config_file).set("embedded.model", "small")
    connecting = desk(paths, vault)
    await connecting.use_upstream(EMBEDDED)
    (row,) = await connecting.list_upstreams()
    assert (row.name, row.model, row.default) == (EMBEDDED, "small", True)


async def test_a_new_agent_gets_a_token_and_both_addresses(connecting, vault):
    agent = await connecting.add_agent(AddAgent("claw"))
    assert agent.token == await vault.aget("agent:claw")
    assert agent.base_url == f"http://127.0.0.1:30000/a/{agent.token}/v1"
    assert agent.anthropic_base_url == f"http://127.0.0.1:30000/a/{agent.token}"
    assert redact_text(agent.token) == ("[redacted:metaclaw-token]", 1)
    (row,) = await connecting.list_agents()
    assert (row.name, row.token_known) == ("claw", True)


async def test_a_rotated_token_replaces_the_old_one(connecting, vault):
    first = await connecting.add_agent(AddAgent("claw"))
    with pytest.raises(UsageError, match="has a token already") as caught:
        await connecting.add_agent(AddAgent("claw"))
    assert "agents rotate claw" in caught.value.remedy
    second = await connecting.rotate_agent("claw")
    assert first.token != second.token == await vault.aget("agent:claw")
    with pytest.raises(NotFoundError):
        await connecting.rotate_agent("nobody")


async def test_a_removed_agents_token_is_forgotten(connecting, vault):
    await connecting.add_agent(AddAgent("claw", observe_only=True))
    await connecting.remove_agent("claw")
    assert await vault.anames() == []
    assert await connecting.list_agents() == []


async def test_alone_nothing_is_kept_in_memory_that_would_be_gone_at_once(paths, vault):
    alone = desk(paths, vault, port=1, alone=True)
    with pytest.raises(KnownError, match="nowhere to keep it"):
        await alone.add_agent(AddAgent("claw"))
    assert await alone.list_agents() == []


async def test_secrets_are_listed_set_and_removed_by_name(connecting, vault):
    await connecting.set_secret("upstream:one", "sk-1")
    assert [(row.name, row.kept_in) for row in await connecting.list_secrets()] == [
        ("upstream:one", "memory")
    ]
    await connecting.remove_secret("upstream:one")
    with pytest.raises(NotFoundError):
        await connecting.remove_secret("upstream:one")
    for name in ("one", "upstream:", "other:one"):
        with pytest.raises(UsageError):
            await connecting.set_secret(name, "x")


def answering(status: int = 200, body: str = '{"data":[{"id":"m"}]}', kind: str = "application/json"):
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(status, text=body, headers={"content-type": kind})

    return httpx.MockTransport(answer), asked


async def test_a_working_upstream_names_its_models():
    transport, asked = answering()
    test = await probe("one", Upstream(base_url="http://x/v1", credential="key"), "sk-1", transport)
    assert (test.ok, test.status, test.models, test.detail) == (True, 200, ["m"], "")
    assert str(asked[0].url) == "http://x/v1/models"
    assert asked[0].headers["authorization"] == "Bearer sk-1"


@pytest.mark.parametrize(
    ("base_url", "bearer"), [("https://api.anthropic.com/v1", None), ("http://x/v1", "Bearer sk-1")]
)
async def test_an_anthropic_upstream_is_asked_in_its_own_way(base_url: str, bearer: str | None):
    transport, asked = answering()
    await probe("one", Upstream(base_url=base_url, dialects=["messages"]), "sk-1", transport)
    assert asked[0].headers["x-api-key"] == "sk-1"
    assert asked[0].headers["anthropic-version"]
    assert asked[0].headers.get("authorization") == bearer


@pytest.mark.parametrize(
    ("status", "body", "kind", "options", "words"),
    [
        (401, "", "text/plain", {"credential": "key"}, "refused the key"),
        (401, "", "text/plain", {}, "wants a key, and none is set"),
        (404, "", "text/plain", {}, "answered HTTP 404"),
        (503, "", "text/plain", {}, "cannot serve now (HTTP 503)"),
        (302, "", "text/plain", {}, "answered HTTP 302"),
        (200, "<html>", "text/html; charset=utf-8", {}, "answered text/html that is no list"),
        (200, "", "", {}, "answered no content type that is no list"),
        (200, "[" * 100_000, "application/json", {}, "no list of models"),
        (200, '{"data":[{"id":"m"}]}', "application/json", {"model": "n"}, "It has no model 'n'"),
    ],
)
async def test_an_upstream_that_does_not_work_says_why(status, body, kind, options, words):
    transport, _ = answering(status, body, kind)
    test = await probe("one", Upstream(base_url="http://x/v1", **options), None, transport)
    assert not test.ok
    assert words in test.detail


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (httpx.ConnectError("Connection refused"), "cannot be reached: Connection refused"),
        (httpx.ReadTimeout(""), "did not answer within 10 seconds"),
        (httpx.RemoteProtocolError(""), "cannot be reached: RemoteProtocolError"),
    ],
)
async def test_an_upstream_that_is_away_says_so(error: httpx.HTTPError, words: str):
    def fail(request: httpx.Request) -> httpx.Response:
        raise error

    test = await probe("one", Upstream(base_url="http://x/v1"), None, httpx.MockTransport(fail))
    assert (test.ok, test.status) == (False, 0)
    assert words in test.detail


def test_every_verb_has_a_name_and_an_answer_of_its_own():
    names = [verb_name(verb) for verb in all_verbs()]
    assert len(names) == len(set(names)) > 30
    assert all(name == name.lower() for name in names)
    for verb in all_verbs():
        assert answer_type(verb) is not None
        assert verb.__doc__ is None or "Verb" not in verb.__doc__


def test_a_verb_survives_its_journey():
    verb = upstream(key="sk-1", dialects=["chat", "messages"])
    assert read_verb(to_line(verb)) == verb
