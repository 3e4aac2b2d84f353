"""What `packaging/prove` does in its bare Debian: `proof.py ROOM OLDER NEWER PICTURES`.

Each step says what it shows, and the first that fails ends the proof.
"""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

ROOT = Path(__file__).parents[1]
PERSON = 4711
ASKED = "Which amounts of money, by currency code, does the tram cost?"
RULE = "Always write amounts of money with the currency code."
_SECONDS = 120.0  # a hang guard
_ASK_BUS = ("dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/")
T = TypeVar("T")


def step(text: str) -> None:
    sys.stdout.write(f"· {text}\n")
    sys.stdout.flush()


def until(true: Callable[[], T], what: str) -> T:
    end = time.monotonic() + _SECONDS
    while not (found := true()):
        if time.monotonic() > end:
            sys.exit(f"never came: {what}")
        time.sleep(0.2)
    return found


def check(fact: object, what: object) -> None:
    if not fact:
        sys.exit(f"FAILED: {what}")


class Room:
    """The chroot: root in it, and an ordinary user in it."""

    def __init__(self, folder: Path, env: dict[str, str]) -> None:
        self.folder = folder
        self.home = folder / "home" / "person"
        self.env = {
            "PATH": "/usr/bin:/bin",
            "HOME": "/home/person",
            "USER": "person",
            "LOGNAME": "person",
            "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": f"/run/user/{PERSON}",
            **env,
        }

    def root(self, *command: str) -> str:
        env = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "DEBIAN_FRONTEND": "noninteractive",
            "LANG": "C.UTF-8",
        }
        done = subprocess.run(
            ["/usr/sbin/chroot", self.folder, *command], env=env, capture_output=True, text=True, check=False
        )
        check(done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def command(self, *command: str) -> tuple[list[str], dict[str, str]]:
        """How the person starts it, and in what environment."""
        return ["/usr/sbin/chroot", f"--userspec={PERSON}:{PERSON}", str(self.folder), *command], self.env

    def run(self, *args: str, code: int = 0) -> str:
        """The app's command line, by the person, without a terminal."""
        command, env = self.command("metaclaw-tray", *args)
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=_SECONDS)
        check(done.returncode == code, f"{args}: exit code {done.returncode}: {done.stdout}{done.stderr}")
        check("Traceback" not in done.stderr, done.stderr)
        return done.stdout or done.stderr

    def json(self, *args: str) -> Any:
        return json.loads(self.run(*args, "--json"))

    def typed(self, *args: str) -> str:
        """The same at a terminal: the person reads the text, and types the code that it ends with."""
        command, env = self.command("metaclaw-tray", *args)
        pid, terminal = pty.fork()
        if pid == 0:
            os.execvpe(command[0], command, env)  # noqa: S606 as the person would
        said, answered, end = b"", False, time.monotonic() + 300
        while time.monotonic() < end:
            if select.select([terminal], [], [], 1)[0]:
                try:
                    block = os.read(terminal, 65536)
                except OSError:  # its end is closed
                    break
                if not block:
                    break
                said += block
            asked = re.search(rb", type (\w+) \(anything else: no\)", said)
            if asked and not answered:
                os.write(terminal, asked[1] + b"\n")
                answered = True
        os.close(terminal)
        _, status = os.waitpid(pid, 0)
        text = said.decode(errors="replace")
        check(os.waitstatus_to_exitcode(status) == 0, f"{args}: {text}")
        return text


