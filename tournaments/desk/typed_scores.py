"""Scores as a director or a helper types them beside an open match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draw.play import RulesOfPlay
from tournaments.base import scores
from tournaments.models import Pairing, Report, ReportStatus
from tournaments.play import claims

if TYPE_CHECKING:
    from tournaments.models import Tournament

    Score = tuple[int, int]


def parse(event: Tournament, key: str, typed: str, winner: int | None = None) -> Score:
    """Read a score of a match; the loser's points are enough if it is clear who won.

    It is clear if *winner*, the number of an entry, is given, or if the players' open reports agree about it.

    :raises BadScore: no match of this length ends like that.
    """
    row = Pairing.objects.select_related("a", "b").filter(tournament=event, key=key).first()
    if row is None:
        return scores.parse(typed, event.match_length)
    return scores.parse(typed, row.length, RulesOfPlay.from_match_rules(row.rules), _find_winner(row, winner))


def _find_winner(row: Pairing, number: int | None) -> str:
    """Return "a" or "b", or "" if it is not clear."""
    winners: set[int | None]
    if number is not None:
        winners = {entry.pk for entry in (row.a, row.b) if entry is not None and entry.number == number}
    else:
        reports = Report.objects.filter(pairing=row, status__in=[ReportStatus.OPEN, ReportStatus.DISPUTED])
        winners = {claims.of_report(row, report).winner_id for report in reports}
    if winners == {row.a_id}:
        return "a"
    return "b" if winners == {row.b_id} else ""
