"""Pages of clubs: search, creation, club page, settings."""

from __future__ import annotations

from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_safe

from players.access import context, public_pages
from players.access.permissions import get_club, require_permission
from players.access.requests import (
    AccountRequest,
    SiteRequest,
    get_page_number,
    get_query,
    refusals_added_to,
    refusals_shown_to,
    render_part,
    require_post_or_redirect,
)
from players.clubs import club_pages as selectors
from players.clubs import clubs
from players.clubs.club_forms import ClubForm, ClubSettingsForm, ClubTextsForm, guess_zone
from players.errors import AlreadyMember
from players.files import uploads
from players.models import Club, ClubLogo
from runtime import pictures, stream


def _compute_page_version(request: SiteRequest, *, now: datetime, slug: str = "") -> public_pages.PageVersion:
    return public_pages.PageVersion(selectors.compute_version_key(club=slug))


@require_GET
@public_pages.cache_page(_compute_page_version, knows={"page"}, reads={"q"})
def club_list(request: SiteRequest) -> HttpResponse:
    """Show all clubs, the viewer's own first; search by name or town."""
    query = get_query(request)
    page = selectors.find_clubs(user=request.user, query=query, page=get_page_number(request))
    shown = {"page": page, "query": query}
    return render_part(request, "players/club_list.html", {"clubs": "players/_club_rows.html"}, shown)


@login_required
def club_create(request: AccountRequest) -> HttpResponse:
    form = ClubForm(request.POST or None, initial={"time_zone": request.user.time_zone or "UTC"})
    guess_zone(form)
    if request.method == "POST" and form.is_valid():
        with refusals_added_to(form):
            club = clubs.create(owner=request.user, now=timezone.now(), **form.cleaned_data)
            messages.success(request, _("Your club is ready. Invite your players next."))
            return redirect(club)
    values = {
        "form": form,
        "heading": _("Start a club"),
        "lede": _("You will be its owner. Everything but its address can be changed later."),
        "submit": _("Start the club"),
        "cancel": reverse("players:club_list"),
    }
    return render(request, "form_page.html", values)


@require_GET
@public_pages.cache_page(_compute_page_version)
def club(request: SiteRequest, slug: str) -> HttpResponse:
    club = get_club(slug)
    context.set_club(request, club)
    live = stream.record_positions(f"club.{slug}")
    shown = selectors.load_club_page(user=request.user, club=club)
    return render(request, "players/club.html", {"club": club, "shown": shown, "live_topics": [live]})


@require_post_or_redirect("players:club")
@login_required
def club_join(request: AccountRequest, slug: str) -> HttpResponse:
    club = get_club(slug)
    to = reverse("players:club", args=[slug])
    with refusals_shown_to(request):
        try:
            clubs.join(club=club, player=request.user.player, now=timezone.now())
        except AlreadyMember as error:
            # A member who joins again is not an error.
            messages.info(request, str(error), extra_tags=error.code)
        else:
            messages.success(request, _("Welcome to %(club)s.") % {"club": club.name})
        to = club.get_absolute_url()
    return redirect(to)


@login_required
def club_leave(request: AccountRequest, slug: str) -> HttpResponse:
    """End one's own membership after confirmation."""
    club = get_club(slug)
    if request.method != "POST":
        return render(request, "players/club_leave.html", {"club": club})
    to = reverse("players:club", args=[slug])
    with refusals_shown_to(request):
        clubs.leave(club=club, player=request.user.player, now=timezone.now())
        messages.success(request, _("You have left %(club)s. Your results stay.") % {"club": club.name})
        to = club.get_absolute_url()
    return redirect(to)


@require_permission("players.edit_club")
def club_settings(request: AccountRequest, club: Club) -> HttpResponse:
    initial = {name: getattr(club, name) for name in ClubSettingsForm.base_fields}
    form = ClubSettingsForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        with refusals_added_to(form):
            clubs.update(club=club, by=request.user, now=timezone.now(), **form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect("players:club_settings", slug=club.slug)
    rights = selectors.ClubRights.load(request.user, club)
    return render(request, "players/club_settings.html", {"form": form, "club": club, "rights": rights})


@require_permission("players.edit_club", form="players:club_settings")
def club_logo(request: AccountRequest, club: Club) -> HttpResponse:
    sent = request.FILES.get("logo")
    with refusals_shown_to(request):
        if "remove" in request.POST:
            clubs.remove_logo(club=club, by=request.user, now=timezone.now())
        elif sent is not None and (sent.size or 0) > pictures.MOST_BYTES:
            raise pictures.PictureTooLarge
        else:
            data = sent.read() if sent is not None else b""
            payers = uploads.list_payers(request)
            clubs.set_logo(club=club, by=request.user, data=data, now=timezone.now(), payers=payers)
        messages.success(request, _("Saved."))
    return redirect("players:club_settings", slug=club.slug)


@require_safe
def logo(_request: SiteRequest, slug: str, logo_hash: str) -> HttpResponse:
    """Send a club's logo; the URL contains its hash, so it can be cached for good."""
    found = get_object_or_404(ClubLogo, club__slug=slug, club__logo_hash=logo_hash)
    response = HttpResponse(bytes(found.content), content_type="image/png")
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


@require_permission("players.edit_club")
def club_texts(request: AccountRequest, club: Club) -> HttpResponse:
    initial = {name: getattr(club, name) for name in ClubTextsForm.base_fields}
    form = ClubTextsForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        with refusals_added_to(form):
            clubs.update(club=club, by=request.user, now=timezone.now(), **form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect("help:club_texts", slug=club.slug)
    rights = selectors.ClubRights.load(request.user, club)
    return render(request, "players/club_texts.html", {"form": form, "club": club, "rights": rights})
