"""Pages to submit records, follow their progress, and read verdicts."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.access import context, requests
from players.access.permissions import require_permission
from players.access.requests import AccountRequest, get_page_number, refusals_shown_to
from players.files import uploads
from players.models import Club
from records.base import quotas
from records.base.errors import RecordError
from records.models import Outcome
from records.sheets import sheet_pages
from records.submissions import (
    disputes,
    other_parts,
    record_changes,
    record_outcomes,
    submissions,
    verdicts,
    visible_submissions,
    wait_state,
)
from records.submissions.disputes import MatchReports
from records.submissions.replay_views import build_attachment
from records.submissions.submissions import SentFile
from records.submissions.wait_state import WaitState
from tournaments.models import Tournament


@require_http_methods(["GET", "POST"])
@require_permission("records.hand_in")
def hand_in(request: AccountRequest, club: Club) -> HttpResponse:
    """Show the form to submit records, and process it."""
    refusal = ""
    match_key = request.POST.get("match") or request.GET.get("match", "")
    pairing = visible_submissions.find_match(club, match_key) if match_key else None
    if match_key and pairing is None:
        raise Http404
    if request.method == "POST":
        sent = [SentFile(each.name or "", each.read()) for each in request.FILES.getlist("files")]
        if pasted := request.POST.get("text", "").strip("\r\n"):
            sent.append(SentFile("pasted.txt", pasted.encode()))
        try:
            rows = submissions.hand_in(
                club=club,
                by=request.user,
                files=sent,
                now=timezone.now(),
                pairing=pairing,
                payers=uploads.list_payers(request),
            )
        except RecordError as error:
            refusal = str(error)
        else:
            return redirect("records:batch", slug=club.slug, key=rows[0].batch)
    mine = visible_submissions.list_visible(request.user).filter(club=club).order_by("-at", "-pk")
    values = {
        "club": club,
        "refusal": refusal,
        "text": request.POST.get("text", ""),
        "match": visible_submissions.build_match_view(pairing) if pairing else None,
        "usage": quotas.load_usage(club, now=timezone.now())
        if request.user.has_perm("tournaments.direct", club)
        else None,
        "page": requests.paginate(mine, get_page_number(request), verdicts.build_line),
    }
    return render(request, "records/hand_in.html", values, status=422 if refusal else 200)


@require_safe
@login_required
def batch(request: AccountRequest, slug: str, key: str) -> HttpResponse:
    """Show the progress of a batch; for a single file, redirect to its verdict."""
    rows = list(visible_submissions.list_visible(request.user).filter(club__slug=slug, batch=key))
    if not rows:
        raise Http404
    if len(rows) == 1:
        return redirect("records:verdict", slug=slug, key=rows[0].key)
    context.set_club(request, rows[0].club)
    lines = [verdicts.build_line(row) for row in rows]
    done = sum(line.state != "waiting" for line in lines)
    wait = wait_state.find_wait_state(rows, now=timezone.now())
    if wait is None:
        # When everything is judged, files that need action come first.
        lines.sort(key=lambda line: not line.is_for_somebody)
    pairing = rows[0].pairing
    values: dict[str, object] = {"club": rows[0].club, "lines": lines, "done": done}
    values |= {
        "tally": verdicts.count_verdicts(lines),
        "match": visible_submissions.build_match_view(pairing) if pairing else None,
    }
    values |= build_wait_values(wait)
    return render(request, "records/batch.html", values)


@require_safe
@login_required
def verdict(request: AccountRequest, slug: str, key: str) -> HttpResponse:
    row = get_object_or_404(visible_submissions.list_visible(request.user), club__slug=slug, key=key)
    context.set_club(request, row.club)
    values = {
        "club": row.club,
        "submission": row,
        "view": verdicts.build_view(row),
        "who": visible_submissions.find_open_question(row),
    }
    values |= build_wait_values(wait_state.find_wait_state([row], now=timezone.now()))
    values["whole"] = other_parts.find_whole_match(row, visible_submissions.list_visible(request.user))
    values["mended"] = record_changes.load_record_changes(row, visible_submissions.list_visible(request.user))
    values["may_mend"] = request.user.has_perm("records.hand_in", row.club)
    return render(request, "records/verdict.html", values)


def build_wait_values(wait: WaitState | None) -> dict[str, object]:
    """Return the template values for a page that waits for verdicts."""
    return {} if wait is None else {"waiting": wait, "live_topics": [wait.news]}


@require_POST
@login_required
def name_sides(request: AccountRequest, slug: str, key: str) -> HttpResponse:
    """Store which player is White in a record, or that neither is."""
    row = get_object_or_404(visible_submissions.list_visible(request.user), club__slug=slug, key=key)
    white = request.POST.get("white", "")
    with refusals_shown_to(request):
        outcome = record_outcomes.name_white(submission=row, white=white, by=request.user, now=timezone.now())
        messages.success(request, str(Outcome(outcome).label))
    return redirect("records:verdict", slug=slug, key=key)


@require_safe
@login_required
def content(request: AccountRequest, slug: str, key: str) -> HttpResponse:
    row = get_object_or_404(visible_submissions.list_visible(request.user), club__slug=slug, key=key)
    if row.file is None:
        raise Http404
    name = f"{row.file.sha256[:12]}.record"
    return build_attachment(bytes(row.file.content), name, "application/octet-stream")


def build_match_part(request: HttpRequest, event: Tournament, key: str) -> str | None:
    """Return the URL to submit a record of a match, for users with permission."""
    if not request.user.has_perm("records.hand_in", event.club):
        return None
    return sheet_pages.build_hand_in_url(event, key)


def load_match_reports(_request: HttpRequest, event: Tournament, key: str) -> MatchReports | None:
    return disputes.load_dispute(event, key)
