"""Google Calendar, by Google's own client.

Level 1, the default, asks for busy times only: no word of an event ever arrives. Level 2, where the person
asked for titles, reads events, and after the first time only what changed (`syncToken`). Runs in the child:
the client takes 30 MB.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from metaclaw_tray import logs
from metaclaw_tray.omls.calendars.events import Event, Kind, Response, whole_days
from metaclaw_tray.omls.calendars.frames import Found, ReadGoogle, failure
from metaclaw_tray.settings.addresses import is_loopback

FREE_BUSY = "https://www.googleapis.com/auth/calendar.freebusy"
EVENTS = "https://www.googleapis.com/auth/calendar.events.readonly"

TOKEN_HOST = "oauth2.googleapis.com"  # noqa: S105 a host
API_HOST = "www.googleapis.com"

_SECONDS = 20.0  # for one answer
_PAGE = 1000
_MOST_PAGES = 60
_FIELDS = (
    "items(id,status,start,end,transparency,eventType,summary,attendees(self,responseStatus)),"
    "nextPageToken,nextSyncToken"
)
_KINDS: dict[str, Kind] = {
    "outOfOffice": "outOfOffice",
    "focusTime": "focusTime",
    "workingLocation": "workingLocation",
    "birthday": "birthday",
}


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """What the vault keeps of an account: the person's own client, and what Google granted it."""

    client_id: str
    client_secret: str = ""
    token_uri: str = f"https://{TOKEN_HOST}/token"
    refresh_token: str

    @property
    def root(self) -> str:
        """Where everything but the sign-in is asked: a stand-in on this machine stands in for all of it."""
        parts = urlsplit(self.token_uri)
        return f"http://{parts.netloc}" if is_loopback(parts.hostname or "") else ""

    @classmethod
    def of(cls, text: str) -> Account:
        """As the vault has it; its secrets stay out of the log."""
        account = msgspec.json.decode(text, type=cls)
        logs.keep_out(account.refresh_token)
        logs.keep_out(account.client_secret)
        return account

    def text(self) -> str:
        return msgspec.json.encode(self).decode()


def scope_of(*, titles: bool) -> str:
    """The one permission that is asked for."""
    return EVENTS if titles else FREE_BUSY


def read(message: ReadGoogle, zone: tzinfo) -> Found:
    """What the account's calendars say. Raises FailedError."""
    account = Account.of(message.account)
    with _said_plainly():
        service, credentials = _service(account, scope_of(titles=message.titles))
        with contextlib.closing(service):
            found = _events(service, message) if message.titles else _busy(service, message, zone)
        fresh = credentials.refresh_token
    if fresh and fresh != account.refresh_token:
        logs.keep_out(fresh)
        found = msgspec.structs.replace(
            found, account=msgspec.structs.replace(account, refresh_token=fresh).text()
        )
    return found


def _service(account: Account, scope: str) -> tuple[Any, Any]:
    named = os.environ.get("HTTPLIB2_CA_CERTS")
    if named and not Path(named).is_file():
        del os.environ["HTTPLIB2_CA_CERTS"]  # httplib2 could not even be imported
    import google_auth_httplib2
    import httplib2
    from google.oauth2.credentials import Credentials
    from googleapiclient.discovery import build

    credentials = Credentials(  # type: ignore[no-untyped-call]
        None,
        refresh_token=account.refresh_token,
        token_uri=account.token_uri,
        client_id=account.client_id,
        client_secret=account.client_secret,
        scopes=[scope],
    )
    http = google_auth_httplib2.AuthorizedHttp(credentials, http=httplib2.Http(timeout=_SECONDS))
    options = {"api_endpoint": f"{account.root}/calendar/v3/"} if account.root else None
    service = build(
        "calendar", "v3", http=http, static_discovery=True, cache_discovery=False, client_options=options
    )
    return service, credentials


def _busy(service: Any, message: ReadGoogle, zone: tzinfo) -> Found:
    asked = {
        "timeMin": _stamp(message.begin),
        "timeMax": _stamp(message.end),
        "items": [{"id": each} for each in message.ids],
    }
    answer = service.freebusy().query(body=asked).execute()
    events: list[Event] = []
    unknown: list[str] = []
    for name, calendar in answer.get("calendars", {}).items():
        if calendar.get("errors"):
            unknown.append(name)
        for place, each in enumerate(calendar.get("busy", [])):
            events.append(_busy_time(f"{name} {place}", _moment(each["start"]), _moment(each["end"]), zone))
    if unknown and len(unknown) == len(message.ids):
        raise failure("refused", "Google does not know the calendar, or does not let you read it.")
    return Found(events=events, skipped=len(unknown))


def _busy_time(uid: str, begin: datetime, end: datetime, zone: tzinfo) -> Event:
    """Google says of a whole day only that it is busy from midnight to midnight, by the account's zone; where
    that is another than the place's, its length still tells (`rules.LONG`)."""
    first, last = begin.astimezone(zone), end.astimezone(zone)
    if first.time() == last.time() == datetime.min.time() and last.date() > first.date():
        return whole_days(uid, first.date(), last.date())
    return Event(uid=uid, begin=begin, end=end)


@dataclass
class _Pages:
    """What the pages of one calendar came to."""

    items: list[dict[str, Any]]
    token: str


