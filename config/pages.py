"""Pages that belong to no app: the search of the site, the style guide, translations for scripts and error pages."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import BadRequest, RequestDataTooBig, TooManyFilesSent
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.html import escape
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog

from config import front, problems
from players.access.requests import get_query
from records.base.errors import TooManyFiles
from runtime import database_errors
from runtime.http.rate_limits import AnonThrottle, UserThrottle
from runtime.transactions import TransactionTooLong
from runtime.work.child_processes import RetryLater
from tournaments.programme import search

# Shown when the database may be down, so these are rendered without it.
ALONE = frozenset({500, 503})
THEMES = frozenset({"light", "dark"})


# Of each status: what happened, and what to do next. Those of other statuses are under 500.
TEXTS: Final = {
    400: (
        _("Bad request"),
        _("Something in the address or the form was not as expected. Go back and try again."),
    ),
    403: (
        _("Access denied"),
        _("You do not have access to this page. If you think you should, ask a director of your club."),
    ),
    404: (
        _("Page not found"),
        _("The page may have moved, or you may need to sign in to see it."),
    ),
    429: (
        _("Too many requests"),
        _("You have sent too many requests in a short time. Wait a minute, then try again."),
    ),
    500: (
        _("Something went wrong"),
        _("The fault is ours, and it has been logged. Nothing you did was left half saved."),
    ),
    503: (
        _("We will be back in a moment"),
        _("The site is restarting or being updated. Nothing is lost; try again in half a minute."),
    ),
}
A_YEAR: Final = 31_536_000
# Templates by htmx target: the page's list, and the panel below the field.
PARTS: Final = {"found": "find/_found.html", "find-panel": "find/_panel.html"}


def render_error_page(
    request: HttpRequest,
    status: int,
    *,
    title: str | None = None,
    sentence: str | None = None,
    code: str | None = None,
) -> HttpResponse:
    """Return the error page for *status*; `sentence` and `code` are those of a domain error."""
    usual_title, usual_sentence = _get_texts(request, status)
    words = sentence or usual_sentence
    if problems.is_api_request(request):
        return problems.build_response(status, words, code=code)
    if request.headers.get("HX-Request") == "true":
        # An htmx request: the open page shows the text in a toast.
        return HttpResponse(words, status=status, content_type="text/plain; charset=utf-8")
    context = {
        "status": status,
        "title": title or usual_title,
        "sentence": words,
        "code": code,
        "back": _find_back_url(request),
    }
    template = f"errors/{status}.html"
    if status in ALONE:
        return HttpResponse(_render_standalone(request, template, context), status=status)
    return render(request, template, context, status=status)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Handle 400: malformed requests, and those over Django's limits."""
    if isinstance(exception, RequestDataTooBig):
        return render_error_page(request, 413)
    if isinstance(exception, TooManyFilesSent):
        many = TooManyFiles(most=settings.DATA_UPLOAD_MAX_NUMBER_FILES)
        return render_error_page(request, 413, sentence=str(many), code=many.code)
    return render_error_page(request, 400)


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Handle 403, with the exception's message if it has one."""
    return render_error_page(request, 403, sentence=str(exception or "") or None)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the page for a failed CSRF check, usually of a page that was open for a long time."""
    return render_error_page(
        request,
        403,
        sentence=gettext(
            "We could not accept this form, most likely because the page was open for a long time or you "
            "signed in or out elsewhere. Go back, reload the page and send the form again. Nothing was "
            "changed."
        ),
        code="csrf",
    )


def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Handle 404, also for pages that the user may not know of."""
    return render_error_page(request, 404)


def too_many_requests(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    response = render_error_page(request, 429)
    response["Retry-After"] = "60"
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Handle uncaught exceptions: 503 if a retry may succeed or the disk is full, otherwise 500."""
    error = sys.exc_info()[1]
    if database_errors.is_disk_full_error(error):
        return disk_full(request)
    if isinstance(error, TransactionTooLong):
        return unavailable(request, sentence=str(error))
    if database_errors.is_transient(error):
        return unavailable(request)
    return render_error_page(request, 500)


def unavailable(request: HttpRequest, *, sentence: str | None = None) -> HttpResponse:
    response = render_error_page(request, 503, sentence=sentence)
    response["Retry-After"] = "30"
    return response


def disk_full(request: HttpRequest) -> HttpResponse:
    """Return the page for a full disk. No Retry-After, since an operator has to free space."""
    sentence = gettext(
        "The server has run out of disk space. Nothing was changed, and everything saved earlier is "
        "safe. Please tell the people who run this site. It will carry on by itself as soon as"
        " there is space."
    )
    return render_error_page(
        request, 503, title=gettext("The disk is full"), sentence=sentence, code="disk_full"
    )


class RefusalMiddleware:
    """Middleware that refuses NUL in addresses, and answers `child_processes.RetryLater` with a 429.

    PostgreSQL stores no text with NUL, and fails on a query for it. Forms say so at the field, and keep what was
    typed. For pages only: the API refuses NUL in queries and bodies itself, and has its own exception handler.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_of_view: object) -> None:
        """Refuse the request before its view.

        :raises Http404: the path has a NUL.
        :raises BadRequest: a value of the query has one.
        """
        if "\0" in request.path_info:
            raise Http404
        if problems.is_api_request(request):
            return
        if any("\0" in value for _name, values in request.GET.lists() for value in values):
            raise BadRequest

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, RetryLater):
            return None
        response = render_error_page(request, 429, sentence=str(exception), code=exception.code)
        response["Retry-After"] = str(exception.wait)
        return response


