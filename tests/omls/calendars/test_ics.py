"""Files of calendars: what programs of all kinds write, and what is wrong with it."""

from __future__ import annotations

from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaclaw_tray.omls.calendars import ics
from metaclaw_tray.omls.calendars.frames import FailedError
from metaclaw_tray.omls.calendars.zones import zone_named
from omls.calendars.files import BEGIN, END, calendar, event, read, times

OUTLOOK_ZONE = """BEGIN:VTIMEZONE
TZID:Customized Time Zone
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE"""


def test_a_date_with_a_zone_stays_a_date_and_microsofts_flag_says_that_it_is_free():
    zone = 'TZID="Amsterdam, Belgrade, Berlin, Brussels"'
    (found,) = read(
        calendar(
            event(
                f"DTSTART;VALUE=DATE;{zone}:20261101",
                f"DTEND;VALUE=DATE;{zone}:20261102",
                "X-MICROSOFT-CDO-BUSYSTATUS:FREE",
                "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE",
            )
        )
    ).events
    assert found.all_day
    assert not found.busy
    assert (found.begin.date(), found.end.date()) == (date(2026, 11, 1), date(2026, 11, 2))


@pytest.mark.parametrize("zone", ["Australia/Brisbane", "America/Los_Angeles", "Europe/Amsterdam"])
def test_a_day_is_the_same_day_everywhere(zone):
    (found,) = read(calendar(event("DTSTART;VALUE=DATE:20261101")), ZoneInfo(zone)).events
    assert found.begin.date() == date(2026, 11, 1)
    begins = found.span(ZoneInfo(zone)).begin.astimezone(ZoneInfo(zone))
    assert (begins.date(), begins.hour) == (date(2026, 11, 1), 0)


def test_midnights_that_microsoft_calls_a_day_are_that_day():
    (found,) = read(
        calendar(
            event(
                "DTSTART;TZID=Tokyo Standard Time:20261101T000000",
                "DTEND;TZID=Tokyo Standard Time:20261102T000000",
                "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE",
            )
        )
    ).events
    assert (found.all_day, found.begin.date()) == (True, date(2026, 11, 1))


@pytest.mark.parametrize(
    "name",
    [
        "Europe/Amsterdam",
        "W. Europe Standard Time",
        "Amsterdam, Belgrade, Berlin, Brussels, Budapest",
        "(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna",
        "/freeassociation.sourceforge.net/Europe/Amsterdam",
        "Customized Time Zone",
    ],
)
def test_zones_are_known_by_all_their_names(name):
    quoted = f'"{name}"'
    found = times(
        calendar(
            event(f"DTSTART;TZID={quoted}:20261023T090000", "DURATION:PT1H"),
            event(f"DTSTART;TZID={quoted}:20261026T090000", "DURATION:PT1H", uid="2"),
            head=OUTLOOK_ZONE,
        ),
        ZoneInfo("Asia/Tokyo"),
    )
    assert found == ["10-23 07:00", "10-26 08:00"]


def test_a_zone_that_one_file_explains_is_unknown_in_the_next():
    odd = event("DTSTART;TZID=Customized Time Zone:20261026T090000", "DURATION:PT1H")
    assert times(calendar(odd, head=OUTLOOK_ZONE), ZoneInfo("Asia/Tokyo")) == ["10-26 08:00"]
    assert times(calendar(odd), ZoneInfo("Asia/Tokyo")) == ["10-26 00:00"]


def test_a_zone_nobody_knows_has_its_offset_or_else_is_that_of_the_place():
    assert str(zone_named("(GMT-05:00) Somewhere")) == "UTC-05:00"
    assert zone_named("Nowhere at all") is None
    assert times(calendar(event("DTSTART;TZID=Nowhere:20261026T090000", "DURATION:PT1H"))) == ["10-26 08:00"]


def test_a_time_without_a_zone_is_the_time_of_the_place():
    content = calendar(event("DTSTART:20261026T090000", "DURATION:PT1H"))
    assert times(content) == ["10-26 08:00"]
    assert times(content, ZoneInfo("Asia/Tokyo")) == ["10-26 00:00"]


WEEKLY = (
    "DTSTART;TZID=Europe/Amsterdam:20261021T090000",
    "DTEND;TZID=Europe/Amsterdam:20261021T100000",
    "RRULE:FREQ=WEEKLY;COUNT=4",
)


