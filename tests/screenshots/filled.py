"""Homes to look at: one that has been in use for weeks, a new one, and one in which something is wrong."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import desktop.skills_home as skills_home
from metaclaw_tray.store.engine import Store
from screenshots.house import House
from support.clock import FakeClock

_MODELS = """
[upstreams.anthropic]
base_url = "https://api.anthropic.com"
dialects = ["messages"]
credential = "pass-through"

[upstreams.workstation]
base_url = "http://127.0.0.1:11434/v1"
model = "qwen3-32b"

[learning]
upstream = "workstation"
model = "qwen3-32b"

[budget]
day_usd = 0.5
month_usd = 5.0
"""
_AGENTS = """
[agents.claude-code]

[agents.codex]
upstream = "workstation"

[agents.notes]
observe_only = true
"""
_WRONG = """
[upstreams.openai]
base_url = "https://api.openai.com/v1"
model = "gpt-5"
credential = "key"

[upstreams.workstation]
base_url = "http://127.0.0.1:9/v1"
"""


def new(home: Path, language: str = "") -> None:
    """A home at its first start."""
    _write(home, "", language)


def wrong(home: Path, language: str = "") -> None:
    """Agents are known, but the key of their model is not there."""
    _write(home, f'default_upstream = "openai"\n{{}}\n{_WRONG}{_AGENTS}', language)


def full(home: Path, language: str = "") -> None:
    """Some weeks of use, up to this morning."""
    _write(home, f'default_upstream = "anthropic"\n{{}}\n{_MODELS}{_AGENTS}', language)
    with House(home):
        pass  # a first start agrees to what the file says; a record that is older looks tampered with
    now = datetime.now(UTC)
    opened = Store.open(home / "state" / "store.sqlite3", FakeClock(now - timedelta(days=9)))
    try:
        clock = FakeClock(now - timedelta(days=9))
        skills_home.Library(opened, clock, spoken=now - timedelta(hours=3)).fill()
    finally:
        opened.close()


def _write(home: Path, settings: str, language: str) -> None:
    for name in ("config", "state"):
        (home / name).mkdir(parents=True, exist_ok=True, mode=0o700)
    spoken = f'[window]\nlanguage = "{language}"\n' if language else ""
    tables = f'{spoken}[secrets]\nbackend = "file"\n[server]\nport = 0\n[embedder]\nenabled = false\n'
    file = home / "config" / "config.toml"
    file.write_text(settings.replace("{}", tables) if settings else tables, "utf-8")
    file.chmod(0o600)
    secrets = home / "state" / "secrets.json"
    tokens = {f"agent:{name}": f"mct_{name[0] * 43}" for name in ("claude-code", "codex", "notes")}
    if settings:
        secrets.write_text(json.dumps(tokens), "utf-8")
        secrets.chmod(0o600)
