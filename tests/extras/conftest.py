"""A small extra, as a wheel in a folder that pip finds it in."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from pathlib import Path

import pytest

from metaclaw_tray.extras.catalogue import Extra, File, Package, all_extras
from metaclaw_tray.paths import Paths

MODULE = "tiny_part_of_tests"


def make_wheel(folder: Path, body: str, version: str = "1.0") -> Path:
    """A wheel with one module."""
    info = f"{MODULE}-{version}.dist-info"
    files = {
        f"{MODULE}.py": body,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {MODULE}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = [f"{info}/RECORD,,"]
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(text.encode())}")
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"{MODULE}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in {**files, f"{info}/RECORD": "\n".join(record) + "\n"}.items():
            archive.writestr(name, text)
    return wheel


def extra_of(wheel: Path, version: str = "1.0") -> Extra:
    file = File(wheel.name, wheel.stat().st_size, hashlib.sha256(wheel.read_bytes()).hexdigest())
    return Extra(
        "A tiny part", "For tests.", MODULE, 1000, (Package(MODULE, version, "MIT", (file,)),), "tiny"
    )


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.find({"METACLAW_TRAY_HOME": str(tmp_path / "home")})


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that pip is set up with; it asks no index."""
    folder = tmp_path / "shelf"
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def offer(monkeypatch: pytest.MonkeyPatch):
    """Makes an extra known, beside those of the program."""

    def known(extra: Extra) -> Extra:
        everything = {**all_extras(), extra.name: extra}
        monkeypatch.setattr("metaclaw_tray.extras.catalogue.all_extras", lambda: everything)
        monkeypatch.setattr("metaclaw_tray.extras.places.all_extras", lambda: everything)
        return extra

    return known