def _events(service: Any, message: ReadGoogle) -> Found:
    from googleapiclient.errors import HttpError

    tokens = message.tokens if set(message.tokens) == set(message.ids) else {}
    if tokens:
        try:
            return _told(
                message, {each: _pages(service, each, syncToken=tokens[each]) for each in message.ids}
            )
        except HttpError as error:
            if error.status_code != 410:  # what was kept is too old to be brought up to date
                raise
    span = {"timeMin": _stamp(message.begin), "timeMax": _stamp(message.end)}
    return _told(message, {each: _pages(service, each, **span) for each in message.ids}, whole=True)


def _pages(service: Any, calendar: str, **how: str) -> _Pages:
    """Every page. Only the last one holds the token that the next reading goes on from."""
    events = service.events()
    request = events.list(
        calendarId=calendar, singleEvents=True, maxResults=_PAGE, maxAttendees=1, fields=_FIELDS, **how
    )
    found = _Pages([], "")
    for _ in range(_MOST_PAGES):
        answer = request.execute()
        found.items += answer.get("items", [])
        found.token = answer.get("nextSyncToken", "")
        request = events.list_next(request, answer)
        if request is None:
            return found
    raise failure("broken", f"Google has more than {_MOST_PAGES * _PAGE} events for these weeks.")


def _told(message: ReadGoogle, pages: dict[str, _Pages], *, whole: bool = False) -> Found:
    events: list[Event] = []
    gone: list[str] = []
    skipped = 0
    for calendar, found in pages.items():
        for item in found.items:
            uid = f"{calendar} {item.get('id', '')}"
            if item.get("status") == "cancelled":
                gone.append(uid)
                continue
            try:
                event = _event(uid, item)
            except (KeyError, ValueError, TypeError):
                skipped += 1
                continue
            if event.end > message.begin:
                events.append(event)
    tokens = {calendar: found.token for calendar, found in pages.items() if found.token}
    return Found(events=events, whole=whole, gone=[] if whole else gone, skipped=skipped, tokens=tokens)


def _event(uid: str, item: dict[str, Any]) -> Event:
    response: Response = next(
        (each["responseStatus"] for each in item.get("attendees", []) if each.get("self")), "none"
    )
    known: dict[str, Any] = {
        "busy": item.get("transparency") != "transparent",
        "status": "tentative" if item.get("status") == "tentative" else "confirmed",
        "kind": _KINDS.get(item.get("eventType", ""), "default"),
        "response": response if response in ("accepted", "declined", "tentative", "needsAction") else "none",
        "title": " ".join(str(item.get("summary", "")).split())[:200],
    }
    begin, end = item["start"], item["end"]
    if "date" in begin:
        return whole_days(uid, date.fromisoformat(begin["date"]), date.fromisoformat(end["date"]), **known)
    return Event(uid=uid, begin=_moment(begin["dateTime"]), end=_moment(end["dateTime"]), **known)


@contextlib.contextmanager
def _said_plainly() -> Iterator[None]:
    """What Google or the network answered, as a person needs it; nothing of it is quoted but its code."""
    import httplib2
    from google.auth.exceptions import GoogleAuthError, RefreshError, TransportError
    from googleapiclient.errors import Error, HttpError

    try:
        yield
    except RefreshError as error:
        raise _refused_sign_in(error) from None
    except HttpError as error:
        raise _refusal(error) from None
    except (TransportError, httplib2.HttpLib2Error, OSError, ValueError) as error:
        raise failure("away", f"Google could not be reached ({type(error).__name__}).") from None
    except (GoogleAuthError, Error) as error:
        raise failure("broken", f"Google's answer was not understood ({type(error).__name__}).") from None


def _refused_sign_in(error: Any) -> Exception:
    said = error.args[1] if len(error.args) > 1 and isinstance(error.args[1], dict) else {}
    code = str(said.get("error", "")) or str(error.args[0] if error.args else "").partition(":")[0]
    if error.retryable or code in ("", "internal_failure", "server_error", "temporarily_unavailable"):
        return failure("away", "Google did not renew the permission just now.")
    detail = "Google no longer grants the permission"
    if code == "invalid_grant":
        detail += (
            ": it was taken back, or has run out (it does after 7 days while the app of your client file "
            "is in testing)"
        )
    else:
        detail += f" ({code[:40]})"
    return failure("signed out", f"{detail}.")


def _refusal(error: Any) -> Exception:
    code, reason = error.status_code, _reason(error)
    after = error.resp.get("retry-after", "")
    wait = min(float(after), 86_400.0) if after.isdigit() else 0.0
    if code == 429 or (code == 403 and "imit" in reason):
        return failure("busy", "Google was asked too often and wants a pause.", after=wait)
    if code >= 500:
        return failure("away", f"Google answered {code}.", after=wait)
    if code == 401:
        return failure("signed out", "Google does not take the permission any more.")
    if reason == "accessNotConfigured":
        return failure(
            "refused",
            "The Google Calendar API is not switched on in the project of your client file.",
            "Switch it on in Google's console, under APIs and services.",
        )
    words = {403: "Google does not let you read the calendar", 404: "Google does not know the calendar"}
    return failure("refused", f"{words.get(code, 'Google refused')} (it answered {code}).")


def _reason(error: Any) -> str:
    details = error.error_details if isinstance(error.error_details, list) else []
    reasons = [str(each.get("reason", "")) for each in details if isinstance(each, dict)]
    return reasons[0] if reasons else ""


def _stamp(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).astimezone(UTC)
