"""A player's opponents in events, with wins and losses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.db.models import Count, F, Max, Q

from players.access.permissions import DIRECTORS
from players.models import Club, Player
from players.names import build_initials
from tournaments.base import local_times, substitutes
from tournaments.base.event_lines import format_player_name
from tournaments.models import Pairing, PairingState, ResultKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from django.contrib.auth.models import AnonymousUser
    from django.db.models import QuerySet

    from players.models import User

MOST_SHOWN: Final = 5
MOST_LAST: Final = 10
SIDES: Final = ("a", "b")
COLUMNS: Final = (
    "a_id", "winner_id", "score_a", "score_b", "decided_at", "player_a", "player_b",
    "tournament__club__time_zone", "tournament__name", "tournament__key", "match__key", "match__is_private",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Opponent:
    """An opponent, with wins and losses against them."""

    name: str
    key: str
    won: int
    lost: int
    # The last match: True if won, its score ("" if only the winner is recorded), and the day.
    won_last: bool
    score: str
    day: str

    @property
    def initials(self) -> str:
        return build_initials(self.name)

    @property
    def share(self) -> int:
        """The percentage of matches won."""
        return round(100 * self.won / (self.won + self.lost))


@dataclass(frozen=True, slots=True)
class PastMatch:
    """One match from this player's side."""

    # "" if the opponent is hidden from searches.
    name: str
    is_won: bool
    # "" if only the winner is recorded.
    score: str
    day: str
    event: str
    event_key: str
    # The key of its board; "" if there is none or it is private.
    board: str


@dataclass(frozen=True, slots=True)
class Meetings:
    """A player's matches in events: totals, the last ones, and the most frequent opponents."""

    won: int = 0
    lost: int = 0
    last: tuple[PastMatch, ...] = ()
    most_often: tuple[Opponent, ...] = ()

    @property
    def share(self) -> int:
        """The percentage of matches won."""
        return round(100 * self.won / (self.won + self.lost)) if self.won + self.lost else 0


def load_meetings(player: Player, *, clubs: QuerySet[Club] | None = None) -> Meetings:
    """Load a player's matches, optionally only in the events of these clubs.

    Opponents hidden from searches count but are not named.
    """
    matches = query_played(player, clubs)
    met = _count_opponents(matches, player)
    last = list(matches.values(*COLUMNS)[:MOST_LAST])
    # A match may have been decided in between.
    people = Player.objects.in_bulk(
        {each.opponent for each in met} | {row[f"player_{side}"] for row in last for side in SIDES}
    )
    often = sorted(met, key=lambda each: (each.played, each.last), reverse=True)
    shown = [_read_row(row, player, people) for row in last]
    return Meetings(
        won=sum(each.won for each in met),
        lost=sum(each.played - each.won for each in met),
        last=tuple(_build_match(one) for one in shown),
        most_often=tuple(_list_frequent_opponents(often, matches, player, people)),
    )


def list_visible_clubs(player: Player, viewer: User | AnonymousUser) -> QuerySet[Club] | None:
    """Return the clubs in whose events the viewer may look a player up; None: all of them.

    A hidden player appears in the results of events, but only directors see all results of their club in one place.
    """
    if not player.hidden_from_search or (viewer.is_authenticated and player.user_id == viewer.pk):
        return None
    if not viewer.is_authenticated:
        return Club.objects.none()
    return Club.objects.filter(memberships__player__user=viewer, memberships__role__in=DIRECTORS)


def list_decided(which: Q) -> QuerySet[Pairing]:
    """Return the matches in *which* that were played and won, the latest first.

    No-shows and withdrawals do not count as meetings.
    """
    rows = Pairing.objects.filter(
        which, state=PairingState.DECIDED, kind=ResultKind.PLAYED, is_derived=False, is_cancelled=False
    )
    rows = rows.filter(a__isnull=False, b__isnull=False, winner__isnull=False, decided_at__isnull=False)
    return rows.order_by("-decided_at", "-pk")


def query_played(player: Player, clubs: QuerySet[Club] | None = None) -> QuerySet[Pairing]:
    """Return the matches that a player has played, the latest first, optionally only in the events of these clubs.

    `player_a` and `player_b` are those who played it: an entry can have a substitute since.
    """
    replaced = substitutes.load_replacements_around([player.pk])
    entries = substitutes.list_entries([player.pk], replaced)
    if clubs is not None:
        entries = entries.filter(tournament__club__in=clubs)
    own = set(entries.values_list("pk", flat=True))
    rows = substitutes.annotate_players(list_decided(Q(a__in=own) | Q(b__in=own)), replaced)
    return rows.filter(Q(player_a=player.pk) | Q(player_b=player.pk))


def is_named(player: Player) -> bool:
    """True if other people's pages may name the player."""
    return not player.hidden_from_search and player.erased_at is None


class _OpponentCount(NamedTuple):
    """Matches and wins against one opponent, and the time of the last."""

    opponent: int
    played: int
    won: int
    last: datetime


def _count_opponents(matches: QuerySet[Pairing], player: Player) -> list[_OpponentCount]:
    """Count the matches by opponent, in the database because there can be thousands."""
    found: dict[int, _OpponentCount] = {}
    for mine, theirs in (SIDES, SIDES[::-1]):
        rows = matches.filter(**{f"player_{mine}": player.pk}).order_by().values_list(f"player_{theirs}")
        told = rows.annotate(
            played=Count("pk"), won=Count("pk", filter=Q(winner=F(mine))), last=Max("decided_at")
        )
        for opponent, played, won, last in told:
            before = found.get(opponent)
            found[opponent] = (
                _OpponentCount(opponent, played, won, last)
                if before is None
                else _OpponentCount(
                    opponent, played + before.played, won + before.won, max(last, before.last)
                )
            )
    return list(found.values())


def _read_row(row: dict[str, Any], player: Player, people: dict[int, Player]) -> dict[str, Any]:
    """Convert a row to this player's side."""
    mine, theirs = SIDES if row["player_a"] == player.pk else SIDES[::-1]
    scores = row[f"score_{mine}"], row[f"score_{theirs}"]
    who = people[row[f"player_{theirs}"]]
    return {
        "key": who.key,
        "name": format_player_name(who),
        "is_named": is_named(who),
        "is_won": (row["winner_id"] == row["a_id"]) == (mine == "a"),
        "score": "" if None in scores else f"{scores[0]}\u2013{scores[1]}",
        "day": local_times.format_short_day(row["decided_at"], row["tournament__club__time_zone"]),
        "event": row["tournament__name"],
        "event_key": row["tournament__key"],
        "board": row["match__key"] if row["match__is_private"] is False else "",
    }


def _build_match(one: dict[str, Any]) -> PastMatch:
    return PastMatch(
        name=one["name"] if one["is_named"] else "",
        is_won=one["is_won"],
        score=one["score"],
        day=one["day"],
        event=one["event"],
        event_key=one["event_key"],
        board=one["board"],
    )


def _list_frequent_opponents(
    met: Sequence[_OpponentCount], matches: QuerySet[Pairing], player: Player, people: dict[int, Player]
) -> Iterator[Opponent]:
    """Yield the most frequent visible opponents, with the last match against each."""
    for each in [each for each in met if is_named(people[each.opponent])][:MOST_SHOWN]:
        between = Q(player_a=each.opponent) | Q(player_b=each.opponent)
        [row] = matches.filter(between, decided_at=each.last).values(*COLUMNS)[:1]
        last = _read_row(row, player, people)
        yield Opponent(
            *(last["name"], last["key"], each.won, each.played - each.won),
            *(last["is_won"], last["score"], last["day"]),
        )
