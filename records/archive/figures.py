"""Statistics of a player, from the facts of their matches."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum
from django.urls import reverse

from players.models import Player
from records.archive import archive
from records.archive.archive import Viewer
from records.models import ArchivedGame, ArchivedMatch, ArchivedSide


@dataclass(frozen=True, slots=True)
class EndingFigures:
    how: str
    label: str
    won: int
    lost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerFigures:
    """A player's statistics, from the matches that the viewer may see."""

    key: str
    name: str
    url: str
    # Of all visible matches; the figures after `with_facts` are of the matches with facts.
    matches: int
    won: int
    with_facts: int
    games: int
    games_won: int
    gammons_won: int
    gammons_lost: int
    backgammons_won: int
    backgammons_lost: int
    endings: tuple[EndingFigures, ...]
    doubled: int
    took: int
    dropped: int
    rolls: int
    hits: int
    dances: int
    # Only of online matches.
    time_used: timedelta | None
    timed_matches: int

    @property
    def gammon_percent(self) -> float | None:
        """Share of gammons and backgammons among games won."""
        return 100 * (self.gammons_won + self.backgammons_won) / self.games_won if self.games_won else None

    @property
    def gammon_loss_percent(self) -> float | None:
        """Share of gammons and backgammons among games lost."""
        lost = self.games - self.games_won
        return 100 * (self.gammons_lost + self.backgammons_lost) / lost if lost else None

    @property
    def take_percent(self) -> float | None:
        """Share of offered cubes that they took."""
        offered = self.took + self.dropped
        return 100 * self.took / offered if offered else None

    @property
    def dance_percent(self) -> float | None:
        """Share of rolls without a legal play."""
        return 100 * self.dances / self.rolls if self.rolls else None

    @property
    def hits_a_game(self) -> float | None:
        return self.hits / self.games if self.games else None


def load_figures(user: Viewer, player: Player) -> PlayerFigures | None:
    """Return the statistics of a player; None if the viewer may see no match."""
    own = ArchivedSide.objects.filter(Q(player=player) | Q(player__merged_into=player))
    # A correlated subquery, so that only this player's matches are checked.
    known = own.filter(Exists(archive.list_visible(user).filter(pk=OuterRef("archived"))))
    counted = known.aggregate(matches=Count("pk"), won=Count("pk", filter=Q(archived__winner=F("side"))))
    if not counted["matches"]:
        return None
    read = own.filter(Exists(archive.list_with_facts(user).filter(pk=OuterRef("archived"))))
    sums = read.aggregate(
        number=Count("pk"),
        timed=Count("milliseconds"),
        **{name: Sum(name) for name in ("doubled", "took", "dropped", "rolls", "hits", "dances")},
        used=Sum("milliseconds"),
    )
    games = _count_games(read)
    return PlayerFigures(
        key=player.key,
        name=player.public_name,
        url=reverse("records:player_figures", args=[player.key]),
        matches=counted["matches"],
        won=counted["won"],
        with_facts=sums["number"],
        games=sum(games.values()),
        games_won=_sum_games(games, won=True),
        gammons_won=_sum_games(games, won=True, kind=2),
        gammons_lost=_sum_games(games, won=False, kind=2),
        backgammons_won=_sum_games(games, won=True, kind=3),
        backgammons_lost=_sum_games(games, won=False, kind=3),
        endings=_list_endings(games),
        time_used=None if sums["used"] is None else timedelta(seconds=sums["used"] // 1000),
        timed_matches=sums["timed"],
        **{name: sums[name] or 0 for name in ("doubled", "took", "dropped", "rolls", "hits", "dances")},
    )


def find_figures(user: Viewer, key: str) -> PlayerFigures | None:
    """Return the statistics of a player; None if the viewer may not look them up, or may see no match."""
    player = archive.find_visible_player(user, key)
    return None if player is None else load_figures(user, player)


# Keys: won, kind, how.
Counted = dict[tuple[bool, int, str], int]


def _count_games(sides: QuerySet[ArchivedSide]) -> Counted:
    found: Counted = {}
    for side in (0, 1):
        mine = sides.filter(side=side).values("archived")
        rows = ArchivedGame.objects.filter(archived__in=mine, winner__isnull=False)
        grouped = rows.values_list("winner", "kind", "how").annotate(number=Count("pk")).order_by()
        for winner, kind, how, number in grouped:
            key = (winner == side, kind, how)
            found[key] = found.get(key, 0) + number
    return found


def _sum_games(games: Counted, *, won: bool, kind: int | None = None) -> int:
    return sum(number for (is_won, of, _), number in games.items() if is_won is won and kind in (None, of))


def _list_endings(games: Counted) -> tuple[EndingFigures, ...]:
    found = [
        EndingFigures(
            how,
            str(archive.ENDINGS.get(how, how)),
            sum(number for (won, _, of), number in games.items() if won and of == how),
            sum(number for (won, _, of), number in games.items() if not won and of == how),
        )
        for how in {how for _, _, how in games}
    ]
    return tuple(sorted(found, key=lambda each: (-each.won - each.lost, each.how)))


@dataclass(frozen=True, slots=True)
class GameRow:
    row: ArchivedGame
    winner: str
    label: str


def list_games(row: ArchivedMatch, names: tuple[str, str]) -> list[GameRow]:
    return [
        GameRow(
            row=each,
            winner="" if each.winner is None else names[each.winner],
            label=str(archive.ENDINGS.get(each.how, each.how)),
        )
        for each in row.games.order_by("number")
    ]
