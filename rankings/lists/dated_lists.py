"""Dated lists: a snapshot of the list for each week or month, made from the ledger and never changed.

A snapshot is made once, for the beginning of a day in the club's time zone: the due time is a column of the
rating list, the worker advances it under the rating list's lock, and a unique constraint prevents a second
one. After an outage, or for a list that rates the past, the snapshots of missed days are made in turn, each
from the matches finished by then.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from time import monotonic
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from players.clubs import webhooks
from players.models import Club, Player, User
from rankings.errors import require_keeper
from rankings.formulas.systems import system
from rankings.formulas.values import Standing
from rankings.ledger import entries, ledger, order, rated_matches, rebuilding
from rankings.ledger.rated_matches import RateableMatch
from rankings.models import DatedCorrection, DatedInterval, DatedList, DatedRating, LedgerEntry, RatingList
from runtime.work import failures, sweeps

BATCH: Final = 1_000
DAY: Final = timedelta(days=1)
DECEMBER: Final = 12


def find_next_day(day: date, each: str) -> date:
    """Return the first day after *day* for which there is a dated list.

    >>> find_next_day(date(2026, 11, 22), "week"), find_next_day(date(2026, 12, 1), "month")
    (datetime.date(2026, 11, 23), datetime.date(2027, 1, 1))
    """
    if each == DatedInterval.WEEK:
        return day + (7 - day.weekday()) * DAY
    return date(day.year + day.month // DECEMBER, day.month % DECEMBER + 1, 1)


def find_next_time(rating_list: RatingList, after: datetime) -> datetime | None:
    """Return the due time of the first dated list after a time: midnight in the club's time zone.

    None if no dated lists are scheduled.
    """
    if rating_list.dated == DatedInterval.NEVER:
        return None
    zone = ZoneInfo(rating_list.club.time_zone)
    return datetime.combine(find_next_day(after.astimezone(zone).date(), rating_list.dated), time(), zone)


def schedule(*, rating_list: RatingList, each: DatedInterval, by: User, now: datetime) -> RatingList:
    """Set whether a list is published each week, each month or not at all; published lists stay.

    :raises NotKeeper: `by` is not a director of this club.
    """
    require_keeper(rating_list.club, by)
    with transaction.atomic():
        held = _lock_list(rating_list.pk)
        if held.dated != each:
            held.dated = each
            held.dated_at = find_next_time(held, now)
            held.save(update_fields=["dated", "dated_at"])
    return held


def move_due_times(club: Club, *, was: str) -> None:
    """Move the due dated lists of a club to midnight of the same days in its new time zone."""
    zone = ZoneInfo(club.time_zone)
    for held in entries.lock_lists(RatingList.objects.filter(club=club, dated_at__isnull=False)):
        assert held.dated_at is not None  # noqa: S101 - by the filter
        held.dated_at = datetime.combine(held.dated_at.astimezone(ZoneInfo(was)).date(), time(), zone)
        held.save(update_fields=["dated_at"])


def query_due(at: Any) -> Iterator[QuerySet[RatingList]]:
    """Select the rating lists whose next dated list is due."""
    yield RatingList.objects.filter(dated_at__lte=at)


def sweep(now: datetime) -> int:
    """Make due dated lists for one time slice, the oldest first; return their number."""
    ends = monotonic() + sweeps.SLICE

    def make_all(list_id: int) -> int:
        made = 0
        while monotonic() < ends and create_next_list(list_id=list_id, now=now):
            made += 1
        return made

    [rows] = query_due(now)
    found = rows.order_by("dated_at", "pk").values_list("pk", flat=True)
    return failures.process_each("rankings.dated", found, make_all, now=now)


def create_next_list(*, list_id: int, now: datetime) -> bool:
    """Make the next dated list of a rating list; True if one was due and its date was advanced.

    A list with pending updates waits: matches finished by then would be missing for good.
    """
    with transaction.atomic():
        held = _lock_list(list_id)
        at = held.dated_at
        if at is None or at > now or ledger.is_behind(held):
            return False
        first = rated_matches.list_entries(held).values_list("at", flat=True).first()
        if first is None or first >= at:
            # A list without players is not published.
            held.dated_at = find_next_time(held, now if first is None else min(first, now))
        else:
            _create_dated_list(held, at, now=now)
            held.dated_at = find_next_time(held, at)
        held.save(update_fields=["dated_at"])
    return True


def _lock_list(list_id: int) -> RatingList:
    rows = RatingList.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("club").get(pk=list_id)


def _create_dated_list(rating_list: RatingList, at: datetime, *, now: datetime) -> None:
    before = DatedList.objects.filter(list=rating_list, at__lt=at).order_by("-at").first()
    day = at.astimezone(ZoneInfo(rating_list.club.time_zone)).date()
    made = DatedList.objects.create(list=rating_list, day=day, at=at, made_at=now)
    was = _load_places(before)
    least = order.get_provisional_limit(rating_list, at)
    rows = compute_placed_players(rating_list, at, least=least)
    for row in rows:
        row.dated_list, row.was_place = made, was.get(row.player_id)
    DatedRating.objects.bulk_create(rows, batch_size=BATCH)
    _notify_published(made, now=now)
    if before is not None:
        DatedCorrection.objects.bulk_create(_list_corrections(made, before), batch_size=BATCH)


def _notify_published(made: DatedList, *, now: datetime) -> None:
    """Notify the club's webhooks of a new dated list, in the transaction that made it (ADR 28)."""
    about = {"list": made.list.key, "day": made.day.isoformat()}
    once = f"dated:{made.list.key}:{made.day.isoformat()}"
    webhooks.queue_calls(club_id=made.list.club_id, what="list.published", about=about, once=once, now=now)


