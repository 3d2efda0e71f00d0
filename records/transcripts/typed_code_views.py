"""Pages to transcribe a match with its code, without an account, and to read the verdict."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from records.base.errors import WhoAreYou
from records.models import Submission, VerdictWord
from records.sheets import coded_matches
from records.sheets.code_views import require_code
from records.sheets.coded_matches import OpenedMatch, Visitor
from records.sheets.sheet_views import is_script_request
from records.submissions import verdicts, visible_submissions, wait_state
from records.submissions.handing_in_views import build_wait_values
from records.transcripts import transcribing, transcriptions
from records.transcripts.transcribing_views import (
    TranscriptionPlace,
    build_download,
    serve_transcription,
)
from tournaments.models import Entry
from tournaments.pages import table_device


@require_http_methods(["GET", "POST"])
@partial(require_code, is_of_one=True)
def transcription(request: HttpRequest, held: OpenedMatch, visit: Visitor, now: datetime) -> HttpResponse:
    """Show the transcription of one side of a match, on any device with the code; begin it on request."""
    own = visit.own
    if own is None:
        if is_script_request(request):
            raise WhoAreYou
        return redirect(held.address)
    here, device = reverse("records:code_transcription", args=[held.code]), table_device.get_device(request)
    if request.POST.get("do") == "begin":
        transcribing.begin_at_table(pairing=held.row, who=held.holder(own.pk, device), now=now)
        return redirect(here)
    row = coded_matches.find_transcription(held, own)
    if row is None:
        return redirect(held.address)
    return serve_transcription(
        request, TranscriptionPlace(row, here, held.address, _("The match at the table"), held, device)
    )


@require_safe
@partial(require_code, is_of_one=True)
def transcription_file(
    _request: HttpRequest, held: OpenedMatch, visit: Visitor, _now: datetime, name: str
) -> HttpResponse:
    row = coded_matches.find_transcription(held, visit.own)
    if row is None:
        raise Http404
    return build_download(row, name)


@require_safe
@partial(require_code, is_of_one=True)
def record(request: HttpRequest, held: OpenedMatch, visit: Visitor, now: datetime, key: str) -> HttpResponse:
    """Show the verdict on a record that was submitted for this side."""
    row = get_object_or_404(visible_submissions.list_at_table(held, visit.own), key=key)
    values = {
        "club": row.club, "submission": row, "view": verdicts.build_view(row), "code": held.code, "back": held.address,
        "mend": _build_correction_url(held, visit.own, row), **build_wait_values(wait_state.find_wait_state([row], now=now)),
    }  # fmt: skip
    return render(request, "records/verdict.html", values)


def _build_correction_url(held: OpenedMatch, own: Entry | None, record: Submission) -> str:
    """Return the URL to correct a rejected record, at its transcription's first fault; "" if not rejected."""
    row = coded_matches.find_transcription(held, own)
    if row is None or record.file is None or record.file.word != VerdictWord.REJECTED:
        return ""
    here = reverse("records:code_transcription", args=[held.code])
    return f"{here}?match={held.row.uid}&at={transcriptions.find_first_fault(row)}"
