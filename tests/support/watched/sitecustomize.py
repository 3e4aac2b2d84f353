"""Loaded by Python before all else where a test puts this folder first: a window that is started watches
itself, and writes what its GUI thread must not do into the file that the environment names."""

from __future__ import annotations

import os
import sys

FILE = os.environ.get("METACLAW_TEST_GUI_FILE", "")

if FILE and sys.orig_argv[-2:] == ["--child", "window"]:
    from support.gui_guard import guard

    told = os.open(FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    guard(lambda what: os.write(told, f"{what}\n".encode()))
