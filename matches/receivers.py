"""Signal receivers, sweeps and registrations of matches."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.dispatch import receiver
from django.utils import timezone

from matches import verifiers
from matches.bots import bots
from matches.hooks import match_due
from matches.journal import live
from matches.lobby import challenges, lobby_views, offers, visitors
from matches.models import Habits, Match
from matches.play import chat, deadlines, notices, presence, sources, stream_access, visitor_sessions
from matches.watch import player_matches, tallies
from players import hooks as player_hooks
from players.access import listeners
from players.hooks import player_erased, player_merged, player_unmerged
from players.models import Player
from players.notices.kinds import KINDS
from runtime import hooks as runtime_hooks
from runtime import nodes, stream
from runtime.hooks import SlotPart
from runtime.models import Queue
from runtime.stream import rights
from runtime.work import sweeps


@receiver(match_due, dispatch_uid="matches.wake_bot")
def wake_bot(*, row: Match, due: str, **_signal: object) -> None:
    """Let a bot act before the response to the player's command; matches of two bots wait for the sweep."""
    if row.has_bot and due and bots.is_single_bot_due(row):
        bots.act_or_log(match_id=row.pk, now=timezone.now())  # noqa: TID251 - the signal has no time


@receiver(player_erased, dispatch_uid="matches.erase")
def erase_player(*, player: Player, now: datetime, **_signal: object) -> None:
    """Withdraw the player's offers, end their matches, and delete their habits and chat data."""
    challenges.withdraw_all(player, now=now)
    player_matches.end_matches(player, now=now)
    Habits.objects.filter(player=player).delete()
    chat.delete_chat(player, now=now)


@receiver(player_merged, dispatch_uid="matches.move")
def move(*, kept: Player, dropped: Player, **_signal: object) -> dict[str, object]:
    """Move the dropped player's matches and chat data, in the transaction of the merge."""
    moved = player_matches.move_matches(kept=kept, dropped=dropped)
    return {"matches": moved, "talk": chat.move_chat(kept=kept, dropped=dropped)}


@receiver(player_unmerged, dispatch_uid="matches.give_back")
def move_back(*, kept: Player, dropped: Player, moved: dict[str, Any], **_signal: object) -> None:
    """Restore the dropped player's matches and chat data."""
    player_matches.move_matches_back(kept=kept, dropped=dropped, moved=moved.get("matches", {}))
    chat.move_chat_back(kept=kept, dropped=dropped, line_ids=moved.get("talk", ()))


def publish_presence(now: datetime) -> int:
    return presence.publish_audience_counts(now=now) + presence.delete_ended_absences()


stream.register_source(live.FAMILY, sources.JournalSource())
for family in stream_access.FAMILIES:
    stream.register_rule(family, stream_access.allow_readable_topics)
stream.register_rule(live.LOBBY.partition(".")[0], listeners.allow_public_topics)
player_hooks.GUEST.provide(visitor_sessions.find_visitor)
rights.MUTES.provide(stream_access.load_mutes)
player_hooks.PLAYER_HEAD.add("challenge", SlotPart("matches/_challenge.html", lobby_views.build_player_part))
player_hooks.EXPORTS.add("matches", player_matches.export_matches)
player_hooks.APPEARANCES.add("matches", player_matches.collect_appearances)
player_hooks.LOCKS.add(player_hooks.LOCK_MATCHES, player_matches.lock_matches)
player_hooks.EXPORTS.add("challenges", offers.export_challenges)
player_hooks.EXPORTS.add("habits", offers.export_habits)
player_hooks.EXPORTS.add("talk", chat.export_chat)
runtime_hooks.VERIFIERS.add("journals", verifiers.verify_journals)
runtime_hooks.VERIFIERS.add("dice", tallies.find_problems)
sweeps.register(
    "matches.deadlines",
    timedelta(seconds=1),
    deadlines.sweep,
    queue=Queue.CLOCKS,
    due=lambda at: [deadlines.list_due(now=at)],
)
sweeps.register("matches.bots", timedelta(seconds=1), bots.sweep, queue=Queue.CLOCKS, due=bots.query_due)
sweeps.register("matches.audiences", timedelta(seconds=3), publish_presence, due=presence.query_due)
sweeps.register("matches.offers", timedelta(seconds=30), challenges.expire, due=challenges.query_due)
sweeps.register("matches.notices", timedelta(seconds=10), notices.sweep, due=notices.query_due)
sweeps.register(
    "matches.visitors",
    timedelta(hours=1),
    visitors.sweep,
    queue=Queue.SLOW,
    due=visitors.query_due,
)
sweeps.register(
    "matches.dice",
    timedelta(minutes=1),
    tallies.sweep,
    queue=Queue.SLOW,
    due=lambda _at: [tallies.list_outdated()],
    is_background=True,
)
nodes.hurries.append(deadlines.query_upcoming)
KINDS.add(
    "matches",
    (
        notices.CHALLENGE_RECEIVED,
        notices.CHALLENGE_ACCEPTED,
        notices.CHALLENGE_DECLINED,
        notices.MATCH_CALLED,
        notices.YOUR_TURN,
        notices.MATCH_ENDED,
        chat.CHAT_REPORTED,
    ),
)