def _load_places(dated_list: DatedList | None) -> dict[int, int]:
    """Return the places in a dated list by current player; merged players have the better place."""
    found: dict[int, int] = {}
    rows = DatedRating.objects.filter(dated_list=dated_list).order_by("place")
    for player, merged_into, place in rows.values_list("player", "player__merged_into", "place"):
        found.setdefault(merged_into or player, place)
    return found


def _list_corrections(made: DatedList, before: DatedList) -> list[DatedCorrection]:
    """Return the matches before the previous dated list whose result changed since it was made."""
    early = LedgerEntry.objects.filter(list=made.list, at__lt=before.at, is_a=True)
    gone = early.filter(voided_at__gt=before.made_at, written_at__lte=before.made_at)
    come = early.filter(written_at__gt=before.made_at, voided_at__isnull=True)
    # A merge of players is not a correction, nor is a rating that changes because of another match.
    now_one = _load_merges(gone)
    was = {entry.match: _build_match(entry, now_one) for entry in gone}
    now = {entry.match: _build_match(entry, now_one) for entry in come}
    return [
        _build_correction(made, was.get(match), now.get(match))
        for match in sorted(was.keys() | now.keys())
        if was.get(match) != now.get(match)
    ]


def _load_merges(entries: QuerySet[LedgerEntry]) -> dict[int, int]:
    """Map the players of these entries who were merged to the players they were merged into."""
    met = Q(pk__in=entries.values("player")) | Q(pk__in=entries.values("opponent"))
    rows = Player.objects.filter(met).values_list("pk", "merged_into")
    return {player: merged_into for player, merged_into in rows if merged_into is not None}


def _build_match(entry: LedgerEntry, now_one: dict[int, int]) -> RateableMatch:
    """Return the match of an entry between its present players, under any policy."""
    match = entries.build_match(entry)
    return replace(match, a=now_one.get(match.a, match.a), b=now_one.get(match.b, match.b), policy=0)


def _build_correction(
    made: DatedList, was: RateableMatch | None, now: RateableMatch | None
) -> DatedCorrection:
    known = now or was
    assert known is not None  # noqa: S101 - one of the two is there
    return DatedCorrection(
        dated_list=made,
        event_id=known.event,
        match=known.match,
        at=known.at,
        a_id=known.a,
        b_id=known.b,
        was_won_by_id=was.winner if was else None,
        won_by_id=now.winner if now else None,
    )


def compute_placed_players(rating_list: RatingList, at: datetime, *, least: int) -> list[DatedRating]:
    """Return all players by the matches finished before a time, in order, unsaved; those with less experience than *least* are provisional.

    Order and shared places are those of the live list (`ledger.order`).
    """
    played = dict(
        rated_matches.list_entries(rating_list)
        .filter(at__lt=at)
        .order_by()
        .values_list("player")
        .annotate(Count("pk"))
    )
    rows = [
        (standing.experience < least, -standing.rating, player, standing)
        for player, standing in _load_standings(rating_list, at, played).items()
    ]
    rows.sort(key=lambda row: row[:3])
    found: list[DatedRating] = []
    last: tuple[bool, float] | None = None
    for number, (is_provisional, _, player, standing) in enumerate(rows, 1):
        figure = is_provisional, round(standing.rating, order.DIGITS)
        found.append(
            DatedRating(
                player_id=player,
                place=found[-1].place if figure == last else number,
                is_provisional=is_provisional,
                rating=standing.rating,
                deviation=standing.deviation,
                experience=standing.experience,
                matches=played[player],
            )
        )
        last = figure
    return found


def _load_standings(rating_list: RatingList, at: datetime, players: Collection[int]) -> dict[int, Standing]:
    how = system(rating_list.system, rating_list.params)
    # With periods, an entry has the standing at the end of its period: the last one is rated again up to *at*.
    begun = rated_matches.get_period_start(at) if how.by_period else at
    found = entries.load_standings(rating_list, players, (begun, ""))
    since = rated_matches.list_entries(rating_list).filter(at__gte=begun, at__lt=at, is_a=True)
    for _step in how.steps((entries.build_match(entry).outcome for entry in since), found):
        pass
    last = rated_matches.compute_period(at - rebuilding.MOMENT)
    return {int(player): how.at(standing, last) for player, standing in found.items()}
