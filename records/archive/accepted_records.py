"""Accepted records, for other packages (`matches.hooks.RECORDS`)."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from engine.record import Record
from engine.side import BySide, Side
from matches.hooks import RecordedMatch, Viewer
from matches.journal.replays import Replay
from players.models import User
from records.models import RecordMatch
from records.models.submissions import STANDS
from records.submissions import replays, visible_submissions


def list_accepted(since: Any = None) -> QuerySet[RecordMatch]:
    """Return the accepted records, optionally only those judged at *since* or later."""
    rows = RecordMatch.objects.filter(word__in=STANDS)
    return rows if since is None else rows.filter(judged_at__gte=since)


def find_record(key: str) -> RecordedMatch | None:
    row = _find_row(key)
    if row is None:
        return None
    return RecordedMatch(
        key=row.key,
        sha256=replays.hash_content(row),
        names=BySide(row.white or _("White"), row.black or _("Black")),
        length=row.length or 0,
        winner=None if row.winner is None else Side(row.winner),
    )


def load_facts(key: str) -> Record:
    """Load the facts of a record.

    :raises LookupError: it is not accepted.
    """
    return replays.load_facts(_require_row(key))


def load_replay(key: str) -> Replay:
    """Load the replay of a record.

    :raises LookupError: it is not accepted.
    """
    return replays.load_replay(_require_row(key))


def build_replay_url(user: Viewer, key: str) -> str:
    """Return the URL of the replay for users who may see the verdict; else ""."""
    if not isinstance(user, User) or (row := _find_row(key)) is None:
        return ""
    handed_in = visible_submissions.list_visible(user).filter(file=row.file_id).first()
    if handed_in is None:
        return ""
    return reverse("records:replay", args=[handed_in.club.slug, handed_in.key, row.number])


def _require_row(key: str) -> RecordMatch:
    row = _find_row(key)
    if row is None:
        raise LookupError(f"there is no record {key}")
    return row


def _find_row(key: str) -> RecordMatch | None:
    return list_accepted().select_related("file").defer("file__content", "verdict").filter(key=key).first()
