"""Presence at the board, spectator counts, and the effect of absences on the clock.

Players and spectators are detected by the streams they read. Changes are published on the stream
`presence.KEY`: one of `white`, `black` (present or not) or `watching` (a count), for clients to merge into
the state they have.

A player on turn who loses the connection does not lose time at once: the clock is stopped for up to
`terms.absence` in the whole match. The absence is stored here; the time the clock was stopped is a fact of
the journal, written when the player is back, acts, or has used it up (`clocks.exclude_interruptions`).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from matches.journal import journal
from matches.journal.journal import Draft
from matches.journal.lifecycle import record
from matches.models import Absence, Audience, Bot, Match
from matches.play import automatic_facts, clocks
from matches.play.match_access import GALLERY, SEAT, get_gallery_topic, get_presence_topic, get_seat_topic
from matches.play.shapes import PresenceAnswer
from matches.state.match_state import BOTH, SIDES
from matches.state.status import ENDED, OPEN
from runtime import stream

NAME = "presence"


def store_seat_change(topic: str, is_here: bool, now: datetime) -> None:
    """Store that a player came or went, and notify watchers; called inside a transaction."""
    key, _, side = topic.removeprefix(f"{SEAT}.").partition(".")
    row = Match.objects.filter(key=key).first()
    if row is None or side not in SIDES:
        return
    data: dict[str, Any] = {side: is_here}
    if is_here:
        _record_return(row, side, now=now)
    elif row.status in OPEN and (row.terms.get("absence", 0) or row.terms.get("leave", 0)):
        Absence.objects.get_or_create(match=row, side=side, defaults={"since": now})
    if row.terms.get("leave", 0):
        data |= _load_absence_starts(row)
    stream.publish(get_presence_topic(key), NAME, data, now=now)


def _load_absence_starts(row: Match) -> dict[str, int | None]:
    gone = {each.side: journal.to_milliseconds(each.since) for each in Absence.objects.filter(match=row)}
    return {f"{side.word}_since": gone.get(side.word) for side in BOTH}


def _record_return(row: Match, side: str, *, now: datetime) -> None:
    """Record the time the clock was stopped, and delete the absence."""
    gone = Absence.objects.filter(match=row, side=side)
    if not gone.exists():
        return
    with transaction.atomic():
        draft = Draft.load(journal.lock(row.pk), now=now)
        clock = draft.state.clock
        if clock is not None and clock.turn is not None and clock.turn.word == side:
            clocks.exclude_interruptions(draft, mover=clock.turn)
            clocks.flag(draft)
            automatic_facts.write_automatic_facts(draft)
            if draft.steps:
                record(draft)
        gone.delete()


def query_due(at: Any) -> Iterator[QuerySet[Any]]:
    """Query the spectators now and at the last count, and the absences in finished matches."""
    yield stream.query_readers_since(GALLERY, at)
    yield Audience.objects.filter(watching__gt=0)
    yield _list_ended_absences()


def publish_audience_counts(*, now: datetime) -> int:
    found = {
        topic.partition(".")[2]: n for topic, n in stream.count_readers_by_topic(GALLERY, now=now).items()
    }
    counts = dict(Audience.objects.filter(watching__gt=0).values_list("match__key", "watching"))
    changed = {
        key: found.get(key, 0)
        for key in found.keys() | counts.keys()
        if found.get(key, 0) != counts.get(key, 0)
    }
    rows = Match.objects.filter(key__in=changed).only("pk", "key").order_by("pk")
    return sum(_publish_count(row, changed[row.key], now=now) for row in rows)


@transaction.atomic
def _publish_count(row: Match, watching: int, *, now: datetime) -> bool:
    Audience.objects.get_or_create(match=row)
    # Only one of two concurrent sweeps publishes.
    if not Audience.objects.filter(match=row).exclude(watching=watching).update(watching=watching):
        return False
    stream.publish(get_presence_topic(row.key), NAME, {"watching": watching}, now=now)
    return True


def delete_ended_absences() -> int:
    over = _list_ended_absences()
    return over.delete()[0] if over.exists() else 0


def _list_ended_absences() -> QuerySet[Absence]:
    return Absence.objects.filter(match__status__in=ENDED)


def build_presence(row: Match, *, now: datetime) -> PresenceAnswer:
    """Return the players' presence and the spectator count. Bots are always present."""
    seats = {side: get_seat_topic(row.key, side) for side in BOTH}
    here = stream.list_present(seats.values(), now=now)
    players = {side: row.black_id if side else row.white_id for side in BOTH}
    bot_rows = Bot.objects.filter(player__in=players.values()) if row.has_bot else Bot.objects.none()
    bots = set(bot_rows.values_list("player_id", flat=True))
    found = {side.word: seats[side] in here or players[side] in bots for side in BOTH}
    since: dict[str, Any] = _load_absence_starts(row) if row.terms.get("leave", 0) else {}
    watching = stream.count_readers(get_gallery_topic(row.key), now=now)
    return PresenceAnswer(**found, **since, watching=watching)


stream.register_presence(SEAT, store_seat_change)
stream.register_presence(GALLERY)
# Signed-in users with an open page, for the list of opponents.
stream.register_presence("user")
