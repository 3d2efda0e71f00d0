"""Whole matches in two files: the other part of a record's match, and the combined verdict.

The other part is searched among the submissions for the same match, or of the same batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from records import match_parts
from records.match_parts import CombinedVerdict
from records.models import RecordMatch, Submission, VerdictWord
from records.models.submissions import STANDS
from records.submissions import replays
from runtime.work.child_processes import FileInProgress


@dataclass(frozen=True, slots=True)
class WholeMatch:
    first: Submission
    second: Submission
    verdict: CombinedVerdict

    @property
    def label(self) -> str:
        return str(VerdictWord(self.verdict.word).label)

    @property
    def both(self) -> tuple[Submission, Submission]:
        return self.first, self.second

    @property
    def winner(self) -> str:
        """The winner's name, "" if the match did not end."""
        return "" if self.verdict.winner is None else self.verdict.players[self.verdict.winner]


def find_whole_match(row: Submission, seen: QuerySet[Submission]) -> WholeMatch | None:
    """Find the match that a submission is a part of, if the other part is among those *seen*."""
    own = _list_matches(row)
    if not own:
        return None
    about = {"pairing": row.pairing} if row.pairing_id else {"batch": row.batch, "pairing": None}
    others = seen.filter(**about, file__judged_at__isnull=False).exclude(file=row.file)
    # A file can contain hundreds of matches: look them up instead of comparing all pairs.
    stops = _index_by_seam(own, match_parts.find_end_seam)
    begins = _index_by_seam(own, match_parts.find_begin_seam)
    for other in others.order_by("-pk")[:10]:
        for theirs in _list_matches(other):
            for mine, first, second in _list_neighbours(theirs, stops, begins):
                swapped = match_parts.find_swap(first.verdict, second.verdict)
                if (
                    swapped is None
                    or second.word not in STANDS
                    or not match_parts.is_continuation(first.verdict, second.verdict, is_swapped=swapped)
                ):
                    continue
                verdict = match_parts.combine_verdicts(
                    first.verdict,
                    second.verdict,
                    is_swapped=swapped,
                    is_refuted=_is_refuted(first, second),
                )
                return WholeMatch(row, other, verdict) if first is mine else WholeMatch(other, row, verdict)
    return None


def _is_refuted(first: RecordMatch, second: RecordMatch) -> bool:
    try:
        return replays.is_refuted(first, second)
    except FileInProgress:
        # The next request tries again; only the decision about the match must wait for the facts.
        return False


Seams = dict[object, RecordMatch]


def _index_by_seam(
    rows: list[RecordMatch], find: Callable[[Mapping[str, Any]], match_parts.Seam | None]
) -> Seams:
    """Index matches by seam; of several with the same seam, the first."""
    found: Seams = {}
    for row in rows:
        if (seam := find(row.verdict)) is not None:
            found.setdefault(seam, row)
    return found


def _list_neighbours(
    theirs: RecordMatch, stops: Seams, begins: Seams
) -> Iterator[tuple[RecordMatch, RecordMatch, RecordMatch]]:
    """Yield own matches that end or begin at a seam of *theirs*, each with the two matches in order."""
    before = stops.get(match_parts.find_begin_seam(theirs.verdict))
    if before is not None:
        yield before, before, theirs
    after = begins.get(match_parts.find_end_seam(theirs.verdict))
    if after is not None:
        yield after, theirs, after


def _list_matches(row: Submission) -> list[RecordMatch]:
    file = row.file
    return [] if file is None else [one for one in file.matches.all() if match_parts.can_be_part(one.verdict)]
