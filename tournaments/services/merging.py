"""One person, two rows: what becomes of the entries when players are merged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from tournaments.models import Entry, Tournament

if TYPE_CHECKING:
    from collections.abc import Collection

    from players.models import Player


def hold(leaving: Collection[int]) -> None:
    """Lock the events of players who are about to be merged or erased, oldest first, before the players are."""
    theirs = Entry.objects.filter(player__in=leaving).values("tournament")
    list(
        Tournament.objects.select_for_update(of=("self",), no_key=True)
        .filter(pk__in=theirs)
        .order_by("pk")
        .values_list("pk", flat=True)
    )


def adopt(*, kept: Player, dropped: Player) -> int:
    """Move the dropped player's entries to the kept one; return how many. Their events are held (`hold`).

    Where both entered the same event the better place stands, and who is in stays in.
    Repeating it finds nothing to do.
    """
    with transaction.atomic():
        events = list(Tournament.objects.filter(entries__player=dropped).order_by("pk"))
        twice = {
            entry.tournament_id: entry for entry in Entry.objects.filter(tournament__in=events, player=kept)
        }
        for entry in Entry.objects.filter(player=dropped).order_by("tournament_id"):
            if (other := twice.get(entry.tournament_id)) is None:
                entry.player = kept
                entry.save(update_fields=["player"])
                continue
            if _plays(entry) and _plays(other):
                continue  # both have sat at the tables: two people, whatever their names
            if _plays(entry):
                other.delete()
                entry.player = kept
                entry.save(update_fields=["player"])
                continue
            _unite(other, entry)
            entry.delete()
            other.save(update_fields=["entered_at", "place", "withdrawn_at"])
        return len(events)


def _plays(entry: Entry) -> bool:
    """Say whether an entry stands in the draw of an event that is played here."""
    return entry.withdrawn_at is None and entry.tournament.stages.filter(draw__isnull=False).exists()


def _unite(kept: Entry, dropped: Entry) -> None:
    kept.entered_at = min(kept.entered_at, dropped.entered_at)
    places = [place for place in (kept.place, dropped.place) if place is not None]
    kept.place = min(places, default=None)
    if kept.withdrawn_at is None or dropped.withdrawn_at is None:
        kept.withdrawn_at = None
    else:
        kept.withdrawn_at = max(kept.withdrawn_at, dropped.withdrawn_at)
