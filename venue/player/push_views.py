"""Pages to switch push messages on and off and test them, and the service worker."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import conditional_page, require_http_methods, require_safe

from players.access.requests import AccountRequest
from players.models import User
from venue.errors import VenueError
from venue.models import PushSubscription
from venue.player import push as pushing

# Session key for the endpoint of its browser.
ENDPOINT: Final = "push_endpoint"


@require_http_methods(["GET", "POST"])
@login_required
@never_cache
def push(request: AccountRequest) -> HttpResponse:
    """Show whether this browser is subscribed; static/js/push.js switches it."""
    if request.method == "POST":
        return _switch_push(request)
    shown = {
        "is_offered": pushing.is_offered(),
        "key": pushing.get_public_key(now=timezone.now()) if pushing.is_offered() else "",
        "browsers": PushSubscription.objects.filter(user=request.user).count(),
    }
    return render(request, "venue/push.html", shown)


@require_safe
@conditional_page
def worker(request: HttpRequest) -> HttpResponse:
    """Serve the service worker at the root, so that its scope is the site.

    Browsers revalidate it after each navigation, usually with a 304.
    """
    response = render(request, "venue/worker.js", content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response


def unsubscribe_session(request: HttpRequest, user: User) -> None:
    endpoint: Any = request.session.get(ENDPOINT)
    if endpoint:
        pushing.unsubscribe(user=user, endpoint=str(endpoint))


def _switch_push(request: AccountRequest) -> HttpResponse:
    posted = request.POST
    act, endpoint, now = posted.get("act", ""), posted.get("endpoint", ""), timezone.now()
    try:
        if act == "on":
            pushing.subscribe(
                user=request.user,
                endpoint=endpoint,
                public=posted.get("public", ""),
                auth=posted.get("auth", ""),
                now=now,
            )
            request.session[ENDPOINT] = endpoint
        elif act == "off" and endpoint:
            pushing.unsubscribe(user=request.user, endpoint=endpoint)
        elif act == "test":
            if not pushing.send_test(user=request.user, endpoint=endpoint, now=now):
                return _build_text_response(
                    _("Call notifications are off in this browser. Switch them on again."), 409
                )
        elif act == "off-everywhere":
            pushing.unsubscribe(user=request.user)
            messages.success(request, _("Call notifications are off in all your browsers."))
            return redirect("venue:push")
        else:
            return _build_text_response(_("Nothing was chosen."), 422)
    except VenueError as refusal:
        return _build_text_response(str(refusal), 409)
    return HttpResponse(status=204)


def _build_text_response(sentence: str, status: int) -> HttpResponse:
    return HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8")
