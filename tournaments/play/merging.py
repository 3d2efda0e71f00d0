"""Moving of entries when players are merged."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from players.errors import BothInUse
from players.models import Player
from tournaments.models import Entry, Tournament
from tournaments.play import capacity, snapshots

Row = dict[str, Any]
# Columns in which two entries of one event are merged.
UNITED: Final = ("entered_at", "place", "waits", "withdrawn_at")


def lock_events(leaving: Collection[int]) -> None:
    """Lock the events of players who are to be merged or erased, by id, before the players are locked."""
    theirs = Entry.objects.filter(player__in=leaving).values("tournament")
    list(
        Tournament.objects.select_for_update(of=("self",), no_key=True)
        .filter(pk__in=theirs)
        .order_by("pk")
        .values_list("pk", flat=True)
    )


def merge_entries(*, kept: Player, dropped: Player) -> list[Row]:
    """Move the dropped player's entries to the kept one; return the changes.

    The caller has locked the events (`lock_events`).

    If both entered the same event, the better place is kept, and the entry counts as withdrawn only if both
    were. Beside an entry in the draw, a withdrawn one that other packages use stays, as the dropped player's.
    Idempotent.

    :raises BothInUse: both entered an event, neither is in the draw, and other packages have rows about both.
    """
    done: list[Row] = []
    with transaction.atomic():
        events = Tournament.objects.filter(entries__player=dropped)
        twice = {
            entry.tournament_id: entry for entry in Entry.objects.filter(tournament__in=events, player=kept)
        }
        for entry in Entry.objects.filter(player=dropped).order_by("tournament_id"):
            other = twice.get(entry.tournament_id)
            if other is None:
                done.append({"entry": entry.pk, "gone": None})
            elif _is_in_draw(other) and (_is_in_draw(entry) or _is_used(entry)):
                continue  # both have played: two different people; or the payments stay with a withdrawn entry
            elif _is_in_draw(entry) and _is_used(other):
                snapshots.assign_players({entry.pk: kept.pk, other.pk: dropped.pk})
                done.append({"entry": entry.pk, "gone": None, "exchanged": other.pk})
                continue
            elif _replaces(entry, other):
                done.append({"entry": entry.pk, **_unite(entry, other)})
            else:
                done.append(_unite(other, entry))
                continue
            entry.player = kept
            entry.save(update_fields=["player"])
    return done


def undo_merge(*, kept: Player, dropped: Player, done: Iterable[Row], now: datetime) -> None:
    """Undo `merge_entries`; entries keep what was played since.

    The caller has locked the events (`lock_events`).
    """
    with transaction.atomic():
        for each in done:
            if "exchanged" in each:
                wanted = {each["entry"]: dropped.pk, each["exchanged"]: kept.pk}
                # The players may have been replaced.
                if Entry.objects.filter(pk__in=wanted, player__in=(kept, dropped)).count() == len(wanted):
                    snapshots.assign_players(wanted)
                continue
            if "entry" in each:
                # The player may have left the event, or have been replaced.
                Entry.objects.filter(pk=each["entry"], player=kept).update(player=dropped)
                owner = kept
            else:
                owner = dropped
            if "into" in each:
                _restore_merged(each)
            if each["gone"]:
                _reenter_player(each["gone"], owner, now=now)


def _restore_merged(each: Row) -> None:
    """Restore a merged entry, except columns that have changed since; one in the draw stays in it."""
    now_is = Entry.objects.filter(pk=each["into"]).first()
    if now_is is None:
        return
    is_now = snapshots.serialize_row(now_is)
    old = {name: before for name, (before, after) in each["changed"].items() if is_now[name] == after}
    if _is_in_draw(now_is):
        old = {name: before for name, before in old.items() if name not in {"waits", "withdrawn_at"}}
    Entry.objects.filter(pk=now_is.pk).update(**snapshots.parse_row(Entry, old))


def _reenter_player(row: Row, player: Player, *, now: datetime) -> None:
    """Re-enter a player who was in the event before the merge; withdrawn if there is a draw by now."""
    event = Tournament.objects.filter(pk=row["tournament_id"]).first()
    entries = Entry.objects.filter(tournament=event)
    if event is None or entries.filter(player=player).exists():
        return
    values = {**snapshots.parse_row(Entry, row), "player_id": player.pk}
    del values["id"]
    if entries.filter(number=values["number"]).exists():
        values["number"] = capacity.compute_next_number(event)
    if values["withdrawn_at"] is None and event.stages.filter(draw__isnull=False).exists():
        values |= {"withdrawn_at": now, "place": None}
    Entry.objects.create(**values)


def _is_in_draw(entry: Entry) -> bool:
    return entry.withdrawn_at is None and entry.tournament.stages.filter(draw__isnull=False).exists()


def _is_used(entry: Entry) -> bool:
    return entry.number in capacity.list_used_numbers(entry.tournament)


def _replaces(entry: Entry, other: Entry) -> bool:
    """True if the dropped player's entry is kept: it is in the draw, or neither is and other packages use it.

    :raises BothInUse: neither is in the draw, and both are used.
    """
    if _is_in_draw(entry) or _is_in_draw(other):
        return _is_in_draw(entry)
    if _is_used(entry) and _is_used(other):
        raise BothInUse(event=entry.tournament.name)
    return _is_used(entry)


def _unite(kept: Entry, dropped: Entry) -> Row:
    was = snapshots.serialize_row(kept)
    kept.entered_at = min(kept.entered_at, dropped.entered_at)
    places = [place for place in (kept.place, dropped.place) if place is not None]
    kept.place = min(places, default=None)
    if kept.withdrawn_at is None or dropped.withdrawn_at is None:
        kept.waits = all(each.waits for each in (kept, dropped) if each.withdrawn_at is None)
        kept.withdrawn_at = None
    else:
        kept.withdrawn_at = max(kept.withdrawn_at, dropped.withdrawn_at)
    now_is = snapshots.serialize_row(kept)
    done: Row = {
        "gone": snapshots.serialize_row(dropped),
        "into": kept.pk,
        "changed": {name: [was[name], now_is[name]] for name in UNITED},
    }
    dropped.delete()
    kept.save(update_fields=UNITED)
    return done
