"""The page behind the link at the end of a notice by e-mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from players.services import notices

if TYPE_CHECKING:
    from django.http import HttpResponse

    from players.views.requests import Visit


# Mail programs post here by themselves (RFC 8058) and have no cookie of ours; the token stands for it.
@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: Visit, token: str) -> HttpResponse:
    """Ask whether notices by mail should end, and end them. Looking alone ends nothing: programs follow links."""
    user = notices.reader(token)
    if user is None:
        raise Http404
    if request.method == "POST":
        notices.unsubscribe(user=user, now=timezone.now())
    return render(request, "players/unsubscribe.html", {"is_done": not user.mails_notices})
