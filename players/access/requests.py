"""Requests as our views know them, and the small answers they share."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme

from players.errors import NotAllowed, PlayersError
from runtime.refusals import Refusal, for_form

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django import forms
    from django.http import HttpResponse
    from django.http.response import HttpResponseBase
    from django_htmx.middleware import HtmxDetails

    from players.models import User


class Visit(HttpRequest):
    """A request from anybody."""

    htmx: HtmxDetails


class AccountRequest(Visit):
    """A request from someone who has signed in; the view's decorator has seen to it."""

    user: User


def by_post(to: str) -> Callable[[Callable[..., HttpResponseBase]], Callable[..., HttpResponseBase]]:
    """Let an act happen by POST alone; whoever comes by a link, say after signing in, sees the page it is on."""

    def decorate(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def guarded(request: HttpRequest, **kwargs: object) -> HttpResponseBase:
            if request.method == "POST":
                return view(request, **kwargs)
            # A member is shown on the page of their club.
            of = next((name for name in ("slug", "key") if name in kwargs), None)
            return redirect(to) if of is None else redirect(reverse(to, kwargs={of: kwargs[of]}))

        return guarded

    return decorate


def render_part(
    request: Visit, whole: str, parts: Mapping[str, str], shown: Mapping[str, object], status: int = 200
) -> HttpResponse:
    """Answer with the page, or for htmx with the part of it that goes into the element it names."""
    template = parts.get(request.htmx.target or "", whole)
    response = render(request, template, dict(shown), status=status)
    # Or the back button could show a part where the page was.
    patch_vary_headers(response, ("HX-Request", "HX-Target"))
    return response


def page_of(request: HttpRequest) -> int:
    """Return the page number that the address asks for; nonsense means the first."""
    asked = request.GET.get("page", "")
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 6 else 1


def query_of(request: HttpRequest) -> str:
    """Return what the search box holds, cut to a sensible length."""
    return request.GET.get("q", "").replace("\x00", "").strip()[:80]


def refuse(request: HttpRequest, error: Refusal, to: str, *, slug: str) -> HttpResponse:
    """Say why not and go somewhere useful."""
    if isinstance(error, NotAllowed):
        raise PermissionDenied(str(error))
    messages.error(request, str(error), extra_tags=error.code)
    return redirect(to, slug=slug)


def add_refusal(form: forms.Form, error: PlayersError, field: str | None = None) -> None:
    """Show a service's refusal where the form shows its own."""
    if isinstance(error, NotAllowed):
        raise PermissionDenied(str(error))
    form.add_error(field, for_form(error))


def next_of(request: HttpRequest, default: str) -> str:
    """Return where the form asked to go on to, if that is one of our own pages."""
    target = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    # Of a word without a slash, `redirect` would take the view's name.
    return target if safe and target.startswith("/") else default
