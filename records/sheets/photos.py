"""Photos of a match: taken in painted anew, a few from each side, as long as somebody has to see them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from django.db import transaction

from players.files import uploads
from records.base.errors import NotYourPhoto, PhotoNotNeeded, TooManyPhotos
from records.models import MatchPhoto
from records.sheets import photo_pages, sheet_pages
from runtime import pictures
from tournaments.play import changes, results
from tournaments.play.at_table import AtTable

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from players.models import User
    from tournaments.models import Entry, Pairing

# A checker and the pips of a die can be told apart.
SIDE: Final = 1600
# From each of the two, and from the desk.
MOST: Final = 6


def add(
    *,
    tournament_id: int,
    match: str,
    by: User | AtTable,
    data: bytes,
    now: datetime,
    device: str = "",
    payers: Collection[str] = (),
) -> MatchPhoto:
    """Keep a photo of a match; the same again is the one that is there, and is decoded and counted like any other.

    Besides *payers* the match and the device pay.

    :raises NotYourSheet: `by` neither plays here nor directs.
    :raises CodeExpired, SeatsMoved, NotYourMatch: the match's code does not let them.
    :raises UnknownPairing: there is no such match.
    :raises PhotoNotNeeded: it is neither disputed nor adjourned.
    :raises TooManyPhotos: no more are taken from this side.
    :raises BadPicture: it is none, or too large.
    :raises Later: one of the payers has another file read at this moment, or has sent many.
    """
    device = by.device if isinstance(by, AtTable) else device
    with transaction.atomic():
        # Nothing is decoded for somebody who may not send it.
        row, _own = _side(tournament_id, match, by, now=now)
    paying = [*payers, f"match {row.pk}"]
    paying += [f"device {device}"] if device else []
    with uploads.count(paying, now=now):
        content = pictures.painted_anew(data, kind=pictures.Kind.JPEG, side=SIDE, payers=paying)
    sha256 = hashlib.sha256(content).hexdigest()
    with transaction.atomic():
        row, own = _side(tournament_id, match, by, now=now)
        if known := MatchPhoto.objects.filter(pairing=row, sha256=sha256).first():
            return known
        if MatchPhoto.objects.filter(pairing=row, entry=own).count() >= MOST:
            raise TooManyPhotos(most=MOST)
        return MatchPhoto.objects.create(
            pairing=row,
            entry=own,
            by=None if isinstance(by, AtTable) else by,
            device=device,
            sha256=sha256,
            content=content,
            at=now,
        )


def remove(*, tournament_id: int, match: str, key: str, by: User | AtTable, now: datetime) -> None:
    """Delete a photo: the desk any, a player their own as long as the match is not decided; one that is gone stays so.

    :raises NotYourSheet, CodeExpired, SeatsMoved, NotYourMatch: as for `add`.
    :raises NotYourPhoto: the other side or the desk has sent it.
    :raises PhotoNotNeeded: the match is decided, and its photos stay with it.
    """
    with transaction.atomic():
        event = changes.lock(tournament_id)
        row = results.find(event, match)
        own = sheet_pages.keeper(event, row, by, now=now)
        photo = MatchPhoto.objects.filter(pairing=row, key=key).first()
        if photo is None:
            return
        if own is not None:
            if photo.entry_id != own.pk:
                raise NotYourPhoto
            if not photo_pages.are_wanted(row):
                raise PhotoNotNeeded
        photo.delete()


def _side(
    tournament_id: int, match: str, by: User | AtTable, *, now: datetime
) -> tuple[Pairing, Entry | None]:
    """Return the locked match, and for which of the two somebody sends photos of it; None for the desk."""
    event = changes.lock(tournament_id)
    row = results.find(event, match)
    own = sheet_pages.keeper(event, row, by, now=now)
    if not photo_pages.are_wanted(row):
        raise PhotoNotNeeded
    return row, own
