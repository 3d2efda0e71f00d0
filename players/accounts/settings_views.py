"""One's own settings: profile, appearance, privacy, data; and a test of the mail server."""

from __future__ import annotations

from smtplib import SMTPException

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.mail import send_mail
from django.forms.models import model_to_dict
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from django.views.i18n import set_language

from players.access import context
from players.access.requests import (
    AccountRequest,
    SiteRequest,
    get_next_url,
    refusals_added_to,
    render_part,
    require_post_or_redirect,
)
from players.accounts import accounts, exports
from players.accounts.account_forms import AppearanceForm, EraseForm, PrivacyForm, ProfileForm
from players.models import Export, User
from players.notices import kinds
from runtime.install import held_copies

A_YEAR = 365 * 24 * 3600


@login_required
def profile(request: AccountRequest) -> HttpResponse:
    user, player = request.user, request.user.player
    initial = model_to_dict(player, ["name", "alias", "shown_as"])
    initial |= model_to_dict(user, ["language", "time_zone"])
    form = ProfileForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        with refusals_added_to(form):
            accounts.change(user=user, now=timezone.now(), **form.cleaned_data)
            with translation.override(user.language or translation.get_language()):
                messages.success(request, _("Saved."))
            return redirect("players:settings")
    return render(request, "players/settings.html", {"form": form})


def appearance(request: SiteRequest) -> HttpResponse:
    """Change theme and contrast, stored in cookies and, if signed in, in the account."""
    seen = context.load_viewer(request)
    if request.method != "POST":
        form = AppearanceForm(initial={"theme": seen.theme, "high_contrast": seen.high_contrast})
        return render(request, "players/appearance.html", {"form": form})
    form = AppearanceForm(request.POST)
    if not form.is_valid():
        return render(request, "players/appearance.html", {"form": form}, status=422)
    theme = form.cleaned_data["theme"]
    # The footer's buttons do not send the contrast, so it stays unchanged.
    is_whole = "whole" in request.POST
    high_contrast = form.cleaned_data["high_contrast"] if is_whole else seen.high_contrast
    response = redirect(get_next_url(request, reverse("players:appearance")))
    if isinstance(request.user, User):
        accounts.change(user=request.user, now=timezone.now(), theme=theme, high_contrast=high_contrast)
    for name, value in ((context.THEME_COOKIE, theme), (context.CONTRAST_COOKIE, str(int(high_contrast)))):
        response.set_cookie(
            name, value, max_age=A_YEAR, secure=request.is_secure(), httponly=True, samesite="Lax"
        )
    return response


def language(request: SiteRequest) -> HttpResponseBase:
    """Change the language with Django's own view, and store it in the account."""
    response = set_language(request)
    chosen = request.POST.get("language", "")
    if isinstance(request.user, User) and chosen in dict(settings.LANGUAGES):
        accounts.change(user=request.user, now=timezone.now(), language=chosen)
    return response


@login_required
def privacy(request: AccountRequest) -> HttpResponse:
    user = request.user
    initial = {"hidden_from_search": user.player.hidden_from_search, "mails_notices": user.mails_notices}
    form = PrivacyForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        accounts.change(user=user, now=timezone.now(), **form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect("players:privacy")
    shown = {"form": form, "notice_kinds": kinds.list_kinds_by_reader(user)}
    return render(request, "players/privacy.html", shown)


@login_required
@require_GET
def data(request: AccountRequest) -> HttpResponse:
    """Show the export and the form for erasure; for htmx only the state of the export."""
    export = exports.find_export(user=request.user)
    shown = {"export": export, "form": EraseForm(user=request.user)}
    return render_part(request, "players/data.html", {"export": "players/_export.html"}, shown)


@require_post_or_redirect("players:data")
@login_required
def export(request: AccountRequest) -> HttpResponse:
    exports.request_export(user=request.user, now=timezone.now())
    if request.htmx:
        shown = {"export": exports.find_export(user=request.user)}
        return render(request, "players/_export.html", shown)
    return redirect("players:data")


@login_required
@never_cache
@require_GET
def download(request: AccountRequest, export_id: int) -> HttpResponse:
    found = get_object_or_404(Export, user=request.user, pk=export_id, ready_at__isnull=False)
    response = HttpResponse(bytes(found.content), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="barpoint-{found.asked_at:%Y-%m-%d}.json"'
    return response


@require_post_or_redirect("players:data")
@login_required
def erase(request: AccountRequest) -> HttpResponse:
    """Erase the account after confirmation; results stay without the name."""
    form = EraseForm(request.POST, user=request.user)
    if form.is_valid():
        with refusals_added_to(form):
            accounts.erase(user=User.objects.get(pk=request.user.pk), now=timezone.now())
            logout(request)
            messages.success(request, _("Your account is deleted. Thank you for playing."))
            return redirect("home")
    export = exports.find_export(user=request.user)
    return render(request, "players/data.html", {"export": export, "form": form}, status=422)


@login_required
def mail_test(request: AccountRequest) -> HttpResponse:
    """Show the mail settings and send a test e-mail to the caller; for staff."""
    if not request.user.is_staff:
        raise PermissionDenied(_("Only those who run this installation may do that."))
    problem = ""
    if request.method == "POST":
        problem = _send_test_email(request.user.email)
        if not problem:
            messages.success(request, _("Sent to %(address)s.") % {"address": request.user.email})
            return redirect("players:mail_test")
    shown = {
        "problem": problem,
        "server": f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}" if settings.EMAIL_URL else "",
        "sender": settings.DEFAULT_FROM_EMAIL,
        "folder": getattr(settings, "EMAIL_FILE_PATH", ""),
        "is_held": held_copies.query_held().exists(),
    }
    return render(request, "players/mail_test.html", shown, status=422 if problem else 200)


def _send_test_email(address: str) -> str:
    """Send the test e-mail at once; return the error, or ""."""
    if held_copies.query_held().exists():
        return _("This is a copy of a club. It sends no e-mails.")
    sentence = _("If you can read this, your Barpoint can send e-mails.")
    try:
        send_mail(_("A test of your mail server"), sentence, None, [address])
    except (SMTPException, OSError) as error:
        return str(error)
    return ""
