"""A server on this machine that behaves as Google's does towards a calendar client: sign-in with PKCE, tokens
that run out and are renewed or revoked, free/busy, events in pages with sync tokens, and all that goes wrong.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

_FORBIDDEN_WITH_TOKEN = ("timeMin", "timeMax", "orderBy", "q", "iCalUID", "updatedMin")


@dataclass
class Google:
    """What the server knows, and what it shall do next.

    Attributes:
        events: By calendar; each a resource of the API with the revision at which it last changed.
        failures: Answers in place of the next ones: a status with a reason and headers, "cut" or "slow".
        oldest: Sync tokens of an earlier revision are no longer taken.
        consent: Whether the person allows what is asked.
    """

    events: dict[str, list[tuple[int, dict[str, Any]]]] = field(default_factory=lambda: {"primary": []})
    busy: list[tuple[str, str]] = field(default_factory=list)
    failures: list[str | tuple[int, str, dict[str, str]]] = field(default_factory=list)
    revision: int = 1
    oldest: int = 0
    page: int = 2
    consent: bool = True
    asked: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    grants: set[str] = field(default_factory=set)
    revoked: list[str] = field(default_factory=list)
    rotate: bool = False
    port: int = 0
    _codes: dict[str, dict[str, str]] = field(default_factory=dict)
    _access: dict[str, str] = field(default_factory=dict)
    released: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client_file(self) -> str:
        """What Google's console gives for a desktop app, leading here."""
        return json.dumps(
            {
                "installed": {
                    "client_id": "an-app.apps.googleusercontent.com",
                    "client_secret": "GOCSPX-of-the-client",
                    "auth_uri": f"{self.url}/o/oauth2/v2/auth",
                    "token_uri": f"{self.url}/token",
                    "redirect_uris": ["http://localhost"],
                }
            }
        )

    def granted(self) -> str:
        """A permission, as if somebody had signed in."""
        token = "1//" + secrets.token_hex(12)
        self.grants.add(token)
        return token

    def put(self, *items: dict[str, Any], calendar: str = "primary") -> None:
        """These come, or change, or go."""
        self.revision += 1
        kept = [
            each
            for each in self.events.setdefault(calendar, [])
            if each[1]["id"] not in {item["id"] for item in items}
        ]
        self.events[calendar] = [*kept, *((self.revision, item) for item in items)]

    def remove(self, name: str, *, forgotten: bool = False, calendar: str = "primary") -> None:
        """It was deleted; `forgotten`: so long ago that nothing is told of it any more."""
        self.revision += 1
        kept = [each for each in self.events[calendar] if each[1]["id"] != name]
        gone = [] if forgotten else [(self.revision, {"id": name, "status": "cancelled"})]
        self.events[calendar] = [*kept, *gone]

    def paths(self) -> list[str]:
        return [path for _, path, _ in self.asked]


