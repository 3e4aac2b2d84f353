"""Another user of the machine, who tries the app's files, its socket and its port."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from attacks.wire import Tally

NOBODY = 65534

_INTRUDER = """
import json, os, socket, sys
"x".encode("idna")  # what is imported later may lie where this user cannot read
os.setgroups([]); os.setgid(65534); os.setuid(65534)
home, port, pid = sys.argv[1], int(sys.argv[2]), sys.argv[3]
tries, got = 0, []
for path in [os.path.join(home, "state", "admin.sock"), os.path.join(home, "state", "admin.lock")]:
    tries += 1
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(10)
            connection.connect(path)
            connection.sendall(b'{"verb":"secret.list"}\\n')
            got.append([path, repr(connection.recv(1000))])
    except OSError:
        pass
names = ["config", "state", "skills", "logs", "config/config.toml", "state/secrets.json",
         "state/store.sqlite3", "state/choices.json", "logs/metaclaw-tray.log"]
for name in names + [f"/proc/{pid}/{each}" for each in ("environ", "mem", "fd", "maps")]:
    tries += 1
    path = name if name.startswith("/") else os.path.join(home, name)
    try:
        found = os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(64)
        got.append([path, repr(found)])
    except OSError:
        pass
    tries += 1
    try:
        with open(os.path.join(path, "planted"), "w"):
            got.append([path, "written to"])
    except OSError:
        pass
for path in ["/v1/models", "/a//v1/models", "/a/mct_x/v1/models"]:
    tries += 1
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\\r\\nHost: 127.0.0.1:{port}\\r\\n\\r\\n".encode())
        answer = connection.recv(1000)
    if not answer.startswith(b"HTTP/1.1 401 "):
        got.append([path, repr(answer)])
print(json.dumps([tries, got]))
"""


def can_be_played() -> bool:
    """Whether this process may start one of another user."""
    return hasattr(os, "getuid") and os.getuid() == 0


def another_user(home: Path, port: int, pid: int) -> Tally:
    """What the user nobody gets out of an app with this home, port and process. Needs root."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", _INTRUDER, str(home), str(port), str(pid)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    tries, got = json.loads(done.stdout)
    return Tally(tries, [f"{path}: {what}" for path, what in got])
