"""The director's desk of a running event: entering results, publishing rounds, open issues."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from players.access.requests import parse_number
from players.errors import PlayersError
from tournaments.base import event_view, expectations, formats
from tournaments.base.errors import AlreadyDone, TournamentError
from tournaments.base.event_view import EntryView, EventView
from tournaments.base.ties import TieLine
from tournaments.desk import agreements, typed_scores
from tournaments.desk import desk as desks
from tournaments.desk.acts import ACTS, list_event_acts, map_page_acts
from tournaments.hooks import DESK_NEEDS, DESK_ROOM
from tournaments.models import Ruling, RulingKind, Tournament
from tournaments.pages import access, door_requests, etags
from tournaments.plan import setup
from tournaments.play import (
    appointments,
    corrections,
    event_control,
    openings,
    optimistic_locking,
    pairing_jobs,
    results,
)
from tournaments.status import Status


class TieForm(NamedTuple):
    tie: TieLine
    places: list[tuple[EntryView, int | str]]
    is_typed: bool


@access.require_director("GET", "HEAD")
def desk(request: HttpRequest, event: Tournament) -> HttpResponse:
    if not event.stages.exists():
        return redirect(event)
    return _show_desk(request, event, after=request.GET.get("after", ""))


def build_next_desk_url(event: Tournament, key: str) -> str:
    """Return the address of the desk after this match, ready for the next result."""
    return f"{reverse('tournaments:desk', args=[event.key])}?{urlencode({'after': key})}"


@access.require_director(form="tournaments:desk")
def enter_result(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Enter a typed score, such as 7 5; an invalid one is shown again with the error."""
    key, typed = request.POST.get("match", ""), request.POST.get("score", "")
    winner = parse_number(request.POST.get("winner", "")) or None
    try:
        # A typed score next to the pressed "X won" counts as well.
        is_scored = bool(typed.strip()) or winner is None
        score = typed_scores.parse_score(event, key, typed, winner) if is_scored else None
        given: dict[str, Any] = {"score": score, "winner": winner, "by": access.require_user(request)}
        act = partial(results.enter_result, tournament_id=event.pk, key=key, now=timezone.now(), **given)
        about = optimistic_locking.ActTarget(key=key)
        access.run_if_current(request, event, act, needs=ACTS["result"].answers, about=about)
    except AlreadyDone as refusal:
        message = str(refusal)
    except (TournamentError, PlayersError) as refusal:
        event.refresh_from_db()
        wrong = {
            "wrong_key": key,
            "wrong_score": typed,
            "wrong_winner": winner or 0,
            "wrong_why": str(refusal),
        }
        return _show_desk(request, event, wrong, status=access.get_refusal_status(refusal))
    else:
        message = typed_scores.describe_entered(event, key, score, winner or 0)
    if etags.is_part(request):
        event.refresh_from_db()
        return _show_desk(request, event, {"said": message}, after=key)
    messages.success(request, message)
    return redirect(build_next_desk_url(event, key))


