"""Submissions visible to their submitter, the match's players, and the club's directors."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet

from players.access.permissions import list_clubs_where
from players.models import Club, User
from records import match_parts
from records.models import Outcome, RecordMatch, Submission
from records.sheets.coded_matches import OpenedMatch
from records.submissions import naming
from tournaments.base import event_lines
from tournaments.models import Entry, Pairing

# The outcome follows the verdict at once; after this time pages stop waiting for it.
LONGEST_WAIT: Final = timedelta(minutes=1)
OF_MATCH: Final = ("tournament", "a__player", "b__player")


def list_visible(user: User) -> QuerySet[Submission]:
    """Return the submissions visible to the account, without the file content."""
    mine = (
        Q(by=user)
        | Q(pairing__a__player__user=user)
        | Q(pairing__b__player__user=user)
        | Q(club__in=list_clubs_where(user, "tournaments.direct").values("pk"))
    )
    return _load_relations(Submission.objects.filter(pk__in=Submission.objects.filter(mine).values("pk")))


def list_at_table(held: OpenedMatch, own: Entry | None) -> QuerySet[Submission]:
    """Return the submissions for this side with the code of the match."""
    if own is None:
        return Submission.objects.none()
    return _load_relations(Submission.objects.filter(pairing=held.row, entry=own))


def _load_relations(rows: QuerySet[Submission]) -> QuerySet[Submission]:
    return (
        rows.select_related(
            "club", "file", "by__player", "mends__club", *(f"pairing__{name}" for name in OF_MATCH)
        )
        .defer("file__content")
        .prefetch_related(Prefetch("file__matches", RecordMatch.objects.order_by("number")))
    )


@dataclass(frozen=True, slots=True)
class SubmissionMatch:
    uid: str
    players: tuple[str, str]
    event: str
    address: str


@dataclass(frozen=True, slots=True)
class NameQuestion:
    """The question which player is White, with the names in the record and of the players."""

    written: tuple[str, str]
    players: tuple[str, str]


def find_match(club: Club, uid: str) -> Pairing | None:
    """Find a match of a club by its `uid`, if it has two players."""
    try:
        wanted = UUID(uid)
    except ValueError:
        return None
    rows = Pairing.objects.select_related(*OF_MATCH)
    return rows.filter(uid=wanted, tournament__club=club, a__isnull=False, b__isnull=False).first()


def build_match_view(row: Pairing) -> SubmissionMatch:
    return SubmissionMatch(
        str(row.uid), _list_player_names(row), row.tournament.name, row.tournament.get_absolute_url()
    )


def find_open_question(row: Submission) -> NameQuestion | None:
    """Find the question who is who; None if it is answered, or the record names neither player."""
    if row.outcome != Outcome.WHO or row.pairing is None or row.file is None:
        return None
    for match in filter(naming.has_names, row.file.matches.all()):
        if naming.name_sides(row.pairing, match.white, match.black)[0] == match_parts.UNKNOWN:
            return NameQuestion((match.white or "?", match.black or "?"), _list_player_names(row.pairing))
    return None


def is_waiting(row: Submission, *, now: datetime) -> bool:
    """True while the verdict or the outcome is pending."""
    if row.file is None:
        return False
    judged = row.file.judged_at
    if judged is None:
        return True
    # A known file was judged long ago, but its outcome for this match is still pending.
    return row.pairing_id is not None and not row.outcome and now - max(judged, row.at) < LONGEST_WAIT


def _list_player_names(row: Pairing) -> tuple[str, str]:
    one, other = (event_lines.format_player_name(each.player) for each in (row.a, row.b) if each is not None)
    return one, other
