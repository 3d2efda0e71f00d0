"""Replay of a submitted record, for users who may see its verdict."""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from engine import formats
from engine.side import BySide, Side
from matches.journal.replays import ReplaySubject
from matches.watch import replay_page
from players.access import context
from players.access.requests import AccountRequest
from records.base.errors import CannotBeParsed
from records.models import RecordMatch, Submission, VerdictWord
from records.models.submissions import STANDS
from records.submissions import replays, visible_submissions
from records.submissions.replays import FILES
from runtime.refusals import Refusal
from runtime.work.child_processes import FileInProgress


@require_safe
@login_required
@never_cache
def replay(request: AccountRequest, slug: str, key: str, number: int) -> HttpResponse:
    """Show a match of a record, from its first position on."""
    row, match = _load_match(request, slug, key, number)
    context.set_club(request, row.club)
    try:
        film = replays.load_replay(match)
    except (CannotBeParsed, FileInProgress) as refusal:
        return _redirect_with_refusal(request, row, refusal)
    names = BySide(match.white or _("White"), match.black or _("Black"))
    place = [row.club.slug, row.key, match.number]
    page = replay_page.build_page(
        request,
        film,
        subject=ReplaySubject("record", match.key),
        seats=names.map(lambda name: (name, "")),
        has_pages=BySide(False, False),
        below=Side.WHITE,
        me=None,
        day="",
        back=(_("The verdict"), reverse("records:verdict", args=place[:2])),
        files=tuple((f".{name}", reverse("records:replay_file", args=[*place, name])) for name in FILES),
        note=_("The referee accepted this record with notes.") if match.word == VerdictWord.NOTED else "",
    )
    return render(request, "matches/replay.html", {"page": page})


@require_safe
@login_required
def replay_file(request: AccountRequest, slug: str, key: str, number: int, name: str) -> HttpResponse:
    """Download the facts of a match in one of our formats, with the names in the record."""
    row, match = _load_match(request, slug, key, number)
    if name not in FILES:
        raise Http404
    try:
        facts = replays.load_facts(match)
    except (CannotBeParsed, FileInProgress) as refusal:
        return _redirect_with_refusal(request, row, refusal)
    record = replace(facts, players=BySide(match.white, match.black))
    return build_attachment(formats.write(record, name), f"{match.key}.{name}", FILES[name])


def build_attachment(content: bytes, name: str, kind: str) -> HttpResponse:
    """Serve bytes as a download, never to be rendered by the browser."""
    answer = HttpResponse(content, content_type=kind)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


def _redirect_with_refusal(request: AccountRequest, row: Submission, refusal: Refusal) -> HttpResponse:
    messages.error(request, str(refusal))
    return redirect("records:verdict", slug=row.club.slug, key=row.key)


def _load_match(request: AccountRequest, slug: str, key: str, number: int) -> tuple[Submission, RecordMatch]:
    """Load the match of an accepted record, for users who may see it.

    :raises Http404: there is none.
    """
    row = get_object_or_404(visible_submissions.list_visible(request.user), club__slug=slug, key=key)
    match = get_object_or_404(RecordMatch, file=row.file_id, number=number, word__in=STANDS)
    return row, match