@access.require_director(form="tournaments:desk")
def take_back(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Undo a result entered a moment ago; its match is selected next."""
    ruling = parse_number(request.POST.get("ruling", ""), 18) or 0
    user, now = access.require_user(request), timezone.now()
    key = ""
    try:
        corrections.undo_result(tournament_id=event.pk, ruling_id=ruling, by=user, now=now)
    except AlreadyDone as refusal:
        message = str(refusal)
    except (TournamentError, PlayersError) as refusal:
        wrong = {"wrong_why": str(refusal)}
        return _show_desk(request, event, wrong, status=access.get_refusal_status(refusal))
    else:
        message = _("The result is taken back.")
        key = Ruling.objects.get(pk=ruling).data["key"]
    if etags.is_part(request):
        event.refresh_from_db()
        return _show_desk(request, event, {"said": message, "next_key": key})
    messages.success(request, message)
    return redirect("tournaments:desk", key=event.key)


@access.require_director(form="tournaments:desk")
def publish_round(request: HttpRequest, event: Tournament) -> HttpResponse:
    stage, number = (parse_number(request.POST.get(name, "")) or 0 for name in ("stage", "round"))
    return access.run_service(
        request,
        event,
        event_control.publish_round,
        done=_("The round is published: players see where to go."),
        to="tournaments:desk",
        needs=ACTS["publish-round"].answers,
        about=optimistic_locking.ActTarget(stage=stage, round=number),
        stage=stage,
        number=number,
    )


@access.require_director(form="tournaments:desk")
def pair(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Compute the next pairings, if no worker has done it yet."""
    return access.run_and_redirect(
        request,
        event,
        lambda: pairing_jobs.pair_event(tournament_id=event.pk, now=timezone.now()),
        done=_("The next matches are set."),
        to="tournaments:desk",
    )


@access.require_director(form="tournaments:desk")
def approve(request: HttpRequest, event: Tournament) -> HttpResponse:
    return access.run_service(
        request,
        event,
        event_control.approve_final_order,
        done=_("The final order is approved: ratings, prizes and notices follow."),
        to="tournaments:desk",
        needs=ACTS["approve"].answers,
    )


@access.require_director(form="tournaments:desk")
def decide_tie(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Break a tie by a play-off, by lot, or by the submitted order."""
    stage, answer = parse_number(request.POST.get("stage", "")) or 0, request.POST.get("answer", "")
    people = [parse_number(one) or 0 for one in request.POST.getlist("entry")]
    typed = request.POST.getlist("place")
    places = [parse_number(one) or 0 for one in typed]
    order = [one for _place, one in sorted(zip(places, people, strict=False))] if answer == "order" else []
    if answer == "order" and sorted(places) != [*range(1, len(people) + 1)]:
        wrong = {
            "wrong_why": _("Give each of them a place of their own: 1, 2, and so on."),
            "wrong_order": dict(zip(people, typed, strict=False)),
        }
        return _show_desk(request, event, wrong, status=422)
    return access.run_service(
        request,
        event,
        event_control.break_ties,
        done=_("It is decided, and the event goes on."),
        to="tournaments:desk",
        stage=stage,
        playoff=answer == "playoff",
        order=order,
        tied=people,
        reason=request.POST.get("reason", ""),
    )


@access.require_director(form="tournaments:desk")
def archive(request: HttpRequest, event: Tournament) -> HttpResponse:
    done = _("The event is archived. It can still be found.")
    return access.run_service(request, event, setup.archive, done=done)


def _show_desk(
    request: HttpRequest,
    event: Tournament,
    extra: dict[str, Any] | None = None,
    status: int = 200,
    *,
    after: str = "",
) -> HttpResponse:
    view = event_view.load_view(event, with_drafts=True)
    state = request.GET.get("state", "")
    shown = desks.build_desk(view, state)
    extra = extra or {}
    other_needs = DESK_NEEDS.list_shown(request, event.key)
    at_door = door_requests.list_open_requests(event) if event.status == Status.RUNNING else ()
    free_place = openings.find_free_place(view) if event.status == Status.RUNNING else None
    is_part = etags.is_part(request)
    is_news = is_part and request.method == "GET"
    submitted = request.POST if request.method == "POST" else request.GET
    unsent = typed_scores.find_changed_rows(event, view, submitted.get("unsent", ""))
    if key := extra.get("wrong_key"):
        refused = extra.get("wrong_score", ""), extra.get("wrong_why", ""), extra.get("wrong_winner", 0)
        unsent |= typed_scores.build_refused_row(event, view, key, *refused)
    wrong_line = extra.get("wrong_key") in unsent
    # A match that needs the director is in the card above the list, with what was typed for it.
    needs = [
        (need, [map_page_acts()[name] for name in need.acts], unsent.pop(need.key, None))
        for need in shown.needs
    ]
    rows = typed_scores.list_desk_rows(view, shown.rows, unsent)
    # A room shows the open matches by its tables.
    rooms = DESK_ROOM.list_shown(request, event.key, rows) if shown.state == "ready" else []
    # Live updates do not render the undo button: they leave the one on the page in place.
    entered, said_now = None, ""
    if not is_news:
        by, now = access.require_user(request), timezone.now()
        entered = corrections.find_undoable_result(event, by, now=now)
    if entered and not is_part:
        said_now = typed_scores.describe_entered(event, entered.match, entered.score, entered.winner)
    useless = _list_useless_acts(event)
    values = {
        "event": event,
        "desk": shown,
        "ties": [_build_tie_form(tie, extra.get("wrong_order", {})) for tie in shown.ties],
        "rows": rows,
        "rooms": rooms,
        # True if the row of the match shows the error; otherwise it is shown above the desk.
        "wrong_line": wrong_line,
        "state": state,
        "acts_of_event": [act for act in list_event_acts() if act.name not in useless],
        "needs": needs,
        "free_place": free_place,
        # Other packages add things that need the director.
        "other_needs": other_needs,
        "needs_count": len(shown.needs)
        + (free_place is not None)
        + sum(len(part) if isinstance(part, Sized) else 1 for _, part in other_needs),
        "at_door": at_door,
        "missing": door_requests.list_missing_players(event) if event.status == Status.RUNNING else (),
        "ways": door_requests.list_latecomer_places(view) if at_door else (),
        "is_over": event.status == Status.FINISHED,
        "pause": _find_pause(event),
        # The approved version is the one on this page.
        "approves": expectations.serialize_state({"version": event.version}) if event.over_at else "",
        "tab": "desk",
        # Updates are inserted into the page; the answer to a form replaces the desk.
        "is_part": is_news,
        "is_answer": is_part and request.method == "POST",
        "next_key": _find_next_match(view, shown, after, rooms) if after else "",
        "just_entered": entered,
        "said": said_now,
        "live_topics": [access.get_position(event)],
        "appointments": appointments.list_appointments(view, now=timezone.now()),
        "live_url": f"{reverse('tournaments:desk', args=[event.key])}?{urlencode({'state': state})}",
        **extra,
    }
    template = "tournaments/_desk.html" if is_part else "tournaments/desk.html"
    return render(request, template, values, status=status)


def _build_tie_form(tie: TieLine, typed: Mapping[int, str]) -> TieForm:
    """Fill in the form of a tie: with the places that were typed for it, or with the order shown."""
    is_typed = typed.keys() == {who.number for who in tie.people}
    places = [(who, typed[who.number] if is_typed else at) for at, who in enumerate(tie.people, 1)]
    return TieForm(tie, places, is_typed)


def _find_next_match(view: EventView, desk: desks.Desk, key: str, rooms: list[tuple[str, object]]) -> str:
    """Return the key of the next match to enter, in the order of the page."""
    play = view.by_key.get(key)
    for _template, shown in rooms:
        if play is not None and isinstance(shown, desks.MatchOrder):
            return shown.find_next(play)
    # The first open match after this one, or else the first of all; those on a live board are not entered.
    order = {each: at for at, each in enumerate(view.by_key)}
    typed = [line.play.key for line in desk.lines if line.play.is_open and not line.play.is_live]
    later = (each for each in typed if order[each] > order.get(key, -1))
    return next(later, next(iter(typed), ""))


def _find_pause(event: Tournament) -> Ruling | None:
    if event.paused_at is None:
        return None
    return Ruling.objects.filter(tournament=event, act=RulingKind.PAUSED).first()


def _list_useless_acts(event: Tournament) -> set[str]:
    """Return the names of acts that would be refused now in any case."""
    found = {"resume" if event.paused_at is None else "pause"}
    last = event_control.list_last_stages(event)
    if not any(stage.options.get("rounds") and formats.get_format(stage).can_be_extended for stage in last):
        found.add("add-round")
    if not any(formats.get_format(stage).has_playoffs for stage in last):
        found.add("break-ties")
    if not agreements.has_rounds(event):
        found.add("ask-bye")
    if not event.entries.filter(is_absent=True).exists():
        found.add("back")
    return found
