"""The finished events of a season: participants and places."""

from __future__ import annotations

from collections.abc import Container
from datetime import datetime, time, timedelta
from itertools import groupby
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet

from players.models.folded_names import build_name_filter
from rankings.formulas.season import MASTER, Night, season_rules
from rankings.models import Season
from tournaments.base import substitutes
from tournaments.models import Entry, Pairing, PairingState, ResultKind, Tournament
from tournaments.status import Status

MONTHS = 12


def list_events(season: Season) -> QuerySet[Tournament]:
    """Return the finished events of a season, the earliest first."""
    zone = ZoneInfo(season.club.time_zone)
    begins = datetime.combine(season.from_day, time(), zone)
    ends = datetime.combine(season.to_day + timedelta(days=1), time(), zone)
    rows = Tournament.objects.filter(
        club=season.club_id,
        is_friendly=False,
        status=Status.FINISHED,
        starts_at__gte=begins,
        starts_at__lt=ends,
    )
    if season.series:
        rows = rows.filter(build_name_filter(season.series))
    return rows.order_by("starts_at", "pk")


def load_event_places(season: Season) -> list[Night]:
    """Return the input for the season's points; players and events are identified by primary keys.

    Players who withdrew, stayed on the waiting list or were disqualified did not take part.
    """
    zone = ZoneInfo(season.club.time_zone)
    rows = Entry.objects.filter(
        tournament__in=list_events(season), withdrawn_at__isnull=True, waits=False, is_disqualified=False
    )
    placed = list(
        rows.order_by("tournament__starts_at", "tournament", "player").values_list(
            "tournament", "tournament__starts_at", "pk", "player", "place"
        )
    )
    won = _load_won_lengths(season, {entry for _event, _at, entry, *_ in placed})
    found = []
    for (event, starts_at), entries in groupby(placed, lambda row: row[:2]):
        day = starts_at.astimezone(zone)
        places = {str(player): place for *_, player, place in entries}
        found.append(Night(event, day.year * MONTHS + day.month, places, won.get(event, {})))
    return found


def _load_won_lengths(season: Season, entries: Container[int]) -> dict[int, dict[str, list[int]]]:
    """Return the lengths of the played matches that each player won, event by event.

    *entries* took part. Players who were replaced by a substitute have what they had won until then.
    """
    if season_rules(season.rules).scheme != MASTER:
        return {}
    rows = Pairing.objects.filter(
        tournament__in=list_events(season),
        state=PairingState.DECIDED,
        kind=ResultKind.PLAYED,
        is_derived=False,
        is_cancelled=False,
        winner__isnull=False,
    )
    replaced = substitutes.load_replacements(Q(tournament__in=list_events(season)))
    found: dict[int, dict[str, list[int]]] = {}
    won = rows.order_by("pk").values_list("tournament", "winner", "winner__player", "decided_at", "length")
    for event, entry, holder, at, length in won:
        assert at is not None  # noqa: S101 - they are decided
        player = substitutes.find_player(replaced, entry, holder, at)
        if entry in entries or player != holder:
            found.setdefault(event, {}).setdefault(str(player), []).append(length)
    return found
