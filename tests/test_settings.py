from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.errors import NotFoundError, SettingsError
from metaclaw_tray.settings import Agent, Settings, SettingsFile, Upstream, list_settings, load_settings
from metaclaw_tray.settings.addresses import is_nearby
from metaclaw_tray.settings.base_url import checked_base_url
from metaclaw_tray.settings.reading import parse_settings, value_text

HAND_WRITTEN = """\
# my own file
[learning] # what learns
votes = 5 # an odd number

# the rest is fine
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config" / "config.toml"


def fault(text: str) -> str:
    with pytest.raises(SettingsError) as caught:
        parse_settings(text, Path("config.toml"))
    return caught.value.detail


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_a_missing_file_means_the_defaults(path: Path):
    assert load_settings(path) == Settings()
    assert load_settings(path).server.port == 30000
    assert not path.parent.exists()


def test_a_full_file_is_read(path: Path):
    write(
        path,
        """
        default_upstream = "local"
        [upstreams.local]
        base_url = "http://127.0.0.1:8080/v1/"
        dialects = ["chat", "messages"]
        [learning]
        upstream = "local"
        timeout_seconds = 60
        [agents.claw]
        observe_only = true
        """,
    )
    settings = load_settings(path)
    assert settings.upstreams["local"] == Upstream(
        base_url="http://127.0.0.1:8080/v1", dialects=["chat", "messages"]
    )
    assert settings.learning.timeout_seconds == 60.0
    assert settings.agents == {"claw": Agent(observe_only=True)}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "[learning]\nvotez = 3",
            "config.toml, line 2: there is no setting learning.votez. Did you mean learning.votes?",
        ),
        (
            "\n[learnin]\nvotes = 3",
            "config.toml, line 2: there is no setting learnin. Did you mean learning?",
        ),
        ("votes = 3", "config.toml, line 1: there is no setting votes. Did you mean learning.votes?"),
        ("zzz = 3", "config.toml, line 1: there is no setting zzz."),
        ('[learning]\nvotes = "3"', "config.toml, line 2: learning.votes must be a whole number, not '3'."),
        ("learning = 3", "config.toml, line 1: learning must be a table, not 3."),
        (
            "[server]\nport = 70000",
            "config.toml, line 2: server.port must be less than or equal to 65535, not 70000.",
        ),
        ("[budget]\nday_usd = nan", "config.toml, line 2: budget.day_usd must be a finite number, not nan."),
        ('# x\n[upstreams.a]\nmodel = "m"', "config.toml, line 2: upstreams.a.base_url is missing."),
        (
            '[upstreams.a]\nbase_ur = "http://x"',
            "config.toml, line 1: upstreams.a.base_url is missing.\n"
            "config.toml, line 2: there is no setting upstreams.a.base_ur. "
            "Did you mean upstreams.a.base_url?",
        ),
        (
            '[upstreams.a]\nbase_url = "http://x"\ndialects = [\n  "chat",\n  "message",\n]',
            "config.toml, line 3: upstreams.a.dialects must be one of chat, messages, responses, "
            "not 'message'. Did you mean messages?",
        ),
        (
            'default_upstream = "locl"\n[upstreams.local]\nbase_url = "http://x"',
            "config.toml, line 1: default_upstream names the upstream 'locl', which is not there. "
            "Did you mean local?",
        ),
        (
            '[learning]\nupstream = "a"',
            "config.toml, line 2: learning.upstream names the upstream 'a', which is not there. "
            "There is none yet.",
        ),
        (
            "[agents.x]\nobserve_only = 1",
            "config.toml, line 2: agents.x.observe_only must be true or false, not 1.",
        ),
        ("x = 1\nx = 2\n", "config.toml, line 2: this is not TOML: Cannot overwrite a value."),
        ("x = ", "config.toml, at its end: this is not TOML: Invalid value."),
    ],
)
def test_a_fault_names_the_line_the_key_and_the_near_miss(text: str, sentence: str):
    assert fault(text) == sentence


def test_a_bad_name_of_an_upstream_is_refused():
    assert "upstreams.My Box must be 1 to 41 of a-z" in fault('[upstreams."My Box"]\nbase_url = "http://x"')


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"\xef\xbb\xbfx = 1", "line 1: the file begins with a byte order mark"),
        (b"\xff\xfex\x00", "line 1: the file is UTF-16"),
        (b"[learning]\n# caf\xe9\n", "line 2: byte 0xe9 is not UTF-8"),
        (b"x=" + b"[" * 100_000, "nested too deeply"),
        (b"#" * 2_000_000, "is larger than 1048576 bytes"),
    ],
)
def test_a_file_that_is_no_utf8_text_is_said_so_and_kept(path: Path, data: bytes, sentence: str):
    write(path, data)
    with pytest.raises(SettingsError, match=sentence) as caught:
        load_settings(path)
    assert caught.value.remedy
    with pytest.raises(SettingsError):
        SettingsFile(path)
    assert path.read_bytes() == data


def test_an_unreadable_file_is_an_error_and_not_the_defaults(path: Path):
    path.mkdir(parents=True)
    with pytest.raises(SettingsError, match="it is a folder, not a file"):
        load_settings(path)


@given(st.text(alphabet='[]{}="\n.,#ab1 learning', max_size=80))
def test_any_text_is_settings_or_a_settings_error(text: str):
    with contextlib.suppress(SettingsError):
        parse_settings(text, Path("config.toml"))


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://api.example.com/v1/", "https://api.example.com/v1"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("http://localhost:11434/v1", "http://localhost:11434/v1"),
    ],
)
def test_a_base_url_loses_its_trailing_slash(given: str, kept: str):
    assert checked_base_url(given) == kept
    assert Upstream(base_url=given).base_url == kept


@pytest.mark.parametrize(
    "given",
    [
        "",
        "api.example.com/v1",
        "ftp://host/v1",
        "https://",
        "https:///v1",
        "http://host:port/v1",
        "http://host:99999/v1",
        "http://me:secret@host/v1",
        "http://host/v1?key=1",
        "http://host/v1#x",
        "http://a b/v1",
        "http://[::1",
        "https://host/v1/chat/completions",
    ],
)
def test_a_base_url_that_cannot_be_one_is_refused(given: str):
    assert "config.toml, line 2: upstreams.a.base_url must" in fault(f'[upstreams.a]\nbase_url = "{given}"')


@pytest.mark.parametrize(
    ("url", "loopback"),
    [
        ("http://127.0.0.1:1/v1", True),
        ("http://127.9.9.9/v1", True),
        ("http://[::1]/v1", True),
        ("http://localhost/v1", True),
        ("http://192.168.1.2/v1", False),
        ("http://localhost.example.com/v1", False),
        ("http://127.0.0.1.example.com/v1", False),
    ],
)
def test_only_this_machine_is_loopback(url: str, loopback: bool):
    assert Upstream(base_url=url).loopback is loopback


def test_changes_keep_comments_and_order(path: Path):
    file = SettingsFile(write(path, HAND_WRITTEN))
    file.put_upstream("local", Upstream(base_url="http://127.0.0.1:1/v1"), default=True)
    file.set("learning.upstream", "local")
    file.set("learning.model", "small")
    file.put_agent("claw", Agent())
    text = path.read_text()
    for line in HAND_WRITTEN.splitlines():
        assert line in text
    assert text.index("# my own file") < text.index("[learning] # what learns") < text.index("[agents.claw]")
    assert load_settings(path) == file.settings
    assert file.get("learning.model") == "small"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_removed_upstream_or_agent_leaves_the_others(path: Path):
    file = SettingsFile(path)
    for name in ("one", "two"):
        file.put_upstream(name, Upstream(base_url=f"http://{name}/v1"))
        file.put_agent(name, Agent(observe_only=True))
    file.remove_upstream("one")
    file.remove_agent("two")
    assert list(load_settings(path).upstreams) == ["two"]
    assert list(load_settings(path).agents) == ["one"]
    with pytest.raises(NotFoundError, match=r"upstreams has no 'tw'\. Did you mean two"):
        file.remove_upstream("tw")


@pytest.mark.parametrize("key", ["default_upstream", "learning.upstream"])
def test_an_upstream_in_use_is_not_removed(path: Path, key: str):
    file = SettingsFile(path)
    file.put_upstream("one", Upstream(base_url="http://one/v1"))
    file.set(key, "one")
    with pytest.raises(SettingsError, match=f"{key} names 'one'"):
        file.remove_upstream("one")


def test_replacing_an_upstream_drops_what_it_no_longer_says(path: Path):
    file = SettingsFile(path)
    file.put_upstream("one", Upstream(base_url="http://one/v1", model="old", credential="key"))
    file.put_upstream("one", Upstream(base_url="http://one/v2", credential="key"))
    assert file.settings.upstreams["one"] == Upstream(base_url="http://one/v2", credential="key")


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("learning.votes", "5", 5),
        ("budget.day_usd", "0.25", 0.25),
        ("budget.day_usd", "1", 1.0),
        ("injection.enabled", "off", False),
        ("learning.model", "7", "7"),
        ("secrets.backend", "file", "file"),
        ("upstreams.one.dialects", "chat, responses", ["chat", "responses"]),
        ("upstreams.one.models", "big=large, small-* = tiny", {"big": "large", "small-*": "tiny"}),
        ("upstreams.one.models", "", {}),
        ("upstreams.one.input_usd_per_million", "3", 3.0),
        ("upstreams.one.input_usd_per_million", "none", None),
    ],
)
def test_a_typed_text_becomes_the_kind_of_value_the_key_has(path: Path, key: str, text: str, value: object):
    file = SettingsFile(path)
    file.put_upstream("one", Upstream(base_url="http://one/v1", input_usd_per_million=1.0))
    file.set_text(key, text)
    assert file.get(key) == value
    assert load_settings(path) == file.settings


@pytest.mark.parametrize(
    ("key", "text", "sentence"),
    [
        ("learning.votes", "many", "learning.votes must be a whole number, not 'many'"),
        ("learning.votes", "99", "learning.votes must be less than or equal to 9"),
        ("injection.enabled", "maybe", "must be true or false"),
        ("secrets.backend", "keyrin", "Did you mean keyring"),
        ("learning.vote", "3", "Did you mean learning.votes"),
        ("votes", "3", "Did you mean learning.votes"),
        ("learning", "3", "There is no setting 'learning'"),
        ("upstreams.nobody.model", "x", "There is no setting"),
        ("default_upstream", "nobody", "which is not there"),
    ],
)
def test_a_change_that_breaks_a_rule_changes_nothing(path: Path, key: str, text: str, sentence: str):
    file = SettingsFile(write(path, HAND_WRITTEN))
    with pytest.raises((SettingsError, NotFoundError), match=sentence):
        file.set_text(key, text)
    assert path.read_text() == HAND_WRITTEN
    assert file.settings == load_settings(path)


@pytest.mark.parametrize(
    ("key", "text", "sentence"),
    [
        ("models", "big", r"upstreams\.a\.models must be like a=b,c=d, not 'big'"),
        ("models", "b*g=x", r"may have a \* only at the end"),
        ("models.big", "x", "There is no setting"),
        ("fallback", "b", "which is not there"),
        ("fallback", "a", "must not lead back to where it began: a → a"),
    ],
)
def test_a_change_that_an_upstream_cannot_take_is_refused(path: Path, key: str, text: str, sentence: str):
    file = SettingsFile(path)
    file.put_upstream("a", Upstream(base_url="http://a/v1", models={"big": "large"}))
    before = path.read_text()
    with pytest.raises((SettingsError, NotFoundError), match=sentence):
        file.set_text(f"upstreams.a.{key}", text)
    assert path.read_text() == before


CHAIN = """
[upstreams.a]
base_url = "https://a.example/v1"
fallback = "b"

