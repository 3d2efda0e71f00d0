"""Pages of the photos of a match, for its players and directors, with an account or the code."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from players.files import uploads
from players.models import User
from records.base.errors import NotYourSheet, RecordError, TooManyPhotosAtOnce, WhoAreYou
from records.models import MatchPhoto
from records.sheets import photos, stored_sheets
from records.sheets.callers import build_picture_response
from records.sheets.code_views import require_code
from records.sheets.coded_matches import OpenedMatch, Visitor
from records.sheets.photos import PhotoView
from runtime import pictures
from tournaments.base import event_lines
from tournaments.base.errors import TournamentError
from tournaments.models import Entry, Pairing, Tournament
from tournaments.pages import access, table_device
from tournaments.play.code_holders import CodeHolder

REFUSALS: Final = (RecordError, TournamentError, pictures.BadPicture)
REFUSED: Final = 422


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
@table_device.set_device_cookie
def match_photos(request: HttpRequest, key: str, match: str) -> HttpResponse:
    """Show the photos of a match to its players and directors, and process changes."""
    event = access.load_event(key, request.user)
    row, own = _load_match(request, event, key=match)
    user = access.require_user(request)
    is_desk = user.has_perm("tournaments.direct", event.club)
    here = reverse("records:photos", args=[event.key, row.key])
    back = reverse("tournaments:pairing", args=[event.key, row.key]) if is_desk else event.get_absolute_url()
    list_photos = partial(photos.list_photos, row, event, own, is_desk=is_desk)
    return _render_page(request, event, row, user, list_photos, here=here, back=back)


@require_http_methods(["GET", "POST"])
@require_code
def photos_by_code(request: HttpRequest, held: OpenedMatch, visit: Visitor, _now: datetime) -> HttpResponse:
    if visit.who is None:
        return redirect(held.address)
    here = reverse("records:code_photos", args=[held.code])
    list_photos = partial(photos.list_photos, held.row, held.event, visit.own, code=held.code)
    return _render_page(request, held.event, held.row, visit.who, list_photos, here=here, back=held.address)


@require_safe
@login_required
def photo(request: HttpRequest, key: str, photo: str) -> HttpResponse:
    """Serve a photo to the players and directors of its match."""
    event = access.load_event(key, request.user)
    found = get_object_or_404(
        MatchPhoto.objects.select_related("pairing"), key=photo, pairing__tournament=event
    )
    _load_match(request, event, key=found.pairing.key)
    return build_picture_response(found)


@require_safe
@require_code
def photo_by_code(
    _request: HttpRequest, held: OpenedMatch, visit: Visitor, _now: datetime, photo: str
) -> HttpResponse:
    """Serve a photo to a visitor with the code who has chosen their side."""
    if visit.who is None:
        raise WhoAreYou
    found = photos.find_photo(held.row, photo)
    if found is None:
        raise Http404
    return build_picture_response(found)


def _load_match(request: HttpRequest, event: Tournament, *, key: str) -> tuple[Pairing, Entry | None]:
    """Load the match for one of its players or a director.

    :raises Http404: there is no such match, or the user is neither.
    """
    row = get_object_or_404(
        Pairing.objects.select_related("a__player", "b__player"),
        tournament=event,
        key=key,
        a__isnull=False,
        b__isnull=False,
    )
    try:
        return row, stored_sheets.find_entry(event, row, access.require_user(request), now=timezone.now())
    except NotYourSheet as refusal:
        raise Http404 from refusal


def _render_page(
    request: HttpRequest,
    event: Tournament,
    row: Pairing,
    who: User | CodeHolder,
    list_photos: Callable[[], tuple[PhotoView, ...]],
    *,
    here: str,
    back: str,
) -> HttpResponse:
    problem = ""
    if request.method == "POST":
        try:
            _process_change(request, event, row, who)
        except REFUSALS as refusal:
            problem = str(refusal)
        else:
            return redirect(here)
    values = {
        "event": event, "players": [event_lines.format_player_name(each.player) for each in (row.a, row.b) if each is not None],
        "photos": list_photos(), "are_wanted": photos.may_add_photos(row), "problem": problem, "here": here, "back": back,
    }  # fmt: skip
    return render(request, "records/photos.html", values, status=REFUSED if problem else 200)


def _process_change(request: HttpRequest, event: Tournament, row: Pairing, who: User | CodeHolder) -> None:
    about: dict[str, Any] = {"tournament_id": event.pk, "match": row.key, "by": who, "now": timezone.now()}
    if deleted := request.POST.get("delete"):
        photos.remove(**about, key=deleted)
        return
    sent = request.FILES.getlist("photos")
    if not sent:
        raise pictures.BadPicture
    if len(sent) > photos.MOST:
        raise TooManyPhotosAtOnce(most=photos.MOST)
    for each in sent:
        if (each.size or 0) > pictures.MOST_BYTES:
            raise pictures.PictureTooLarge
        photos.add(
            **about,
            data=each.read(),
            device=table_device.get_device(request),
            payers=uploads.list_payers(request),
        )
