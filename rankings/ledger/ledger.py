"""Updates of the ledger: each match is rated once, in the order of finish times, not of arrival.

An update compares the matches of an event that a list should rate with those in its ledger. From the first
difference on the ledger is replayed (`entries`), at once, or in portions if much comes after it
(`rebuilding`). So an update is idempotent, may run late, and does not depend on the kind of change.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

import structlog
from django.db import transaction
from django.db.models import Q, Subquery

from rankings.formulas.systems import system
from rankings.formulas.values import System
from rankings.ledger import entries, rated_matches, reach, rebuilding
from rankings.ledger.rated_matches import Order, RateableMatch
from rankings.models import RatingList, Rebuild
from runtime.models import Outbox
from runtime.work import outbox
from tournaments.models import Tournament

log = structlog.get_logger(__name__)

FOLLOW: Final = "rankings.follow"
# Outbox kind: a player with an opening rating was merged or unmerged.
OPENINGS: Final = "rankings.openings"
# At most this many matches are rated again at once; more need a rebuild.
AT_ONCE: Final = 2_000


def queue_update(event: Tournament, *, now: datetime) -> None:
    """Queue an update of the lists that rate an event's club, in the transaction of the change."""
    if reach.is_rated(event):
        outbox.request(FOLLOW, {"event": event.pk}, dedupe_key=f"{FOLLOW}:{event.pk}", now=now)


def is_behind(rating_list: RatingList) -> bool:
    """True if an update of this list is pending, in the outbox or as a rebuild."""
    if Rebuild.objects.filter(list=rating_list).exists():
        return True
    rows = Outbox.objects.filter(done_at__isnull=True, failed_at__isnull=True)
    if any(
        each["list"] == rating_list.pk
        for each in rows.filter(kind=OPENINGS).values_list("payload", flat=True)
    ):
        return True
    events = [each["event"] for each in rows.filter(kind=FOLLOW).values_list("payload", flat=True)]
    return Tournament.objects.filter(reach.filter_played(rating_list, "club"), pk__in=events).exists()


def update_lists(*, event_id: int, now: datetime) -> int:
    """Update all lists from an event's matches; return how many entries were written or voided at once.

    Most changes of an event affect no rating, so the lists are compared before they are locked. A change in
    between queues a further update. A list whose parameters lead out of the range of numbers is skipped, so
    that it holds up no other.
    """
    club = Tournament.objects.filter(pk=event_id).values("club")
    compared = {
        each.pk: (each.version, *_load_rated(each, event_id)) for each in reach.list_lists(Subquery(club))
    }
    changed = 0
    for pk, (version, there, wanted) in compared.items():
        if there == wanted:
            continue
        try:
            with transaction.atomic():
                for each in entries.lock_lists(RatingList.objects.filter(pk=pk)):
                    # Another worker may have changed its ledger since.
                    is_same = each.version == version
                    rated = (there, wanted) if is_same else _load_rated(each, event_id)
                    changed += _update_list(each, *rated, now=now)
        except ArithmeticError:
            log.exception("ratings.list_skipped", list_id=pk, event_id=event_id)
    return changed


def rebuild(*, list_id: int, now: datetime) -> int:
    """Recompute a whole list synchronously; return how many entries were written or voided."""
    rebuilding.request_full_rebuild(list_id=list_id, now=now)
    return rebuilding.finish_rebuild(list_id=list_id, now=now)


def _load_rated(rating_list: RatingList, event: int) -> tuple[set[RateableMatch], set[RateableMatch]]:
    """Return the matches of an event that are in a list's ledger, and those that should be."""
    lines = entries.list_lines(rating_list, Q(event=event, is_a=True))
    return {entries.build_match(line) for _, line in lines}, set(
        rated_matches.list_matches(rating_list, event)
    )


def _update_list(
    rating_list: RatingList, there: set[RateableMatch], wanted: set[RateableMatch], *, now: datetime
) -> int:
    how = system(rating_list.system, rating_list.params)
    differing = wanted ^ there
    if not differing:
        return 0
    since = compute_start(min(each.order for each in differing), how)
    touched = {player for each in differing for player in (each.a, each.b)}
    if how.by_period and _is_all_of_last_period(rating_list, differing):
        # Other players' entries depend on the standings before the period, so they do not change.
        which = rated_matches.filter_from(since) & Q(player__in=touched)
        only: Collection[int] | None = touched
    elif _needs_rebuild(rating_list, since):
        rebuilding.request_rebuild(rating_list, since, now=now)
        return 0
    else:
        which, only = rated_matches.filter_from(since), None
    standing = {line: pk for pk, line in entries.list_lines(rating_list, which)}
    others = {entries.build_match(line) for line in standing} - there
    replayed = sorted(
        (
            each
            for each in others | wanted
            if each.order >= since and (only is None or each.a in only or each.b in only)
        ),
        key=lambda each: each.order,
    )
    everybody = {player for each in replayed for player in (each.a, each.b)}
    players = entries.load_standings(rating_list, everybody, since)
    changed = entries.replay(rating_list, how, replayed, players, standing, only=only, now=now)
    entries.update_ratings(rating_list, only or everybody | {line.player_id for line in standing})
    if changed:
        rebuilding.notify_list_changed(rating_list, now=now)
    return changed


def _is_all_of_last_period(rating_list: RatingList, matches: Collection[RateableMatch]) -> bool:
    """True if all are of one period without later entries in the ledger; never during a rebuild."""
    begun = {rated_matches.get_period_start(each.at) for each in matches}
    ends = rated_matches.get_period_end(min(begun))
    return not (
        len(begun) > 1
        or Rebuild.objects.filter(list=rating_list).exists()
        or rated_matches.list_entries(rating_list).filter(at__gte=ends).exists()
    )


def compute_start(first: Order, how: System) -> Order:
    """Return the position from which the ledger is replayed; with rating periods, the start of one."""
    return (rated_matches.get_period_start(first[0]), "") if how.by_period else first


def _needs_rebuild(rating_list: RatingList, since: Order) -> bool:
    """True if a rebuild takes over: one is under way, or a long part of the ledger must be replayed."""
    if Rebuild.objects.filter(list=rating_list).exists():
        return True
    after = rated_matches.list_entries(rating_list).filter(rated_matches.filter_from(since), is_a=True)
    return after[AT_ONCE : AT_ONCE + 1].exists()
