"""Before a command changes or deletes a file, `cp FILE FILE.bak` stands."""

from __future__ import annotations

import re

from benchmarks.learning.rules.case import Case, Grader, Lesson, Rule

_CODE = re.compile(r"```\w*\n(?P<block>.*?)(?:```|\Z)|`(?P<line>[^`\n]+)`", re.S)
_COPY = re.compile(
    r"\bcp (?:-\w+ )*(?:(?P<q>[\"']?)(?P<file>[\w./\-]+)(?P=q) (?P<r>[\"']?)(?P=file)\.bak(?P=r)"
    r"|(?P<brace>[\w./\-]+)\{,\.bak\})(?![\w.\-])"
)


def _commands(answer: str) -> str:
    """The commands of an answer as text: its code where it has any, without words that are only names."""
    found = [each["block"] or each["line"] or "" for each in _CODE.finditer(answer)]
    commands = [each for each in found if " " in each.strip()]
    return "\n".join(commands) if commands else answer


def follows(answer: str) -> bool:
    """A file is copied first, and something else is done with it afterwards."""
    return any(_is_first(_commands(answer), copy) for copy in _COPY.finditer(_commands(answer)))


def _is_first(commands: str, copy: re.Match[str]) -> bool:
    """Whether a copy is the first that names its file, and not the last."""
    name = copy["file"] or copy["brace"]
    named = re.compile(rf"(?<![\w.\-/]){re.escape(name)}(?!\.bak|[\w\-]|\.\w)")
    return not named.search(commands[: copy.start()]) and bool(named.search(commands[copy.end() :]))


def _saves(file: str) -> Grader:
    """Right where this file is copied before the command."""

    def right(answer: str) -> bool:
        commands = _commands(answer)
        copies = (copy for copy in _COPY.finditer(commands) if file in (copy["file"], copy["brace"]))
        return any(_is_first(commands, copy) for copy in copies)

    return right


def _case(request: str, file: str) -> Case:
    return Case(request, _saves(file))


BACKUPS = Rule(
    name="backup first",
    says="Before a command that changes or deletes a file, cp FILE FILE.bak stands.",
    follows=follows,
    lessons=(
        Lesson(
            _case("Give me the command that deletes empty lines from notes.txt in place.", "notes.txt"),
            "The copy is missing. First cp notes.txt notes.txt.bak, then the command.",
        ),
        Lesson(
            _case("Which command replaces foo by bar in config.ini?", "config.ini"),
            "No. Before every command that changes or deletes a file, always make a copy of it: "
            "cp FILE FILE.bak. Please write the commands again.",
        ),
        Lesson(
            _case("How do I delete old.log on the command line?", "old.log"),
            "You did not save it first. It has to be cp old.log old.log.bak and then rm old.log.",
        ),
        Lesson(
            _case("Give me a command that sorts names.csv and writes it back.", "names.csv"),
            "Again without a copy. First: cp names.csv names.csv.bak",
        ),
    ),
    unseen=(
        _case("Give me the command that removes trailing spaces from report.md in place.", "report.md"),
        _case("Which command replaces http by https in links.txt?", "links.txt"),
        _case("How do I delete cache.db on the command line?", "cache.db"),
        _case("Give me a command that removes double lines from emails.txt.", "emails.txt"),
        _case("Which command deletes the first line of data.csv in place?", "data.csv"),
        _case("How do I empty the file server.log without deleting it?", "server.log"),
        _case("Give me the command that makes all letters in list.txt small, in place.", "list.txt"),
        _case("Which command appends the line END to todo.txt?", "todo.txt"),
        _case("How do I remove the file draft.docx with a command?", "draft.docx"),
        _case("Give me the command that changes the port from 80 to 8080 in nginx.conf.", "nginx.conf"),
        _case("Which command deletes all lines with the word test from users.csv in place?", "users.csv"),
        _case("How do I replace tabs by spaces in main.py, in place?", "main.py"),
        _case("Give me a command that numbers the lines of poem.txt and writes it back.", "poem.txt"),
        _case("Which command cuts big.log to its last 100 lines?", "big.log"),
        _case("How do I delete the file photo.jpg in the shell?", "photo.jpg"),
        _case("Give me the command that replaces the year 2025 by 2026 in footer.html.", "footer.html"),
        _case("Which command converts the line ends of script.sh from Windows to Unix?", "script.sh"),
        _case("How do I add a comment line to the top of settings.toml with a command?", "settings.toml"),
        _case("Give me the command that deletes the last line of orders.json in place.", "orders.json"),
        _case("Which command overwrites hosts.txt with an empty line?", "hosts.txt"),
    ),
)
