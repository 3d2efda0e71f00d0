"""Seasons: the points of a club's events, stored in rows and recomputed whenever an event changes.

As with ratings, an update compares the rows that follow from the finished events with those stored. So it is
idempotent, may run late, and does not depend on the kind of change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from players import names
from players.clubs import webhooks
from players.models import Club, User
from rankings.errors import BadDays, BadSeason, SeasonNameTaken, StandingChanged, require_keeper
from rankings.formulas.season import season_rules, season_table
from rankings.formulas.values import BadMatches
from rankings.models import Season, SeasonPoints, SeasonStanding
from rankings.seasons import season_events, season_pages
from runtime import stream
from runtime.models import Outbox
from runtime.work import outbox
from tournaments.models import Tournament
from tournaments.status import Status

FOLLOW: Final = "rankings.season"
LONGEST: Final = timedelta(days=2 * 366)
BATCH: Final = 500
SAID: Final = ("event_id", "player_id", "place", "for_place", "earned", "points", "counts")
STANDS: Final = ("player_id", "place", "points", "events")
HUNDRED: Final = Decimal(100)


@dataclass(frozen=True, slots=True)
class SeasonTerms:
    name: str
    from_day: date
    to_day: date
    series: str = ""
    rules: Mapping[str, object] = field(default_factory=dict)


def open_season(*, club: Club, by: User, terms: SeasonTerms, now: datetime) -> Season:
    """Open a season; events finished earlier count.

    :raises NotKeeper: `by` is not a director of this club.
    :raises SeasonNameTaken: the club has a season of this name.
    :raises BadDays, BadSeason: the days or rules are invalid.
    """
    require_keeper(club, by)
    with transaction.atomic():
        return _save_season(Season(club=club, created_by=by, created_at=now), terms, now=now)


def amend(*, season: Season, terms: SeasonTerms, by: User, now: datetime, seen: str | None = None) -> Season:
    """Change the settings of a season; the whole table is recomputed.

    :raises NotKeeper, SeasonNameTaken, BadDays, BadSeason: as `open_season`.
    :raises StandingChanged: the settings differ from those that were *seen*.
    """
    require_keeper(season.club, by)
    with transaction.atomic():
        held = _lock_season(season.pk)
        if seen is not None and season_pages.compute_version_key(held) != seen:
            raise StandingChanged
        return _save_season(held, terms, now=now)


def change_terms(*, season: Season, terms: Mapping[str, Any], by: User, now: datetime) -> Season:
    """Change some settings of a season; concurrent changes of other settings are kept.

    :raises NotKeeper, SeasonNameTaken, BadDays, BadSeason: as `open_season`.
    """
    require_keeper(season.club, by)
    with transaction.atomic():
        held = _lock_season(season.pk)
        there = {each.name: getattr(held, each.name) for each in fields(SeasonTerms)}
        return amend(season=held, terms=SeasonTerms(**{**there, **terms}), by=by, now=now)


def notify_season_changed(season: Season, *, now: datetime) -> None:
    """Notify the club's webhooks of a changed table or rules, in the transaction of the change (ADR 28)."""
    once = f"season:{season.key}:{now.isoformat()}"
    webhooks.queue_calls(
        club_id=season.club_id, what="season.changed", about={"season": season.key}, once=once, now=now
    )


def announce_change(season: Season, *, now: datetime) -> None:
    """Notify the club's webhooks and open pages of a change by a director, in its transaction."""
    notify_season_changed(season, now=now)
    stream.publish(f"club.{season.club.slug}", "rankings", {}, now=now)


def queue_update(event: Tournament, *, now: datetime) -> None:
    """Queue an update of the seasons of an event's club, in the transaction of the change."""
    # An unfinished event matters only if it has points from before it was reopened or corrected.
    if (
        Season.objects.filter(club=event.club_id).exists()
        if event.status == Status.FINISHED
        else SeasonPoints.objects.filter(event=event).exists()
    ):
        outbox.request(FOLLOW, {"event": event.pk}, dedupe_key=f"{FOLLOW}:{event.pk}", now=now)


def update_event_seasons(payload: Mapping[str, Any], *, now: datetime) -> None:
    """Update the seasons of an event's club (an outbox handler)."""
    update_seasons(Season.objects.filter(club__tournaments=payload["event"]), now=now)


