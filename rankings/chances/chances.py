"""Win chances of the two players of a match, by each list whose predictions are good enough."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from engine.equity import compute_chance
from engine.match import Crawford
from engine.match import Match as Played
from engine.side import BLACK, WHITE
from players.models import Club, Player
from rankings.chances import calibration
from rankings.formulas.chances import compute_points_left, shift_chance
from rankings.formulas.systems import system
from rankings.formulas.values import Standing
from rankings.ledger import entries, opening_ratings, order, rated_matches, reach
from rankings.models import RatingList
from tournaments.models import Pairing, PairingState


@dataclass(frozen=True, slots=True)
class Chance:
    list: RatingList
    # The list's name on the pages of the event's club.
    called: str
    one: str
    other: str
    # Of the first player, between 0 and 1.
    chance: float
    # As "3-1", the first player's points first; "" before the match.
    score: str

    @property
    def share(self) -> int:
        """The chance of the first player in per cent."""
        return round(100 * self.chance)

    @property
    def rest(self) -> int:
        """The chance of the other player in per cent."""
        return 100 - self.share


@dataclass(frozen=True, slots=True)
class Situation:
    """The state of a match: the chance between equal players, and how many points are left to play."""

    even: float
    left: float
    score: str


def compute_chances(row: Pairing, played: Played | None, *, now: datetime) -> tuple[Chance, ...]:
    """Return the chances in a match that is open or being played.

    *played* is the state that the viewer may see.
    """
    if row.state != PairingState.READY or row.opened_at is None or row.a is None or row.b is None:
        return ()
    one, other = row.a.player, row.b.player
    situation = Situation(0.5, row.length, "") if played is None else _build_situation(row, played)
    if situation is None or one == other:
        return ()
    return tuple(
        Chance(
            list=each,
            called=reach.format_list_name(each, row.tournament.club_id),
            one=one.public_name,
            other=other.public_name,
            chance=compute_list_chance(each, one, other, situation, now=now),
            score=situation.score,
        )
        for each in _list_predicting_lists(row, is_live=row.match_id is not None, now=now)
    )


def compute_pair_chance(club: Club, one: Player, other: Player, length: int, now: datetime) -> float | None:
    """Return the chance of the first player by the nearest list, even a poor one.

    None if no list rates the club.
    """
    first = next(iter(reach.list_current_lists(club.pk)), None)
    if first is None or one == other:
        return None
    return compute_list_chance(first, one, other, Situation(0.5, length, ""), now=now)


def compute_list_chance(
    rating_list: RatingList, one: Player, other: Player, situation: Situation, *, now: datetime
) -> float:
    how = system(rating_list.system, rating_list.params)
    found = load_last_standings(rating_list, {one.pk, other.pk}, now=now)
    a, b = (found.get(each.pk) or how.new() for each in (one, other))
    return shift_chance(situation.even, how.chance(a, b, situation.left))


def load_last_standings(rating_list: RatingList, players: set[int], *, now: datetime) -> dict[int, Standing]:
    """Return the standings of players with a rated match or an opening rating.

    With rating periods, these are the standings before the current period.
    """
    how = system(rating_list.system, rating_list.params)
    before = Q(at__lt=rated_matches.get_period_start(now)) if how.by_period else None
    found = {int(pk): begins for pk, begins in opening_ratings.load_standings(rating_list, players).items()}
    last = entries.find_last_entries(rating_list, players, before)
    found |= {player: rated_matches.read_standing(entry) for player, entry in last.items()}
    period = rated_matches.compute_period(now) - 1
    return {pk: how.at(one, period) for pk, one in found.items()}


def _list_predicting_lists(row: Pairing, *, is_live: bool, now: datetime) -> Iterator[RatingList]:
    """Yield the lists that will rate the match and may predict in public, the nearest first."""
    club, opened_at = row.tournament.club_id, row.opened_at or now
    for each in reach.list_current_lists(club):
        policy = order.find_policy(each, opened_at)
        if policy is None or not rated_matches.is_rated(
            policy,
            length=row.length,
            is_live=is_live,
            is_friendly=row.tournament.is_friendly,
            is_usual=rated_matches.has_usual_rules(row.rules),
        ):
            continue
        # Matches opened before a club joined the group are not rated.
        if (
            reach.load_membership_periods(each).has(club, opened_at)
            and calibration.score_predictions(each).is_good
        ):
            yield each


def _build_situation(row: Pairing, played: Played) -> Situation | None:
    away = played.away
    if away is None or played.outcome is not None or row.match is None or row.a is None:
        return None
    a, b = (WHITE, BLACK) if row.match.white_id == row.a.player_id else (BLACK, WHITE)
    # Without the Crawford rule the player behind may double at once, as after the Crawford game.
    is_past = played.rules.has_cube and played.crawford in (Crawford.PAST, Crawford.NONE)
    score = f"{played.score[a]}\u2013{played.score[b]}" if any(played.score) else ""
    return Situation(
        even=compute_chance(away[a], away[b], crawford_played=is_past),
        left=compute_points_left(away[a], away[b], crawford_played=is_past),
        score=score,
    )
