"""Calendars by verb: connecting one after a yes that says who is asked and what arrives; what they say."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Literal

from metaclaw_tray.admin import api
from metaclaw_tray.admin.api.calendars import (
    CalendarRow,
    ConnectGoogle,
    ConnectIcs,
    DisconnectCalendar,
    EventRow,
    ListCalendars,
    ListEvents,
    ReadCalendar,
)
from metaclaw_tray.admin.changing import Changing
from metaclaw_tray.admin.server import Call, Handlers
from metaclaw_tray.errors import CalendarError, KnownError, NotFoundError, UsageError
from metaclaw_tray.files import in_words
from metaclaw_tray.omls.calendars.addresses import checked_address, host_of
from metaclaw_tray.omls.calendars.asking import Ask, Tell, ask_child, silent
from metaclaw_tray.omls.calendars.frames import Failed, Found, SignedIn, SignIn, SignOut
from metaclaw_tray.omls.calendars.google import API_HOST, TOKEN_HOST
from metaclaw_tray.omls.calendars.keeping import calendar_secret
from metaclaw_tray.omls.calendars.questions import question, understood
from metaclaw_tray.omls.calendars.rules import is_meeting, rule_for
from metaclaw_tray.runtime.app import Runtime
from metaclaw_tray.runtime.facade.settings import SettingsDesk
from metaclaw_tray.settings import near_miss
from metaclaw_tray.settings.model import Calendar, Settings

_CLIENT_BYTES = 64 * 1024
_FRESH_PERIODS = 3  # of reading, after which what is known is old


class CalendarsDesk:
    """One handler for each verb. `ask` has a calendar read; tests put another one in."""

    def __init__(self, runtime: Runtime, settings: SettingsDesk, ask: Ask = ask_child) -> None:
        self._runtime = runtime
        self._settings = settings
        self._ask = ask

    def handlers(self) -> Handlers:
        return {
            ListCalendars: self._list,
            ListEvents: self._events,
            ReadCalendar: self._read,
            ConnectIcs: self._connect_ics,
            ConnectGoogle: self._connect_google,
            DisconnectCalendar: self._disconnect,
        }

    @property
    def _connected(self) -> Mapping[str, Calendar]:
        return self._runtime.settings.calendars

    async def _list(self, _verb: ListCalendars, _call: Call) -> list[CalendarRow]:
        return [self._row(name) for name in self._connected]

    async def _events(self, verb: ListEvents, _call: Call) -> list[EventRow]:
        begin = self._runtime.clock.now()
        try:
            end = begin + timedelta(days=verb.days)
        except OverflowError:
            raise UsageError("Too many days", f"{verb.days} days cannot be shown.", "") from None
        zone, keeper = self._runtime.zone(), self._runtime.calendars
        found = []
        for name, calendar in self._connected.items():
            kept = keeper.kept(name)
            for event in kept.events if kept is not None else ():
                span = event.span(zone)
                if span.begin >= end or span.end <= begin:
                    continue
                counts = is_meeting(event, calendar) and not keeper.is_stale(name)
                why = rule_for(event).words
                found.append(
                    EventRow(
                        calendar=name,
                        begin=span.begin,
                        end=span.end,
                        all_day=event.all_day,
                        title=event.title,
                        meeting=counts,
                        why=f"{why[:1].upper()}{why[1:]}.",
                    )
                )
        return sorted(found, key=lambda each: (each.begin, each.end, each.calendar))

    async def _read(self, verb: ReadCalendar, _call: Call) -> CalendarRow:
        self._must_be_there(verb.name)
        await self._runtime.calendars.refresh(verb.name)
        return self._row(verb.name)

    async def _connect_ics(self, verb: ConnectIcs, call: Call) -> CalendarRow:
        if bool(verb.address) == bool(verb.path):
            raise UsageError("Which calendar?", "Give its secret address, or a file.", "")
        if verb.address:
            address = checked_address(verb.address)
            calendar = Calendar(kind="ics", host=host_of(address), me=verb.me)
            text = (
                f"{calendar.host} is asked for your calendar now and every "
                f"{self._runtime.settings.schedule.calendar_minutes} minutes. Nothing but the calendar's "
                "secret address is sent there; the address is kept in the keyring. "
            )
        else:
            if not Path(verb.path).is_absolute():
                raise UsageError("Which file?", "The file's whole path is needed.", "")
            address, calendar = "", Calendar(kind="file", path=verb.path, me=verb.me)
            text = f"{verb.path} is read now and whenever it has changed. Nothing is sent anywhere. "
        name = self._name(verb.name, "calendar")
        await call.consent(f"connect the calendar {name}", text + self._stays(name), yes=verb.yes)
        return await self._keep(call, name, calendar, address)

    async def _connect_google(self, verb: ConnectGoogle, call: Call) -> CalendarRow:
        client = verb.client or await asyncio.to_thread(_client, verb.client_file)
        name = self._name(verb.name, "google")
        arrives = (
            "the events of your main calendar with their titles, times and your answers, and nobody else's"
            if verb.titles
            else "only when you are busy: no titles, no places, no people"
        )
        text = (
            f"Your browser opens Google's page, where you sign in with the client of your own file. Then "
            f"{API_HOST} and {TOKEN_HOST} are asked now and every "
            f"{self._runtime.settings.schedule.calendar_minutes} minutes. What arrives is {arrives}. "
            "The permission is kept in the keyring. "
        )
        await call.consent(f"connect the Google calendar {name}", text + self._stays(name), yes=verb.yes)

        async def page(url: str) -> None:
            await call.progress(f"Sign in at {url}")

        done = await self._answered(SignIn(client=client, titles=verb.titles), page)
        if not isinstance(done, SignedIn):
            raise _refused(done)
        calendar = Calendar(kind="google", host=API_HOST, titles=verb.titles)
        return await self._keep(call, name, calendar, done.account)

    async def _keep(self, call: Call, name: str, calendar: Calendar, secret: str) -> CalendarRow:
        """Read it once, and keep it if that went well: first its secret, then its name."""
        runtime = self._runtime
        asked = question(calendar, secret, None, runtime.clock.now(), runtime.zone())
        found = understood(await self._ask(asked, silent))
        if not isinstance(found, Found):
            raise _refused(found)
        new = name not in self._connected
        if secret:
            await runtime.vault.aset(calendar_secret(name), found.account or secret)

        async def put(changing: Changing) -> None:
            await changing.settings(lambda: runtime.settings_file.put_calendar(name, calendar))
            if secret:
                changing.secret(calendar_secret(name), "none", "kept")

        try:
            await self._settings.change(call, put)
        except KnownError:
            if new and secret:
                await runtime.vault.aremove(calendar_secret(name))
            raise
        await runtime.calendars.put(name, found)
        return self._row(name)

    async def _disconnect(self, verb: DisconnectCalendar, call: Call) -> api.Said:
        calendar, runtime = self._must_be_there(verb.name), self._runtime
        text = f"What the calendar {verb.name} said, and its {_KEPT[calendar.kind]}, are forgotten."
        await call.confirm(f"disconnect the calendar {verb.name}", text, yes=verb.yes)
        secret = await runtime.vault.aget(calendar_secret(verb.name)) if calendar.kind != "file" else None

        async def remove(changing: Changing) -> None:
            await changing.settings(lambda: runtime.settings_file.remove_calendar(verb.name))
            if secret:
                await runtime.vault.aremove(calendar_secret(verb.name))
                changing.secret(calendar_secret(verb.name), "kept", "removed")

        await self._settings.change(call, remove)
        await runtime.calendars.forget(verb.name)
        said = f"The calendar {verb.name} is disconnected, and nothing of it is kept."
        if calendar.kind == "google" and secret:
            revoked = await self._ask(SignOut(account=secret), silent)
            said += (
                " Google could not be told; take the permission back at myaccount.google.com/permissions."
                if isinstance(revoked, Failed)
                else " Google was told that the permission is over."
            )
        return api.Said(text=said)

    async def _answered(self, asked: SignIn, tell: Tell) -> SignedIn | Failed:
        answer = await self._ask(asked, tell)
        if isinstance(answer, SignedIn | Failed):
            return answer
        return Failed(trouble="broken", detail="The sign-in ended without an answer.")

    def _stays(self, name: str) -> str:
        replaced = (
            f" It takes the place of the calendar {name} that is there." if name in self._connected else ""
        )
        return "What it says stays on this machine; titles are shown to you and to nobody else." + replaced

    def _name(self, wanted: str, usual: str) -> str:
        """The name it gets. One that is there is connected anew under its name, if that was said."""
        if wanted:
            try:
                Settings.model_validate({"calendars": {wanted: {"kind": "ics"}}})
            except ValueError:
                raise UsageError(
                    "This cannot be a name", f"{wanted!r} is not of small letters and digits.", ""
                ) from None
            return wanted
        names = [usual, *(f"{usual}-{number}" for number in range(2, 100))]
        return next(each for each in names if each not in self._connected)

    def _must_be_there(self, name: str) -> Calendar:
        found = self._connected.get(name)
        if found is None:
            raise NotFoundError(
                "Not found",
                f"There is no calendar {name!r}.{near_miss(name, list(self._connected))}",
                "`metaclaw-tray calendar list` names them.",
            )
        return found

    def _row(self, name: str) -> CalendarRow:
        calendar, keeper = self._connected[name], self._runtime.calendars
        kept = keeper.kept(name)
        failed = kept.failed if kept is not None else None
        return CalendarRow(
            name=name,
            kind=calendar.kind,
            host=calendar.host,
            path=calendar.path,
            titles=calendar.titles,
            state=self._state(name),
            read_at=kept.reading.read_at if kept is not None else None,
            events=len(kept.events) if kept is not None else 0,
            meetings=sum(is_meeting(each, calendar) for each in kept.events) if kept is not None else 0,
            skipped=kept.reading.skipped if kept is not None else 0,
            trouble=f"{failed.detail} {failed.remedy}".strip() if failed is not None else "",
        )

    def _state(self, name: str) -> Literal["fresh", "old", "stale", "signed out", "failing"]:
        kept, keeper = self._runtime.calendars.kept(name), self._runtime.calendars
        if kept is None or kept.reading.read_at is None:
            return "failing"
        if kept.failed is not None and kept.failed.trouble == "signed out":
            return "signed out"
        if keeper.is_stale(name):
            return "stale"
        minutes = self._runtime.settings.schedule.calendar_minutes
        old = self._runtime.clock.now() - kept.reading.read_at > timedelta(minutes=_FRESH_PERIODS * minutes)
        return "old" if old else "failing" if kept.failed is not None else "fresh"


_KEPT = {"ics": "secret address", "google": "permission", "file": "path"}


def _client(path: str) -> str:
    """What the client file holds."""
    if not Path(path).is_absolute():
        raise UsageError("Which client file?", "The file's whole path is needed.", "")
    try:
        with Path(path).open("rb") as file:
            return file.read(_CLIENT_BYTES).decode("utf-8", "replace")
    except OSError as error:
        raise UsageError("The client file cannot be read", f"{path}: {in_words(error)}.", "") from error


def _refused(failed: object) -> CalendarError:
    if not isinstance(failed, Failed):
        return CalendarError("The calendar was not connected", "It gave no answer.", "Try again.")
    return CalendarError("The calendar was not connected", failed.detail, failed.remedy)
