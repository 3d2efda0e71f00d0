"""Overlays, as directors set them up for a streamer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from runtime import stream
from tournaments.play import changes
from venue.errors import BadDelay
from venue.models import Layout, Overlay, Table
from venue.models.overlays import LONGEST_DELAY, new_secret

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import User


def of_table(*, table: Table, by: User) -> Overlay:
    """Return the overlay of a table, made when it is first asked for.

    :raises NotDirector: `by` does not direct at the table's club.
    """
    changes.require_director(table.room.club, by)
    return Overlay.objects.get_or_create(table=table)[0]


def change(*, overlay: Overlay, by: User, layout: Layout, delay: int, now: datetime) -> Overlay:
    """Say how an overlay is shown; it is told at once.

    :raises NotDirector: `by` does not direct at the table's club.
    :raises BadDelay: nothing changes.
    """
    changes.require_director(overlay.table.room.club, by)
    if not 0 <= delay <= LONGEST_DELAY:
        raise BadDelay(most=LONGEST_DELAY)
    with transaction.atomic():
        Overlay.objects.filter(pk=overlay.pk).update(layout=layout.value, delay=delay)
        stream.publish(overlay.topic, "overlay", {}, now=now)
    overlay.layout, overlay.delay = layout, delay
    return overlay


def renew(*, overlay: Overlay, by: User, now: datetime) -> Overlay:
    """Give an overlay another address; the old one shows nothing any more.

    :raises NotDirector: `by` does not direct at the table's club.
    """
    changes.require_director(overlay.table.room.club, by)
    with transaction.atomic():
        overlay.secret = new_secret()
        Overlay.objects.filter(pk=overlay.pk).update(secret=overlay.secret)
        stream.publish(overlay.topic, "overlay", {}, now=now)
    return overlay
