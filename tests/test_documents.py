"""What the documents say exists, exists."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from metaclaw_tray.cli.main import root

HERE = Path(__file__).parents[1]
README = (HERE / "README.md").read_text(encoding="utf-8")
MAP = (HERE / "app" / "ARCHITECTURE.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(set(re.findall(r"tests/[\w/]+\.py", MAP))))
def test_every_test_that_the_map_names_is_there(path: str) -> None:
    assert (HERE / path).is_file()


def _command(words: list[str]) -> click.Command:
    found: click.Command = root
    for word in words:
        if not isinstance(found, click.Group):
            break
        found = found.commands[word]
    return found


@pytest.mark.parametrize("line", sorted(set(re.findall(r"^metaclaw-tray ([^#\n]+)", README, re.MULTILINE))))
def test_every_command_of_the_readme_is_one(line: str) -> None:
    words = line.split()
    command = _command(words)
    assert not isinstance(command, click.Group) or command.invoke_without_command, (
        f"{line} is a group of commands"
    )
    options = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= options
