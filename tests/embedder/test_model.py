"""Which weights are taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaclaw_tray.embedder import model
from metaclaw_tray.embedder.generic import GENERIC
from metaclaw_tray.embedder.likeness import hints, surely
from metaclaw_tray.embedder.model import SIZE, Model, ModelMissingError


def test_the_installed_weights_are_those_that_were_measured() -> None:
    loaded = Model.load()
    vectors = loaded.encode(["plan a trip", "plan een reis"])
    assert vectors.shape == (2, SIZE)
    assert (vectors**2).sum(axis=1) == pytest.approx([1.0, 1.0], abs=1e-4)
    assert float(vectors[0] @ vectors[1]) > 0.7


def test_other_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "resources").mkdir()
    for name in ("weights.npz", "sp.model"):
        (tmp_path / "resources" / name).write_bytes(b"others")
    monkeypatch.setattr(model, "installed", lambda: tmp_path)
    with pytest.raises(ModelMissingError, match="not the file") as caught:
        Model.load()
    assert "==0.2.1" in caught.value.remedy


def test_weights_that_are_gone_are_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "installed", lambda: tmp_path)
    with pytest.raises(ModelMissingError, match="cannot be read"):
        Model.load()


def test_a_likeness_says_nothing_then_something_then_enough() -> None:
    assert surely(-1) == surely(0.25) == 0.0
    assert 0 < surely(0.3) < 1
    assert surely(0.35) == surely(2) == 1.0
    assert hints([("a", 0.5), ("b", 0.3), ("c", 0.1)]).keys() == {"a", "b"}


def test_generic_texts_are_many_and_differ() -> None:
    assert len(set(GENERIC)) == len(GENERIC) >= 60
