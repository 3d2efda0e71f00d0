"""The stream queue on the director's desk and on the page of a match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from players.access.requests import refusals_shown_to
from tournaments.models import Tournament
from tournaments.pages import access
from tournaments.status import Status
from venue.calls import stream_queue, stream_queue_changes
from venue.models import EventRoom
from venue.queue import MatchId

DESK = "tournaments:desk"
ACTS: dict[str, Callable[[list[MatchId], MatchId], list[MatchId]]] = {
    "add": lambda order, match: [*order, match],
    "up": partial(stream_queue_changes.move_match, by=-1),
    "down": partial(stream_queue_changes.move_match, by=1),
    "remove": stream_queue_changes.remove_match,
}


@dataclass(frozen=True, slots=True)
class StreamPart:
    event: str
    match: str
    # Version of the queue, sent back by the page.
    seen: str
    # Its position in the queue; 0 if it is not in it.
    place: int
    has_table: bool


@access.require_director(form=DESK)
def change(request: HttpRequest, event: Tournament) -> HttpResponse:
    used = EventRoom.objects.filter(event=event).select_related("room__club").first()
    act = ACTS.get(request.POST.get("act", ""))
    if used is None or act is None:
        raise Http404
    match = MatchId(request.POST.get("match", "")[:100])
    with refusals_shown_to(request):
        stream_queue_changes.change_queue(
            room=used.room,
            change=lambda order: act(order, match),
            saw=request.POST.get("saw", ""),
            by=access.require_user(request),
            now=timezone.now(),
        )

        messages.success(request, _("The queue of the stream is changed."))
    key = match.partition("/")[2]
    if request.POST.get("back") == "match":
        return redirect("tournaments:pairing", event.key, key)
    return redirect(DESK, event.key)


def build_match_part(request: HttpRequest, event: Tournament, key: str) -> StreamPart | None:
    """Return the stream part of a match's page, while the match is still to be called in a room."""
    if event.status != Status.RUNNING or not request.user.has_perm("tournaments.direct", event.club):
        return None
    used = EventRoom.objects.filter(event=event).select_related("room").first()
    if used is None or not stream_queue.list_upcoming(used.room).filter(tournament=event, key=key).exists():
        return None
    queue = stream_queue.load_queue(used.room, now=timezone.now())
    wanted = [(one.event, one.match) for one in queue.matches]
    place = wanted.index((event.key, key)) + 1 if (event.key, key) in wanted else 0
    return StreamPart(event.key, f"{event.key}/{key}", queue.seen, place, queue.has_table)
