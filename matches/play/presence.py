"""Who is at the board, how many are watching, and what an absence means for the clock.

Players and spectators are seen by the streams they read. What changed is told on the match's stream
`presence.KEY`: one of `white`, `black` (here or not) or `watching` (how many), for the reader to note over
what was known before.

A player on turn whose connection is gone does not lose for it at once: the clock stands for as long as
`terms.absence` allows in the whole match. That somebody went is noted here; what the clock stood is a fact of
the journal, written when the player is back, acts, or has used it up (`clocks.excuse`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction

from matches.journal import journal
from matches.journal.lifecycle import Draft, record
from matches.models import Absence, Audience, Bot, Match
from matches.play import clocks, following
from matches.play.watching import GALLERY, SEAT, gallery_topic, presence_topic, seat_topic
from matches.state.match_state import BOTH, SIDES
from matches.state.status import ENDED, OPEN
from runtime import stream

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.db.models import QuerySet

NAME = "presence"


def seat_changed(topic: str, is_here: bool, now: datetime) -> None:
    """Note that a player came or went, and tell those who watch; called inside a transaction."""
    key, _, side = topic.removeprefix(f"{SEAT}.").partition(".")
    row = Match.objects.filter(key=key).first()
    if row is None or side not in SIDES:
        return
    told: dict[str, Any] = {side: is_here}
    if is_here:
        _came_back(row, side, now=now)
    elif row.status in OPEN and (row.terms.get("absence", 0) or row.terms.get("leave", 0)):
        Absence.objects.get_or_create(match=row, side=side, defaults={"since": now})
    if row.terms.get("leave", 0):
        told |= _since(row)
    stream.publish(presence_topic(key), NAME, told, now=now)


def _since(row: Match) -> dict[str, int | None]:
    """Return since when each side has been gone, in milliseconds, for those who may claim it."""
    gone = {each.side: journal.milliseconds(each.since) for each in Absence.objects.filter(match=row)}
    return {f"{side.word}_since": gone.get(side.word) for side in BOTH}


def _came_back(row: Match, side: str, *, now: datetime) -> None:
    """Write down what the clock stood, and forget that the player was gone."""
    gone = Absence.objects.filter(match=row, side=side)
    if not gone.exists():
        return
    with transaction.atomic():
        draft = Draft.of(journal.lock(row.pk), now=now)
        clock = draft.state.clock
        if clock is not None and clock.turn is not None and clock.turn.word == side:
            clocks.excuse(draft, mover=clock.turn)
            clocks.flag(draft)
            following.follow(draft)
            if draft.steps:
                record(draft)
        gone.delete()


def uncounted(at: Any) -> Iterator[QuerySet[Any]]:
    """Ask whether anybody looks on, or was told to, and for absences from matches that are over."""
    yield stream.read_since(GALLERY, at)
    yield Audience.objects.filter(watching__gt=0)
    yield _absences_that_are_over()


def count_audiences(*, now: datetime) -> int:
    """Tell how many look on, where that has changed; return at how many matches."""
    found = {topic.partition(".")[2]: n for topic, n in stream.audiences(GALLERY, now=now).items()}
    told = dict(Audience.objects.filter(watching__gt=0).values_list("match__key", "watching"))
    changed = {
        key: found.get(key, 0) for key in found.keys() | told.keys() if found.get(key, 0) != told.get(key, 0)
    }
    rows = Match.objects.filter(key__in=changed).only("pk", "key").order_by("pk")
    return sum(_tell_count(row, changed[row.key], now=now) for row in rows)


@transaction.atomic
def _tell_count(row: Match, watching: int, *, now: datetime) -> bool:
    Audience.objects.get_or_create(match=row)
    # Of two sweeps at once, one tells.
    if not Audience.objects.filter(match=row).exclude(watching=watching).update(watching=watching):
        return False
    stream.publish(presence_topic(row.key), NAME, {"watching": watching}, now=now)
    return True


def forget_absences() -> int:
    """Forget who left matches that are over; return how many."""
    over = _absences_that_are_over()
    return over.delete()[0] if over.exists() else 0


def _absences_that_are_over() -> QuerySet[Absence]:
    return Absence.objects.filter(match__status__in=ENDED)


def of(row: Match, *, now: datetime) -> dict[str, Any]:
    """Return who is at the board and how many look on. A bot of ours is always there."""
    seats = {side: seat_topic(row.key, side) for side in BOTH}
    here = stream.present(seats.values(), now=now)
    players = {side: row.black_id if side else row.white_id for side in BOTH}
    asked = Bot.objects.filter(player__in=players.values()) if row.has_bot else Bot.objects.none()
    bots = set(asked.values_list("player_id", flat=True))
    found = {side.word: seats[side] in here or players[side] in bots for side in BOTH}
    since = _since(row) if row.terms.get("leave", 0) else {}
    return {**found, **since, "watching": stream.readers(gallery_topic(row.key), now=now)}


stream.register_presence(SEAT, seat_changed)
stream.register_presence(GALLERY)
# Who is signed in and has a page open: whom one could play now.
stream.register_presence("user")
