"""Signal receivers, sweeps and registrations of matches."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.dispatch import receiver
from django.utils import timezone

from matches import verifiers
from matches.bots import bots
from matches.hooks import match_due
from matches.journal import live
from matches.lobby import challenges, offers, visitors
from matches.models import Habits
from matches.play import chat, deadlines, notices, presence, sources, stream_access, visitor_sessions
from matches.watch import player_matches, tallies
from players import hooks as player_hooks
from players.hooks import player_erased, player_merged, player_unmerged
from runtime import hooks as runtime_hooks
from runtime import nodes, stream
from runtime.models import Queue
from runtime.stream import rights
from runtime.work import sweeps

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.db.models import QuerySet

    from matches.models import Match
    from players.models import Player


@receiver(match_due, dispatch_uid="matches.wake_bot")
def wake_bot(*, row: Match, due: str, **_signal: object) -> None:
    """Let a bot act before the response to the player's command; matches of two bots wait for the sweep."""
    if row.has_bot and due and bots.is_single_bot_due(row):
        bots.act_or_log(match_id=row.pk, now=timezone.now())  # noqa: TID251 - the signal has no time


@receiver(player_erased, dispatch_uid="matches.close_offers")
def close_offers(*, player: Player, now: datetime, **_signal: object) -> None:
    challenges.withdraw_all(player, now=now)


@receiver(player_merged, dispatch_uid="matches.move_matches")
def move_matches(*, kept: Player, dropped: Player, **_signal: object) -> dict[str, object]:
    """Move the dropped player's matches, in the transaction of the merge."""
    return {"matches": player_matches.move_matches(kept=kept, dropped=dropped)}


@receiver(player_erased, dispatch_uid="matches.end_matches")
def end_matches(*, player: Player, now: datetime, **_signal: object) -> None:
    player_matches.end_matches(player, now=now)


@receiver(player_merged, dispatch_uid="matches.move_talk")
def move_talk(*, kept: Player, dropped: Player, **_signal: object) -> dict[str, object]:
    return {"talk": chat.move_chat(kept=kept, dropped=dropped)}


@receiver(player_unmerged, dispatch_uid="matches.give_back")
def move_back(*, kept: Player, dropped: Player, moved: dict[str, Any], **_signal: object) -> None:
    """Restore the dropped player's matches and chat data."""
    player_matches.move_matches_back(kept=kept, dropped=dropped, moved=moved.get("matches", {}))
    chat.move_chat_back(kept=kept, dropped=dropped, said=moved.get("talk", ()))


@receiver(player_erased, dispatch_uid="matches.forget_habits")
def delete_habits(*, player: Player, **_signal: object) -> None:
    Habits.objects.filter(player=player).delete()


@receiver(player_erased, dispatch_uid="matches.unsay")
def delete_chat(*, player: Player, now: datetime, **_signal: object) -> None:
    chat.delete_chat(player, now=now)


def update_tallies(now: datetime) -> int:
    """Update the dice tallies of matches that were finished or reopened."""
    return tallies.sweep()


def query_due_deadlines(at: Any) -> Iterator[QuerySet[Match]]:
    yield deadlines.list_due(now=at)


def query_outdated_tallies(_at: Any) -> Iterator[QuerySet[Match]]:
    yield tallies.list_outdated()


def settle_deadlines(now: datetime) -> int:
    return deadlines.sweep(now)


def run_due_bots(now: datetime) -> int:
    """Let bots act that were not woken by a signal."""
    return bots.sweep(now=now)


def expire_offers(now: datetime) -> int:
    return challenges.expire(now=now)


def notify_absent(now: datetime) -> int:
    return notices.sweep(now=now)


def publish_audience_counts(now: datetime) -> int:
    """Publish spectator counts, and delete absences of finished matches."""
    return presence.publish_audience_counts(now=now) + presence.delete_ended_absences()


def void_abandoned_matches(now: datetime) -> int:
    return visitors.sweep(now=now)


stream.register_source(live.FAMILY, sources.JournalSource())
for family in stream_access.FAMILIES:
    stream.register_rule(family, stream_access.allow_readable_topics)
stream.register_rule(live.LOBBY.partition(".")[0], stream_access.allow_lobby_topics)
player_hooks.GUEST.provide(visitor_sessions.find_visitor)
rights.MUTES.provide(stream_access.load_mutes)
player_hooks.EXPORTS.add("matches", player_matches.export_matches)
player_hooks.APPEARANCES.add("matches", player_matches.collect_appearances)
player_hooks.LOCKS.add(player_hooks.LOCK_MATCHES, player_matches.lock_matches)
player_hooks.EXPORTS.add("challenges", offers.export_challenges)
player_hooks.EXPORTS.add("habits", offers.export_habits)
player_hooks.EXPORTS.add("talk", chat.export_chat)
runtime_hooks.VERIFIERS.add("journals", verifiers.verify_journals)
runtime_hooks.VERIFIERS.add("dice", tallies.find_problems)
sweeps.register(
    "matches.deadlines", timedelta(seconds=1), settle_deadlines, queue=Queue.CLOCKS, due=query_due_deadlines
)
sweeps.register("matches.bots", timedelta(seconds=1), run_due_bots, queue=Queue.CLOCKS, due=bots.query_due)
sweeps.register("matches.audiences", timedelta(seconds=3), publish_audience_counts, due=presence.query_due)
sweeps.register("matches.offers", timedelta(seconds=30), expire_offers, due=challenges.query_due)
sweeps.register("matches.notices", timedelta(seconds=10), notify_absent, due=notices.query_due)
sweeps.register(
    "matches.visitors",
    timedelta(hours=1),
    void_abandoned_matches,
    queue=Queue.SLOW,
    due=visitors.query_due,
)
sweeps.register(
    "matches.dice",
    timedelta(minutes=1),
    update_tallies,
    queue=Queue.SLOW,
    due=query_outdated_tallies,
    is_background=True,
)
nodes.hurries.append(deadlines.query_upcoming)
