"""The photos of a match for display."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext as _

from records.models import MatchPhoto
from tournaments.base import event_lines
from tournaments.models import Pairing, PairingState, Report, ReportStatus

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import Entry, Tournament


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
    return "adjourned" in row.running or is_disputed(row)


def is_disputed(row: Pairing) -> bool:
    """True if the two have reported different results."""
    return Report.objects.filter(pairing=row, status=ReportStatus.DISPUTED).exists()


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
    """Return a player's photos, for the export of their data."""
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
