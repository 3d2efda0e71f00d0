"""Pages of the account's notices, and unsubscribing from e-mails."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods

from players.access import listeners
from players.access.callers import found_or_404
from players.access.requests import (
    AccountRequest,
    SiteRequest,
    get_page_number,
    render_part,
    require_post_or_redirect,
)
from players.models import Notice
from players.notices import notices as service
from runtime import stream


@login_required
@require_GET
def notices(request: AccountRequest) -> HttpResponse:
    # Recorded before the data is read, so that no change is missed.
    live = stream.record_positions(listeners.build_user_name(request.user.pk))
    page = service.list_notices(user=request.user, page=get_page_number(request))
    shown = {"page": page, "has_new": any(row.read_at is None for row in page.rows), "live_topics": [live]}
    return render_part(request, "players/notices.html", {"notice-rows": "players/_notice_rows.html"}, shown)


@require_post_or_redirect("players:notices")
@login_required
def read_notices(request: AccountRequest) -> HttpResponse:
    service.mark_read(user=request.user, now=timezone.now())
    return redirect("players:notices")


@require_post_or_redirect("players:notices")
@login_required
def follow_notice(request: AccountRequest, notice_id: int) -> HttpResponse:
    notice = get_object_or_404(Notice, user=request.user, pk=notice_id)
    service.mark_read(user=request.user, now=timezone.now(), notice_id=notice.pk)
    return redirect(notice.url or "players:notices")


# Mail programs post here without cookies (RFC 8058); the token replaces the CSRF check.
@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: SiteRequest, token: str) -> HttpResponse:
    """Confirm and end notices by e-mail. GET changes nothing, as programs follow links."""
    user = found_or_404(service.find_reader(token))
    if request.method == "POST":
        service.unsubscribe(user=user)
    return render(request, "players/unsubscribe.html", {"is_done": not user.mails_notices})
