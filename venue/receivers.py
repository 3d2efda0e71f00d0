"""Signal receivers and hooks of rooms."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from careers import hooks as career_hooks
from players import hooks as player_hooks
from players.access import listeners
from players.hooks import player_merged, player_unmerged
from players.models import Player, User
from runtime import hooks as runtime_hooks
from runtime import stream
from runtime.hooks import SlotPart
from runtime.models import Queue
from runtime.work import outbox, sweeps
from tournaments import hooks as event_hooks
from tournaments.hooks import (
    demo_built,
    event_changed,
    event_repeated,
    event_rescheduled,
    match_opened_by_code,
    open_match_changed,
)
from tournaments.models import Entry, Pairing, Tournament
from tournaments.play import incidents
from venue.calls import call_views as views
from venue.calls import calling, table_filling, tables
from venue.calls import stream_queue_views as streaming
from venue.desk import desk_views as desk
from venue.desk import pace
from venue.desk import what_if_views as what_if
from venue.models import CallMode, Chair, Table
from venue.player import call_answers
from venue.player import player_call_views as called
from venue.player import push as pushing
from venue.player import push_views as push
from venue.rehearsals import rehearsal_views as rehearsals
from venue.rehearsals import rehearsing
from venue.rooms import breaks, room_settings, room_views, rooms
from venue.rooms import event_room_views as event_rooms

# The demonstration's room.
ROOM: Final = "Lamp Room"
TABLES: Final = "1-6"
# The time between a call and a player's arrival.
WAY: Final = timedelta(minutes=1)
CALLED_AGO: Final = timedelta(minutes=3)


@receiver(event_changed, dispatch_uid="venue.follow_event")
def update_assignments(*, event: Tournament, now: datetime, **_signal: object) -> None:
    """Free the tables of finished matches, in the transaction of the change."""
    calling.update_assignments(event, now=now)


@receiver(open_match_changed, dispatch_uid="venue.show_open_match")
def notify_shared_rooms(*, event: Tournament, now: datetime, **_signal: object) -> None:
    """Notify the desks of events in the same room, which show scores and late players at its tables."""
    calling.notify_shared_rooms(event, now=now)


@receiver(match_opened_by_code, dispatch_uid="venue.hear")
def record_code_scan(*, row: Pairing, entry: Entry | None, now: datetime, **_signal: object) -> None:
    call_answers.record_code_scan(row=row, entry=entry, now=now)


@receiver(event_repeated, dispatch_uid="venue.same_room")
def copy_room(*, event: Tournament, like: Tournament, now: datetime, **_signal: object) -> None:
    room_settings.copy_room(event=event, like=like, now=now)
    breaks.copy_breaks(event=event, like=like)


@receiver(event_rescheduled, dispatch_uid="venue.move_breaks")
def move_breaks(*, event: Tournament, before: datetime, now: datetime, **_signal: object) -> None:
    breaks.move_breaks(event=event, before=before, now=now)


@receiver(user_logged_out, dispatch_uid="venue.signed_out")
def unsubscribe_signed_out(*, request: HttpRequest | None, user: User | None, **_signal: object) -> None:
    if request is not None and user is not None:
        push.unsubscribe_session(request, user)


@receiver(demo_built, dispatch_uid="venue.room_of_the_demo")
def set_up_demo_room(
    *, event: Tournament, waiting: Sequence[Pairing], by: User, now: datetime, **_signal: object
) -> None:
    """Open a room, play the event in it, and call the waiting matches.

    At the first table both players have arrived, at the others one.
    """
    called_at = now - CALLED_AGO
    room = rooms.open_room(club=event.club, by=by, name=ROOM, labels=TABLES, now=event.starts_at)
    room_settings.set_room(event=event, room=room, mode=CallMode.AUTOMATIC, by=by, now=called_at)
    tables = Table.objects.filter(room=room).order_by("position")
    for number, (table, row) in enumerate(zip(tables, waiting, strict=False)):
        calling.call(table=table, event=event, key=row.key, by=by, now=called_at)
        for entry in (row.a, row.b) if number == 0 else (row.a,):
            if entry is not None:
                incidents.record_arrival(
                    tournament_id=event.pk, key=row.key, entry=entry.number, by=by, now=called_at + WAY
                )


@receiver(player_merged, dispatch_uid="venue.move_chairs")
def merge_chairs(*, kept: Player, dropped: Player, now: datetime, **_signal: object) -> dict[str, object]:
    return {"chairs": calling.merge_chairs(kept=kept, dropped=dropped, now=now)}


@receiver(player_unmerged, dispatch_uid="venue.give_back_chairs")
def unmerge_chairs(*, kept: Player, dropped: Player, moved: dict[str, Any], **_signal: object) -> None:
    Chair.objects.filter(pk__in=moved.get("chairs", ()), player=kept).update(player=dropped)


player_hooks.EXPORTS.add("browsers_notified_of_calls", pushing.export_subscriptions)
player_hooks.PAGE_REHEARSAL.add("venue", SlotPart("venue/_rehearsal.html", rehearsals.build_page_part))
event_hooks.DESK_REHEARSE.add("venue", SlotPart("venue/_rehearse.html", rehearsals.build_desk_part))
sweeps.register(
    "venue.rehearsals",
    timedelta(seconds=1),
    rehearsing.sweep,
    queue=Queue.SLOW,
    due=rehearsing.query_due,
    is_background=True,
)
# Written by `table_filling.queue_fill`.
# The handler opens its own transaction, and only if there may be a match to call.
outbox.register("venue.next", table_filling.run_fill, external=True)
# Written by `seats.queue_pushes`.
outbox.register("venue.push", pushing.deliver, goes_out=True)
event_hooks.EVENT_MINE.add("venue", SlotPart("venue/_mine.html", called.build_meeting_part))
career_hooks.ME_MATCH.add("venue", SlotPart("venue/_place.html", called.build_meeting_part))
career_hooks.NEXT_STEPS.add("venue", called.find_next_step)
event_hooks.QUEUE_PLACE.provide(called.find_queue_place)
event_hooks.EVENT_SPACE.provide(pace.load_space)
event_hooks.ROOMS.provide(
    event_hooks.RoomProvider(
        list_rooms=tables.list_room_names,
        find_usual=tables.find_usual_room,
        assign=room_settings.assign_new_event,
    )
)
event_hooks.HOME_MINE.add("venue", SlotPart("venue/_home.html", called.build_home_part))
event_hooks.DESK_ROOM.add("venue", SlotPart("venue/_desk_room.html", desk.build_desk_part))
event_hooks.DESK_ENDING.add("venue", SlotPart("venue/_ending.html", what_if.build_desk_part))
event_hooks.DESK_NEEDS.add("venue", SlotPart("venue/_unseen.html", desk.find_unseen_calls))
event_hooks.DESK_NEEDS.add("venue.slow", SlotPart("venue/_slow.html", desk.find_very_slow_matches))
event_hooks.EVENT_PAGE.add("venue", SlotPart("venue/_breaks.html", event_rooms.build_page_part))
event_hooks.EVENT_MATCH.add("venue", SlotPart("venue/_call.html", views.build_match_part))
event_hooks.HELPING_MATCH.add("venue", SlotPart("venue/_move.html", views.build_helper_part))
event_hooks.EVENT_MATCH.add(
    "venue.stream", SlotPart("venue/_stream_of_match.html", streaming.build_match_part)
)
event_hooks.TABLES.provide(
    event_hooks.TableFinder(match_at=tables.find_match, label=tables.get_label, event_at=tables.find_event)
)
sweeps.register(
    "venue.unseen", timedelta(seconds=5), call_answers.sweep, queue=Queue.CLOCKS, due=call_answers.query_due
)
sweeps.register(
    "venue.kept",
    timedelta(seconds=5),
    table_filling.release_reserved,
    queue=Queue.CLOCKS,
    due=table_filling.query_due,
)
sweeps.register(
    "venue.breaks", timedelta(seconds=5), breaks.fill_after_breaks, queue=Queue.CLOCKS, due=breaks.query_due
)
runtime_hooks.PRUNERS.add("venue", table_filling.prune)
event_hooks.PAPERS.add(
    "table cards",
    event_hooks.ExtraPaper(
        address="venue:table_cards",
        title=_("Table cards"),
        about=_("A card for each table; the code on it opens the match that is played there."),
        is_there=room_views.has_tables,
        is_of_club=True,
    ),
)
runtime_hooks.VERIFIERS.add("tables", tables.verify_tables)
# These messages only say that a page must refresh; they carry no data.
for family in ("screen", "overlay"):
    stream.register_rule(family, listeners.allow_public_topics)