@contextmanager
def google() -> Iterator[Google]:
    made = Google()

    class Handler(_Handler):
        google = made

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    made.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.released.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    google: Google
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        self.google.asked.append(("GET", parts.path, query))
        if parts.path == "/o/oauth2/v2/auth":
            self._consent(query)
        elif self._allowed() and parts.path.startswith("/calendar/v3/calendars/"):
            self._events(unquote(parts.path.split("/")[4]), query)

    def do_POST(self) -> None:
        path = urlsplit(self.path).path
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        self.google.asked.append(("POST", path, form if path != "/calendar/v3/freeBusy" else {}))
        if path == "/token":
            self._token(form)
        elif path == "/revoke":
            known = form.get("token") in self.google.grants
            self.google.grants.discard(form.get("token", ""))
            self.google.revoked.append(form.get("token", ""))
            self._say(200 if known else 400, {} if known else {"error": "invalid_token"})
        elif self._allowed() and path == "/calendar/v3/freeBusy":
            asked = json.loads(body)
            busy = [{"start": begin, "end": end} for begin, end in self.google.busy]
            found = {
                each["id"]: {"busy": busy}
                if each["id"] in self.google.events
                else {"errors": [{"domain": "global", "reason": "notFound"}], "busy": []}
                for each in asked["items"]
            }
            self._say(200, {"kind": "calendar#freeBusy", "calendars": found})

    def _consent(self, query: dict[str, str]) -> None:
        assert query["code_challenge_method"] == "S256"
        assert query["access_type"] == "offline"
        code = "4/" + secrets.token_urlsafe(12)
        self.google._codes[code] = query
        answer = {"state": query["state"]}
        answer |= (
            {"code": code, "scope": query["scope"]} if self.google.consent else {"error": "access_denied"}
        )
        self.send_response(302)
        self.send_header("Location", f"{query['redirect_uri']}?{urlencode(answer)}")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _token(self, form: dict[str, str]) -> None:
        google = self.google
        if google.failures and google.failures[0] == "token":
            google.failures.pop(0)
            self._say(503, {"error": "temporarily_unavailable"})
            return
        access = "ya29." + secrets.token_hex(8)
        answer = {"access_token": access, "expires_in": 3599, "token_type": "Bearer"}
        if form["grant_type"] == "refresh_token":
            token = form["refresh_token"]
            if token not in google.grants:
                self._say(
                    400, {"error": "invalid_grant", "error_description": "Token has been expired or revoked."}
                )
                return
            if google.rotate:
                answer["refresh_token"] = google.granted()
        else:
            asked = google._codes.pop(form["code"], None)
            proof = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
            challenge = base64.urlsafe_b64encode(proof).rstrip(b"=").decode()
            if asked is None or challenge != asked["code_challenge"]:
                self._say(400, {"error": "invalid_grant"})
                return
            answer |= {"refresh_token": google.granted(), "scope": asked["scope"]}
        google._access[access] = form.get("refresh_token", "")
        self._say(200, answer)

    def _allowed(self) -> bool:
        """Whether the request may be answered; says what goes wrong where it shall."""
        google = self.google
        if google.failures:
            failure = google.failures.pop(0)
            if failure == "cut":
                self._cut()
                return False
            if failure == "slow":
                google.released.wait(60)
                self._cut()
                return False
            if failure == "expired":
                google._access.clear()
            elif isinstance(failure, tuple):
                status, reason, headers = failure
                errors = [{"domain": "usageLimits", "reason": reason}]
                self._say(status, {"error": {"code": status, "message": reason, "errors": errors}}, headers)
                return False
        given = self.headers.get("authorization", "").removeprefix("Bearer ")
        if given not in google._access:
            realm = 'Bearer realm="https://accounts.google.com/", error="invalid_token"'
            self._say(
                401, {"error": {"code": 401, "message": "Invalid Credentials"}}, {"WWW-Authenticate": realm}
            )
            return False
        return True

    def _events(self, calendar: str, query: dict[str, str]) -> None:
        google = self.google
        rows = google.events.get(calendar)
        if rows is None:
            self._say(
                404, {"error": {"code": 404, "message": "Not Found", "errors": [{"reason": "notFound"}]}}
            )
            return
        token = query.get("syncToken")
        if token and any(name in query for name in _FORBIDDEN_WITH_TOKEN):
            self._say(400, {"error": {"code": 400, "message": "Sync token cannot be used with these."}})
            return
        if token and int(token) < google.oldest:
            errors = [{"domain": "calendar", "reason": "fullSyncRequired"}]
            self._say(410, {"error": {"code": 410, "message": "Gone", "errors": errors}})
            return
        items = [
            item
            for revision, item in rows
            if (token and revision > int(token)) or (not token and item.get("status") != "cancelled")
        ]
        begin = int(query.get("pageToken", 0))
        answer: dict[str, Any] = {"kind": "calendar#events", "items": items[begin : begin + google.page]}
        if begin + google.page < len(items):
            answer["nextPageToken"] = str(begin + google.page)
        else:
            answer["nextSyncToken"] = str(google.revision)
        self._say(200, answer)

    def _say(self, status: int, value: Any, headers: dict[str, str] | None = None) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, text in (headers or {}).items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)

    def _cut(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)
