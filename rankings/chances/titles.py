"""Title chances of a running event, by the ratings of a list that may predict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from hashlib import blake2b
from math import ceil
from typing import Final

from draw.event import Event
from draw.forecast import titles
from draw.format import Odds
from rankings.chances import calibration, chances
from rankings.formulas.chances import compute_chance
from rankings.formulas.systems import system
from rankings.formulas.values import Standing
from rankings.ledger import order, rated_matches, reach
from rankings.models import RatingList, TitleChances
from runtime.work import cpu
from tournaments.base import event_lines, event_rows
from tournaments.models import Entry, Pairing, Tournament
from tournaments.status import Status

# The simulation stops after this many runs, or earlier if the shares are precise enough.
RUNS: Final = 10_000
MOST_SHOWN: Final = 8


@dataclass(frozen=True, slots=True)
class TitleChanceInput:
    """The input of a computation, with its version key (`mark`)."""

    list: RatingList
    event: Event
    odds: Odds
    mark: str


@dataclass(frozen=True, slots=True)
class TitleChance:
    number: int
    name: str
    key: str
    share: float

    @property
    def percent(self) -> str:
        """The share in whole percents, "< 1" or "> 99"."""
        if 0 < self.share < 0.01:
            return "< 1"
        if 0.99 < self.share < 1:
            return "> 99"
        return str(round(100 * self.share))


@dataclass(frozen=True, slots=True)
class TitleView:
    list_key: str
    list_name: str
    club: str
    chances: tuple[TitleChance, ...]
    runs: int
    at: datetime

    @property
    def first(self) -> tuple[TitleChance, ...]:
        """The likeliest winners."""
        return self.chances[:MOST_SHOWN]

    @property
    def margin(self) -> float:
        """The margin of error at 95% confidence; 0 if every possible outcome was counted."""
        return max((titles.compute_margin(each.share, self.runs) for each in self.chances), default=0.0)

    @property
    def margin_percent(self) -> int:
        """The margin in percentage points, rounded up."""
        return ceil(100 * self.margin)

    @property
    def others(self) -> int:
        """The number of further entrants who can still win."""
        return len(self.chances) - len(self.first)


def build_input(tournament: Tournament, *, now: datetime) -> TitleChanceInput | None:
    """Return the input by the nearest list that may predict.

    None if there is no such list, or the event is not running.
    """
    if tournament.status != Status.RUNNING:
        return None
    entrants = Entry.objects.filter(tournament=tournament, withdrawn_at__isnull=True, waits=False)
    players = dict(entrants.values_list("number", "player_id"))
    for rating_list in reach.list_current_lists(tournament.club_id):
        found = _find_standings(rating_list, players, tournament, now=now)
        if found is not None:
            event = event_rows.build_event(event_rows.load_rows(tournament))
            how = system(rating_list.system, rating_list.params)
            return TitleChanceInput(
                rating_list,
                event,
                partial(compute_chance, how, found),
                _compute_version_key(rating_list, event, found),
            )
    return None


def compute(found: TitleChanceInput) -> titles.TitleForecast | None:
    """Compute the chances; None if the rest of the event cannot be simulated quickly."""
    return cpu.run_in_background(titles.estimate_titles, found.event, found.odds, runs=RUNS)


def load_title_chances(key: str) -> TitleView | None:
    """Return the chances of a running event; None if none are computed."""
    rows = TitleChances.objects.filter(event__key=key, event__status=Status.RUNNING)
    row = rows.select_related("event__club", "list__club").first()
    if row is None or row.list is None or row.computed_at is None or not row.shares:
        return None
    of_player = (f"player__{name}" for name in ("key", "name", "alias", "shown_as", "erased_at"))
    entrants = list(Entry.objects.filter(tournament=row.event).values_list("number", *of_player))
    called = event_lines.list_styled_names([each[2:] for each in entrants], row.event.club.name_style)
    people = {number: (name, player) for (number, player, *_), name in zip(entrants, called, strict=True)}
    return TitleView(
        list_key=row.list.key,
        list_name=reach.format_list_name(row.list, row.event.club_id),
        club=row.list.club.slug,
        chances=tuple(
            TitleChance(number, *people[number], share) for number, share in row.shares if number in people
        ),
        runs=row.runs,
        at=row.computed_at,
    )


def _find_standings(
    rating_list: RatingList, players: Mapping[int, int], tournament: Tournament, *, now: datetime
) -> dict[int, Standing] | None:
    """Return the standings by entry number; None if the list may not predict, or one player has no rating."""
    policy = order.find_policy(rating_list, tournament.started_at or now)
    matches = Pairing.objects.filter(tournament=tournament, is_derived=False, is_cancelled=False)
    if policy is None or not any(
        rated_matches.is_rated(
            policy,
            length=length,
            is_live=is_live,
            is_friendly=tournament.is_friendly,
            is_usual=rated_matches.has_usual_rules(rules),
        )
        for length, rules in matches.values_list("length", "rules")
        for is_live in (False, True)
    ):
        return None
    found = chances.load_last_standings(rating_list, set(players.values()), now=now)
    if len(players) < 2 or not found.keys() >= set(players.values()):
        return None
    return (
        {number: found[pk] for number, pk in players.items()}
        if calibration.score_predictions(rating_list).is_good
        else None
    )


def _compute_version_key(rating_list: RatingList, event: Event, standings: Mapping[int, Standing]) -> str:
    state = repr((rating_list.pk, rating_list.system, rating_list.params, event, sorted(standings.items())))
    return blake2b(state.encode(), digest_size=16).hexdigest()
