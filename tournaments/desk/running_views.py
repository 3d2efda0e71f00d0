"""The director's desk of a running event: entering results, publishing rounds, open issues."""

from __future__ import annotations

from collections.abc import Sized
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.access.requests import by_post
from players.errors import PlayersError
from runtime import stream
from tournaments.base import event_view, expectations, formats, lines
from tournaments.base.errors import AlreadyDone, TournamentError
from tournaments.desk import agreed, typed_scores, unsent_rows
from tournaments.desk import desk as desks
from tournaments.desk.acts.table import ACTS, of_event, on_pages
from tournaments.hooks import DESK_NEEDS, DESK_ROOM
from tournaments.models import Ruling
from tournaments.pages import access, door, etags
from tournaments.plan import setup
from tournaments.play import appointments, expecting, openings, pacing, results, rounds, taking_back
from tournaments.status import Status

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from tournaments.base.event_view import EventView
    from tournaments.models import Tournament


@require_safe
@access.directs
def desk(request: HttpRequest, event: Tournament) -> HttpResponse:
    if not event.stages.exists():
        return redirect(event)
    return _show(request, event, after=request.GET.get("after", ""))


def after(event: Tournament, key: str) -> str:
    """The address of the desk after this match, ready for the next result."""
    return f"{reverse('tournaments:desk', args=[event.key])}?{urlencode({'after': key})}"


