"""What opens a calendar lies in a real keyring, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

import test_secret_service
from test_secret_service import pytestmark as needs_a_keyring

USE = """
from metaclaw_tray.omls.calendars.google import Account
from metaclaw_tray.omls.calendars.keeping import calendar_secret
from metaclaw_tray.paths import Paths
from metaclaw_tray.secrets import open_vault
from metaclaw_tray.settings import Settings

vault = open_vault(Paths.find(), Settings())
kept = Account(client_id="an-app" * 12, client_secret="GOCSPX-of-the-client", refresh_token="1//" + "r" * 200)
vault.set(calendar_secret("google"), kept.text())
vault.set(calendar_secret("work"), "https://calendar.example.org/private-0123456789/basic.ics")
again = open_vault(Paths.find(), Settings())
print(vault.backend, Account.of(again.get("calendar:google")) == kept, len(kept.text()) < 1280)
print(again.get("calendar:work").endswith("basic.ics"), again.names())
vault.remove("calendar:google")
vault.remove("calendar:work")
print(again.get("calendar:google"), again.names())
"""


@needs_a_keyring
def test_a_permission_and_an_address_lie_in_the_keyring_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(test_secret_service, "USE", USE)
    said = test_secret_service.run(tmp_path, "printf pw | gnome-keyring-daemon --unlock --components=secrets")
    assert said.splitlines() == [
        "keyring True True",
        "True ['calendar:google', 'calendar:work']",
        "None []",
    ]
    for file in (tmp_path / "home").rglob("*"):
        assert not file.is_file() or b"private-0123" not in file.read_bytes()