class App:
    """The installed app with its tray and its window, until the block ends."""

    def __init__(self, room: Room, log: Path) -> None:
        self._room = room
        self._log = log

    def __enter__(self) -> App:
        command, env = self._room.command("metaclaw-tray")
        begun = time.monotonic()
        self._process = subprocess.Popen(
            command,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._log.open("ab"),
            text=True,
        )
        assert self._process.stdout
        line = self._process.stdout.readline()
        check("serves at" in line, f"the app said {line!r}; {self._log.read_text()[-2000:]}")
        self.url = line.split("serves at ")[1].split(" ")[0]
        step(f"the app serves after {time.monotonic() - begun:.1f} s")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGTERM)
        check(self._process.wait(_SECONDS) == 0, "the app did not end well")

    def ask(self, token: str, *said: str, session: str) -> tuple[str, bool]:
        """One exchange of an agent: the answer, and whether a skill stood in it."""
        roles = ("user", "assistant")
        messages = [{"role": roles[place % 2], "content": text} for place, text in enumerate(said)]
        request = urllib.request.Request(  # noqa: S310 our own loopback
            f"{self.url}/a/{token}/v1/chat/completions",
            json.dumps({"model": "scripted", "messages": messages}).encode(),
            {"Content-Type": "application/json", "X-Session-Id": session},
        )
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
            request, timeout=_SECONDS
        ) as answer:
            told = json.load(answer)["choices"][0]["message"]["content"]
            return told, "x-metaclaw-skills" in answer.headers


class Screen:
    """A screen with a window manager and a tray host, of the person's, outside the chroot."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, exist_ok=True)
        os.chown(folder, PERSON, PERSON)
        self._folder = folder
        taken = {each.name for each in Path("/tmp").glob(".X*-lock")}  # noqa: S108 the X server's own place
        self._number = next(each for each in range(800, 900) if f".X{each}-lock" not in taken)
        self.bus = f"unix:abstract=/metaclaw-tray-proof-{os.getpid()}"
        self.env = {
            "DISPLAY": f":{self._number}",
            "DBUS_SESSION_BUS_ADDRESS": self.bus,
            "XDG_SESSION_TYPE": "x11",
        }
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Screen:
        self._start(
            "Xvfb", f":{self._number}", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset", "-ac"
        )
        until(lambda: self._says("xdpyinfo"), "the screen")
        self._start("dbus-daemon", "--session", "--nofork", f"--address={self.bus}")
        until(lambda: self._says(*_ASK_BUS, "org.freedesktop.DBus.GetId"), "the bus")
        self._start("openbox")
        config = self._folder / "xfce4/xfconf/xfce-perchannel-xml"
        config.mkdir(parents=True)
        (config / "xfce4-panel.xml").write_text(_PANEL)
        for each in (self._folder, *self._folder.rglob("*")):
            os.chown(each, PERSON, PERSON)
        self._start(str(next(Path("/usr/lib").glob("*/xfce4/xfconf/xfconfd"))))
        self._start("xfce4-panel", "--disable-wm-check")
        until(lambda: self._watcher("IsStatusNotifierHostRegistered", "true"), "the tray host")
        return self

    def __exit__(self, *_: object) -> None:
        for process in reversed(self._processes):
            process.terminate()
            process.wait()

    def has_tray(self) -> bool:
        """Whether a program has an icon in the tray."""
        return self._watcher("RegisteredStatusNotifierItems", 'string "')

    def picture(self, file: Path) -> None:
        subprocess.run(["import", "-window", "root", file], env={**os.environ, **self.env}, check=True)
        step(f"picture: {file}")

    def _watcher(self, name: str, part: str) -> bool:
        return part in self._told(
            "dbus-send", "--session", "--print-reply", "--dest=org.kde.StatusNotifierWatcher",
            "/StatusNotifierWatcher", "org.freedesktop.DBus.Properties.Get",
            "string:org.kde.StatusNotifierWatcher", f"string:{name}",
        ).split("variant")[-1]  # fmt: skip

    def _as_person(self, command: tuple[str, ...]) -> list[str]:
        return ["setpriv", f"--reuid={PERSON}", f"--regid={PERSON}", "--clear-groups", *command]

    @property
    def _outside(self) -> dict[str, str]:
        home = str(self._folder)
        return {**os.environ, **self.env, "HOME": home, "XDG_CONFIG_HOME": home, "XDG_RUNTIME_DIR": home,
                "XDG_CACHE_HOME": home, "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1"}  # fmt: skip

    def _start(self, *command: str) -> None:
        with (self._folder.parent / "screen.log").open("ab") as log:
            self._processes.append(
                subprocess.Popen(
                    self._as_person(command),
                    env=self._outside,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                )
            )

    def _told(self, *command: str) -> str:
        done = subprocess.run(
            self._as_person(command), env=self._outside, capture_output=True, text=True, check=False
        )
        return done.stdout if done.returncode == 0 else ""

    def _says(self, *command: str) -> bool:
        return (
            subprocess.run(
                self._as_person(command), env=self._outside, capture_output=True, check=False
            ).returncode
            == 0
        )


@contextlib.contextmanager
def scripted_model() -> Iterator[str]:
    """The address of a model that answers by a script."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "app"), str(ROOT / "tests")))}
    process = subprocess.Popen(
        [sys.executable, "-m", "support.scripted_llm"], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin
    assert process.stdout
    try:
        yield str(json.loads(process.stdout.readline())["url"])
    finally:
        process.stdin.close()
        process.wait(_SECONDS)


def pip_settings(room: Room) -> dict[str, str]:
    """How this machine reaches its package index, for a room that has no settings of its own."""
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True
    ).stdout
    found = {}
    for line in listed.splitlines():
        place, _, value = line.partition("=")
        name = place.split(".", 1)[1].strip(".").replace("-", "_").upper()
        found[f"PIP_{name}"] = value.strip("'")
    for name in ("PIP_CONSTRAINT", "PIP_CONSTRAINTS", "PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL"):
        found.pop(name, None)  # folders of this machine
    if certificates := found.get("PIP_CERT"):
        inside = room.folder / "etc" / "proof-certificates.crt"
        inside.write_bytes(Path(certificates).read_bytes())
        found["PIP_CERT"] = "/etc/proof-certificates.crt"
    return found


