"""Gathers the licences of everything in a frozen folder: `licences.py FROZEN INTO`.

Python packages bring theirs in their metadata; libraries of the system the build ran on have theirs in its
documentation; Python's own lies with its standard library. `copyright` lists all of it.
"""

import re
import shutil
import subprocess
import sys
import sysconfig
from importlib.metadata import Distribution, distributions
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOOLS = {
    "pyinstaller",
    "pyinstaller-hooks-contrib",
    "altgraph",
    "hatchling",
    "setuptools",
    "wheel",
    "trove-classifiers",
    "pathspec",
    "pluggy",
    "pefile",
    "macholib",
}
TEXT = re.compile(r"(licen[cs]e|copying|notice|authors)[^/]*$|licenses/", re.IGNORECASE)


def packages():
    for each in sorted(distributions(), key=lambda found: found.metadata["Name"].lower()):
        if each.metadata["Name"].lower() not in TOOLS:
            yield each


def licence_of(package: Distribution) -> str:
    """As the package says it, in a few words."""
    told = package.metadata["License-Expression"] or ""
    classes = [
        each.split(" :: ")[-1] for each in package.metadata.get_all("Classifier", []) if "License ::" in each
    ]
    said = (package.metadata["License"] or "").strip()
    return (
        told
        or (said if 0 < len(said) < 80 and "\n" not in said else "")
        or ", ".join(classes)
        or "see its text"
    )


def texts(package: Distribution):
    for file in package.files or ():
        if ".dist-info/" in str(file) and TEXT.search(str(file)) and file.locate().is_file():
            yield file.locate()


def system_packages(frozen: Path):
    """Debian packages that libraries of the folder were taken from."""
    names = {each.name for each in (frozen / "_internal").iterdir() if ".so" in each.name and each.is_file()}
    found = set()
    for name in sorted(names):
        told = subprocess.run(["dpkg", "-S", f"*/{name}"], capture_output=True, text=True, check=False).stdout
        found.update(
            line.split(":")[0]
            for line in told.splitlines()
            if line.endswith(f"/{name}") and "/usr/lib/" in line
        )
    return sorted(found)


def main(frozen: Path, into: Path) -> None:
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    lines = [
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/",
        "Upstream-Name: metaclaw-tray",
        "Comment: The program is frozen: Python, Qt and what it is written on lie in one folder beside it.",
        " The text of each licence is in /usr/share/doc/metaclaw-tray/licences. Qt and PySide are used",
        " under the LGPL 3 (/usr/share/common-licenses/LGPL-3); their libraries are files of their own below",
        " /usr/lib/metaclaw-tray/_internal/PySide6, and others of the same interface can take their place.",
        "", "Files: *", "Copyright: the MetaClaw Tray contributors", "License: MIT",
        *(f" {line}".rstrip() or " ." for line in (ROOT / "LICENSE").read_text().splitlines()),
    ]  # fmt: skip
    parts = []
    for package in packages():
        name, folder = package.metadata["Name"], into / package.metadata["Name"].lower()
        for text in texts(package):
            folder.mkdir(exist_ok=True)
            shutil.copyfile(text, folder / text.name)
        parts.append(f"{name} {package.version}: {licence_of(package)}")
    python = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    if python.exists():
        (into / "python").mkdir()
        shutil.copyfile(python, into / "python" / python.name)
    parts.append(f"Python {sysconfig.get_python_version()} and its standard library: PSF-2.0")
    for package in system_packages(frozen):
        text = Path("/usr/share/doc") / package / "copyright"
        if text.exists():
            folder = into / f"debian-{package}"
            folder.mkdir()
            shutil.copyfile(text, folder / "copyright")
            parts.append(f"{package} of Debian: see its text")
    lines += ["", "Files: usr/lib/metaclaw-tray/_internal/*", "Copyright: their authors", "License: various"]
    lines += [" Bundled, each under its own licence:", *(f"  {part}" for part in parts)]
    (into / "copyright").write_text("\n".join(lines) + "\n")
    sys.stderr.write(f"Licences of {len(parts)} parts.\n")


main(Path(sys.argv[1]), Path(sys.argv[2]))
