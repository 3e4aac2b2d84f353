from __future__ import annotations

import asyncio
import json
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import keyring.backends.fail
import keyring.backends.null
import pytest
from keyring.errors import InitError, PasswordDeleteError

from metaclaw_tray.errors import SecretError
from metaclaw_tray.paths import Paths
from metaclaw_tray.secrets import aopen_vault, find_keyring, open_vault
from metaclaw_tray.settings import Settings


class FakeKeyring:
    """Remembers what was asked of it, and can be locked, hang, and lose a password, as real ones do."""

    def __init__(self) -> None:
        self.held: dict[tuple[str, str], str] = {}
        self.threads: set[str] = set()
        self.locked = False
        self.gate = threading.Event()
        self.gate.set()

    def _enter(self) -> None:
        self.threads.add(threading.current_thread().name)
        self.gate.wait(60)
        if self.locked:
            raise InitError("Failed to create the collection: Prompt dismissed")

    def get_password(self, service: str, username: str) -> str | None:
        self._enter()
        return self.held.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._enter()
        self.held[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._enter()
        if (service, username) not in self.held:
            raise PasswordDeleteError("not found")
        del self.held[service, username]


class OtherKeyring(FakeKeyring):
    __module__ = "keyring.backends.kwallet"


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.find({"METACLAW_TRAY_HOME": str(tmp_path)})


@pytest.fixture
def fake() -> Iterator[FakeKeyring]:
    fake = FakeKeyring()
    yield fake
    fake.gate.set()


def asking(backend: str) -> Settings:
    return Settings.model_validate({"secrets": {"backend": backend}})


def test_a_keyring_that_works_is_used_and_remembered(paths: Paths, fake: FakeKeyring):
    vault = open_vault(paths, Settings(), find=lambda: fake)
    assert (vault.backend, vault.warning) == ("keyring", "")
    vault.set("upstream:openai", "sk-1")
    vault.set("agent:claw", "mct_1")
    vault.set("agent:claw", "mct_2")
    again = open_vault(paths, Settings(), find=lambda: fake)
    assert again.get("agent:claw") == "mct_2"
    assert again.get("agent:nobody") is None
    assert again.names() == ["agent:claw", "upstream:openai"]
    again.remove("agent:claw")
    again.remove("agent:claw")
    assert again.names() == ["upstream:openai"]
    assert "sk-1" not in paths.choices_file.read_text()
    assert stat.S_IMODE(paths.choices_file.stat().st_mode) == 0o600


def test_the_keyring_is_called_on_one_thread_of_its_own(paths: Paths, fake: FakeKeyring):
    vault = open_vault(paths, Settings(), find=lambda: fake)
    vault.set("a", "1")
    vault.get("a")
    assert fake.threads == {"secrets"}


async def test_coroutines_have_their_own_form_and_blocking_a_loop_is_a_bug(paths: Paths, fake: FakeKeyring):
    vault = await aopen_vault(paths, Settings(), find=lambda: fake)
    await vault.aset("a", "1")
    assert await vault.aget("a") == "1"
    assert await vault.anames() == ["a"]
    await vault.aremove("a")
    assert await vault.aget("a") is None
    with pytest.raises(RuntimeError, match="event loop"):
        vault.get("a")


def test_two_homes_do_not_share_their_secrets(tmp_path: Path, fake: FakeKeyring):
    vaults = [
        open_vault(Paths.find({"METACLAW_TRAY_HOME": str(tmp_path / name)}), Settings(), find=lambda: fake)
        for name in "ab"
    ]
    vaults[0].set("agent:claw", "first")
    vaults[1].set("agent:claw", "second")
    assert [vault.get("agent:claw") for vault in vaults] == ["first", "second"]


async def test_a_hanging_keyring_is_an_error_in_time_and_holds_nothing_up(paths: Paths, fake: FakeKeyring):
    vault = await aopen_vault(paths, Settings(), find=lambda: fake, limit=0.2)
    fake.gate.clear()
    with pytest.raises(SecretError, match=r"Nothing came within 0\.2 seconds"):
        await vault.aset("a", "1")
    with pytest.raises(SecretError, match="waiting for its password"):
        await asyncio.to_thread(vault.get, "a")
    fake.gate.set()
    vault._worker._limit = 60
    assert await vault.aget("a") == "1"  # the person typed the password after all


@pytest.mark.parametrize("trouble", ["locked", "hanging", "missing"])
def test_without_a_keyring_memory_serves_this_run_and_says_so(paths: Paths, fake: FakeKeyring, trouble: str):
    fake.locked = trouble == "locked"
    if trouble == "hanging":
        fake.gate.clear()
    vault = open_vault(paths, Settings(), find=lambda: None if trouble == "missing" else fake, limit=0.2)
    assert vault.backend == "memory"
    assert vault.warning.startswith("Keys and tokens are kept in memory for this run only: ")
    assert "config set secrets.backend file" in vault.warning
    vault.set("a", "1")
    assert (vault.get("a"), vault.names()) == ("1", ["a"])
    vault.remove("a")
    assert vault.get("a") is None
    assert not paths.choices_file.exists()
    assert not paths.secrets_file.exists()


@pytest.mark.parametrize("trouble", ["locked", "gone", "another"])
def test_a_remembered_keyring_that_is_away_is_not_replaced(paths: Paths, fake: FakeKeyring, trouble: str):
    open_vault(paths, Settings(), find=lambda: fake).set("agent:claw", "mct_1")
    fake.locked = trouble == "locked"
    found = {"locked": fake, "gone": None, "another": OtherKeyring()}[trouble]
    vault = open_vault(paths, Settings(), find=lambda: found, limit=60)
    assert vault.backend == "keyring"
    assert vault.names() == ["agent:claw"]
    words = "The keyring refused" if trouble == "locked" else "The keyring is away"
    with pytest.raises(SecretError, match=words):
        vault.get("agent:claw")
    with pytest.raises(SecretError, match=words):
        vault.set("x", "y")
    with pytest.raises(SecretError, match=words):
        vault.remove("agent:claw")
    assert open_vault(paths, Settings(), find=lambda: fake).names() == ["agent:claw"]


def test_another_keyring_serves_once_the_settings_say_keyring(paths: Paths, fake: FakeKeyring):
    open_vault(paths, Settings(), find=lambda: fake).set("a", "1")
    other = OtherKeyring()
    vault = open_vault(paths, asking("keyring"), find=lambda: other)
    vault.set("a", "2")
    assert open_vault(paths, Settings(), find=lambda: other).get("a") == "2"


def test_a_keyring_asked_for_by_name_is_never_replaced_by_memory(paths: Paths):
    vault = open_vault(paths, asking("keyring"), find=lambda: None)
    assert "there is no keyring here" in vault.warning
    with pytest.raises(SecretError, match="The keyring is away"):
        vault.set("a", "1")


def test_a_file_is_used_only_when_asked_for_and_is_private(paths: Paths, fake: FakeKeyring):
    open_vault(paths, Settings(), find=lambda: fake).set("old", "1")
    vault = open_vault(paths, asking("file"), find=lambda: fake)
    assert vault.backend == "file"
    assert "plain file" in vault.warning
    assert "1 of an earlier choice are still in the keyring" in vault.warning
    vault.set("a", "1")
    vault.set("b", "2")
    vault.remove("a")
    paths.secrets_file.chmod(0o644)
    again = open_vault(paths, asking("file"), find=lambda: fake)
    assert (again.get("b"), again.names()) == ("2", ["b"])
    assert stat.S_IMODE(paths.secrets_file.stat().st_mode) == 0o600


@pytest.mark.parametrize("content", ["{", "[]", "\xff"])
def test_a_broken_file_is_said_and_kept(paths: Paths, content: str):
    vault = open_vault(paths, asking("file"))
    paths.secrets_file.parent.mkdir(parents=True)
    paths.secrets_file.write_bytes(content.encode("latin-1"))
    for use in (lambda: vault.get("a"), lambda: vault.set("a", "1")):
        with pytest.raises(SecretError, match=r"secrets\.json.*it is not what was written there"):
            use()
    assert paths.secrets_file.read_bytes() == content.encode("latin-1")


def test_a_file_that_cannot_be_written_is_said(paths: Paths):
    vault = open_vault(paths, asking("file"))
    paths.home.mkdir(exist_ok=True)
    paths.state_dir.write_text("in the way")
    with pytest.raises(SecretError, match="A secret cannot be saved"):
        vault.set("a", "1")


@pytest.mark.parametrize("value", ["", "sk-1\n", "a\x00b", "\x7f"])
def test_what_cannot_be_a_key_is_refused(paths: Paths, value: str):
    with pytest.raises(SecretError, match="This is no key") as caught:
        open_vault(paths, asking("memory")).set("a", value)
    assert not value or value not in str(caught.value)


def test_other_facts_in_the_choices_file_are_kept(paths: Paths, fake: FakeKeyring):
    paths.choices_file.parent.mkdir(parents=True)
    paths.choices_file.write_text('{"idle": "x11"}')
    open_vault(paths, Settings(), find=lambda: fake).set("a", "1")
    choices = json.loads(paths.choices_file.read_text())
    assert choices["idle"] == "x11"
    assert choices["secrets"]["names"] == ["a"]


@pytest.mark.parametrize("backend", [keyring.backends.fail.Keyring, keyring.backends.null.Keyring])
def test_the_librarys_own_stand_ins_are_no_keyring(monkeypatch, backend: type):
    monkeypatch.setattr(keyring, "get_keyring", backend)
    assert find_keyring() is None


def test_a_keyring_of_unknown_make_is_left_alone(monkeypatch):
    class AsksOnStandardInput(FakeKeyring):
        priority = 20

    monkeypatch.setattr(keyring, "get_keyring", AsksOnStandardInput)
    monkeypatch.setattr("keyring.backend.get_all_keyring", lambda: [AsksOnStandardInput()])
    assert find_keyring() is None
