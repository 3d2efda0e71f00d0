"""Players who were replaced by a substitute: what they had played until then is theirs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, TypeAlias

from django.db.models import BigIntegerField, Case, F, Q, QuerySet, Value, When
from django.db.models.fields.json import KT

from players.models import Player
from tournaments.models import Entry, Pairing, Ruling, RulingKind, Tournament


class Replaced(NamedTuple):
    """A player who had an entry until a substitute took it over."""

    until: datetime
    player: int


# By primary key of the entry, the earliest first.
Replacements: TypeAlias = "Mapping[int, Sequence[Replaced]]"


def load_replacements(which: Q) -> Replacements:
    rows = Ruling.objects.filter(which, act=RulingKind.SUBSTITUTED, restored_by__isnull=True)
    written = list(rows.order_by("at", "pk").values_list("tournament", "at", "data"))
    found: defaultdict[int, list[Replaced]] = defaultdict(list)
    if not written:
        return found
    entries = Entry.objects.filter(tournament__in={of for of, _at, _data in written})
    pks = {(of, number): pk for pk, of, number in entries.values_list("pk", "tournament", "number")}
    players = Player.objects.filter(key__in={data["out"] for _of, _at, data in written})
    now_one = {key: into or pk for pk, key, into in players.values_list("pk", "key", "merged_into")}
    for of, at, data in written:
        entry, player = pks.get((of, data["entry"])), now_one.get(data["out"])
        if entry is not None and player is not None:
            found[entry].append(Replaced(at, player))
    return found


def load_replacements_around(players: Collection[int]) -> Replacements:
    """Load the replacements in the events of these players, and in those in which one of them was replaced."""
    events = Entry.objects.filter(player__in=players).values("tournament")
    return load_replacements(Q(tournament__in=events) | Q(tournament__in=list_events(players)))


def list_events(players: Collection[int]) -> QuerySet[Tournament]:
    """Return the events in which one of these players, or of those merged into them, was replaced."""
    same = Player.objects.filter(Q(pk__in=players) | Q(merged_into__in=players))
    rulings = Ruling.objects.filter(act=RulingKind.SUBSTITUTED).alias(out=KT("data__out"))
    events = rulings.filter(out__in=same.values("key")).values("tournament")
    return Tournament.objects.filter(pk__in=events).select_related("club").order_by("pk")


def list_entries(players: Collection[int], replacements: Replacements) -> QuerySet[Entry]:
    """Return the entries that these players have, or had until they were replaced."""
    left = [entry for entry, some in replacements.items() if any(one.player in players for one in some)]
    return Entry.objects.filter(Q(player__in=players) | Q(pk__in=left))


def annotate_players(rows: QuerySet[Pairing], replacements: Replacements) -> QuerySet[Pairing]:
    """Annotate decided matches with those who played them, as `player_a` and `player_b` (`find_player`)."""
    return rows.annotate(player_a=_build_player("a", replacements), player_b=_build_player("b", replacements))


def _build_player(side: str, replacements: Replacements) -> Case:
    return Case(
        *(
            When(**{side: entry, "decided_at__lt": one.until}, then=Value(one.player))
            for entry, some in replacements.items()
            for one in some
        ),
        default=F(f"{side}__player"),
        output_field=BigIntegerField(),
    )


def find_player(replacements: Replacements, entry: int, player: int, at: datetime) -> int:
    """Return the player of an entry at a time: *player* unless they came later, as a substitute."""
    return next((one.player for one in replacements.get(entry, ()) if at < one.until), player)
