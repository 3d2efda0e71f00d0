"""Series: set up, changed, paused, and announced by the clock.

Lock order: the series, then its events.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.db import transaction
from django.utils.translation import gettext as _

from players import names
from runtime import failures
from tournaments.errors import (
    AlreadyDone,
    BadSeries,
    ChangedMeanwhile,
    EveningAnnounced,
    NoModel,
    NoSuchEvening,
    SeriesGone,
    TournamentError,
)
from tournaments.models import MOST_DAYS_BEFORE, Series, SeriesDay, Tournament
from tournaments.selectors import last_times
from tournaments.selectors import series as selectors
from tournaments.services import changes, setup
from tournaments.status import Status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime, time

    from django.db.models import QuerySet

    from players.models import Club, User
    from tournaments.rhythm import Rhythm

log = structlog.get_logger(__name__)

# So many a sweep: what is left waits for the next one, a second later.
MOST: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesTerms:
    """What directors say of a series."""

    name: str
    # 0 is Monday.
    weekday: int
    # By the club's clock.
    at: time
    days_before: int
    until: date | None = None
    # The key of the event that each is like; "": the club's last one on that weekday.
    like: str = ""


def begin(*, club: Club, by: User, key: str, terms: SeriesTerms, now: datetime) -> Series:
    """Begin a series; the caller chooses the key, so that a form sent twice begins one.

    :raises NotDirector: `by` does not direct at this club.
    :raises BadSeries, NoModel: no evening would follow.
    """
    with transaction.atomic():
        changes.require_director(club, by)
        made = Series.objects.filter(key=key, club=club).first()
        if made is not None:
            return made
        series = Series(club=club, key=key, created_by=by, created_at=now)
        _take_over(series, terms, now=now)
        series.save()
        return series


def amend(*, series: Series, by: User, terms: SeriesTerms, seen: int, now: datetime) -> Series:
    """Change what is still to come; events that are announced stay as they are.

    :raises NotDirector, BadSeries, NoModel: nothing changes.
    :raises ChangedMeanwhile: it is not the version that was *seen*.
    """
    with transaction.atomic():
        held = _direct(series, by)
        if held.version != seen:
            raise ChangedMeanwhile(what=_("Somebody has changed the series meanwhile."), now=None)
        _take_over(held, terms, now=now)
        held.version += 1
        held.save()
        # They say to which series they belong.
        changes.touch(Tournament.objects.filter(series_day__series=held), now=now)
        return held


def pause(*, series: Series, by: User, now: datetime) -> Series:
    """Have nothing announced until it goes on.

    :raises NotDirector: `by` does not direct at this club.
    :raises AlreadyDone: it is paused.
    """
    with transaction.atomic():
        held = _direct(series, by)
        if held.paused_at is not None:
            raise AlreadyDone
        held.paused_at = now
        return _keep(held, now=now)


def go_on(*, series: Series, by: User, now: datetime) -> Series:
    """Announce again what is still to come.

    :raises NotDirector: `by` does not direct at this club.
    :raises AlreadyDone: it is not paused.
    """
    with transaction.atomic():
        held = _direct(series, by)
        if held.paused_at is None:
            raise AlreadyDone
        held.paused_at, held.trouble = None, ""
        return _keep(held, now=now)


def skip(*, series: Series, day: date, by: User, now: datetime) -> Series:
    """Have no event on one day.

    :raises NotDirector, NoSuchEvening: nothing changes.
    :raises EveningAnnounced: its event is there.
    :raises AlreadyDone: it is skipped.
    """
    with transaction.atomic():
        held = _direct(series, by)
        there = SeriesDay.objects.filter(series=held, day=day).first()
        if there is not None:
            raise AlreadyDone if there.skipped_at else EveningAnnounced
        if not selectors.rhythm(held).has(day, now):
            raise NoSuchEvening
        SeriesDay.objects.create(series=held, day=day, skipped_at=now, skipped_by=by)
        return _keep(held, now=now)


def unskip(*, series: Series, day: date, by: User, now: datetime) -> Series:
    """Have an event on a day after all.

    :raises NotDirector, NoSuchEvening: nothing changes.
    :raises AlreadyDone: it is not skipped.
    """
    with transaction.atomic():
        held = _direct(series, by)
        if not selectors.rhythm(held).has(day, now):
            raise NoSuchEvening
        if not SeriesDay.objects.filter(series=held, day=day, skipped_at__isnull=False).delete()[0]:
            raise AlreadyDone
        return _keep(held, now=now)


def end(*, series: Series, by: User, now: datetime) -> None:
    """Take a series away; its events stay, and belong to none.

    :raises NotDirector: `by` does not direct at this club.
    """
    with transaction.atomic():
        held = _direct(series, by)
        events = list(Tournament.objects.filter(series_day__series=held).values_list("pk", flat=True))
        held.delete()
        changes.touch(Tournament.objects.filter(pk__in=events), now=now)


def waiting(at: Any) -> Iterator[QuerySet[Series]]:
    """Ask, by a column with an index, for series whose next evening has been due since then."""
    yield Series.objects.filter(due_at__lte=at)


def sweep(now: datetime) -> int:
    """Announce the evenings that are due, one of each series; return how many were found."""
    found = next(waiting(now)).order_by("due_at", "pk").values_list("pk", flat=True)[:MOST]

    def announce(pk: int) -> bool:
        announce_next(series_id=pk, now=now)
        return True

    return failures.do_each("tournaments.series", found, announce, now=now)


def announce_next(*, series_id: int, now: datetime) -> Tournament | None:
    """Announce the next evening of a series if it is due; what cannot be announced pauses it, with the reason."""
    try:
        with transaction.atomic():
            return _announce(series_id, now=now)
    except TournamentError as refusal:
        log.warning("series.paused", series=series_id, code=refusal.code)
        late = Series.objects.filter(pk=series_id, due_at__lte=now)
        late.update(paused_at=now, due_at=None, trouble=refusal.code)
        return None


def _announce(series_id: int, *, now: datetime) -> Tournament | None:
    series = _hold(series_id)
    if series is None or series.due_at is None or series.due_at > now:
        return None
    # Told anew: the club's clock may be another by now, and an evening may have passed while nobody was running.
    day = _next_day(series, now=now)
    if day is None or selectors.rhythm(series).announced(day) > now:
        _keep(series, now=now)
        return None
    row = SeriesDay.objects.create(series=series, day=day)
    starts_at = selectors.rhythm(series).start(day)
    event = _drafted_by_hand(series, starts_at, now=now)
    if event is None:
        like = _model(series, starts_at, now=now)
        event = setup.repeat(like=like, name=series.name, starts_at=starts_at, now=now)
    row.event = event
    row.save(update_fields=["event"])
    _keep(series, now=now)
    return event


def _drafted_by_hand(series: Series, starts_at: datetime, *, now: datetime) -> Tournament | None:
    """Return the event of that name and hour which a director has made already; a draft is announced."""
    there = Tournament.objects.filter(
        club=series.club, name=series.name, starts_at=starts_at, series_day__isnull=True
    ).exclude(status=Status.CANCELLED)
    first = there.order_by("pk").first()
    if first is None:
        return None
    event = changes.lock(first.pk)
    if event.status == Status.DRAFT:
        setup.tell(event, by=None, now=now)
    else:
        # Its page says that it belongs to the series.
        changes.touch(Tournament.objects.filter(pk=event.pk), now=now)
    return event


def _model(series: Series, starts_at: datetime, *, now: datetime) -> Tournament:
    """Return the event that the next one is like.

    :raises NoModel: there is none.
    """
    found = series.like or last_times.played_here(series.club, day=starts_at, now=now)
    if found is None:
        raise NoModel
    return found


def _take_over(series: Series, terms: SeriesTerms, *, now: datetime) -> None:
    if not 1 <= terms.days_before <= MOST_DAYS_BEFORE or not 0 <= terms.weekday <= 6:
        raise BadSeries(most=MOST_DAYS_BEFORE)
    series.name = names.clean_name(terms.name, limit=80)
    series.weekday, series.at = terms.weekday, terms.at.replace(second=0, microsecond=0, tzinfo=None)
    series.days_before, series.until = terms.days_before, terms.until
    series.like = last_times.by_key(series.club, terms.like) if terms.like else None
    rhythm = selectors.rhythm(series)
    day = next(rhythm.days(now), None)
    if day is None:
        raise BadSeries(most=MOST_DAYS_BEFORE)
    if terms.like and series.like is None:
        raise NoModel
    _model(series, rhythm.start(day), now=now)
    series.due_at = None if series.paused_at else _due_at(series, rhythm, now=now)


def _keep(series: Series, *, now: datetime) -> Series:
    """Save a series with when it is due next."""
    series.due_at = None if series.paused_at else _due_at(series, selectors.rhythm(series), now=now)
    series.version += 1
    series.save()
    return series


def _due_at(series: Series, rhythm: Rhythm, *, now: datetime) -> datetime | None:
    day = _next_day(series, now=now)
    return None if day is None else rhythm.announced(day)


def _next_day(series: Series, *, now: datetime) -> date | None:
    settled = selectors.settled(series) if series.pk else set()
    return next(selectors.rhythm(series).days(now, without=settled), None)


def _direct(series: Series, by: User) -> Series:
    """Return the series, held, for one of its club's directors.

    :raises NotDirector: `by` is not one.
    """
    changes.require_director(series.club, by)
    held = _hold(series.pk)
    if held is None:
        raise SeriesGone
    return held


def _hold(series_id: int) -> Series | None:
    rows = Series.objects.select_for_update(of=("self",), no_key=True).select_related("club")
    return rows.filter(pk=series_id).first()
