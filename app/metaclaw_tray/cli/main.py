"""The root of the commands, and what becomes of their errors."""

from __future__ import annotations

import io
import logging
import os
import sys
from collections.abc import Sequence

import click

from metaclaw_tray import __version__, logs
from metaclaw_tray.cli import (
    calendars,
    connect,
    extras,
    ledger,
    library,
    record,
    resting,
    reviewing,
    running,
    scheduling,
    setting,
)
from metaclaw_tray.cli.output import plain
from metaclaw_tray.errors import KnownError
from metaclaw_tray.paths import Paths

log = logging.getLogger(__name__)


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="metaclaw-tray")
@click.option("--hidden", is_flag=True, help="Come up as a tray icon, without the window.")
@click.pass_context
def root(context: click.Context, hidden: bool) -> int:
    """Makes your LLM agents better from their own use, by skills that are learnt, measured and undoable.

    Without a command it starts the tray, or brings the window of the running app to the front.
    """
    return running.open_tray(hidden=hidden) if context.invoked_subcommand is None else 0


for _group in (
    running,
    resting,
    setting,
    connect,
    extras,
    record,
    library,
    reviewing,
    ledger,
    scheduling,
    calendars,
):
    for _command in _group.COMMANDS:
        root.add_command(_command)


def run(argv: Sequence[str]) -> int:
    """Run one command; the exit code. A person's mistake is said in words, never as a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # an old code page lacks letters that people and models use
            stream.reconfigure(errors="backslashreplace")
    try:
        code = root.main(args=list(argv), prog_name="metaclaw-tray", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Abort:
        click.echo("Interrupted.", err=True)
        return 1
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except KnownError as error:
        for line in error.lines():
            click.echo(plain(line), err=True)
        return error.exit_code
    except BrokenPipeError:
        # Whoever read the output has left, as `head` does; the interpreter must not try to flush the rest.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:  # noqa: BLE001 a bug: it goes to the log with its traceback
        click.echo(_report(error), err=True)
        return 1
    return code if isinstance(code, int) else 0


def _report(error: Exception) -> str:
    """Put a bug into the log; the line for the person."""
    file = logs.configure(Paths.find().logs_dir, name="commands.log", to_stderr=False)
    log.error("a command failed", exc_info=error)
    where = f"The details are in {file}." if file else "No log file could be written."
    return f"This is a bug, not your mistake: {plain(f'{type(error).__name__}: {error}')}. {where}"