def update_seasons(rows: QuerySet[Season], *, now: datetime) -> None:
    for season in rows.order_by("pk"):
        with transaction.atomic():
            if update_season(season_id=season.pk):
                notify_season_changed(season, now=now)


def is_behind(season: Season) -> bool:
    """True if an update of this season is pending in the outbox."""
    waiting = Outbox.objects.filter(kind=FOLLOW, done_at__isnull=True, failed_at__isnull=True)
    events = [each["event"] for each in waiting.values_list("payload", flat=True)]
    return Tournament.objects.filter(club=season.club_id, pk__in=events).exists()


def update_season(*, season_id: int) -> int:
    """Update a season's rows from its events; return how many rows were written or deleted."""
    with transaction.atomic():
        season = _lock_season(season_id)
        points, standings = compute_rows(season)
        changed = _replace_rows(SeasonPoints, SAID, season, points)
        return changed + _replace_rows(SeasonStanding, STANDS, season, standings)


def compute_rows(season: Season) -> tuple[list[SeasonPoints], list[SeasonStanding]]:
    """Return the rows that follow from a season's events, unsaved."""
    table = season_table(season_rules(season.rules), season_events.load_event_places(season))
    points = [
        SeasonPoints(
            season=season,
            event_id=result.event,
            player_id=int(row.player),
            place=result.place,
            for_place=to_decimal(result.for_place),
            earned=to_decimal(result.earned),
            points=to_decimal(result.points),
            counts=result.counts,
        )
        for row in table
        for result in row.results
    ]
    standings = [
        SeasonStanding(
            season=season,
            player_id=int(row.player),
            place=row.place,
            points=to_decimal(row.points),
            events=len(row.results),
        )
        for row in table
    ]
    return points, standings


def find_problems(season: Season) -> Iterator[str]:
    """Yield differences between a season's rows and its events."""
    points, standings = compute_rows(season)
    both: Any = ((SeasonPoints, SAID, points), (SeasonStanding, STANDS, standings))
    for model, columns, rows in both:
        wanted = {_get_figures(row, columns) for row in rows}
        there = set(model.objects.filter(season=season).values_list(*columns))
        if wanted != there:
            yield (
                f"season {season.key}: {len(wanted - there)} rows of {model.__name__} are missing or others, "
                f"{len(there - wanted)} are too many"
            )


def _replace_rows(
    model: type[SeasonPoints | SeasonStanding],
    columns: tuple[str, ...],
    season: Season,
    rows: list[SeasonPoints] | list[SeasonStanding],
) -> int:
    """Replace the rows of a season that differ; return how many were written or deleted."""
    manager: Any = model.objects
    wanted = {_get_figures(row, columns): row for row in rows}
    gone = []
    for pk, *figures in manager.filter(season=season).values_list("pk", *columns):
        if wanted.pop(tuple(figures), None) is None:
            gone.append(pk)
    for first in range(0, len(gone), BATCH):
        manager.filter(pk__in=gone[first : first + BATCH]).delete()
    manager.bulk_create(wanted.values(), batch_size=BATCH)
    return len(gone) + len(wanted)


def _get_figures(row: object, columns: tuple[str, ...]) -> tuple[object, ...]:
    return tuple(getattr(row, name) for name in columns)


def to_decimal(points: Fraction | int) -> Decimal:
    return Decimal(int(points * 100)) / HUNDRED


def _lock_season(season_id: int) -> Season:
    rows = Season.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("club").get(pk=season_id)


def _save_season(season: Season, terms: SeasonTerms, *, now: datetime) -> Season:
    if not timedelta(0) <= terms.to_day - terms.from_day <= LONGEST:
        raise BadDays
    try:
        season_rules(terms.rules)
    except BadMatches as problem:
        raise BadSeason(why=str(problem)) from problem
    season.name = names.clean_name(terms.name, limit=80)
    season.from_day, season.to_day = terms.from_day, terms.to_day
    season.series = names.clean_optional(terms.series, limit=80)
    season.rules = dict(terms.rules)
    try:
        with transaction.atomic():
            season.save()
    except IntegrityError as problem:
        if not Season.objects.filter(club=season.club, name=season.name).exclude(pk=season.pk).exists():
            raise
        raise SeasonNameTaken from problem
    update_season(season_id=season.pk)
    announce_change(season, now=now)
    return season
