"""Claimed results of a match (the winner, and the score if there is one), and their validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from draw.rules_of_play import RulesOfPlay
from tournaments.base import scores
from tournaments.base.errors import (
    NotOpen,
    OtherHasWon,
    ResultStands,
    ScoreNeeded,
    UnknownEntrant,
)
from tournaments.models import OPEN_REPORTS, Pairing, PairingState, Report, ReportStatus, Tournament

Games = Sequence[Mapping[str, Any]]
Score = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Claim:
    winner_id: int | None
    score: Score | None = None

    def agrees_with(self, other: Claim) -> bool:
        """True if the claims do not contradict each other; without a score only the winner counts."""
        has_scores = self.score is not None and other.score is not None
        return self.winner_id == other.winner_id and (not has_scores or self.score == other.score)

    @property
    def scores(self) -> dict[str, int | None]:
        a, b = (None, None) if self.score is None else self.score
        return {"score_a": a, "score_b": b}

    def to_json(self, row: Pairing) -> dict[str, Any]:
        """Return the claim as stored with a ruling: the score, or otherwise the winner's number."""
        if self.score is not None:
            return {"score": list(self.score)}
        return {"score": None, "winner": find_number(row, self.winner_id)}


def find_number(row: Pairing, entry_id: int | None) -> int | None:
    """Return the number of one of the two entries of a match, by its primary key."""
    return next((one.number for one in (row.a, row.b) if one is not None and one.pk == entry_id), None)


def identify_match(row: Pairing) -> dict[str, Any]:
    """Return the match for a ruling's data: its key, and who its players were, since a correction may change them."""
    return {"key": row.key, "between": [one.number for one in (row.a, row.b) if one is not None]}


def build_claim(row: Pairing, score: Score | None, winner: int | None) -> Claim:
    """Build a claim from a score or a winner; *winner* is the number of an entry.

    :raises ScoreNeeded: neither a score nor a winner is named.
    :raises OtherHasWon: the named winner has lost by this score.
    :raises UnknownEntrant: the winner does not play in this match.
    """
    numbers = {one.number: one.pk for one in (row.a, row.b) if one is not None}
    if winner is not None and winner not in numbers:
        raise UnknownEntrant
    named = None if winner is None else numbers[winner]
    if score is None:
        if named is None:
            raise ScoreNeeded
        return Claim(named)
    won = row.a_id if score[0] > score[1] else row.b_id
    if named not in (None, won):
        raise OtherHasWon
    return Claim(won, score)


def build_report_claim(row: Pairing, report: Report) -> Claim:
    if report.score_a is None or report.score_b is None:
        return Claim(report.winner_id)
    return build_claim(row, (report.score_a, report.score_b), None)


def build_recorded_claim(row: Pairing) -> Claim:
    score = None if row.score_a is None or row.score_b is None else (row.score_a, row.score_b)
    return Claim(row.winner_id, score)


def list_open_reports(row: Pairing) -> Sequence[Report]:
    """List the unconfirmed reports of a match, disputed ones included, the oldest first."""
    return list(Report.objects.filter(pairing=row, status__in=OPEN_REPORTS).order_by("pk"))


def list_reported(rows: Sequence[Pairing]) -> set[int]:
    """Return the keys of the matches with an unconfirmed report, disputed ones included."""
    open_reports = Report.objects.filter(pairing__in=rows, status__in=OPEN_REPORTS)
    return set(open_reports.values_list("pairing", flat=True))


def drop_open_reports(row: Pairing) -> None:
    """Discard the unconfirmed reports of a match. The caller holds the event's lock."""
    open_reports = Report.objects.filter(pairing=row, status__in=OPEN_REPORTS)
    open_reports.update(status=ReportStatus.DROPPED, confirms_at=None)


def require_open(row: Pairing) -> None:
    if row.state == PairingState.DECIDED:
        raise ResultStands
    if row.state != PairingState.READY or row.opened_at is None:
        raise NotOpen


def check_claim(event: Tournament, row: Pairing, claim: Claim, games: Games = ()) -> None:
    """Require that the score and the games are possible for this match.

    :raises ScoreNeeded: there is no score, and the event or the games require one.
    :raises BadScore: the score is impossible at this length.
    :raises PointsForgotten: the score leaves out points for lateness.
    :raises UnknownEntrant: the winner does not play in this match.
    :raises BadGame, BadGames: the games do not add up to the score.
    """
    if claim.score is None:
        if event.scores_needed or games:
            raise ScoreNeeded
        if claim.winner_id not in {row.a_id, row.b_id}:
            raise UnknownEntrant
        return
    begun = (row.b_late, row.a_late)
    play = RulesOfPlay.from_match_rules(row.rules)
    scores.check_score(claim.score, row.length, begun, play)
    if games:
        scores.check_games(games, claim.score, row.length, begun, play)
