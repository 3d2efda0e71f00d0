"""Pages to transcribe a match: a board, an input line, and the score sheet."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine.rules import LONGEST_READ
from players.access import context
from players.access.permissions import require_permission
from players.access.requests import AccountRequest, parse_number
from players.keys import new_key
from players.models import Club
from records.base.errors import OtherVersion, RecordError
from records.models import Submission, Transcription
from records.sheets.coded_matches import OpenedMatch
from records.sheets.sheet_views import is_script_request
from records.submissions import visible_submissions
from records.submissions.replay_views import build_attachment
from records.submissions.replays import FILES
from records.transcripts import transcribing, transcriptions, typed_input
from records.transcripts.transcriptions import TranscriptionView
from records.transcripts.typed_input import IllegalInput
from runtime.idempotency import KeyReused
from runtime.work.child_processes import RetryLater
from tournaments.models import Pairing
from tournaments.pages.viewer_part import ViewerMatch


class TranscriptionForm(forms.Form):
    """Names and length of a match; 0 is money play."""

    white = forms.CharField(max_length=80, label=gettext_lazy("Left column"))
    black = forms.CharField(max_length=80, label=gettext_lazy("Right column"))
    length = forms.IntegerField(
        min_value=0,
        max_value=LONGEST_READ,
        label=gettext_lazy("Points"),
        help_text=gettext_lazy("0 is money play."),
    )

    @property
    def names(self) -> tuple[str, str]:
        """The names, the left column's first."""
        return self.cleaned_data["white"], self.cleaned_data["black"]


CONFLICT: Final = 409
REFUSED: Final = 422
KEY: Final = re.compile(r"[0-9a-zA-Z-]{8,40}")


@dataclass(frozen=True, slots=True)
class TranscriptionPlace:
    """Where a transcription is shown: for its account, or with the code of its match."""

    row: Transcription
    # Its URL, and the URL and label of the back link.
    here: str
    back: str
    back_name: str
    # The code's match and the device; None and "" for an account.
    held: OpenedMatch | None = None
    device: str = ""

    @property
    def match(self) -> str:
        """The `uid` of the page's match, which a table's code may no longer open; "" for an account."""
        return "" if self.held is None else str(self.held.row.uid)

    @property
    def at(self) -> str:
        """The beginning of a line's query string."""
        return f"?match={self.match}&at=" if self.match else "?at="

    @property
    def files(self) -> list[tuple[str, str]]:
        if self.held is not None:
            where, first = "records:code_transcription_file", [self.held.code]
            return [(name, f"{reverse(where, args=[*first, name])}?match={self.match}") for name in FILES]
        where, first = "records:transcription_file", [self.row.club.slug, self.row.key]
        return [(name, reverse(where, args=[*first, name])) for name in FILES]

    def handed_in(self, made: Submission) -> str:
        if self.held is not None:
            return f"{reverse('records:code_record', args=[self.held.code, made.key])}?match={self.match}"
        return reverse("records:batch", args=[self.row.club.slug, made.batch])


@require_http_methods(["GET", "POST"])
@never_cache
@require_permission("records.hand_in")
def begin(request: AccountRequest, club: Club) -> HttpResponse:
    """Show the form to begin a transcription, and the user's unfinished ones."""
    match_key = request.POST.get("match") or request.GET.get("match", "")
    pairing = visible_submissions.find_match(club, match_key) if match_key else None
    if match_key and pairing is None:
        raise Http404
    match_view = visible_submissions.build_match_view(pairing) if pairing else None
    usual: dict[str, Any] = {"length": pairing.length if pairing else 7}
    if match_view:
        usual |= {"white": match_view.players[0], "black": match_view.players[1]}
    form = TranscriptionForm(request.POST or None, initial=usual)
    if request.method == "POST" and form.is_valid():
        try:
            row = transcribing.begin(
                by=request.user, club=club, names=form.names, length=form.cleaned_data["length"],
                pairing=pairing, now=timezone.now(),
            )  # fmt: skip
        except RecordError as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("records:transcription", slug=club.slug, key=row.key)
    values = {
        "club": club, "form": form, "match": match_view,
        "begun": transcriptions.list_unfinished(request.user).filter(club=club),
    }  # fmt: skip
    return render(request, "records/transcribe.html", values, status=REFUSED if form.errors else 200)


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def transcription(request: AccountRequest, slug: str, key: str) -> HttpResponse:
    """Show a transcription at one of its lines, and process changes."""
    row = get_object_or_404(transcriptions.list_own(request.user), club__slug=slug, key=key)
    context.set_club(request, row.club)
    here = reverse("records:transcription", args=[slug, key])
    back = reverse("records:transcribe", args=[slug])
    return serve_transcription(request, TranscriptionPlace(row, here, back, _("Transcriptions")))


