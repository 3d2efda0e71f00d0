"""The other half of a record: what was handed in for the same match, or together with it, and the verdict over both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from records import halves
from records.models import RecordMatch, Submission, VerdictWord

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from records.halves import Together

GOOD = (VerdictWord.ACCEPTED, VerdictWord.NOTED)


@dataclass(frozen=True, slots=True)
class Whole:
    """A match in two files."""

    first: Submission
    second: Submission
    verdict: Together

    @property
    def label(self) -> str:
        """The verdict in a word."""
        return str(VerdictWord(self.verdict.word).label)

    @property
    def both(self) -> tuple[Submission, Submission]:
        """The two, in their order."""
        return self.first, self.second

    @property
    def winner(self) -> str:
        """Who has won, "" where it did not end."""
        return "" if self.verdict.winner is None else self.verdict.players[self.verdict.winner]


def of(row: Submission, seen: QuerySet[Submission]) -> Whole | None:
    """Return the match that a submission is a half of, as far as the other half is among those *seen*."""
    own = _matches(row)
    if not own:
        return None
    about = {"pairing": row.pairing} if row.pairing_id else {"batch": row.batch, "pairing": None}
    others = seen.filter(**about, file__judged_at__isnull=False).exclude(file=row.file)
    for other in others.order_by("-pk")[:10]:
        for theirs in _matches(other):
            for mine in own:
                for first, one, second, two in ((row, mine, other, theirs), (other, theirs, row, mine)):
                    swapped = halves.sits_swapped(one.verdict, two.verdict)
                    if swapped is not None and halves.goes_on(one.verdict, two.verdict, is_swapped=swapped):
                        told = halves.together(one.verdict, two.verdict, is_swapped=swapped)
                        return Whole(first, second, told)
    return None


def _matches(row: Submission) -> list[RecordMatch]:
    file = row.file
    return [] if file is None else [one for one in file.matches.all() if one.word in GOOD]
