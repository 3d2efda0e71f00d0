"""Typed requests, pages of rows, and small helpers for views."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any, Generic, Protocol, TypeVar, cast

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails

from players.errors import NotAllowed
from players.models import Player, User
from runtime.refusals import Refusal, build_form_error
from runtime.transactions import TransactionTooLong
from runtime.work.child_processes import RetryLater


class SiteRequest(HttpRequest):
    htmx: HtmxDetails


class AccountRequest(SiteRequest):
    """A request by an account, guaranteed by the view's decorator."""

    user: User


def find_player(request: HttpRequest) -> Player | None:
    """Return the player of the viewer's account; None without an account."""
    return getattr(request.user, "player", None) if isinstance(request.user, User) else None


def require_post_or_redirect(
    to: str,
) -> Callable[[Callable[..., HttpResponseBase]], Callable[..., HttpResponseBase]]:
    """Allow only POST; a GET, for example after signing in, is redirected to the page of the form."""

    def decorate(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def guarded(request: HttpRequest, **kwargs: object) -> HttpResponseBase:
            if request.method == "POST":
                return view(request, **kwargs)
            # Pages of a member redirect to the page of their club.
            of = next((name for name in ("slug", "key") if name in kwargs), None)
            return redirect(to) if of is None else redirect(reverse(to, kwargs={of: kwargs[of]}))

        return guarded

    return decorate


def render_part(
    request: SiteRequest, whole: str, parts: Mapping[str, str], shown: Mapping[str, object], status: int = 200
) -> HttpResponse:
    """Render the whole page, or for htmx the part for its target element."""
    template = parts.get(request.htmx.target or "", whole)
    response = render(request, template, dict(shown), status=status)
    # Otherwise the browser's cache could show a part in place of the page.
    patch_vary_headers(response, ("HX-Request", "HX-Target"))
    return response


def parse_number(text: str, digits: int = 5) -> int | None:
    """Parse a number of at most so many digits; None if the text is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def parse_numbers(texts: Iterable[str], digits: int = 5) -> list[int]:
    """Parse those texts that are numbers."""
    found = (parse_number(text, digits) for text in texts)
    return [number for number in found if number is not None]


def get_page_number(request: HttpRequest) -> int:
    """Return the page number in the URL; 1 if it is invalid."""
    found = parse_number(request.GET.get("page", ""))
    return 1 if found is None else found


def get_query(request: HttpRequest) -> str:
    """Return the search text, cut to 80 characters."""
    return request.GET.get("q", "").strip()[:80]


@contextmanager
def refusals_shown_to(request: HttpRequest) -> Iterator[None]:
    """Show a refusal of the block, which ends there, as a message.

    :raises PermissionDenied, TransactionTooLong, RetryLater: the answer is 403, 503 or 429.
    """
    try:
        yield
    except Refusal as error:
        _raise_if_page(error)
        messages.error(request, str(error), extra_tags=error.code)


def add_refusal(form: forms.Form, error: Refusal, field: str | None = None) -> None:
    """Add a service's refusal to the form's errors.

    :raises PermissionDenied, TransactionTooLong, RetryLater: the answer is 403, 503 or 429.
    """
    _raise_if_page(error)
    form.add_error(field, build_form_error(error))


@contextmanager
def refusals_added_to(form: forms.Form, field: str | None = None) -> Iterator[None]:
    """Add a refusal of the block, which ends there, to the form's errors; raises as `add_refusal` does."""
    try:
        yield
    except Refusal as error:
        add_refusal(form, error, field)


def _raise_if_page(error: Refusal) -> None:
    """Raise a refusal that has a separate page."""
    if isinstance(error, NotAllowed):
        raise PermissionDenied(str(error)) from error
    if isinstance(error, (TransactionTooLong, RetryLater)):
        raise error


def get_next_url(request: HttpRequest, default: str) -> str:
    """Return the URL to continue at if it is one of this site, else *default*."""
    target = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    # `redirect` would take a word without a slash as a view name.
    return target if safe and target.startswith("/") else default


PAGE_SIZE = 50

Row = TypeVar("Row")
M = TypeVar("M", bound="Model")
M_co = TypeVar("M_co", bound="Model", covariant=True)


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    rows: tuple[Row, ...]
    total: int
    number: int = 1
    pages: int = 1

    @property
    def first(self) -> int:
        """The number of rows before this page."""
        return (self.number - 1) * PAGE_SIZE

    @property
    def previous(self) -> int | None:
        return self.number - 1 if self.number > 1 else None

    @property
    def next(self) -> int | None:
        return self.number + 1 if self.number < self.pages else None


class Sliceable(Protocol[M_co]):
    def count(self) -> int:
        """Return the number of rows."""

    def __getitem__(self, some: slice, /) -> Iterable[M_co]:
        """Return a slice of the rows."""


def paginate(rows: Sliceable[M], number: int, view: Callable[[M], Row]) -> Page[Row]:
    """Cut one page of *rows*, each converted by *view*; too large a number gives the last page."""
    if number <= 1:
        # Most lists fit on one page, which needs no count query.
        first = list(rows[: PAGE_SIZE + 1])
        if len(first) <= PAGE_SIZE:
            return Page(tuple(view(row) for row in first), len(first))
    paginator = Paginator(cast("Any", rows), PAGE_SIZE)
    page = paginator.get_page(number)
    return Page(tuple(view(row) for row in page), paginator.count, page.number, paginator.num_pages)
