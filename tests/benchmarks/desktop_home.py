"""The home of a window that is measured: `python -m benchmarks.desktop_home HOME SKILLS MODEL_URL`."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.aged import add_skills
from metaclaw_tray.clock import SystemClock
from metaclaw_tray.store.engine import Store

TOKEN = "mct_" + "b" * 43


def fill(home: Path, skills: int, model: str) -> None:
    """A home with so many skills, an agent, and a model."""
    for name in ("config", "state"):
        (home / name).mkdir(parents=True, mode=0o700)
    config = home / "config" / "config.toml"
    config.write_text(
        '[secrets]\nbackend = "file"\n[server]\nport = 0\n[embedder]\nenabled = false\n[agents.bench]\n'
        f'[upstreams.bench]\nbase_url = "{model}"\n'
    )
    secrets = home / "state" / "secrets.json"
    secrets.write_text(f'{{"agent:bench": "{TOKEN}"}}')
    for file in (config, secrets):
        file.chmod(0o600)
    Store.open(home / "state" / "store.sqlite3", SystemClock()).close()
    add_skills(home / "state" / "store.sqlite3", skills)


if __name__ == "__main__":
    fill(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
