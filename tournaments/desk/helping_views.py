"""Helpers of an event: the director's page of links, accepting a link, and the desk of a helper."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.access.requests import parse_number, refusals_added_to
from players.errors import PlayersError
from runtime.install import reach
from tournaments.base import event_lines, event_view, expectations
from tournaments.base.errors import AlreadyDone, TournamentError
from tournaments.desk import desk as desks
from tournaments.desk import games_views, typed_scores
from tournaments.desk.acts import ACTS
from tournaments.desk.acts.act import ActCall
from tournaments.models import Entry, Tournament
from tournaments.pages import access, door_requests, etags
from tournaments.pages.access import HelperLine
from tournaments.play import helper_links, optimistic_locking
from tournaments.play.changes import HelperActor
from tournaments.status import OPEN, Status

# Cookie with the token of a new link, until the page has shown it.
MADE: Final = "helper_link"
SHOWN_FOR: Final = 300


class HelperForm(forms.Form):
    """The helper's name, as the event's log shows it."""

    name = forms.CharField(label=gettext_lazy("Helper's name"), max_length=40)


@never_cache
@access.require_director("GET", "POST")
def links(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Show the helpers of an event, and create a link, which is shown once."""
    form, now = HelperForm(request.POST if request.method == "POST" else None), timezone.now()
    if request.method == "POST" and form.is_valid():
        name, by = form.cleaned_data["name"], access.require_user(request)
        with refusals_added_to(form, "name"):
            token = helper_links.create_link(tournament_id=event.pk, name=name, by=by, now=now)
            return _redirect_to_new_link(request, event, token)
    token, link, reached = "", "", ""
    if request.method != "POST":
        token = request.get_signed_cookie(MADE, "", max_age=SHOWN_FOR) or ""
    if token:
        path = reverse("tournaments:take_up", args=[token])
        reached = reach.build_phone_url(request, path)
        link = reached or request.build_absolute_uri(path)
    values = {
        "event": event,
        "tab": "helpers",
        "form": form,
        "link": link,
        "is_only_here": not reached,
        "code": reach.render_qr_code(reached) if reached else "",
        "helpers": access.list_valid_helpers(event, now=now),
        "is_open": event.status in OPEN,
    }
    answer = render(request, "tournaments/helpers.html", values, status=422 if form.errors else 200)
    if token:
        answer.delete_cookie(MADE, path=request.path)
    return answer


def _redirect_to_new_link(request: HttpRequest, event: Tournament, token: str) -> HttpResponse:
    """Redirect to the page that shows a new link once; reloading it creates no second one.

    The token is in a cookie, because only its digest is stored.
    """
    answer = redirect("tournaments:helpers", key=event.key)
    flags: dict[str, Any] = {"secure": request.is_secure(), "httponly": True, "samesite": "Strict"}
    answer.set_signed_cookie(MADE, token, max_age=SHOWN_FOR, path=request.path, **flags)
    return answer


@access.require_director(form="tournaments:helpers")
def take_back(request: HttpRequest, event: Tournament) -> HttpResponse:
    return access.run_service(
        request,
        event,
        helper_links.revoke_link,
        done=_("The link has been taken back."),
        to="tournaments:helpers",
        helper=parse_number(request.POST.get("helper", ""), 9) or 0,
    )


@require_http_methods(["GET", "POST"])
@never_cache
def take_up(request: HttpRequest, token: str) -> HttpResponse:
    """Show what a helper's link allows; it is accepted by POST only."""
    now = timezone.now()
    try:
        if request.method != "POST":
            found = helper_links.get_open_helper(token=token, now=now)
            return render(request, "tournaments/take_up.html", {"helper": found, "event": found.tournament})
        found = helper_links.accept_link(token=token, now=now)
    except TournamentError as refusal:
        return access.refuse_helper(request, refusal)
    key = found.tournament.key
    request.session[access.HELPING] = {**request.session.get(access.HELPING, {}), key: found.pk}
    # Prevents session fixation: a session key known before must not become a helper's.
    request.session.cycle_key()
    return redirect("tournaments:helping", key=key)