def serve_transcription(request: HttpRequest, place: TranscriptionPlace) -> HttpResponse:
    row = place.row
    at = parse_number(request.POST.get("at") or request.GET.get("at", ""), 7)
    if request.method == "POST":
        return _process_action(request, place, len(row.lines) if at is None else at)
    shown = transcriptions.build_view(row, at)
    if is_script_request(request):
        return JsonResponse(_build_script_data(request, place, shown))
    return _render_page(request, place, shown)


def _render_page(
    request: HttpRequest,
    place: TranscriptionPlace,
    shown: TranscriptionView,
    refused: dict[str, Any] | None = None,
    status: int = 200,
    names_form: TranscriptionForm | None = None,
) -> HttpResponse:
    row = shown.row
    values = {
        "view": shown, "key": new_key(), "refused": refused, "place": place,
        "names_form": None if place.held else names_form or _build_names_form(row),
        "data": _build_script_data(request, place, shown, with_html=False)
        | {"names": dict(zip(("white", "black"), shown.names, strict=True))},
    }  # fmt: skip
    return render(request, "records/transcription.html", values, status=status)


def _build_names_form(row: Transcription) -> TranscriptionForm:
    white, black = row.head["names"]
    return TranscriptionForm(initial={"white": white, "black": black, "length": row.head["length"]})


def _build_script_data(
    request: HttpRequest,
    place: TranscriptionPlace,
    shown: TranscriptionView,
    choice: typed_input.PlayChoice | None = None,
    *,
    with_html: bool = True,
) -> dict[str, Any]:
    turn = shown.state["turn"]
    data: dict[str, Any] = {
        "version": shown.row.version, "at": shown.at, "end": len(shown.row.lines), "state": shown.state, "me": turn,
        "nodes": choice.tree.to_json() if choice else None, "may": list(shown.may), "asked": shown.asked,
    }  # fmt: skip
    if with_html:
        data["html"] = render_to_string("records/_transcript.html", {"view": shown, "place": place}, request)
    return data


def _process_action(request: HttpRequest, place: TranscriptionPlace, at: int) -> HttpResponse:
    do, posted, row = request.POST.get("do", "enter"), request.POST, place.row
    key, version = posted.get("key", ""), parse_number(posted.get("version", ""), 7)
    if not KEY.fullmatch(key) or version is None:
        too_old = {"code": "bad_request", "sentence": _("This page is out of date. Reload it.")}
        return _build_refusal_response(request, place, at, too_old, 400)
    now = timezone.now()
    try:
        if do == "hand-in":
            made = transcribing.hand_in(transcription=row, version=version, now=now, device=place.device)
            return redirect(place.handed_in(made))
        # At the table, all devices with the code for that side share the transcription.
        if do == "delete" and place.held is None:
            transcribing.delete(transcription=row)
            messages.success(request, _("The transcription was deleted."))
            return redirect(place.back)
        if do == "names" and place.held is None:
            return _rename(request, place, version)
        if do == "undo":
            row = transcribing.undo_edit(transcription=row, key=key, version=version, now=now)
            return _build_response(request, replace(place, row=row), None)
        if do == "remove":
            out = int(at < len(row.lines))
            row = transcribing.edit(
                transcription=row, key=key, version=version, at=at, out=out, lines=(), now=now
            )
            return _build_response(request, replace(place, row=row), at)
        return _process_line(request, place, at, key=key, version=version)
    except IllegalInput as refusal:
        return _build_refusal_response(request, place, at, transcribing.describe_problem(refusal), REFUSED)
    except KeyReused as refusal:
        # The browser's "back" shows an earlier page, whose key is used.
        out_of_date = {"code": refusal.code, "sentence": _("The page was out of date. Reload and try again.")}
        return _build_refusal_response(request, place, None, out_of_date, CONFLICT)
    except RecordError as refusal:
        row.refresh_from_db()
        status = CONFLICT if isinstance(refusal, OtherVersion) else REFUSED
        return _build_refusal_response(
            request, place, None, {"code": refusal.code, "sentence": str(refusal)}, status
        )