def traces(room: Room) -> set[str]:
    """What bears the app's name outside of homes, logs and what apt keeps."""
    found = set()
    for top in ("bin", "etc", "lib", "opt", "root", "run", "sbin", "srv", "usr", "var"):
        for folder, folders, files in os.walk(room.folder / top):
            where = "/" + os.path.relpath(folder, room.folder)
            if where.startswith(("/var/log", "/var/cache", "/var/lib/apt")):
                continue
            found.update(f"{where}/{name}" for name in (*folders, *files) if "metaclaw" in name)
    return found


def install(room: Room, package: str) -> None:
    """With what the package declares, and nothing beside."""
    room.root("apt-get", "update", "-q")
    room.root("apt-get", "install", "-qy", "--no-install-recommends", package)
    check(not (room.folder / "usr/bin/python3").exists(), "no Python came along")
    check(room.run("--version").startswith("metaclaw-tray, version"), "it says its version")
    step(f"installed {package}, without any Python of the system")


def write_settings(room: Room, model: str) -> None:
    """A model by a script, secrets in a file: there is no keyring here."""
    settings = room.home / ".config" / "metaclaw-tray" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        '[secrets]\nbackend = "file"\n[server]\nport = 0\n'
        '[learning]\nupstream = "scripted"\nmodel = "scripted"\nquiet_seconds = 0\n'
        f'[upstreams.scripted]\nbase_url = "{model}"\nmodel = "scripted"\n'
    )
    for each in (settings.parents[1], settings.parent, settings):
        os.chown(each, PERSON, PERSON)


