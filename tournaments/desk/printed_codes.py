"""Printed codes with their expiry, drawn only if phones can reach this server."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from runtime.install import reach
from tournaments.base import codes, local_times
from tournaments.hooks import TypedLetters
from tournaments.models import Pairing, Tournament


class TypedCode(NamedTuple):
    """The letters to type instead of a code, and the page for them."""

    letters: str
    # The address of that page without "https://".
    where: str
    # In the club's time zone; "" if they are valid as long as the code.
    until: str


class PrintedCode(NamedTuple):
    """A printed code and its expiry in the club's time zone."""

    drawn: SafeString
    until: str
    typed: TypedCode | None = None


def can_be_scanned(request: HttpRequest) -> bool:
    """True if phones can reach this server, so that a printed code works."""
    return reach.build_phone_url(request, "/") != ""


def draw_table_codes(
    request: HttpRequest, event: Tournament, keys: Collection[str], *, is_for_event: bool, now: datetime
) -> dict[str, PrintedCode]:
    """Draw the codes of tables, by their keys, for an event or for the room.

    Empty if phones cannot reach the server.
    """
    event_id = event.pk if is_for_event else None
    addresses = {key: codes.build_table_address(key, now=now, event_id=event_id) for key in keys}
    title, day = _("QR code of the table"), local_times.format_full_day
    return _draw_codes(request, event, addresses, title, day=day, now=now)


def draw_door_code(request: HttpRequest, event: Tournament, *, now: datetime) -> PrintedCode | None:
    """Draw the code at the door of an event; None if phones cannot reach the server."""
    code = codes.build_door_code(event.pk, event.starts_at, now)
    link = reach.build_phone_url(request, reverse("tournaments:door", args=[code]))
    code_read = codes.parse_door_code(code)
    if not link or code_read is None:
        return None
    until = local_times.format_moment(code_read.until, event.club.time_zone)
    return PrintedCode(reach.render_qr_code(link, title=_("QR code at the door")), until)


def draw_match_codes(
    request: HttpRequest, event: Tournament, keys: Collection[str], *, now: datetime
) -> dict[str, PrintedCode]:
    """Draw the codes of matches, by their keys; empty if phones cannot reach the server."""
    rows = Pairing.objects.filter(tournament=event, key__in=keys)
    addresses = {row.key: codes.build_match_address(row, now=now) for row in rows}
    title, day = _("QR code of the match"), local_times.format_short_day
    return _draw_codes(request, event, addresses, title, day=day, now=now)


def build_typed_code(
    request: HttpRequest, event: Tournament, address: str, *, now: datetime
) -> TypedCode | None:
    """Return the letters to type instead of a code shown on a screen; None if there are none."""
    found = codes.shorten_addresses([address], begins=event.starts_at, now=now).get(address)
    return None if found is None else _build_code_letters(request, event, found, address)


def _draw_codes(
    request: HttpRequest,
    event: Tournament,
    addresses: Mapping[str, str],
    title: str,
    *,
    day: Callable[[datetime, str], str],
    now: datetime,
) -> dict[str, PrintedCode]:
    """Draw the codes of addresses, by the same keys; nothing for those without an address.

    Empty if phones cannot reach the server.
    """
    known = {key: address for key, address in addresses.items() if address}
    if not known or not can_be_scanned(request):
        return {}
    zone = event.club.time_zone
    shortened = codes.shorten_addresses([*known.values()], begins=event.starts_at, now=now)
    drawn: dict[str, PrintedCode] = {}
    for key, address in known.items():
        until, letters = codes.get_expiry(address), shortened.get(address)
        drawn[key] = PrintedCode(
            reach.render_qr_code(reach.build_phone_url(request, address), title=title),
            local_times.format_moment(until, zone, day),
            None if letters is None else _build_code_letters(request, event, letters, address),
        )
    return drawn


def _build_code_letters(
    request: HttpRequest, event: Tournament, found: TypedLetters, address: str
) -> TypedCode:
    page, zone = reverse("records:type_code"), event.club.time_zone
    link = reach.build_phone_url(request, page) or request.build_absolute_uri(page)
    until = ""
    if found.until < codes.get_expiry(address):
        until = local_times.format_moment(found.until, zone)
    return TypedCode(found.letters, link.partition("://")[2], until)
