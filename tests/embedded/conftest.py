from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from embedded.origins import CONTENT, Hub, Repack, serve_hub, sha256
from metaclaw_tray.embedded.fetch import Progress
from metaclaw_tray.embedded.manifest import Model
from metaclaw_tray.paths import Paths


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    home = tmp_path / "home"
    return Paths(home, home / "config", home / "state", home / "skills", home / "logs", tmp_path / "models")


@pytest.fixture
def hub() -> Iterator[Hub]:
    with serve_hub() as server:
        yield server


@pytest.fixture
def repack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repack:
    """A repack that pip finds, and nothing else that it finds."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    made = Repack(folder)
    for name, value in made.environment().items():
        monkeypatch.setenv(name, value)
    return made


def tiny_model(*sources: dict[str, object]) -> Model:
    """A model of 384 kB whose content is in `origins`."""
    return Model.model_validate(
        {
            "id": "tiny",
            "name": "Tiny",
            "publisher": "Nobody",
            "licence": "Apache-2.0",
            "file": "tiny.gguf",
            "bytes": len(CONTENT),
            "sha256": sha256(CONTENT),
            "context": 4096,
            "sources": list(sources),
        }
    )


def from_hub(hub: Hub) -> dict[str, object]:
    return {"kind": "hub", "url": hub.url, "note": "the publisher's own file"}


def from_index(repack: Repack) -> dict[str, object]:
    return {"kind": "index", "note": "an anonymous repack", "parts": repack.parts}


@dataclass
class Listener:
    """Keeps what a download tells."""

    heard: list[Progress] = field(default_factory=list)

    def __call__(self, progress: Progress) -> None:
        self.heard.append(progress)

    @property
    def news(self) -> list[str]:
        return [progress.news for progress in self.heard if progress.news]
