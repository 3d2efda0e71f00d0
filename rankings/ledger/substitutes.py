"""Players who were replaced by a substitute: what they had played until then is rated as theirs."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from django.db.models import Q

from players.models import Player
from rankings.ledger import reach
from tournaments.models import Entry, Ruling, RulingKind, Tournament

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from rankings.models import RatingList


class Replaced(NamedTuple):
    """A player who had an entry until a substitute took it over."""

    until: datetime
    player: int


# By primary key of the entry, the earliest first.
Replacements: TypeAlias = "Mapping[int, Sequence[Replaced]]"


def load_replacements(rating_list: RatingList, event: int | None = None) -> Replacements:
    """Return the players who were replaced in the events within a list's reach, or in one event."""
    rows = Ruling.objects.filter(
        reach.filter_played(rating_list), act=RulingKind.SUBSTITUTED, restored_by__isnull=True
    )
    if event is not None:
        rows = rows.filter(tournament=event)
    said = list(rows.order_by("at", "pk").values_list("tournament", "at", "data"))
    found: defaultdict[int, list[Replaced]] = defaultdict(list)
    if not said:
        return found
    entries = Entry.objects.filter(tournament__in={of for of, _at, _data in said})
    pks = {(of, number): pk for pk, of, number in entries.values_list("pk", "tournament", "number")}
    players = Player.objects.filter(key__in={data["out"] for _of, _at, data in said})
    now_one = {key: into or pk for pk, key, into in players.values_list("pk", "key", "merged_into")}
    for of, at, data in said:
        entry, player = pks.get((of, data["entry"])), now_one.get(data["out"])
        if entry is not None and player is not None:
            found[entry].append(Replaced(at, player))
    return found


def list_events(players: Collection[int]) -> QuerySet[Tournament]:
    """Return the events in which one of these players, or of those merged into them, was replaced."""
    same = Player.objects.filter(Q(pk__in=players) | Q(merged_into__in=players))
    keys = list(same.values_list("key", flat=True))
    events = Ruling.objects.filter(act=RulingKind.SUBSTITUTED, data__out__in=keys).values("tournament")
    return Tournament.objects.filter(pk__in=events).select_related("club").order_by("pk")


def find_player(replacements: Replacements, entry: int, player: int, at: datetime) -> int:
    """Return the player of an entry at a time: *player* unless they came later, as a substitute."""
    return next((one.player for one in replacements.get(entry, ()) if at < one.until), player)
