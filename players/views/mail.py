"""E-mails: whether they leave this installation, asked by sending one to oneself; and the end of notices by e-mail."""

from __future__ import annotations

from smtplib import SMTPException
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.mail import send_mail
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from players.services import notices
from runtime.install import copies

if TYPE_CHECKING:
    from django.http import HttpResponse

    from players.requests import AccountRequest, Visit


@login_required
def mail_test(request: AccountRequest) -> HttpResponse:
    """Say where e-mails go, and send one to whoever asks; for those who run the installation."""
    if not request.user.is_staff:
        raise PermissionDenied(_("Only those who run this installation may do that."))
    problem = ""
    if request.method == "POST":
        problem = _sent(request.user.email)
        if not problem:
            messages.success(request, _("Sent to %(address)s.") % {"address": request.user.email})
            return redirect("players:mail_test")
    shown = {
        "problem": problem,
        "server": f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}" if settings.EMAIL_URL else "",
        "sender": settings.DEFAULT_FROM_EMAIL,
        "folder": getattr(settings, "EMAIL_FILE_PATH", ""),
        "is_held": copies.held().exists(),
    }
    return render(request, "players/mail_test.html", shown, status=422 if problem else 200)


def _sent(address: str) -> str:
    """Send it at once; return what the server said where it did not go."""
    if copies.held().exists():
        return _("This is a copy of a club: no e-mail leaves it.")
    said = _("If you read this, e-mails leave your Barpoint.")
    try:
        send_mail(_("A test of your mail server"), said, None, [address])
    except (SMTPException, OSError) as error:
        return str(error)
    return ""


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