def _rename(request: HttpRequest, place: TranscriptionPlace, version: int) -> HttpResponse:
    """Save names and length; if they are refused, show the page with what was entered."""
    form, status = TranscriptionForm(request.POST), REFUSED
    if form.is_valid():
        try:
            transcribing.rename(
                transcription=place.row, version=version, names=form.names, length=form.cleaned_data["length"],
                now=timezone.now(),
            )  # fmt: skip
        except RecordError as refusal:
            form.add_error(None, str(refusal))
            status = CONFLICT if isinstance(refusal, OtherVersion) else REFUSED
            place.row.refresh_from_db()
        else:
            return redirect(place.here)
    wrong = next((name for name in form.errors if name in form.fields), "white")
    form.fields[wrong].widget.attrs["autofocus"] = True
    shown = transcriptions.build_view(place.row, None)
    return _render_page(request, place, shown, status=status, names_form=form)


def _process_line(
    request: HttpRequest, place: TranscriptionPlace, at: int, *, key: str, version: int
) -> HttpResponse:
    """Process a line: at the end, before the line at the cursor, or in its place."""
    posted = request.POST
    text, is_instead = posted.get("text", "").strip(), posted.get("instead") == "1"
    if not text:
        return _build_response(request, place, at)
    was_end = at >= len(place.row.lines)
    row, entered = transcribing.enter_line(
        transcription=place.row, key=key, version=version, at=at, text=text, now=timezone.now(),
        is_instead=is_instead, is_as_written=posted.get("as_written") == "1",
    )  # fmt: skip
    place = replace(place, row=row)
    if entered is None:
        return _build_response(request, place, None)
    if entered.choice is not None:
        shown = transcriptions.build_view(row, at, entered.choice)
        if is_script_request(request):
            return JsonResponse(_build_script_data(request, place, shown, entered.choice))
        plays = {"code": "say_play", "sentence": _("Enter the play as well, as in 31 8/5 6/5.")}
        return _render_page(request, place, shown, plays | {"typed": text})
    if was_end:
        return _build_response(request, place, None)
    return _build_response(
        request, place, transcriptions.find_first_fault(row) if is_instead else at + len(entered.lines)
    )


def _build_response(request: HttpRequest, place: TranscriptionPlace, at: int | None) -> HttpResponse:
    if is_script_request(request):
        return JsonResponse(_build_script_data(request, place, transcriptions.build_view(place.row, at)))
    return redirect(place.here if at is None else f"{place.here}{place.at}{at}")


def _build_refusal_response(
    request: HttpRequest, place: TranscriptionPlace, at: int | None, problem: dict[str, Any], status: int
) -> HttpResponse:
    shown = transcriptions.build_view(place.row, at)
    typed = request.POST.get("text", "")
    if is_script_request(request):
        values = {"refused": problem | {"typed": typed}, "view": shown}
        html = render_to_string("records/_typed_refused.html", values, request)
        return JsonResponse(
            _build_script_data(request, place, shown) | {"problem": problem | {"html": html}}, status=status
        )
    return _render_page(request, place, shown, problem | {"typed": typed}, status)


def build_my_match_part(request: HttpRequest, event: str, meeting: ViewerMatch) -> str | None:
    """Return the URL to transcribe a player's own match, None without permission."""
    rows = Pairing.objects.select_related("tournament__club")
    row = rows.filter(tournament__key=event, key=meeting.key).first()
    if row is None or not request.user.has_perm("records.hand_in", row.tournament.club):
        return None
    return f"{reverse('records:transcribe', args=[row.tournament.club.slug])}?match={row.uid}"


@require_POST
@login_required
def begin_correction(request: AccountRequest, slug: str, key: str) -> HttpResponse:
    """Begin a correction of a record's match, at its first fault."""
    submission = get_object_or_404(visible_submissions.list_visible(request.user), club__slug=slug, key=key)
    number = parse_number(request.POST.get("number", ""), 7) or 1
    try:
        row = transcribing.begin_correction(
            by=request.user, submission=submission, number=number, now=timezone.now()
        )
    except (RecordError, RetryLater) as refusal:
        messages.error(request, str(refusal))
        return redirect("records:verdict", slug=slug, key=key)
    here = reverse("records:transcription", args=[slug, row.key])
    return redirect(f"{here}?at={transcriptions.find_first_fault(row)}")


@require_safe
@login_required
def transcription_file(request: AccountRequest, slug: str, key: str, name: str) -> HttpResponse:
    row = get_object_or_404(transcriptions.list_own(request.user), club__slug=slug, key=key)
    return build_download(row, name)


def build_download(row: Transcription, name: str) -> HttpResponse:
    """Build the download of a transcription; raises like `transcriptions.write_file`."""
    content = transcriptions.write_file(row, name)
    return build_attachment(content, f"{row.key}.{name}", FILES[name])
