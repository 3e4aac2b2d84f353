"""The entry of the program."""

from __future__ import annotations

import sys


def main() -> int:
    """Be a child process where asked to, else the command line. Returns the exit code."""
    if sys.argv[1:2] == ["--child"]:
        from metaclaw_tray.child import run_child

        return run_child(sys.argv[2:])
    from metaclaw_tray.cli import run  # late: a child has no use for the command line

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
