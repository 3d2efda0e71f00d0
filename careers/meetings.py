"""A player's matches and opponents in events, with wins and losses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Case, Count, F, Max, OuterRef, Q, QuerySet, Subquery, When

from careers.figures import PlayedMatch, Tally
from players.access.permissions import DIRECTORS
from players.models import Club, Player, User
from players.names import build_initials
from tournaments.base import local_times, substitutes
from tournaments.base.event_lines import format_player_name
from tournaments.models import Entry, Pairing, PairingState, ResultKind, Tournament
from tournaments.status import Status

MOST_SHOWN: Final = 5
MOST_LAST: Final = 10
SIDES: Final = ("a", "b")
COLUMNS: Final = (
    "a_id", "winner_id", "score_a", "score_b", "decided_at", "player_a", "player_b",
    "tournament__club__time_zone", "tournament__name", "tournament__key", "match__key", "match__is_private",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rival:
    key: str
    name: str
    url: str

    @property
    def initials(self) -> str:
        return build_initials(self.name)


def build_rival(player: Player) -> Rival:
    return Rival(player.key, format_player_name(player), player.get_absolute_url())


@dataclass(frozen=True, slots=True)
class Opponent:
    player: Rival
    tally: Tally


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
    """A player's matches in events: totals, the last ones, and the most frequent opponents with the last of each."""

    total: Tally
    last: tuple[PastMatch, ...]
    most_often: tuple[tuple[Opponent, PastMatch], ...]


@dataclass(frozen=True, slots=True)
class EventTally:
    name: str
    key: str
    day: str
    tally: Tally


def load_meetings(player: Player, *, clubs: QuerySet[Club] | None = None) -> Meetings:
    """Load a player's matches, optionally only in the events of these clubs.

    Opponents hidden from searches count but are not named.
    """
    matches = query_played(player, clubs)
    # In the database, because there can be thousands.
    opponent = Case(When(player_a=player.pk, then=F("player_b")), default=F("player_a"))
    won = Q(player_a=player.pk, winner=F("a")) | Q(player_b=player.pk, winner=F("b"))
    counted = (
        matches.order_by()
        .values(opponent=opponent)
        .annotate(played=Count("pk"), won=Count("pk", filter=won), latest=Max("decided_at"))
    )
    met = list(counted.order_by("-played", "-latest"))
    last = list(matches.values(*COLUMNS)[:MOST_LAST])
    # A match may have been decided in between.
    people = Player.objects.in_bulk(
        {each["opponent"] for each in met} | {row[f"player_{side}"] for row in last for side in SIDES}
    )
    wins, played = sum(each["won"] for each in met), sum(each["played"] for each in met)
    return Meetings(
        total=Tally(wins, played - wins),
        last=tuple(_build_match(row, player, people) for row in last),
        most_often=tuple(_list_frequent_opponents(met, matches, player, people)),
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


def list_sides(rows: QuerySet[Pairing], player: Player) -> list[PlayedMatch]:
    """Return matches of `query_played` from this player's side."""
    columns = ("pk", "decided_at", "length", "tournament_id", "a_id", "winner_id", "player_a", "player_b")
    rows_of_sides = rows.values_list(*columns, "tournament__club__time_zone", "rules__play__best_of")
    found: list[PlayedMatch] = []
    for pk, at, length, event, a, winner, player_a, player_b, zone, best_of in rows_of_sides:
        is_a = player_a == player.pk
        opponent, won = player_b if is_a else player_a, (winner == a) == is_a
        found.append(PlayedMatch(pk, at, length, event, zone, opponent, won, best_of or 0))
    return found


def query_finished(player: Player, clubs: QuerySet[Club] | None = None) -> QuerySet[Entry]:
    """Return a player's entries in finished events, without friendlies, optionally only of these clubs."""
    rows = Entry.objects.filter(
        player=player,
        withdrawn_at__isnull=True,
        waits=False,
        tournament__status=Status.FINISHED,
        tournament__is_friendly=False,
    )
    return rows if clubs is None else rows.filter(tournament__club__in=clubs)


def query_field(**which: Any) -> Subquery:
    """Return the number of players in the event of an entry; only those in *which*."""
    rows = Entry.objects.filter(
        tournament=OuterRef("tournament"), withdrawn_at__isnull=True, waits=False, **which
    )
    return Subquery(rows.order_by().values("tournament").annotate(size=Count("pk")).values("size"))


def build_event_tally(event: Tournament, tally: Tally) -> EventTally:
    day = local_times.format_full_day(event.starts_at, event.club.time_zone)
    return EventTally(event.name, event.key, day, tally)


def is_named(player: Player) -> bool:
    """True if other people's pages may name the player."""
    return not player.hidden_from_search and player.erased_at is None


def _build_match(row: dict[str, Any], player: Player, people: dict[int, Player]) -> PastMatch:
    """Return a match from this player's side."""
    mine, theirs = SIDES if row["player_a"] == player.pk else SIDES[::-1]
    scores = row[f"score_{mine}"], row[f"score_{theirs}"]
    who = people[row[f"player_{theirs}"]]
    return PastMatch(
        name=format_player_name(who) if is_named(who) else "",
        is_won=(row["winner_id"] == row["a_id"]) == (mine == "a"),
        score="" if None in scores else f"{scores[0]}\u2013{scores[1]}",
        day=local_times.format_short_day(row["decided_at"], row["tournament__club__time_zone"]),
        event=row["tournament__name"],
        event_key=row["tournament__key"],
        board=row["match__key"] if row["match__is_private"] is False else "",
    )


def _list_frequent_opponents(
    met: Iterable[Mapping[str, Any]], matches: QuerySet[Pairing], player: Player, people: dict[int, Player]
) -> Iterator[tuple[Opponent, PastMatch]]:
    """Yield the most frequent visible opponents, with the last match against each."""
    for each in [each for each in met if is_named(people[each["opponent"]])][:MOST_SHOWN]:
        between = Q(player_a=each["opponent"]) | Q(player_b=each["opponent"])
        [row] = matches.filter(between, decided_at=each["latest"]).values(*COLUMNS)[:1]
        tally = Tally(each["won"], each["played"] - each["won"])
        yield (
            Opponent(build_rival(people[each["opponent"]]), tally),
            _build_match(row, player, people),
        )
