"""Whom somebody has met in events, and how it went between the two."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q

from players.models import Club
from players.names import initials
from players.permissions import DIRECTORS
from tournaments import hours
from tournaments.models import Ended, Entry, Pairing, Stand
from tournaments.selectors.lines import named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from django.contrib.auth.models import AnonymousUser
    from django.db.models import QuerySet

    from players.models import Player, User

MOST_SHOWN: Final = 5
MOST_LAST: Final = 10
SIDES: Final = ("a", "b")
OF_PLAYER: Final = ("key", "name", "alias", "shown_as", "erased_at", "hidden_from_search")
COLUMNS: Final = (
    "a_id", "b_id", "winner_id", "score_a", "score_b", "decided_at",
    "tournament__club__time_zone", "tournament__name", "tournament__key", "match__key", "match__is_private",
    *(f"{side}__player__{name}" for side in SIDES for name in OF_PLAYER),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody they have met, and how often which of the two has won."""

    name: str
    key: str
    won: int
    lost: int
    # The last match: whether they won it, its score ("" where only the winner was said), and the day.
    won_last: bool
    score: str
    day: str

    @property
    def initials(self) -> str:
        """The letters on the checker."""
        return initials(self.name)

    @property
    def share(self) -> int:
        """Of a hundred matches, how many they have won."""
        return round(100 * self.won / (self.won + self.lost))


@dataclass(frozen=True, slots=True)
class PastMatch:
    """One match as this player sees it."""

    # "" where the opponent hides from searches.
    name: str
    is_won: bool
    # "" where only the winner was said.
    score: str
    day: str
    event: str
    event_key: str
    # The board where it can be seen again, "" where there is none or its players keep it to themselves.
    board: str


@dataclass(frozen=True, slots=True)
class Meetings:
    """All matches of somebody in events: how many, the last ones, and whom they met most often."""

    won: int = 0
    lost: int = 0
    last: tuple[PastMatch, ...] = ()
    most_often: tuple[Opponent, ...] = ()

    @property
    def share(self) -> int:
        """Of a hundred matches, how many they have won."""
        return round(100 * self.won / (self.won + self.lost)) if self.won + self.lost else 0


def of(player: Player, *, clubs: QuerySet[Club] | None = None) -> Meetings:
    """Return whom a player has met, in the events of these clubs alone if so asked.

    Who hides from searches counts, but is not named: their page would not say it either.
    """
    entries = Entry.objects.filter(player=player)
    if clubs is not None:
        entries = entries.filter(tournament__club__in=clubs)
    own = set(entries.values_list("pk", flat=True))
    found = [_seen(row, own) for row in _rows(own)]
    return Meetings(
        won=sum(one["is_won"] for one in found),
        lost=sum(not one["is_won"] for one in found),
        last=tuple(_past(one) for one in found[:MOST_LAST]),
        most_often=tuple(_most_often(found))[:MOST_SHOWN],
    )


def clubs_shown(player: Player, viewer: User | AnonymousUser) -> QuerySet[Club] | None:
    """Return the clubs in whose events this person may look a player up; None: in all of them.

    Who hides from searches still stands in the results of events, but only the directors of those
    clubs find them all in one place.
    """
    if not player.hidden_from_search or (viewer.is_authenticated and player.user_id == viewer.pk):
        return None
    if not viewer.is_authenticated:
        return Club.objects.none()
    return Club.objects.filter(memberships__player__user=viewer, memberships__role__in=DIRECTORS)


def decided(which: Q) -> QuerySet[Pairing]:
    """Return those of these matches that were played and won, the latest first.

    Somebody who did not come, or had left, was not met.
    """
    rows = Pairing.objects.filter(
        which, state=Stand.DECIDED, kind=Ended.PLAYED, is_derived=False, is_cancelled=False
    )
    rows = rows.filter(a__isnull=False, b__isnull=False, winner__isnull=False, decided_at__isnull=False)
    return rows.order_by("-decided_at", "-pk")


def _rows(own: Iterable[int]) -> list[dict[str, Any]]:
    return list(decided(Q(a__in=own) | Q(b__in=own)).values(*COLUMNS))


def _seen(row: dict[str, Any], own: set[int]) -> dict[str, Any]:
    """Return a match as this player sees it."""
    mine, theirs = SIDES if row["a_id"] in own else SIDES[::-1]
    scores = row[f"score_{mine}"], row[f"score_{theirs}"]
    who = {name: row[f"{theirs}__player__{name}"] for name in OF_PLAYER}
    return {
        "key": who["key"],
        "name": named(who["name"], who["alias"], who["shown_as"], who["erased_at"]),
        "is_named": not who["hidden_from_search"] and who["erased_at"] is None,
        "is_won": row["winner_id"] in own,
        "score": "" if None in scores else f"{scores[0]}\u2013{scores[1]}",
        "day": hours.short_day(row["decided_at"], row["tournament__club__time_zone"]),
        "event": row["tournament__name"],
        "event_key": row["tournament__key"],
        "board": row["match__key"] if row["match__is_private"] is False else "",
    }


def _past(one: dict[str, Any]) -> PastMatch:
    return PastMatch(
        name=one["name"] if one["is_named"] else "",
        is_won=one["is_won"],
        score=one["score"],
        day=one["day"],
        event=one["event"],
        event_key=one["event_key"],
        board=one["board"],
    )


def _most_often(found: Iterable[dict[str, Any]]) -> Iterator[Opponent]:
    """Yield the opponents, those first who were met most often; among them the latest."""
    by_key: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for one in found:
        if one["is_named"]:
            by_key[one["key"]].append(one)
    for met in sorted(by_key.values(), key=len, reverse=True):
        last, won = met[0], sum(one["is_won"] for one in met)
        yield Opponent(
            last["name"], last["key"], won, len(met) - won, last["is_won"], last["score"], last["day"]
        )
