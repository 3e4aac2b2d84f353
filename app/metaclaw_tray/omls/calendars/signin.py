"""Signing in at Google: in the person's browser, with their own client, back to a port of this machine (RFC
8252) that only the right answer closes, and with a proof that nobody else can redeem it (PKCE, RFC 7636).
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import time
import webbrowser
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from metaclaw_tray.omls.calendars.frames import SignedIn, SignIn, failure
from metaclaw_tray.omls.calendars.google import TOKEN_HOST, Account, scope_of
from metaclaw_tray.settings.addresses import is_loopback

log = logging.getLogger(__name__)

_SECONDS = 20.0  # for one answer of Google's
_AUTH_HOST = "accounts.google.com"
_PAGE = (
    "<!doctype html><meta charset=utf-8><title>MetaClaw Tray</title>"
    "<body style='font:16px system-ui;margin:4em'>{}</body>"
)


def checked_client(text: str) -> dict[str, str]:
    """What the person's client file says, if it is one for an app of the desktop and leads to Google. Raises
    FailedError."""
    try:
        found = json.loads(text)
        client = found.get("installed")
    except (ValueError, AttributeError):
        raise failure("refused", "This is no client file of Google's: it is no JSON.") from None
    if not isinstance(client, dict) or not client.get("client_id"):
        raise failure(
            "refused",
            "This is no client file for a desktop app.",
            "In Google's console make an OAuth client of the kind Desktop app, and download its JSON.",
        )
    auth = str(client.get("auth_uri") or f"https://{_AUTH_HOST}/o/oauth2/v2/auth")
    token = str(client.get("token_uri") or f"https://{TOKEN_HOST}/token")
    for address, host in ((auth, _AUTH_HOST), (token, TOKEN_HOST)):
        parts = urlsplit(address)
        if not (parts.scheme == "https" and parts.hostname == host) and not is_loopback(parts.hostname or ""):
            raise failure("refused", f"The client file leads to {parts.hostname}, which is not Google's.")
    return {
        "client_id": str(client["client_id"]),
        "client_secret": str(client.get("client_secret", "")),
        "auth_uri": auth,
        "token_uri": token,
    }


def sign_in(message: SignIn, tell: Callable[[str], object]) -> SignedIn:
    """Have the person sign in; blocking until they did, said no, or took too long. Raises FailedError."""
    client = checked_client(message.client)
    from google_auth_oauthlib.flow import Flow

    if is_loopback(urlsplit(client["token_uri"]).hostname or ""):
        os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # in this child only; nothing leaves the machine
    with _Door(secrets.token_urlsafe(24)) as door:
        flow = Flow.from_client_config(
            {"installed": client},
            [scope_of(titles=message.titles)],
            redirect_uri=f"http://127.0.0.1:{door.server_port}/",
            autogenerate_code_verifier=True,
        )
        address, _ = flow.authorization_url(access_type="offline", prompt="consent", state=door.state)
        tell(address)
        webbrowser.open(address)
        code = door.wait(message.seconds)
    token = _redeemed(flow, code)
    return SignedIn(
        Account(
            client_id=client["client_id"],
            client_secret=client["client_secret"],
            token_uri=client["token_uri"],
            refresh_token=token,
        ).text()
    )


def revoke(text: str) -> None:
    """Have Google forget the permission. Raises FailedError where it could not be reached."""
    import httpx

    account = Account.of(text)
    address = f"{account.root}/revoke" if account.root else f"https://{TOKEN_HOST}/revoke"
    try:
        with httpx.Client(timeout=_SECONDS, trust_env=not account.root) as client:
            answer = client.post(address, data={"token": account.refresh_token})
    except httpx.HTTPError as error:
        raise failure("away", f"Google could not be reached ({type(error).__name__}).") from None
    if answer.status_code not in (200, 400):  # 400: it is void already
        raise failure("away", f"Google answered {answer.status_code}.")


def _redeemed(flow: Any, code: str) -> str:
    """The permission to come again, for the code that the browser brought."""
    import requests
    from oauthlib.oauth2.rfc6749.errors import OAuth2Error

    try:
        flow.fetch_token(code=code, timeout=_SECONDS)
    except OAuth2Error as error:
        raise failure("declined", f"Google did not take the sign-in ({error.error}).", "Try again.") from None
    except Warning:
        raise failure("declined", "Google granted something else than was asked for.", "Try again.") from None
    except (requests.RequestException, OSError) as error:
        raise failure("away", f"Google could not be reached ({type(error).__name__}).") from None
    finally:
        flow.oauth2session.close()
    token = flow.credentials.refresh_token
    if not token:
        raise failure("declined", "Google gave no lasting permission.", "Sign in again, and allow it.")
    return str(token)


class _Door(HTTPServer):
    """Waits on a port of this machine for the answer that knows `state`. Others are turned away, and the door
    stays open: a browser asks for more than one thing."""

    def __init__(self, state: str) -> None:
        super().__init__(("127.0.0.1", 0), _Knock)
        self.state = state
        self.answer: dict[str, str] = {}
        self.timeout = 1.0

    def wait(self, seconds: float) -> str:
        """The code. Raises FailedError where the person said no, or nothing."""
        end = time.monotonic() + seconds
        while not self.answer and time.monotonic() < end:
            self.handle_request()
        if "code" in self.answer:
            return self.answer["code"]
        if self.answer:
            raise failure("declined", "The sign-in was not allowed, so nothing was connected.")
        raise failure("declined", f"Nobody signed in within {seconds / 60:.0f} minutes.", "Try again.")

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Who hangs up at the door is nobody's concern."""


class _Knock(BaseHTTPRequestHandler):
    server: _Door
    timeout = 5.0

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        known = secrets.compare_digest(asked.get("state", "").encode(), self.server.state.encode())
        if parts.path != "/" or not known or not ("code" in asked or "error" in asked):
            self._say(HTTPStatus.NOT_FOUND, "There is nothing here.")
            return
        self.server.answer = asked
        self._say(
            HTTPStatus.OK,
            "Thank you. You can close this page; MetaClaw Tray reads your calendar now."
            if "code" in asked
            else "Nothing was connected. You can close this page.",
        )

    def _say(self, status: HTTPStatus, words: str) -> None:
        page = _PAGE.format(words).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """The line would hold the code."""