def first_day(room: Room, app: App) -> str:
    """A conversation from which a skill is learnt, and its approval at a terminal; the agent's token."""
    token = str(room.json("agents", "add", "coder")["token"])
    first, _ = app.ask(token, ASKED, session="taught")
    second, _ = app.ask(token, ASKED, first, f"No. {RULE}", session="taught")
    app.ask(token, ASKED, first, f"No. {RULE}", second, "Thank you.", session="taught")
    step("agents were answered through the proxy")
    room.run("learn", "now")
    rows = until(lambda: room.json("review", "list"), "a proposal")
    said = room.typed("review", "approve", str(rows[0]["id"]))
    check("currency" in said, "the text is shown before the code is asked for")
    check(app.ask(token, ASKED, session="after")[1], "the approved skill stands in the next exchange")
    step("a skill was learnt, approved at a terminal, and stood in the next exchange")
    return token


def add_extras(room: Room) -> None:
    """Both extras by a typed code, and the embedder at work: it is numpy in the frozen Python."""
    for name in ("embedder", "embedded"):
        begun = time.monotonic()
        said = room.typed("extras", "add", name)
        check("MB to download from" in said and " %: " in said, said)
        step(f"the extra {name} was installed in {time.monotonic() - begun:.0f} s")
    states = {each["name"]: each["state"] for each in room.json("extras", "list")}
    check(states == {"embedded": "here", "embedder": "here"}, states)


def embedder_works(room: Room, app: App, token: str) -> None:
    """Skills by meaning: the child with what was installed later."""
    room.typed("config", "set", "embedder.enabled", "true")
    app.ask(token, "What would a ticket for the underground set me back, please?", session="meant")
    told = until(lambda: " MB, " in (said := room.json("status")["embedder"]) and said, "the embedder")
    step(f"skills by meaning: {told}")


def remove(room: Room, before: set[str]) -> None:
    """Nothing of the app is left but what is the person's."""
    said = room.root("apt-get", "purge", "-qy", "metaclaw-tray")
    check("~/.local/share/metaclaw-tray" in said, f"purging says where the person's data lies: {said}")
    check(traces(room) == before, f"left: {sorted(traces(room) - before)}")
    kept = room.home / ".local/state/metaclaw-tray/store.sqlite3"
    check(kept.exists(), "the person's record is theirs")
    homely = {each.name for each in room.home.rglob("*metaclaw*")}
    step(f"removed; left are the person's own folders only ({', '.join(sorted(homely))})")


def prove(folder: Path, older: str, newer: str, pictures: Path) -> None:
    with Screen(folder.parent / f"screen-{os.getpid()}") as screen, scripted_model() as model:
        room = Room(folder, screen.env)
        room.env |= pip_settings(room)
        before = traces(room)
        install(room, older)
        write_settings(room, model)
        check("not running" in room.run("status", code=3), "without an app, that is said")
        log = pictures.parent / "app.log"
        with App(room, log) as app:
            until(screen.has_tray, "the icon")
            step("the icon is in the tray")
            token = first_day(room, app)
            screen.picture(pictures / "installed.png")
            add_extras(room)
            embedder_works(room, app, token)
            skills = room.json("skills", "list")
        step(room.root("apt-get", "install", "-qy", newer).splitlines()[-1])
        with App(room, log) as app:
            until(screen.has_tray, "the icon after the upgrade")
            check(room.json("skills", "list") == skills, "the skills are those of before the upgrade")
            check(
                app.ask(token, ASKED, session="newer")[1],
                "the skill stands in exchanges of the newer version",
            )
            embedder_works(room, app, token)
            check("free again" in room.run("extras", "remove", "embedded", "--yes"), "an extra is removed")
            screen.picture(pictures / "upgraded.png")
        step("upgraded: record, skills, tokens and extras are as they were")
        remove(room, before)


# A panel with nothing but the tray.
_PANEL = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="length" type="uint" value="100"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="size" type="uint" value="30"/>
      <property name="plugin-ids" type="array">
        <value type="int" value="1"/><value type="int" value="2"/>
      </property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="tasklist"/>
    <property name="plugin-2" type="string" value="systray"/>
  </property>
</channel>
"""

if __name__ == "__main__":
    prove(Path(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4]))
    step("proven")
