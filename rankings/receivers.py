"""Handlers of the rankings package for signals, hooks, the outbox and sweeps."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction
from django.dispatch import receiver
from django.utils.translation import gettext as _

from careers import hooks as career_hooks
from fixtures import hooks as fixture_hooks
from matches import hooks as match_hooks
from players import hooks as player_hooks
from players.hooks import player_merged, player_unmerged, time_zone_changed
from players.models import Club, Player, User
from players.notices.kinds import KINDS
from rankings import verifiers
from rankings.chances import chance_views, chances, title_chances
from rankings.eligibility import eligibility, eligibility_views
from rankings.eligibility import eligibility_pages as eligible
from rankings.ledger import ledger, rated_matches, reach, rebuilding
from rankings.ledger import opening_ratings as opened
from rankings.lists import dated_lists, lists
from rankings.lists import list_views as views
from rankings.lists.groups import GROUP_ASKED
from rankings.models import DatedInterval, Season
from rankings.openings import openings
from rankings.seasons import division_pages, seasons
from rankings.seasons import divisions as division_services
from runtime import hooks as runtime_hooks
from runtime.hooks import SlotPart
from runtime.models import Queue
from runtime.work import outbox, sweeps
from tournaments import hooks as event_hooks
from tournaments.base import substitutes
from tournaments.hooks import demo_built, event_changed
from tournaments.models import Tournament


@receiver(event_changed, dispatch_uid="rankings.follow_event")
def queue_event_updates(*, event: Tournament, now: datetime, **_signal: object) -> None:
    """Queue updates of the club's lists and seasons."""
    ledger.queue_update(event, now=now)
    seasons.queue_update(event, now=now)


def update_from_event(payload: Mapping[str, Any], *, now: datetime) -> None:
    """Update the ratings from an event, then request its title chances, as they depend on the ratings."""
    ledger.update_lists(event_id=payload["event"], now=now)
    with transaction.atomic():
        title_chances.request(event_id=payload["event"], now=now)


@receiver(demo_built, dispatch_uid="rankings.rate_the_demo")
def rate_demo_matches(*, club: Club, by: User, now: datetime, **_signal: object) -> None:
    opened = lists.open_list(
        club=club,
        by=by,
        name=_("Club list"),
        system="fibs",
        since=club.created_at,
        terms=lists.Terms(friendlies=True),
        dated=DatedInterval.WEEK,
        now=now,
    )
    ledger.rebuild(list_id=opened.pk, now=now)
    _open_demo_seasons(club, by, now=now)


def _open_demo_seasons(club: Club, by: User, *, now: datetime) -> None:
    """Open a season for each half-year since the club was created."""
    rules = {"places": ["10", "7", "5", "5", "3", "3", "3", "3"], "attendance": "1", "best": 8}
    year, half = club.created_at.year, (club.created_at.month - 1) // 6
    while date(year, 6 * half + 1, 1) <= now.date():
        first = date(year, 6 * half + 1, 1)
        last = date(year, 6, 30) if half == 0 else date(year, 12, 31)
        name = _("Spring %(year)s") if half == 0 else _("Autumn %(year)s")
        terms = seasons.SeasonTerms(name % {"year": year}, first, last, rules=rules)
        seasons.open_season(club=club, by=by, terms=terms, now=now)
        year, half = year + half, 1 - half


@receiver(player_merged, dispatch_uid="rankings.openings_merged")
@receiver(player_unmerged, dispatch_uid="rankings.openings_unmerged")
def queue_opening_rebuilds(*, kept: Player, dropped: Player, now: datetime, **_signal: object) -> None:
    """Queue rebuilds of the lists in which one of the two players has an opening rating."""
    openings.queue_rebuilds([kept.pk, dropped.pk], now=now)


@receiver(player_merged, dispatch_uid="rankings.replaced_merged")
@receiver(player_unmerged, dispatch_uid="rankings.replaced_unmerged")
def queue_updates_of_replaced(*, kept: Player, dropped: Player, now: datetime, **_signal: object) -> None:
    """Queue updates of the lists and seasons with what one of the two had played before a substitute came."""
    for event in substitutes.list_events([kept.pk, dropped.pk]):
        ledger.queue_update(event, now=now)
        seasons.queue_update(event, now=now)