@by_post("tournaments:desk")
@access.directs
def enter_result(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Enter a typed score, such as 7 5; an invalid one is shown again with the error."""
    key, typed = request.POST.get("match", ""), request.POST.get("score", "")
    winner = _number(request.POST.get("winner", "")) or None
    try:
        # A typed score next to the pressed "X won" counts as well.
        is_scored = bool(typed.strip()) or winner is None
        score = typed_scores.parse(event, key, typed, winner) if is_scored else None
        user, now = access.signed_in(request), timezone.now()
        access.answering(
            request,
            event,
            lambda: results.enter(
                tournament_id=event.pk, key=key, score=score, winner=winner, by=user, now=now
            ),
            needs=ACTS["result"].answers,
            about=expecting.About(key=key),
        )
    except AlreadyDone as refusal:
        said = str(refusal)
    except (TournamentError, PlayersError) as refusal:
        event.refresh_from_db()
        typed_in = {
            "wrong_key": key,
            "wrong_score": typed,
            "wrong_winner": winner or 0,
            "wrong_why": str(refusal),
        }
        return _show(request, event, typed_in, status=access.status_of(refusal))
    else:
        said = _entered(event, key, score, winner or 0)
    if etags.is_part(request):
        event.refresh_from_db()
        return _show(request, event, {"said": said}, after=key)
    messages.success(request, said)
    return redirect(after(event, key))


@by_post("tournaments:desk")
@access.directs
def take_back(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Undo a result entered a moment ago; its match is selected next."""
    typed = request.POST.get("ruling", "")
    ruling = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 19 else 0
    user, now = access.signed_in(request), timezone.now()
    key = ""
    try:
        taking_back.take_back(tournament_id=event.pk, ruling_id=ruling, by=user, now=now)
    except AlreadyDone as refusal:
        said = str(refusal)
    except (TournamentError, PlayersError) as refusal:
        return _show(request, event, {"wrong_why": str(refusal)}, status=access.status_of(refusal))
    else:
        said = _("The result is taken back.")
        key = Ruling.objects.get(pk=ruling).data["key"]
    if etags.is_part(request):
        event.refresh_from_db()
        return _show(request, event, {"said": said, "next_key": key})
    messages.success(request, said)
    return redirect("tournaments:desk", key=event.key)


@by_post("tournaments:desk")
@access.directs
def publish_round(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Publish a drafted round."""
    stage, number = (_number(request.POST.get(name, "")) for name in ("stage", "round"))
    user, now = access.signed_in(request), timezone.now()
    return access.attempt(
        request,
        event,
        lambda: access.answering(
            request,
            event,
            lambda: pacing.publish_round(
                tournament_id=event.pk, stage=stage, number=number, by=user, now=now
            ),
            needs=ACTS["publish-round"].answers,
            about=expecting.About(stage=stage, round=number),
        ),
        done=_("The round is published: players see where to go."),
        to="tournaments:desk",
    )


@by_post("tournaments:desk")
@access.directs
def pair(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Compute the next pairings, if no worker has done it yet."""
    return access.attempt(
        request,
        event,
        lambda: rounds.pair(tournament_id=event.pk, now=timezone.now()),
        done=_("The next matches are set."),
        to="tournaments:desk",
    )


@by_post("tournaments:desk")
@access.directs
def approve(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Approve the final order."""
    user, now = access.signed_in(request), timezone.now()
    return access.attempt(
        request,
        event,
        lambda: access.answering(
            request,
            event,
            lambda: pacing.approve(tournament_id=event.pk, by=user, now=now),
            needs=ACTS["approve"].answers,
            about=expecting.About(),
        ),
        done=_("The final order is approved: ratings, prizes and notices follow."),
        to="tournaments:desk",
    )


@by_post("tournaments:desk")
@access.directs
def decide_tie(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Break a tie by a play-off, by lot, or by the submitted order."""
    stage, answer = _number(request.POST.get("stage", "")), request.POST.get("answer", "")
    people = [_number(one) for one in request.POST.getlist("entry")]
    places = [_number(one) for one in request.POST.getlist("place")]
    order = [one for _place, one in sorted(zip(places, people, strict=False))] if answer == "order" else []
    if answer == "order" and sorted(places) != [*range(1, len(people) + 1)]:
        wrong = {"wrong_why": _("Give each of them a place of their own: 1, 2, and so on.")}
        return _show(request, event, wrong, status=422)
    user, now = access.signed_in(request), timezone.now()
    return access.attempt(
        request,
        event,
        lambda: pacing.break_ties(
            tournament_id=event.pk,
            stage=stage,
            playoff=answer == "playoff",
            order=order,
            reason=request.POST.get("reason", ""),
            by=user,
            now=now,
        ),
        done=_("It is decided, and the event goes on."),
        to="tournaments:desk",
    )


@by_post("tournaments:desk")
@access.directs
def archive(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Archive a finished event."""
    user, now = access.signed_in(request), timezone.now()
    return access.attempt(
        request,
        event,
        lambda: setup.archive(tournament_id=event.pk, by=user, now=now),
        done=_("The event is archived. It can still be found."),
    )


def _show(
    request: HttpRequest,
    event: Tournament,
    extra: dict[str, Any] | None = None,
    status: int = 200,
    *,
    after: str = "",
) -> HttpResponse:
    view = event_view.read(event, with_drafts=True)
    live = stream.watch(f"event.{event.key}")
    state = request.GET.get("state", "")
    shown = desks.build_desk(view, state)
    extra = extra or {}
    more = DESK_NEEDS.list_shown(request, event.key)
    at_door = door.list_waiting(event) if event.status == Status.RUNNING else ()
    free_place = openings.find_free_place(view) if event.status == Status.RUNNING else None
    is_part = etags.is_part(request)
    is_news = is_part and request.method == "GET"
    said = request.POST if request.method == "POST" else request.GET
    unsent = unsent_rows.find_changed(event, view, said.get("unsent", "")) | unsent_rows.refused(
        event,
        view,
        extra.get("wrong_key", ""),
        extra.get("wrong_score", ""),
        extra.get("wrong_why", ""),
        extra.get("wrong_winner", 0),
    )
    wrong_line = extra.get("wrong_key") in unsent
    # A match that needs the director is in the card above the list, with its row.
    needs = [
        (need, [on_pages()[name] for name in need.acts], unsent.pop(need.key, None)) for need in shown.needs
    ]
    rows = unsent_rows.rows(view, shown.rows, unsent)
    # A room shows the open matches by its tables.
    rooms = DESK_ROOM.list_shown(request, event.key, rows) if shown.state == "ready" else []
    # Updates leave it out: it is shown once, also to a page loaded in between.
    entered = (
        None
        if is_news
        else taking_back.find_just_entered(event, access.signed_in(request), now=timezone.now())
    )
    values = {
        "event": event,
        "club": event.club,
        "desk": shown,
        "rows": rows,
        "rooms": rooms,
        # The row of the match shows the reason, if there is such a match.
        "wrong_line": wrong_line,
        "state": state,
        "acts_of_event": [act for act in of_event() if act.name not in _pointless(event)],
        "needs": needs,
        "free_place": free_place,
        # Other packages add things that need the director.
        "needs_count": len(shown.needs) + (free_place is not None) + sum(_size(part) for _, part in more),
        "at_door": at_door,
        "missing": door.list_missing(event) if event.status == Status.RUNNING else (),
        "ways": door.list_ways(view) if at_door else (),
        "is_over": event.status == Status.FINISHED,
        # The approved version is the one on this page.
        "approves": expectations.written({"version": event.version}) if event.over_at else "",
        "tab": "desk",
        # Updates are inserted into the page; the answer to a form replaces the desk.
        "is_part": is_news,
        "is_answer": is_part and request.method == "POST",
        "next_key": _find_next(view, shown, after, rooms) if after else "",
        "just_entered": entered,
        "said": _entered(event, entered.match, entered.score, entered.winner)
        if entered and not is_part
        else "",
        "live_topics": [live],
        "appointments": appointments.list_arranged(view, now=timezone.now()),
        "live_url": f"{reverse('tournaments:desk', args=[event.key])}?{urlencode({'state': state})}",
        **extra,
    }
    template = "tournaments/_desk.html" if is_part else "tournaments/desk.html"
    return render(request, template, values, status=status)


def _find_next(view: EventView, desk: desks.Desk, key: str, rooms: list[tuple[str, object]]) -> str:
    """The key of the next match to enter, in the order of the page."""
    play = view.by_key.get(key)
    for _template, shown in rooms:
        if play is not None and isinstance(shown, desks.OrdersMatches):
            return shown.find_next(play)
    return desks.find_following(view, desk, key)


def _size(shown: object) -> int:
    return len(shown) if isinstance(shown, Sized) else 1


def _entered(event: Tournament, key: str, score: tuple[int, int] | None, winner: int) -> str:
    """Describe the result that was entered, with both names in the order of the score."""
    if score is not None:
        row = event.pairings.select_related("a__player", "b__player").get(key=key)
        names = (lines.shown_name(entry.player) if entry else "–" for entry in (row.a, row.b))  # noqa: RUF001
        said = _("%(one)s – %(other)s: %(a)s–%(b)s is entered.")  # noqa: RUF001
        return said % dict(zip(("one", "other", "a", "b"), (*names, *score), strict=True))
    entry = event.entries.select_related("player").get(number=winner)
    return _("Entered: %(name)s won.") % {"name": lines.shown_name(entry.player)}


def _pointless(event: Tournament) -> set[str]:
    """Acts that would be refused in any case now."""
    found = {"resume" if event.paused_at is None else "pause"}
    if not any(stage.options.get("rounds") for stage in event.stages.all()):
        found.add("add-round")
    if not any(formats.get_format(stage).has_playoffs for stage in event.stages.all()):
        found.add("break-ties")
    if not agreed.has_rounds(event):
        found.add("ask-bye")
    if not event.entries.filter(is_absent=True).exists():
        found.add("back")
    return found


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
