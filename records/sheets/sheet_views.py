"""The score sheet of a match: a page for the phone at the table, and its taps."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from careers.hooks import NextStep, StepPriority
from players.keys import new_key
from players.models import Player, User
from records.base.errors import NotYourSheet, RecordError
from records.sheets import photos, sheet_pages, stored_sheets, tap_storage
from records.sheets.sheet_pages import SheetPage
from records.sheets.sheet_shapes import TapRequest, read_tap
from runtime.idempotency import KeyReused
from tournaments.base.errors import Paused, TournamentError
from tournaments.base.event_view import MatchView
from tournaments.models import Tournament
from tournaments.pages import access, table_device
from tournaments.pages.access import HelperLine
from tournaments.pages.viewer_part import ViewerMatch
from tournaments.play.changes import HelperActor
from tournaments.play.code_holders import CodeHolder

JSON = "application/json"
# The status of a tap that has to wait for the end of a pause.
LOCKED = 423


@login_required
@require_http_methods(["GET", "POST"])
@table_device.set_device_cookie
def score_sheet(request: HttpRequest, key: str, match: str) -> HttpResponse:
    """Show the sheet of a match to its players and directors, and process taps."""
    event = access.load_event(key, request.user)
    here = reverse("records:sheet", args=[key, match])
    try:
        return keep_score(request, event, match, access.require_user(request), now=timezone.now(), here=here)
    except NotYourSheet:
        return redirect("tournaments:games", key=key, match=match)


@require_http_methods(["GET", "POST"])
@table_device.set_device_cookie
@access.require_helper
def helper_sheet(
    request: HttpRequest, event: Tournament, helper: HelperLine, now: datetime, *, match: str
) -> HttpResponse:
    """Show the sheet of a match to a helper, and process taps; the last game enters the result."""
    here = reverse("records:helper_sheet", args=[event.key, match])
    back = reverse("tournaments:helping", args=[event.key])
    who = HelperActor(helper.pk)
    return keep_score(request, event, match, who, now=now, here=here, back=back, photos_of="")


def build_helping_part(
    _request: HttpRequest, event: Tournament, match: MatchView, _expects: str
) -> str | None:
    """Return the URL of a helper's score sheet; None if the match cannot be played at a table now."""
    if not match.is_open or match.board is not None or match.a_id is None or match.b_id is None:
        return None
    return reverse("records:helper_sheet", args=[event.key, match.key])


def keep_score(
    request: HttpRequest,
    event: Tournament,
    match: str,
    who: User | CodeHolder | HelperActor,
    *,
    now: datetime,
    here: str,
    back: str = "",
    photos_of: str | None = None,
) -> HttpResponse:
    """Show the sheet of a match, or process a tap from the page at *here*, with a link *back*.

    *photos_of* is the URL of the match's photos, if not the one for accounts; "" to hide them.

    :raises NotYourSheet, CodeExpired, SeatsMoved, NotYourMatch: access is denied.
    :raises Http404: a player is missing.
    """
    shown = sheet_pages.load_page(event, match, who, now=now, back=back)
    if shown is None:
        raise Http404
    pictures = reverse("records:photos", args=[event.key, match]) if photos_of is None else photos_of
    if request.method != "POST":
        return (
            JsonResponse({"sheet": shown.data})
            if is_script_request(request)
            else _render_sheet(request, shown, pictures)
        )
    problem, status = _process_tap(request, event, match, who, now=now)
    shown = sheet_pages.load_page(event, match, who, now=now, back=back) or shown
    if is_script_request(request):
        return JsonResponse({"sheet": shown.data, "problem": problem}, status=status)
    if problem:
        # On the page, above the buttons: a message at the foot of a phone would cover them.
        return _render_sheet(request, shown, pictures, problem, status=status)
    return redirect(here)


def build_my_match_part(_request: HttpRequest, key: str, meeting: ViewerMatch) -> dict[str, object]:
    """Return the URLs of the sheet and, if needed, of the photos, for a player's own match."""
    reports = (meeting.own, meeting.other)
    is_adjourned = meeting.play.is_adjourned
    has_photos = is_adjourned or any(report.is_disputed for report in reports if report is not None)
    return {
        "sheet": reverse("records:sheet", args=[key, meeting.key]),
        "is_reported": any(report is not None for report in reports),
        "is_adjourned": is_adjourned,
        "photos": reverse("records:photos", args=[key, meeting.key]) if has_photos else "",
    }


def build_match_part(request: HttpRequest, event: Tournament, match: str) -> dict[str, object] | None:
    """Return the state of a match at a table and the link to its sheet, where directors adjourn and resume it."""
    row = stored_sheets.find_open_match(event, match)
    if row is None or not request.user.has_perm("tournaments.direct", event.club):
        return None
    return {
        "position": sheet_pages.find_position(row),
        "is_adjourned": "adjourned" in row.running,
        "sheet": reverse("records:sheet", args=[event.key, match]),
    }


def build_next_step(_player: Player, key: str, meeting: ViewerMatch) -> NextStep:
    """Build the step "keep the score", or "resume" for an adjourned match."""
    title = _("Resume the match") if meeting.play.is_adjourned else _("Keep the score")
    return NextStep(StepPriority.KEEP, title, reverse("records:sheet", args=[key, meeting.key]))


def _process_tap(
    request: HttpRequest,
    event: Tournament,
    match: str,
    who: User | CodeHolder | HelperActor,
    *,
    now: datetime,
) -> tuple[str, int]:
    """Process a tap; return the problem, "" if none, and the HTTP status."""
    form = TapRequest.from_form(request.POST)
    if not form.is_valid():
        return _("Choose who won this game."), 422
    try:
        tap_storage.store_tap(
            tournament_id=event.pk,
            match=match,
            key=form.validated_data["key"],
            what=read_tap(form.validated_data),
            by=who,
            now=now,
            device=table_device.get_device(request),
            seats=form.validated_data["seats"],
        )
    except Paused as refusal:
        # Not a conflict: the script keeps the tap, and sends it again.
        return str(refusal), LOCKED
    except KeyReused:
        # The browser's "back" shows an earlier page, whose key is used.
        return _("The page was out of date. Reload and try again."), 409
    except (RecordError, TournamentError) as refusal:
        return str(refusal), 409
    return "", 200


def is_script_request(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "") == JSON


def _render_sheet(
    request: HttpRequest, shown: SheetPage, pictures: str, problem: str = "", *, status: int = 200
) -> HttpResponse:
    values = {
        "problem": problem,
        # Keep an invalid position for correction.
        "position": request.POST.get("position", "") if problem else "",
        "photos": pictures if photos.may_add_photos(shown.row) else "",
        "sheet": shown,
        "key": new_key(),
        "data": shown.data,
        "words": shown.words,
        "live_topics": [*shown.topics],
        "clock_topic": stored_sheets.get_topic(shown.row),
        "hand_in": _build_hand_in_url(request, shown),
    }
    return render(request, "records/sheet.html", values, status=status)


def _build_hand_in_url(request: HttpRequest, shown: SheetPage) -> str:
    """Return the URL to submit a record of the match, "" without permission."""
    if not request.user.has_perm("records.hand_in", shown.event.club):
        return ""
    return sheet_pages.build_hand_in_url(shown.event, shown.match) or ""
