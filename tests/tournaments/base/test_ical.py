"""Calendar feeds, read back by a reader that knows RFC 5545 and not our writer."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Club, User
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import ical
from tournaments.models import Tournament
from tournaments.plan import setup
from tournaments.plan.templates import StagePlan
from tournaments.status import Status


def read(octets: bytes) -> list[dict[str, str]]:
    """Unfold, split and unescape; return the entries as dictionaries."""
    assert octets.endswith(b"\r\n")
    assert b"\n" not in octets.replace(b"\r\n", b"")
    raw = octets.split(b"\r\n")
    assert all(len(line) <= 75 for line in raw)
    lines = octets.replace(b"\r\n ", b"").decode().split("\r\n")[:-1]
    assert (lines[0], lines[-1]) == ("BEGIN:VCALENDAR", "END:VCALENDAR")
    entries: list[dict[str, str]] = []
    for line in lines[1:-1]:
        name, _, value = line.partition(":")
        if line == "BEGIN:VEVENT":
            entries.append({})
        elif line != "END:VEVENT" and entries:
            entries[-1][name.partition(";")[0]] = unescape(value)
    return entries


def unescape(value: str) -> str:
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "N": "\n"}.get(found[1], found[1]), value)


def appointment(**values: object) -> ical.CalendarEntry:
    start = datetime(2026, 3, 5, 19, 30, tzinfo=UTC)
    base = {
        "uid": "x@example.org",
        "starts_at": start,
        "ends_at": start + timedelta(hours=4),
        "changed_at": start,
        "sequence": 0,
        "summary": "Thursday",
    }
    return ical.CalendarEntry(**{**base, **values})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "Plain",
        "Bar, back room; 2nd floor",
        "C:\\games\\night",
        "Two\nlines and a literal \\n",
        "Ünïcödé 将棋 🎲 " * 12,
        "x" * 75,
        "é" * 200,
        "END:VEVENT\nBEGIN:VEVENT",
    ],
)
def test_text_survives_escaping_and_folding(text: str) -> None:
    (entry,) = read(ical.build_feed("Club", [appointment(summary=text, about=text)]))

    assert entry["SUMMARY"] == text
    assert entry["DESCRIPTION"] == text


def test_control_characters_do_not_survive() -> None:
    (entry,) = read(ical.build_feed("Club", [appointment(summary="a\x00b\x1bc\r\nd")]))

    assert entry["SUMMARY"] == "abc\nd"


def test_the_feed_of_a_club(
    event: Callable[..., Tournament], club: Club, greta: User, client: Client, now: datetime, settings: object
) -> None:
    berlin_evening = datetime.now(UTC).replace(microsecond=0) + timedelta(days=3)
    shown = event(starts_at=berlin_evening, place="Cellar, left door", about="Bring a board")
    event(Status.DRAFT)
    off = event(Status.CANCELLED, starts_at=berlin_evening + timedelta(days=1))
    words = setup.build_details(shown)
    setup.edit(
        tournament_id=shown.pk,
        by=greta,
        details=setup.Details(
            name="Friday", starts_at=words.starts_at, place=words.place, about=words.about, match_length=5
        ),
        now=now,
    )

    response = client.get(reverse("tournaments:calendar_feed", args=[club.slug]))
    entries = {entry["UID"].partition("@")[0]: entry for entry in read(response.content)}

    assert response["Content-Type"] == "text/calendar; charset=utf-8"
    assert set(entries) == {shown.key, off.key}
    mine = entries[shown.key]
    assert mine["SUMMARY"] == "Friday"
    assert mine["DTSTART"] == berlin_evening.strftime("%Y%m%dT%H%M%SZ")
    assert mine["LOCATION"] == "Cellar, left door"
    assert mine["STATUS"] == "CONFIRMED"
    assert mine["SEQUENCE"] == "2"
    assert mine["URL"].endswith(f"/events/{shown.key}/")
    assert entries[off.key]["STATUS"] == "CANCELLED"


def test_one_event_and_the_dates_of_its_rounds(desk: Desk, client: Client) -> None:
    desk.start(a_plan([StagePlan(format="league", round_days=7)]), 4)

    response = client.get(reverse("tournaments:event_calendar", args=[desk.event.key]))
    whole, first, second, third = read(response.content)

    assert response["Content-Type"] == "text/calendar; charset=utf-8"
    assert whole["UID"].partition("@")[0] == desk.event.key
    assert (whole["SUMMARY"], second["SUMMARY"]) == ("Thursday", "Thursday: round 2 ends")
    ends = [desk.now + timedelta(days=days) for days in (7, 14, 21)]
    assert [one["DTEND"] for one in (first, second, third)] == [f"{by:%Y%m%dT%H%M%SZ}" for by in ends]
    assert whole["UID"] != second["UID"]
    schedule = client.get(reverse("tournaments:schedule", args=[desk.event.key])).content.decode()
    for by in ends:
        assert f"{by:%Y-%m-%d}" in schedule.partition("to be played by")[2]


def test_rounds_of_an_evening_are_not_in_the_calendar(desk: Desk, client: Client) -> None:
    desk.start(a_plan([StagePlan(format="single-elimination", round_minutes=90)]), 4)

    response = client.get(reverse("tournaments:event_calendar", args=[desk.event.key]))

    assert [one["SUMMARY"] for one in read(response.content)] == ["Thursday"]


def test_a_draft_is_in_nobodys_calendar(event: Callable[..., Tournament], client: Client) -> None:
    draft = event(Status.DRAFT)

    assert client.get(reverse("tournaments:event_calendar", args=[draft.key])).status_code == 404
