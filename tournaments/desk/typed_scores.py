"""Scores typed beside an open match by a director or a helper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from draw.rules_of_play import RulesOfPlay
from runtime.rows import find_row
from tournaments.base import event_lines, scores
from tournaments.models import OPEN_REPORTS, Pairing, Report
from tournaments.play import claims

if TYPE_CHECKING:
    from tournaments.models import Tournament

    Score = tuple[int, int]


def parse_score(event: Tournament, key: str, typed: str, winner: int | None = None) -> Score:
    """Parse a score of a match; the loser's points are enough if the winner is known.

    The winner is known if *winner*, the number of an entry, is given, or if the open reports agree about it.

    :raises BadScore: the score is impossible at this length.
    """
    row = find_row(Pairing.objects.select_related("a", "b").filter(tournament=event, key=key))
    if row is None:
        return scores.parse_score(typed, event.match_length)
    return scores.parse_score(
        typed, row.length, RulesOfPlay.from_match_rules(row.rules), _find_winner(row, winner)
    )


def describe_entered(event: Tournament, key: str, score: Score | None, winner: int = 0) -> str:
    """Describe the result that was entered, with both names in the order of the score."""
    if score is not None:
        row = event.pairings.select_related("a__player", "b__player").get(key=key)
        names = (event_lines.format_player_name(entry.player) if entry else "–" for entry in (row.a, row.b))  # noqa: RUF001
        said = _("%(one)s – %(other)s: %(a)s–%(b)s is entered.")  # noqa: RUF001
        return said % dict(zip(("one", "other", "a", "b"), (*names, *score), strict=True))
    entry = event.entries.select_related("player").get(number=winner)
    return _("Entered: %(name)s won.") % {"name": event_lines.format_player_name(entry.player)}


def _find_winner(row: Pairing, number: int | None) -> str:
    """Return the winner's side, "a" or "b"; "" if it is not known."""
    winners: set[int | None]
    if number is not None:
        winners = {entry.pk for entry in (row.a, row.b) if entry is not None and entry.number == number}
    else:
        reports = Report.objects.filter(pairing=row, status__in=OPEN_REPORTS)
        winners = {claims.build_report_claim(row, report).winner_id for report in reports}
    if winners == {row.a_id}:
        return "a"
    return "b" if winners == {row.b_id} else ""
