"""The command line: each command is one question to the running app, and a way to show the answer.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not running.
"""

from metaclaw_tray.cli.main import run

__all__ = ["run"]
