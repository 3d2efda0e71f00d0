"""Photos of a match: re-encoded, limited per side, and only accepted while they are needed."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from players.files import uploads
from players.models import User
from records.base.errors import NotYourPhoto, PhotoNotNeeded, PhotoOfDecidedMatch, TooManyPhotos
from records.models import MatchPhoto
from records.sheets import stored_sheets
from runtime import pictures
from tournaments.base import event_lines
from tournaments.models import Entry, Pairing, PairingState, Report, ReportStatus, Tournament
from tournaments.play import changes, results
from tournaments.play.code_holders import CodeHolder

# Pixels; enough to recognise checkers and dice.
SIDE: Final = 1600
# Limit for each player, and for the desk.
MOST: Final = 6


def add(
    *,
    tournament_id: int,
    match: str,
    by: User | CodeHolder,
    data: bytes,
    now: datetime,
    device: str = "",
    payers: Collection[str] = (),
) -> MatchPhoto:
    """Store a photo of a match. A duplicate returns the stored one, but counts towards the limits.

    The limits apply to *payers*, the match and the device.

    :raises NotYourSheet: `by` neither plays here nor directs.
    :raises CodeExpired, SeatsMoved, NotYourMatch: the match's code does not allow it.
    :raises UnknownPairing: there is no such match.
    :raises PhotoNotNeeded: it is neither disputed nor adjourned.
    :raises TooManyPhotos: this side has sent as many as it may.
    :raises BadPicture: not a picture, or too large.
    :raises RetryLater: a concurrent upload of one of the payers, or the rate limit.
    """
    device = by.device if isinstance(by, CodeHolder) else device
    with transaction.atomic():
        # Check permissions before decoding.
        row, _own = _lock_match(tournament_id, match, by, now=now)
    paying = [*payers, f"match {row.pk}"]
    paying += [f"device {device}"] if device else []
    with uploads.count_upload(paying, now=now):
        content = pictures.reencode_image(data, kind=pictures.Kind.JPEG, side=SIDE, payers=paying)
    sha256 = hashlib.sha256(content).hexdigest()
    with transaction.atomic():
        row, own = _lock_match(tournament_id, match, by, now=now)
        if known := MatchPhoto.objects.filter(pairing=row, sha256=sha256).first():
            return known
        if MatchPhoto.objects.filter(pairing=row, entry=own).count() >= MOST:
            raise TooManyPhotos(most=MOST)
        return MatchPhoto.objects.create(
            pairing=row,
            entry=own,
            by=None if isinstance(by, CodeHolder) else by,
            device=device,
            sha256=sha256,
            content=content,
            at=now,
        )


def remove(*, tournament_id: int, match: str, key: str, by: User | CodeHolder, now: datetime) -> None:
    """Delete a photo. Players can delete their own until the match is decided, the desk any. Idempotent.

    :raises NotYourSheet, CodeExpired, SeatsMoved, NotYourMatch: as for `add`.
    :raises NotYourPhoto: the other side or the desk has sent it.
    :raises PhotoOfDecidedMatch: the match is decided.
    """
    with transaction.atomic():
        event = changes.lock_event(tournament_id)
        row = results.get_match(event, match)
        own = stored_sheets.find_entry(event, row, by, now=now)
        photo = MatchPhoto.objects.filter(pairing=row, key=key).first()
        if photo is None:
            return
        if own is not None:
            if photo.entry_id != own.pk:
                raise NotYourPhoto
            if row.state == PairingState.DECIDED:
                raise PhotoOfDecidedMatch
        photo.delete()


def _lock_match(
    tournament_id: int, match: str, by: User | CodeHolder, *, now: datetime
) -> tuple[Pairing, Entry | None]:
    """Lock the match; return it with the sender's entry, None for the desk."""
    event = changes.lock_event(tournament_id)
    row = results.get_match(event, match)
    own = stored_sheets.find_entry(event, row, by, now=now)
    if not may_add_photos(row):
        raise PhotoNotNeeded
    return row, own


@dataclass(frozen=True, slots=True)
class PhotoView:
    key: str
    name: str
    at: datetime
    address: str
    # True if the viewer may delete it.
    is_own: bool


def may_add_photos(row: Pairing) -> bool:
    """True if photos can be added: the match is open, and disputed or adjourned."""
    if row.state != PairingState.READY or row.match_id is not None:
        return False
    disputed = Report.objects.filter(pairing=row, status=ReportStatus.DISPUTED)
    return "adjourned" in row.running or disputed.exists()


def list_photos(
    row: Pairing, event: Tournament, own: Entry | None, *, is_desk: bool = False, code: str = ""
) -> tuple[PhotoView, ...]:
    """Return the photos of a match; with *code*, under URLs that the code opens."""
    found = MatchPhoto.objects.filter(pairing=row).select_related("entry__player").defer("content")
    may_delete = row.state != PairingState.DECIDED
    return tuple(
        PhotoView(
            photo.key,
            event_lines.format_player_name(photo.entry.player) if photo.entry else _("The desk"),
            photo.at,
            reverse("records:code_photo", args=[code, photo.key])
            if code
            else reverse("records:photo", args=[event.key, photo.key]),
            is_desk or (may_delete and own is not None and photo.entry_id == own.pk),
        )
        for photo in found
    )


def find_photo(row: Pairing, key: str) -> MatchPhoto | None:
    return MatchPhoto.objects.filter(pairing=row, key=key).first()


def export_photos(player: Any) -> list[dict[str, object]]:
    found = (
        MatchPhoto.objects.filter(by__player=player).select_related("pairing__tournament").defer("content")
    )
    return [
        {
            "key": row.key,
            "event": row.pairing.tournament.key,
            "match": row.pairing.key,
            "at": row.at,
            "sha256": row.sha256,
        }
        for row in found
    ]
