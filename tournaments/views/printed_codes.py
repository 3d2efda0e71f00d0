"""Codes on paper: drawn where a phone that scans them reaches us, with the time until when they are good."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from runtime import qr, reach
from tournaments import door_codes, hours
from tournaments.models import Pairing
from tournaments.selectors import match_codes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime

    from django.http import HttpRequest
    from django.utils.safestring import SafeString

    from players.models import Club
    from tournaments.models import Tournament


class PrintedCode(NamedTuple):
    """A code as it stands on paper, and until when it is good by the club's clock."""

    drawn: SafeString
    until: str


def can_be_scanned(request: HttpRequest) -> bool:
    """Say whether a phone reaches us, so that a code on paper leads somewhere."""
    return reach.for_phones(request, "/") != ""


def of_table(
    request: HttpRequest, club: Club, key: str, *, now: datetime, event_id: int | None = None
) -> PrintedCode | None:
    """Return the code of a table, for one event or for the room, if phones reach us."""
    address = match_codes.of_table(key, now=now, event_id=event_id)
    return _of(request, address, _("QR code of the table"), club.time_zone, day=hours.full_day)


def of_door(request: HttpRequest, event: Tournament, *, now: datetime) -> PrintedCode | None:
    """Return the code at the door of an event, if phones reach us."""
    code = door_codes.of_event(event.pk, event.starts_at, now)
    link = reach.for_phones(request, reverse("tournaments:door", args=[code]))
    said = door_codes.read(code)
    if not link or said is None:
        return None
    zone = event.club.time_zone
    until = f"{hours.short_day(said.until, zone)}, {hours.hour(said.until, zone)}"
    return PrintedCode(qr.svg(link, title=_("QR code at the door")), until)


def of_matches(
    request: HttpRequest, event: Tournament, keys: Collection[str], *, now: datetime
) -> dict[str, PrintedCode | None]:
    """Return the codes of matches by their keys, if phones reach us."""
    zone = event.club.time_zone
    return {
        row.key: _of(
            request,
            match_codes.of_match(row, now=now),
            _("QR code of the match"),
            zone,
            day=hours.short_day,
        )
        for row in Pairing.objects.filter(tournament=event, key__in=keys)
    }


def _of(
    request: HttpRequest, address: str, title: str, zone: str, *, day: Callable[[datetime, str], str]
) -> PrintedCode | None:
    link = reach.for_phones(request, address) if address else ""
    if not link:
        return None
    until = match_codes.until(address)
    return PrintedCode(qr.svg(link, title=title), f"{day(until, zone)}, {hours.hour(until, zone)}")
