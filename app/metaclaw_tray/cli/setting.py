"""Settings and secrets. These work whether the app runs or not; a running one takes the change up."""

from __future__ import annotations

import os
import sys

import click

from metaclaw_tray.admin.api import (
    HostRow,
    ListSecrets,
    Reload,
    RemoveSecret,
    SecretRow,
    SetConfig,
    SetSecret,
    SettingRow,
    ShowPrivacy,
)
from metaclaw_tray.admin.configuring import config_rows
from metaclaw_tray.cli.alone import held_file
from metaclaw_tray.cli.asking import ask, ask_or_change, ask_or_do, json_option, yes_option
from metaclaw_tray.cli.output import note, pairs, say, say_json, shown, table
from metaclaw_tray.errors import UsageError
from metaclaw_tray.paths import Paths


@click.group()
def config() -> None:
    """Settings."""


@config.command("show")
@json_option
def config_show(as_json: bool) -> None:
    """Every setting with its value and meaning; a star marks those that are not at their default."""
    file = held_file(Paths.find())
    lines = config_rows(file.settings)
    if as_json:
        say_json({line.key: line.value for line in lines})
        return
    rows = [
        (line.key, shown(line.value) + (" *" if line.value != line.default else ""), _meaning(line))
        for line in lines
    ]
    say(table(["key", "value", "meaning"], rows, empty=""))
    for each in file.held:
        note(each.sentence)


def _meaning(line: SettingRow) -> str:
    """What a setting is for, and what a change of it asks for."""
    asks = [
        *(["counts from the next start"] if line.restart else []),
        *(["a change takes your yes"] if line.consent else []),
    ]
    return f"{line.description} ({'; '.join(asks)})" if asks else line.description


@config.command("get")
@click.argument("key")
@json_option
def config_get(key: str, as_json: bool) -> None:
    """The value of one setting."""
    file = held_file(Paths.find())
    value = file.get(key)
    for each in file.held:
        if each.key == key:
            note(each.sentence)
    if as_json:
        say_json(value)
    elif isinstance(value, bool):
        say("true" if value else "false")
    elif isinstance(value, list):
        say(",".join(value))
    else:
        say("none" if value is None else str(value))


@config.command("set", context_settings={"ignore_unknown_options": True})  # a value may be -1
@click.argument("key")
@click.argument("value")
@yes_option
def config_set(key: str, value: str, yes: bool) -> None:
    """Change one setting. What may cost money or sends a key elsewhere asks for a typed code; what removes
    turns asks for a yes, which --yes gives."""
    verb = SetConfig(key=key, value=value, yes=yes)
    say(ask_or_change(verb, lambda here: here.settings().set(verb)).text)


@config.command("reload")
@yes_option
def config_reload(yes: bool) -> None:
    """Let the running app take up what was edited in the settings file by hand."""
    reloaded = ask(Reload(yes=yes))
    say(f"Taken up: {', '.join(reloaded.changed)}." if reloaded.changed else "No setting is another one now.")
    if reloaded.restart:
        say(f"From the next start: {', '.join(reloaded.restart)}.")


@config.command("check")
def config_check() -> None:
    """Whether the settings file can be used, and what is wrong with it if not."""
    path = Paths.find().config_file
    held = held_file(Paths.find()).held
    say(f"{path} is fine." if path.exists() else f"{path} does not exist; the defaults are in force.")
    for each in held:
        say(each.sentence)


@click.group()
def secret() -> None:
    """Keys and tokens."""


@secret.command("set")
@click.argument("name")
@click.option("--env", "variable", metavar="VAR", help="Take it from an environment variable.")
@click.option("--stdin", "from_stdin", is_flag=True, help="Take the first line of standard input.")
def secret_set(name: str, variable: str | None, from_stdin: bool) -> None:
    """Keep a secret, such as upstream:NAME; asked for without being shown."""
    value = read_key(variable, from_stdin)
    if value is None:
        value = click.prompt("Secret", hide_input=True, err=True)
    verb = SetSecret(name=name, value=value)
    say(ask_or_do(verb, lambda connecting: connecting.set_secret(name, verb.value)).text)


@secret.command("list")
@json_option
def secret_list(as_json: bool) -> None:
    """Names of the secrets that are kept, and where; never a value."""
    rows: list[SecretRow] = ask_or_do(ListSecrets(), lambda connecting: connecting.list_secrets())
    if as_json:
        say_json(rows)
    else:
        say(table(["name", "kept in"], [(row.name, row.kept_in) for row in rows], empty="None."))


@secret.command("remove")
@click.argument("name")
def secret_remove(name: str) -> None:
    """Forget a secret."""
    say(ask_or_do(RemoveSecret(name), lambda connecting: connecting.remove_secret(name)).text)


@click.command("privacy")
@json_option
def privacy(as_json: bool) -> None:
    """What leaves this machine, host by host, and where what stays lies."""
    found = ask(ShowPrivacy())
    if as_json:
        say_json(found)
        return
    cells = [
        (each.host or "the embedded model", "no" if each.here else "yes", _sent(each)) for each in found.hosts
    ]
    say(table(["host", "leaves this machine", "what"], cells, empty="Nothing is sent anywhere."))
    say("")
    say(pairs([(each.what, each.path) for each in found.files]))


def _sent(row: HostRow) -> str:
    match row.purpose:
        case "agents":
            who = ", ".join(row.agents) or "no agent yet"
            return f"requests of {who}, as they ask, with the skills that fit"
        case "fallback":
            return f"the same requests of {', '.join(row.agents)}, when their own provider is away"
        case "learning":
            return "exchanges to learn from, secrets blacked out" + ("" if row.on else " (off now)")
        case "model":
            return f"nothing of yours: a download of {row.model}, if you ask for it"
        case "calendar":
            return f"nothing but what opens the calendar {row.calendar}, which is read there"


def read_key(variable: str | None, from_stdin: bool) -> str | None:
    """A key from where the person said it is; never from the command line, which others can read."""
    if variable and from_stdin:
        raise UsageError("Two places for the key", "Give one of the environment and standard input.", "")
    if variable:
        if not os.environ.get(variable):
            raise UsageError("No key", f"The environment variable {variable} is not set.", "")
        return os.environ[variable]
    if from_stdin:
        key = sys.stdin.readline().strip()
        if not key:
            raise UsageError("No key", "Standard input is empty.", "Give the key there, on one line.")
        return key
    return None


COMMANDS = [config, secret, privacy]