@require_safe
@access.require_helper
def desk(request: HttpRequest, event: Tournament, helper: HelperLine, now: datetime) -> HttpResponse:
    return _show_desk(request, event, helper)


@require_POST
@access.require_helper
def check_in(request: HttpRequest, event: Tournament, helper: HelperLine, now: datetime) -> HttpResponse:
    number, here = parse_number(request.POST.get("entry", ""), 9) or 0, request.POST.get("here") != "no"
    call = ActCall(event, HelperActor(helper.pk), now, {"entries": [number], "here": here})
    done = _("Checked in.") if here else _("The check-in is taken back.")
    act = partial(ACTS["check-in-for"].do, call)
    return access.run_and_redirect(request, event, act, done=done, to="tournaments:helping")


@require_POST
@access.require_helper
def note_latecomer(
    request: HttpRequest, event: Tournament, helper: HelperLine, now: datetime
) -> HttpResponse:
    """Note a player who has come after the start: an entry, or a name."""
    number, name = parse_number(request.POST.get("entry", ""), 9), request.POST.get("name", "")
    call = ActCall(event, HelperActor(helper.pk), now, {"entry": number} if number else {"name": name})
    act, done = partial(ACTS["note-latecomer"].do, call), _("Noted: they wait for the director.")
    return access.run_and_redirect(request, event, act, done=done, to="tournaments:helping")


@require_POST
@access.require_helper
def enter_result(request: HttpRequest, event: Tournament, helper: HelperLine, now: datetime) -> HttpResponse:
    """Enter a typed score, such as 7 5; an invalid one is shown again with the error."""
    key, typed, who = request.POST.get("match", ""), request.POST.get("score", ""), HelperActor(helper.pk)
    act = ACTS["result"]
    try:
        score = typed_scores.parse_score(event, key, typed)
        seen = expectations.parse_state(request.POST.get("expects", ""), act.answers)
        optimistic_locking.run_if_unchanged(
            lambda: act.do(ActCall(event, who, now, {"key": key, "score": score})),
            tournament_id=event.pk,
            about=optimistic_locking.ActTarget(key=key),
            expects=seen or dict.fromkeys(act.answers),
            by=who,
        )
    except AlreadyDone as refusal:
        message = str(refusal)
    except (TournamentError, PlayersError) as refusal:
        wrong = {"wrong_key": key, "wrong_score": typed, "wrong_why": str(refusal)}
        return _show_desk(request, event, helper, wrong, status=access.get_refusal_status(refusal))
    else:
        message = typed_scores.describe_entered(event, key, score)
    if etags.is_part(request):
        event.refresh_from_db()
        return _show_desk(request, event, helper, {"said": message})
    messages.success(request, message)
    return redirect("tournaments:helping", key=event.key)


def _show_desk(
    request: HttpRequest,
    event: Tournament,
    helper: HelperLine,
    extra: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    values: dict[str, object] = {"event": event, "helper": helper, **(extra or {})}
    if event.status == Status.PUBLISHED:
        rows = Entry.objects.filter(tournament=event, withdrawn_at=None, waits=False)
        values["entrants"] = [
            (row.number, event_lines.format_player_name(row.player), row.checked_in_at is not None)
            for row in rows.select_related("player").order_by("number")
        ]
    elif event.status == Status.RUNNING:
        shown = desks.build_desk(event_view.load_view(event), "ready")
        values["matches"] = [line for line in shown.lines if line.play.opened_at]
        values["missing"] = door_requests.list_missing_players(event)
    values["live_topics"] = [access.get_position(event)]
    return render(request, "tournaments/helping.html", values, status=status)


@require_http_methods(["GET", "POST"])
@access.require_helper
def enter_games(
    request: HttpRequest, event: Tournament, helper: HelperLine, now: datetime, *, match: str
) -> HttpResponse:
    """Show the games of an open match, and store them: the result follows from them."""
    return games_views.show_or_save_games(
        request, games_views.load_helper_page(event, match, HelperActor(helper.pk))
    )
