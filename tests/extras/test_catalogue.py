from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from metaclaw_tray.errors import NotFoundError
from metaclaw_tray.extras.catalogue import File, System, all_extras, find_extra

LINUX = System((3, 11), "linux", "x86_64")
ROOT = Path(__file__).parents[2]


def file(name: str) -> File:
    return File(name, 1, "0" * 64)


@pytest.mark.parametrize(
    ("name", "system", "fits"),
    [
        ("a-1-py3-none-any.whl", LINUX, True),
        ("a-1-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl", LINUX, True),
        ("a-1-cp312-cp312-manylinux_2_28_x86_64.whl", LINUX, False),
        ("a-1-cp310-abi3-manylinux_2_17_x86_64.whl", LINUX, True),
        ("a-1-cp312-abi3-manylinux_2_17_x86_64.whl", LINUX, False),
        ("a-1-cp311-cp311-manylinux_2_28_aarch64.whl", LINUX, False),
        ("a-1-cp311-cp311-win_amd64.whl", System((3, 11), "win32", "AMD64"), True),
        ("a-1-cp311-cp311-win_amd64.whl", System((3, 11), "win32", "ARM64"), False),
        ("a-1-cp311-cp311-macosx_11_0_arm64.whl", System((3, 11), "darwin", "arm64"), True),
        ("a-1-cp311-cp311-macosx_10_9_x86_64.whl", System((3, 11), "darwin", "arm64"), False),
    ],
)
def test_a_file_fits_by_its_tags(name: str, system: System, fits: bool) -> None:
    assert file(name).fits(system) is fits


@pytest.mark.parametrize("python", [(3, 11), (3, 12), (3, 13), (3, 14)])
@pytest.mark.parametrize(
    ("platform", "machine"),
    [("linux", "x86_64"), ("linux", "aarch64"), ("win32", "AMD64"), ("darwin", "arm64")],
)
def test_each_extra_is_there_for_the_systems_that_people_have(python, platform, machine) -> None:
    system = System(python, platform, machine)
    for extra in all_extras().values():
        assert extra.fits(system), extra.name
        assert 1_000_000 < extra.bytes(system) < 100_000_000


def test_nothing_is_there_for_a_system_that_nobody_builds_for() -> None:
    odd = System((3, 11), "linux", "riscv64")
    assert not any(extra.fits(odd) for extra in all_extras().values())


def test_the_pins_are_what_the_project_asks_for() -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for name, extra in all_extras().items():
        assert wanted[name][0].split(">=")[0] == extra.packages[0].name


def test_every_file_is_pinned_by_its_hash() -> None:
    for extra in all_extras().values():
        for line in extra.requirements(LINUX):
            assert "==" in line
            assert "--hash=sha256:" in line


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(NotFoundError, match="nothing") as caught:
        find_extra("nothing")
    assert "embedded" in caught.value.remedy