def test_a_weekly_meeting_keeps_its_hour_on_the_wall_when_clocks_change():
    assert times(calendar(event(*WEEKLY))) == ["10-21 07:00", "10-28 08:00", "11-04 08:00", "11-11 08:00"]


def test_an_instance_that_was_moved_over_the_change_of_clocks_is_where_it_was_moved_to():
    moved = event(
        "RECURRENCE-ID;TZID=Europe/Amsterdam:20261021T090000",
        "DTSTART;TZID=Europe/Amsterdam:20261026T140000",
        "DTEND;TZID=Europe/Amsterdam:20261026T150000",
    )
    assert times(calendar(event(*WEEKLY), moved)) == [
        "10-26 13:00",
        "10-28 08:00",
        "11-04 08:00",
        "11-11 08:00",
    ]


def test_instances_are_left_out_added_and_cancelled():
    cancelled = event(
        "RECURRENCE-ID;TZID=Europe/Amsterdam:20261104T090000",
        "DTSTART;TZID=Europe/Amsterdam:20261104T090000",
        "DURATION:PT1H",
        "STATUS:CANCELLED",
    )
    more = ("EXDATE;TZID=Europe/Amsterdam:20261028T090000", "RDATE;TZID=Europe/Amsterdam:20261030T160000")
    found = read(calendar(event(*WEEKLY, *more), cancelled)).events
    assert [(f"{each.begin:%m-%d %H:%M}", each.status) for each in found] == [
        ("10-21 07:00", "confirmed"),
        ("10-30 15:00", "confirmed"),
        ("11-04 08:00", "cancelled"),
        ("11-11 08:00", "confirmed"),
    ]
    assert len({each.uid for each in found}) == 4


def test_a_series_ends_when_it_says():
    until = ("DTSTART:20261001T090000Z", "DURATION:PT30M", "RRULE:FREQ=DAILY;UNTIL=20261022T090000Z")
    assert times(calendar(event(*until))) == ["10-20 09:00", "10-21 09:00", "10-22 09:00"]


def test_what_is_long_over_or_far_ahead_is_not_even_read():
    over = event(
        "DTSTART:20200101T090000Z", "DTEND:20200101T100000Z", "RRULE:FREQ=DAILY;UNTIL=20200301T000000Z"
    )
    old = event("DTSTART:20200101T090000Z", "DTEND:20200101T100000Z", "ATTENDEE;X:broken", uid="old")
    far = event("DTSTART:20300101T090000Z", "DURATION:nonsense", uid="far")
    assert read(calendar(over, old, far)) == ics.Contents([], 0)


def test_an_event_that_began_long_ago_and_goes_on_counts():
    long = event("DTSTART:20200101T090000Z", "DTEND:20301231T100000Z")
    endless = event("DTSTART:20200101T090000Z", "DURATION:P10000D", uid="2")
    series = event("DTSTART:20200106T090000Z", "DTEND:20200106T100000Z", "RRULE:FREQ=WEEKLY", uid="3")
    assert len({each.uid.split()[0] for each in read(calendar(long, endless, series)).events}) == 3


def test_an_instance_that_was_moved_far_away_leaves_its_place():
    away = event(
        "RECURRENCE-ID;TZID=Europe/Amsterdam:20261028T090000",
        "DTSTART;TZID=Europe/Amsterdam:20280101T090000",
        "DTEND;TZID=Europe/Amsterdam:20280101T100000",
    )
    assert times(calendar(event(*WEEKLY), away)) == ["10-21 07:00", "11-04 08:00", "11-11 08:00"]


def test_an_orphan_of_a_series_that_is_not_there_counts():
    alone = event("RECURRENCE-ID:20261022T090000Z", "DTSTART:20261022T110000Z", "DURATION:PT1H")
    assert times(calendar(alone)) == ["10-22 11:00"]


def test_durations_are_elapsed_time_and_no_end_is_no_time():
    night = event("DTSTART;TZID=Europe/Amsterdam:20261025T000000", "DURATION:PT6H")
    point = event("DTSTART:20261026T090000Z", uid="2")
    long, none = read(calendar(night, point)).events
    assert long.end - long.begin == timedelta(hours=6)
    assert none.end == none.begin


