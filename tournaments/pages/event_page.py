"""The event's page, and what every act on it has in common: try, say what happened, come back."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, TypeVar

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players import context
from players.errors import PlayersError
from players.keys import new_key
from players.models import User
from players.permissions import needs
from tournaments.base import expectations
from tournaments.base.errors import AlreadyDone, ChangedMeanwhile, TournamentError
from tournaments.models import ReportStatus, Tournament
from tournaments.pages import page, tabs_views
from tournaments.pages.event_page_forms import FinishForm, GuestForm, ReasonForm
from tournaments.play import expecting
from tournaments.status import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from django.db.models import Model
    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase
    from django_stubs_ext import StrOrPromise

    from tournaments.models import Report
    from tournaments.pages.page import EventPage, May
    from tournaments.play.changes import Helping

T = TypeVar("T")

ENTERED = _("You are in. See you there!")
WITHDRAWN = _("You have withdrawn from this event.")


def posted_to(
    page: str,
) -> Callable[[Callable[..., HttpResponseBase]], Callable[..., HttpResponseBase]]:
    """Let an act happen by POST alone; whoever comes by a link, say after signing in, sees that page of the event."""

    def decorate(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def guarded(request: HttpRequest, key: str) -> HttpResponseBase:
            if request.method != "POST":
                return redirect(page, key=key)
            return view(request, key=key)

        return guarded

    return decorate


posted = posted_to("tournaments:event")


def find_event(key: str) -> Tournament:
    """Return the event with this key.

    :raises Http404: there is none.
    """
    event = Tournament.objects.select_related("club").filter(key=key).first()
    if event is None:
        raise Http404
    return event


def is_draft(event: Model) -> bool:
    """Say whether only its directors may know of this event."""
    return isinstance(event, Tournament) and (
        event.status == Status.DRAFT or event.club.rehearses_id is not None
    )


directs = needs("tournaments.direct", find=find_event, arg="key", hides=is_draft)


def signed_in(request: HttpRequest) -> User:
    """Return the viewer's account.

    :raises PermissionDenied: there is none.
    """
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def answering(
    request: HttpRequest,
    event: Tournament,
    act: Callable[[], T],
    *,
    needs: Collection[str],
    about: expecting.About,
    by: User | Helping | None = None,
) -> T:
    """Carry out an act that answers what the page showed; each form says that in a hidden field.

    :raises ChangedMeanwhile: it is otherwise by now, or the form does not say.
    """
    if not needs:
        return act()
    seen = expectations.read(request.POST.get("expects", ""), needs)
    if seen is None:
        raise ChangedMeanwhile(what=gettext("Your page did not say what it was showing you."))
    return expecting.answering(
        act, tournament_id=event.pk, about=about, expects=seen, by=by or signed_in(request)
    )


def reported(said: Report) -> str:
    """Return what has come of a report, for whoever made it."""
    if said.status == ReportStatus.OPEN:
        return gettext("Reported. Your opponent has been asked to confirm it.")
    if said.status == ReportStatus.DISPUTED:
        return gettext("Reported. Your opponent reports something else: the director decides.")
    return gettext("You both report the same: the result stands.")


def refused(refusal: object) -> int:
    """Return the status of a page that comes back with what was typed, and why."""
    return 409 if isinstance(refusal, ChangedMeanwhile) else 422


def attempt(
    request: HttpRequest,
    event: Tournament,
    act: Callable[[], object],
    *,
    done: StrOrPromise,
    to: str = "tournaments:event",
) -> HttpResponse:
    """Do it; say so or say why not; show the event, or that page of it, again."""
    try:
        act()
    except AlreadyDone as refusal:
        messages.info(request, str(refusal), extra_tags=refusal.code)
    except (TournamentError, PlayersError) as refusal:
        messages.error(request, str(refusal), extra_tags=refusal.code)
    else:
        messages.success(request, str(done))
    return redirect(to, key=event.key)


def show_event(
    request: HttpRequest,
    event: Tournament,
    *,
    finish: FinishForm | None = None,
    guest: GuestForm | None = None,
    cancel: ReasonForm | None = None,
    reopen: ReasonForm | None = None,
    extra: Mapping[str, object] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the event's page; the forms are those that came back and need mending."""
    opened = tabs_views.opened(event)
    shown = page.read(event, request.user, now=timezone.now(), stages=opened.view.stages)
    values = {
        "event": shown,
        "finish": finish or (finish_form(shown) if shown.may.finish else None),
        "guest_form": guest or GuestForm(auto_id="guest-%s"),
        "cancel_form": cancel or reason_form("cancel"),
        "clone_key": new_key(),
        "reopen_form": reopen or reason_form("reopen"),
        **(extra or {}),
    }
    if shown.is_staged:
        return tabs_views.overview(request, opened, values, status=status)
    context.visit(request, event.club)
    values["live_topics"] = [opened.live]
    return render(request, "tournaments/event.html", values, status=status)


def may(request: HttpRequest, event: Tournament) -> May:
    """Return what the viewer may do with the event now."""
    return page.read(event, request.user, now=timezone.now()).may


def reason_form(act: str, data: object = None) -> ReasonForm:
    """Return the form that asks why, as the dialog of this act holds it."""
    return ReasonForm(data, auto_id=f"{act}-%s", form_id=f"{act}-form")


def finish_form(shown: EventPage, data: object = None) -> FinishForm:
    """Return the finishing order's form for those who are in, by name."""
    ranked = sorted(shown.entrants, key=lambda each: each.name.casefold())
    return FinishForm(data, players=[(each.key, each.name, each.place) for each in ranked])
