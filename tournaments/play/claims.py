"""What is said of how a match was played: who won, and the score, which a club may do without; and what may still be said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from draw.event import Kind
from draw.play import RulesOfPlay
from tournaments.base import scores
from tournaments.base.errors import (
    AlreadyDone,
    DirectorDecides,
    NotOpen,
    OtherHasWon,
    ResultStands,
    ScoreNeeded,
    UnknownEntrant,
)
from tournaments.models import Report, ReportStatus, Stand

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.models import Pairing, Tournament

    Games = Sequence[Mapping[str, Any]]
    Score = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Claim:
    """Who won, and by how much if that is said."""

    winner_id: int | None
    score: Score | None = None

    def agrees_with(self, other: Claim) -> bool:
        """Say whether the two do not contradict each other: naming the winner alone denies no score."""
        has_scores = self.score is not None and other.score is not None
        return self.winner_id == other.winner_id and (not has_scores or self.score == other.score)

    @property
    def scores(self) -> dict[str, int | None]:
        """Return the points as the columns of a row hold them."""
        a, b = (None, None) if self.score is None else self.score
        return {"score_a": a, "score_b": b}

    def told(self, row: Pairing) -> dict[str, Any]:
        """Return it for the record of rulings: the score, or else the winner's number."""
        if self.score is not None:
            return {"score": list(self.score)}
        winner = next(one for one in (row.a, row.b) if one is not None and one.pk == self.winner_id)
        return {"score": None, "winner": winner.number}


def of(row: Pairing, score: Score | None, winner: int | None) -> Claim:
    """Read what was said; *winner* is the number of an entry.

    :raises ScoreNeeded: neither a score nor a winner is named.
    :raises OtherHasWon: the winner is not who has won by this score.
    :raises UnknownEntrant: the winner does not play here.
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


def of_report(row: Pairing, said: Report) -> Claim:
    """Return what a report says."""
    if said.score_a is None or said.score_b is None:
        return Claim(said.winner_id)
    return of(row, (said.score_a, said.score_b), None)


def standing(row: Pairing) -> Claim:
    """Return what a match that was played stands at."""
    score = None if row.score_a is None or row.score_b is None else (row.score_a, row.score_b)
    return Claim(row.winner_id, score)


def list_open_reports(row: Pairing) -> Sequence[Report]:
    """The reports of a match that nobody has confirmed, disputed ones included, the oldest first."""
    return list(
        Report.objects.filter(pairing=row, status__in=[ReportStatus.OPEN, ReportStatus.DISPUTED]).order_by(
            "pk"
        )
    )


def require_open(row: Pairing) -> None:
    """Let a match pass that is to be played now.

    :raises ResultStands, NotOpen: it is not.
    """
    if row.state == Stand.DECIDED:
        raise ResultStands
    if row.state != Stand.READY or row.opened_at is None:
        raise NotOpen


def require_new(row: Pairing, claim: Claim) -> None:
    """Let a match pass that is to be played now.

    :raises AlreadyDone: it was played, and ended like this.
    :raises ResultStands, NotOpen: it is not.
    """
    if row.state == Stand.DECIDED and row.kind == Kind.PLAYED and standing(row) == claim:
        raise AlreadyDone
    require_open(row)


def require_undisputed(row: Pairing, claim: Claim) -> None:
    """Let a result pass that neither player has spoken against: to say who is right is a ruling.

    :raises DirectorDecides: one of the two says otherwise, or they disagree.
    """
    for said in list_open_reports(row):
        if said.status == ReportStatus.DISPUTED or of_report(row, said) != claim:
            raise DirectorDecides


def check(event: Tournament, row: Pairing, claim: Claim, games: Games = ()) -> None:
    """Let pass how this match can end, and games that lead to it.

    :raises ScoreNeeded: there is none, and this event or these games need one.
    :raises BadScore: no match of this length ends like that.
    :raises UnknownEntrant: the winner does not play here, or not any more.
    :raises BadGame, BadGames: the games lead elsewhere.
    """
    if claim.score is None:
        if event.scores_needed or games:
            raise ScoreNeeded
        if claim.winner_id not in {row.a_id, row.b_id}:
            raise UnknownEntrant
        return
    begun = (row.b_late, row.a_late)
    play = RulesOfPlay.from_match_rules(row.rules)
    scores.check(claim.score, row.length, begun, play)
    if games:
        scores.check_games(games, claim.score, row.length, begun, play)
