"""Changes to the stream queue by directors; each carries the version it saw (ADR 30)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from players.models import User
from runtime import stream
from tournaments.base.errors import ChangedMeanwhile
from tournaments.models import Pairing
from tournaments.play import changes
from venue.calls import queue_input, seats, stream_queue, table_filling
from venue.errors import NotForStream, StreamFull
from venue.models import Overlay, Room, StreamedMatch
from venue.queue import MatchId

MOST: Final = 20


def change_queue(
    *, room: Room, change: Callable[[list[MatchId]], Sequence[MatchId]], saw: str, by: User, now: datetime
) -> None:
    """Change the stream queue of a room; *change* maps the old order to the new.

    `saw` is the version the caller saw.

    :raises NotDirector: `by` does not direct at the room's club.
    :raises ChangedMeanwhile: the queue has changed; nothing changes.
    :raises NotForStream, StreamFull: nothing changes.
    """
    changes.require_director(room.club, by)
    with transaction.atomic():
        held = Room.objects.select_for_update(of=("self",), no_key=True).get(pk=room.pk)
        rows = stream_queue.list_streamed(held)
        if stream_queue.compute_version_key(rows) != saw:
            raise ChangedMeanwhile(what=_("The queue of the stream has changed since you looked."), now={})
        before = {queue_input.get_match_id(row.pairing): row.pairing for row in rows}
        order = list(dict.fromkeys(change(list(before))))
        if len(order) > MOST:
            raise StreamFull(most=MOST)
        wanted = [before.get(match) or _get_pairing(held, match) for match in order]
        StreamedMatch.objects.filter(pk__in=[row.pk for row in rows]).exclude(pairing__in=wanted).delete()
        for position, pairing in enumerate(wanted, 1):
            StreamedMatch.objects.update_or_create(pairing=pairing, defaults={"position": position})
        table_filling.queue_fill_after_change(held.pk, now=now)
        seats.notify_rooms([held.pk], now=now)
        for overlay in Overlay.objects.filter(table__room=held).select_related("table"):
            stream.publish(overlay.topic, "overlay", {}, now=now)


def remove_match(order: list[MatchId], match: MatchId) -> list[MatchId]:
    return [one for one in order if one != match]


def move_match(order: list[MatchId], match: MatchId, *, by: int) -> list[MatchId]:
    if match not in order:
        raise NotForStream
    place = order.index(match)
    others = remove_match(order, match)
    others.insert(max(0, place + by), match)
    return others


def _get_pairing(room: Room, match: MatchId) -> Pairing:
    event, _slash, key = match.partition("/")
    return NotForStream.raise_if_none(
        stream_queue.list_upcoming(room).filter(tournament__key=event, key=key).first()
    )