[upstreams.b]
base_url = "https://b.example/v1"
%s
"""


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (
            'fallback = "a"',
            r"line 4: upstreams\.a\.fallback must not lead back to where it began: a → b → a\.",
        ),
        ('credential = "pass-through"', "must not be b: it takes the agent's own credential"),
        ('dialects = ["messages"]', "must speak a dialect of its own upstream; b speaks messages"),
        ('fallback = "c"', r"upstreams\.b\.fallback names the upstream 'c', which is not there"),
        (
            '[agents.claw]\nupstream = "c"',
            r"agents\.claw\.upstream names the upstream 'c', which is not there",
        ),
    ],
)
def test_an_upstream_cannot_fall_back_on_one_that_cannot_stand_in(more: str, sentence: str):
    assert re.search(sentence, fault(CHAIN % more))


def test_the_agents_own_credential_may_go_to_the_same_host_again():
    text = CHAIN.replace("b.example/v1", "a.example/v2") % 'credential = "pass-through"'
    assert parse_settings(text, Path("config.toml")).upstreams["a"].fallback == "b"


@pytest.mark.parametrize(
    ("asked", "named"),
    [("big", "large"), ("small-1", "tiny"), ("small-fast-1", "tiniest"), ("other", "usual"), ("", "usual")],
)
def test_a_model_goes_by_its_own_name_then_by_the_longest_pattern_then_by_the_usual_one(
    asked: str, named: str
):
    models = {"big": "large", "small-*": "tiny", "small-fast*": "tiniest"}
    assert Upstream(base_url="http://x/v1", models=models, model="usual").named_here(asked) == named
    assert Upstream(base_url="http://x/v1", models=models).named_here("other") == "other"


def test_an_upstream_that_is_this_program_is_not_saved(path: Path):
    """C18."""
    file = SettingsFile(path)
    with pytest.raises(SettingsError, match="would ask itself for ever") as caught:
        file.put_upstream("loop", Upstream(base_url="http://localhost:30000/v1"))
    assert "server.port" in caught.value.remedy
    assert not path.exists()
    write(path, '[upstreams.loop]\nbase_url = "http://localhost:30000/v1"\n')
    assert SettingsFile(path).set("learning.votes", 5).learning.votes == 5, (
        "what is there harms no other change"
    )


@pytest.mark.parametrize(
    ("host", "nearby"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("192.168.1.2", True),
        ("fe80::1%eth0", True),
        ("box", True),
        ("box.local", True),
        ("8.8.8.8", False),
        ("api.example.com", False),
        ("2606:4700::1111", False),
    ],
)
def test_only_hosts_of_the_own_network_are_nearby(host: str, nearby: bool):
    assert is_nearby(host) is nearby


def test_unset_gives_the_default_back(path: Path):
    file = SettingsFile(write(path, HAND_WRITTEN))
    assert file.set("learning.votes", None).learning.votes == 3
    assert file.set("budget.day_usd", None).budget.day_usd == 0.5


def test_a_broken_file_is_never_written(path: Path):
    file = SettingsFile(write(path, HAND_WRITTEN))
    write(path, HAND_WRITTEN + "oops")
    with pytest.raises(SettingsError, match="this is not TOML"):
        file.set("learning.votes", 3)
    with pytest.raises(SettingsError, match="this is not TOML"):
        file.reload()
    assert path.read_text() == HAND_WRITTEN + "oops"
    assert file.settings.learning.votes == 5


def test_edits_made_by_hand_meanwhile_are_kept(path: Path):
    file = SettingsFile(write(path, HAND_WRITTEN))
    write(path, HAND_WRITTEN.replace("votes = 5", "votes = 7"))
    assert file.set("budget.day_usd", 1.0).learning.votes == 7


@pytest.mark.parametrize(
    ("number", "words"), [(errno.ENOSPC, "the disk is full"), (errno.EROFS, "the disk is read-only")]
)
def test_a_disk_that_refuses_is_said_and_the_old_file_stays(path: Path, monkeypatch, number: int, words: str):
    file = SettingsFile(write(path, HAND_WRITTEN))

    def refuse(descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(SettingsError, match=words):
        file.set("learning.votes", 3)
    assert path.read_text() == HAND_WRITTEN
    assert file.settings.learning.votes == 5
    assert sorted(each.name for each in path.parent.iterdir()) == [".config.toml.lock", "config.toml"]


def test_a_config_folder_that_is_a_file_is_said(tmp_path: Path):
    (tmp_path / "config").write_text("")
    with pytest.raises(SettingsError, match="a part of its path is not a folder"):
        SettingsFile(tmp_path / "config" / "config.toml")


def test_a_symbolic_link_stays_one(path: Path, tmp_path: Path):
    real = tmp_path / "dotfiles.toml"
    real.write_text(HAND_WRITTEN)
    path.parent.mkdir()
    path.symlink_to(real)
    SettingsFile(path).set("learning.votes", 3)
    assert path.is_symlink()
    assert "votes = 3 # an odd number" in real.read_text()


def test_every_setting_says_what_it_means():
    settings = Settings(upstreams={"a": Upstream(base_url="http://a")}, agents={"b": Agent()})
    lines = list_settings(settings)
    assert all(line.meaning for line in lines)
    assert {"learning.model", "upstreams.a.base_url", "agents.b.observe_only"} <= {line.key for line in lines}


def test_settings_cannot_be_changed_in_place():
    with pytest.raises(ValueError, match="frozen"):
        Settings().server.port = 1  # type: ignore[misc]


def test_the_embedded_model_is_an_upstream_once_it_is_chosen(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('default_upstream = "embedded"\n', encoding="utf-8")
    with pytest.raises(SettingsError, match=r"embedded\.model"):
        load_settings(path)
    path.write_text('default_upstream = "embedded"\n[embedded]\nmodel = "some-model"\n', encoding="utf-8")
    assert load_settings(path).embedded.model == "some-model"


def test_no_upstream_of_a_persons_own_may_be_called_embedded(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('[upstreams.embedded]\nbase_url = "http://localhost:1/v1"\n', encoding="utf-8")
    with pytest.raises(SettingsError, match=r"line 1.*taken by the embedded model"):
        load_settings(path)


@pytest.mark.parametrize("text", ["nan", "inf", "-Infinity", "1e999"])
def test_a_number_that_is_none_is_refused_and_not_written(path: Path, text: str):
    file = SettingsFile(path)
    with pytest.raises(SettingsError, match=r"budget\.day_usd must be a number"):
        file.set_text("budget.day_usd", text)
    assert not path.exists()


def test_a_preview_is_what_the_change_would_be_and_changes_nothing(path: Path):
    file = SettingsFile(path)
    assert file.preview("learning.votes", "5").learning.votes == 5
    assert (file.settings.learning.votes, path.exists()) == (3, False)
    with pytest.raises(SettingsError, match="refused"):
        file.preview("learning.votes", "0")


def test_what_an_upstream_in_use_is_set_to_may_be_none(path: Path):
    file = SettingsFile(path)
    file.put_upstream("one", Upstream(base_url="http://one/v1"), default=True)
    with pytest.raises(SettingsError) as refused:
        file.remove_upstream("one")
    assert "default_upstream ''" in refused.value.remedy
    file.set_text("default_upstream", "")
    file.remove_upstream("one")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({}, "not set"),
        ({"every": "23:30-07:00"}, "every=23:30-07:00"),
        ([], "not set"),
        (["chat", "messages"], "chat,messages"),
        (0.5, "0.5"),
        (False, "no"),
        (None, "not set"),
    ],
)
def test_a_value_is_said_in_a_sentence(value: object, text: str) -> None:
    assert value_text(value) == text