def styleguide(request: HttpRequest) -> HttpResponse:
    if "toast" in request.GET:
        messages.success(request, gettext("Seven players are checked in."))
    return render(request, "styleguide.html", {"sheets": list_sheets()})


def _get_texts(request: HttpRequest, status: int) -> tuple[str, str]:
    if status == 413:
        refusal = front.refuse_too_large(request.path)
        return str(refusal.title), refusal.words
    title, sentence = TEXTS.get(status, TEXTS[500])
    return str(title), str(sentence)


def _find_back_url(request: HttpRequest) -> str:
    came_from = request.headers.get("Referer", "")
    is_ours = url_has_allowed_host_and_scheme(
        came_from, allowed_hosts={request.META.get("HTTP_HOST", "")}, require_https=request.is_secure()
    )
    return came_from if is_ours else ""


def _render_standalone(request: HttpRequest, template: str, context: dict[str, object]) -> str:
    # The theme of the cookie; an account's theme is in the database.
    theme = request.COOKIES.get("theme", "")
    look = {"theme": theme if theme in THEMES else "auto"}
    try:
        return render_to_string(template, {**context, **look})
    except Exception:  # noqa: BLE001
        # The templates may be broken.
        return f"<!doctype html><title>Barpoint</title><h1>{escape(context['title'])}</h1><p>{escape(context['sentence'])}</p>"


@require_safe
@never_cache
def find(request: HttpRequest) -> HttpResponse:
    """Show the results, with the API's rate limits."""
    query = get_query(request)
    if query and _is_throttled(request):
        return too_many_requests(request)
    found = search.search_site(request.user, query, now=timezone.now())
    template = PARTS.get(request.headers.get("HX-Target", ""), "find/find.html")
    response = render(request, template, {"found": found})
    patch_vary_headers(response, ("HX-Request", "HX-Target"))
    return response


def _is_throttled(request: Any) -> bool:
    view: Any = None
    return not all(limit().allow_request(request, view) for limit in (AnonThrottle, UserThrottle))


class Catalogue(JavaScriptCatalog):
    """The catalogue of the language in the URL. The version in the URL is only for the browser's cache."""

    def get(self, request: HttpRequest, *_args: object, **kwargs: Any) -> HttpResponse:
        if kwargs["language"] not in dict(settings.LANGUAGES):
            raise Http404
        with translation.override(kwargs["language"]):
            response: HttpResponse = super().get(request)
        patch_cache_control(response, public=True, max_age=A_YEAR, immutable=True)
        return response


class SampleForm(forms.Form):
    """One of each kind of field, two of them with errors."""

    name = forms.CharField(label="Name of the evening", help_text="As it stands on the poster.")
    places = forms.IntegerField(label="Places", min_value=2)
    day = forms.DateField(label="Day", widget=forms.DateInput(attrs={"type": "date"}))
    begins = forms.TimeField(label="Begins", widget=forms.TimeInput(attrs={"type": "time"}))
    length = forms.ChoiceField(label="Match length", choices=[("5", "5 points"), ("7", "7 points")])
    form = forms.ChoiceField(
        label="Form",
        choices=[("knock-out", "Knock-out with consolation"), ("swiss", "Swiss")],
        widget=forms.RadioSelect,
    )
    note = forms.CharField(label="Note", required=False, widget=forms.Textarea(attrs={"rows": 3}))
    is_open = forms.BooleanField(
        label="Anyone may enter", help_text="Otherwise members alone.", required=False
    )


def list_sheets() -> list[dict[str, object]]:
    """Return the themes in display order. Each has its own form, so that ids are unique."""
    themes = (
        ("light", "Light", "light", "normal"),
        ("dark", "Dark", "dark", "normal"),
        ("light-high", "Light, high contrast", "light", "high"),
        ("dark-high", "Dark, high contrast", "dark", "high"),
    )
    return [
        {"key": key, "name": name, "theme": theme, "contrast": contrast, "form": _build_form(key)}
        for key, name, theme, contrast in themes
    ]


def _build_form(key: str) -> SampleForm:
    data = {
        "name": "",
        "places": "1",
        "day": "2031-05-08",
        "begins": "19:30",
        "length": "7",
        "form": "swiss",
        "is_open": "on",
    }
    return SampleForm({f"{key}-{name}": value for name, value in data.items()}, prefix=key)