@receiver(player_merged, dispatch_uid="rankings.divisions_merged")
def merge_divisions(*, kept: Player, dropped: Player, **_signal: object) -> dict[str, object]:
    return {"divisions": division_services.merge_memberships(kept=kept, dropped=dropped)}


@receiver(player_unmerged, dispatch_uid="rankings.divisions_unmerged")
def unmerge_divisions(*, kept: Player, dropped: Player, moved: dict[str, Any], **_signal: object) -> None:
    division_services.unmerge_memberships(kept=kept, dropped=dropped, moved=moved.get("divisions", {}))


@receiver(time_zone_changed, dispatch_uid="rankings.time_zone_changed")
def move_days(*, club: Club, was: str, now: datetime, **_signal: object) -> None:
    """Count the events of each season by the club's new days, and move the due dated lists."""
    dated_lists.move_due_times(club, was=was)
    seasons.update_seasons(Season.objects.filter(club=club), now=now)


event_hooks.WINNING_CHANCE.provide(chances.compute_pair_chance)
player_hooks.RATINGS.provide(reach.find_largest)
player_hooks.PLAYER_PAGE.add("ratings", SlotPart("rankings/_card.html", views.build_player_part))
event_hooks.EVENT_MATCH.add("chances", SlotPart("rankings/_chance.html", chance_views.build_match_part))
match_hooks.MATCH_SIDE.add("chances", SlotPart("rankings/_chance.html", chance_views.build_board_part))
event_hooks.EVENT_MATCH.add("ratings", SlotPart("rankings/_rated.html", views.build_match_part))
fixture_hooks.FRIENDLIES_PAGE.add(
    "ratings", SlotPart("rankings/_friendlies.html", views.build_friendlies_part)
)
event_hooks.EVENT_CORRECT.add("ratings", SlotPart("rankings/_at_stake.html", views.build_correction_part))
match_hooks.MATCH_SIDE.add("ratings", SlotPart("rankings/_rated.html", views.build_board_part))
career_hooks.HEAD_TO_HEAD.add("ratings", SlotPart("rankings/_pair.html", views.build_pair_part))
event_hooks.ROSTER_ASIDE.add(
    "eligibility", SlotPart("rankings/_roster_eligible.html", eligibility_views.build_roster_part)
)
event_hooks.ROSTER_ENTRANT.add(
    "eligibility", SlotPart("rankings/_entrant_eligible.html", eligibility_views.build_entrant_part)
)
event_hooks.EVENT_PAGE.add(
    "eligibility", SlotPart("rankings/_asked.html", eligibility_views.build_event_part)
)
event_hooks.ENTRY_CONDITIONS.add("eligibility", eligibility.require_eligible)
event_hooks.EVENT_PAGE.add("title chances", SlotPart("rankings/_titles.html", chance_views.build_event_part))
player_hooks.EXPORTS.add("ratings", rated_matches.export_entries)
player_hooks.EXPORTS.add("opening_ratings", opened.export_openings)
player_hooks.EXPORTS.add("divisions", division_pages.export_divisions)
player_hooks.EXPORTS.add("admissions", eligible.export_admissions)
# The handler opens its own transactions, and for the ratings only if any differ.
outbox.register(ledger.FOLLOW, update_from_event, external=True)
outbox.register(ledger.OPENINGS, openings.request_rebuilds)
outbox.register(rebuilding.REBUILT, title_chances.request_for_list)
outbox.register(seasons.FOLLOW, seasons.update_event_seasons)
# The handler opens its own transaction, and only for writing.
outbox.register(title_chances.KIND, title_chances.compute, external=True, is_background=True)
sweeps.register("rankings.drafts", timedelta(hours=1), openings.delete_old_drafts, due=openings.query_due)
sweeps.register(
    "rankings.dated",
    timedelta(seconds=10),
    dated_lists.sweep,
    queue=Queue.SLOW,
    due=dated_lists.query_due,
    is_background=True,
)
sweeps.register(
    "rankings.rebuild",
    timedelta(seconds=1),
    rebuilding.sweep,
    queue=Queue.SLOW,
    due=rebuilding.query_due,
    is_background=True,
)
runtime_hooks.VERIFIERS.add("ratings", verifiers.verify_ledgers)
runtime_hooks.VERIFIERS.add("seasons", verifiers.verify_seasons)
KINDS.add("rankings", (GROUP_ASKED,))
