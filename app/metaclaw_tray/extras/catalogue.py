"""Which extras there are, and every file of theirs by its hash (resources/extras.toml)."""

from __future__ import annotations

import hashlib
import platform
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from metaclaw_tray.errors import NotFoundError
from metaclaw_tray.paths import resources_dir


@dataclass(frozen=True)
class System:
    """What a built file has to fit: the Python that imports it, and the machine."""

    python: tuple[int, int]
    platform: str  # as sys.platform
    machine: str  # as platform.machine()

    @classmethod
    def here(cls) -> System:
        return cls(sys.version_info[:2], sys.platform, platform.machine())

    @property
    def tag(self) -> str:
        """What two Pythons must have in common to import the same built files."""
        return f"cp{self.python[0]}{self.python[1]}-{self.platform}-{self.machine}".lower()


class File(msgspec.Struct, frozen=True):
    """One wheel."""

    name: str
    bytes: int
    sha256: str

    def fits(self, system: System) -> bool:
        """By its name alone (the wheel's tags); how old a system may be is for pip to say."""
        python, abi, places = self.name.removesuffix(".whl").rsplit("-", 3)[1:]
        if python.startswith("cp"):
            major, minor = int(python[2]), int(python[3:])
            if abi == "abi3":
                if (major, minor) > system.python:
                    return False
            elif (major, minor) != system.python:
                return False
        return any(_place_fits(place, system) for place in places.split("."))


class Package(msgspec.Struct, frozen=True):
    """A distribution at one version."""

    name: str
    version: str
    licence: str
    files: tuple[File, ...]

    def fitting(self, system: System) -> tuple[File, ...]:
        """The files that this system could use; pip takes the best of them."""
        return tuple(file for file in self.files if file.fits(system))


class Extra(msgspec.Struct, frozen=True):
    """A part that can be installed later."""

    title: str
    about: str
    module: str  # whose import shows that it works
    bytes_installed: int  # on the disk, about
    packages: tuple[Package, ...]
    name: str = ""

    def fits(self, system: System) -> bool:
        """Whether all of its packages are there for this system."""
        return all(package.fitting(system) for package in self.packages)

    def bytes(self, system: System) -> int:
        """To download, at most."""
        sizes = ([file.bytes for file in package.fitting(system)] for package in self.packages)
        return sum(max(each, default=0) for each in sizes)

    @property
    def digest(self) -> str:
        """Of the pins: another set of files is another installation."""
        pins = "\n".join(sorted(file.sha256 for package in self.packages for file in package.files))
        return hashlib.sha256(pins.encode()).hexdigest()[:12]

    def requirements(self, system: System) -> Iterator[str]:
        """Lines of a requirements file that pip takes with --require-hashes."""
        for package in self.packages:
            hashes = " ".join(f"--hash=sha256:{file.sha256}" for file in package.fitting(system))
            yield f"{package.name}=={package.version} {hashes}"


@cache
def all_extras(file: Path | None = None) -> Mapping[str, Extra]:
    """By name."""
    told = tomllib.loads((file or resources_dir() / "extras.toml").read_text("utf-8"))
    return {name: msgspec.convert({**each, "name": name}, Extra) for name, each in told.items()}


def find_extra(name: str) -> Extra:
    """Raises NotFoundError with the names there are."""
    extras = all_extras()
    if name not in extras:
        raise NotFoundError(
            "No such extra", f"There is no extra {name!r}.", f"There are: {', '.join(extras)}."
        )
    return extras[name]


def _place_fits(place: str, system: System) -> bool:
    if place == "any":
        return True
    if system.platform == "win32":
        return place == {"amd64": "win_amd64", "arm64": "win_arm64"}.get(system.machine.lower())
    if system.platform == "darwin":
        return place.startswith("macosx") and place.endswith((system.machine, "universal2"))
    return place.startswith("manylinux") and place.endswith(f"_{system.machine}")