def test_what_is_said_besides_the_time_is_read():
    begin = ("DTSTART:20261026T090000Z", "DURATION:PT1H")
    found = {
        each.uid: each
        for each in read(
            calendar(
                event(*begin, "TRANSP:TRANSPARENT", uid="free"),
                event(*begin, "STATUS:TENTATIVE", uid="tentative"),
                event(*begin, "X-MICROSOFT-CDO-BUSYSTATUS:OOF", uid="out"),
                event(*begin, "X-MICROSOFT-CDO-BUSYSTATUS:WORKINGELSEWHERE", uid="elsewhere"),
                event(*begin, "ATTENDEE;PARTSTAT=DECLINED:MAILTO:Me@Example.org", uid="declined"),
                event(
                    *begin,
                    "ATTENDEE;PARTSTAT=DECLINED:mailto:other@example.org",
                    "ATTENDEE;PARTSTAT=ACCEPTED:mailto:me@example.org",
                    uid="accepted",
                ),
                event(*begin, "ATTENDEE:mailto:me@example.org", uid="asked"),
            ),
            me="me@example.org",
        ).events
    }
    assert not found["free"].busy
    assert found["tentative"].status == "tentative"
    assert found["out"].kind == "outOfOffice"
    assert found["elsewhere"].kind == "workingLocation"
    assert found["declined"].response == "declined"
    assert found["accepted"].response == "accepted"
    assert found["asked"].response == "needsAction"
    assert found["free"].response == "none"


def test_a_calendar_that_is_named_by_an_address_is_that_persons():
    declined = event(
        "DTSTART:20261026T090000Z", "DURATION:PT1H", "ATTENDEE;PARTSTAT=DECLINED:mailto:me@x.org"
    )
    (found,) = read(calendar(declined, head="X-WR-CALNAME:me@x.org")).events
    assert found.response == "declined"


BROKEN = [
    event("DTSTART:garbage", uid="b1"),
    event(uid="b2"),
    event("DTSTART:20261026T090000Z", "RRULE:FREQ=NONSENSE", uid="b3"),
    event("DTSTART:20261026T090000Z", "DTEND;VALUE=DATE:20261027", uid="b4"),
    "BEGIN:VEVENT\nno line of a calendar\nUID:b5\nEND:VEVENT",
    event("DTSTART;TZID=Europe/Amsterdam:20261035T090000", uid="b6"),
]


def test_broken_events_are_left_out_one_by_one_and_counted():
    good = event("DTSTART:20261026T090000Z", "DURATION:PT1H", uid="good")
    found = read(calendar(*BROKEN[:3], good, *BROKEN[3:]))
    assert [each.uid for each in found.events] == ["good"]
    assert found.skipped == len(BROKEN)


def test_an_event_that_never_ends_costs_itself_only():
    open_ended = "BEGIN:VEVENT\nUID:open\nDTSTART:20261026T070000Z"
    good = event("DTSTART:20261026T090000Z", "DURATION:PT1H", uid="good")
    found = read(calendar(open_ended, good))
    assert [each.uid for each in found.events] == ["good"]
    assert found.skipped == 1


@pytest.mark.parametrize("content", [b"", b"<html>Sign in</html>", b"\xff\xfe\x00"])
def test_what_is_no_calendar_is_said(content):
    with pytest.raises(FailedError, match="no calendar"):
        read(content)


def test_a_calendar_may_be_empty():
    assert read(calendar()) == ics.Contents([], 0)


def test_too_many_events_are_refused(monkeypatch):
    monkeypatch.setattr(ics, "MOST_EVENTS", 2)
    with pytest.raises(FailedError, match="more than 2 events"):
        read(calendar(*(event("DTSTART:20261026T090000Z", uid=str(each)) for each in range(3))))


def test_a_series_without_measure_is_cut_and_does_not_run_for_ever():
    bomb = event("DTSTART:20261020T000000Z", "DURATION:PT1S", "RRULE:FREQ=SECONDLY")
    assert len(read(calendar(bomb)).events) <= 2_000


def test_folded_lines_old_line_ends_and_a_mark_at_the_beginning_are_read():
    text = calendar(event("DTSTART:2026102", " 6T090000Z", "DURATION:PT1H")).replace(b"\r\n", b"\n")
    assert times(b"\xef\xbb\xbf" + text) == ["10-26 09:00"]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from([*BROKEN, event(*WEEKLY), "END:VEVENT", "BEGIN:VEVENT", "RRULE:X", ":"])))
def test_no_file_makes_it_fail(parts):
    found = read(calendar(*parts))
    assert all(each.begin < END and each.end >= BEGIN for each in found.events)


@settings(deadline=None, max_examples=100)
@given(st.text())
def test_no_text_inside_makes_it_fail(text):
    read(calendar(event("DTSTART:20261026T090000Z"), text, event("DTSTART:20261026T090000Z", text)))
