"""A club's rankings: to look at for everyone, to open for directors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from players import context
from players.models import Club
from players.permissions import needs
from players.selectors.clubs import ClubRights
from players.views.requests import AccountRequest, page_of
from rankings.errors import NameTaken
from rankings.forms import ListForm
from rankings.models import RatingList
from rankings.selectors import page
from rankings.services import lists

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one of the club's lists as it stands now, and how it is made."""
    found = get_object_or_404(Club, slug=slug)
    context.visit(request, found)
    key = request.GET.get("list", "")[:10]
    ranking = page.of(found, request.user, key=key, number=page_of(request), now=timezone.now())
    if ranking is None and key:
        raise Http404
    values = {
        "club": found,
        "rights": ClubRights.of(request.user, found),
        "ranking": ranking,
        "lists": RatingList.objects.filter(club=found).order_by("pk"),
        "directs": request.user.is_authenticated and request.user.has_perm("tournaments.direct", found),
    }
    return render(request, "rankings/club.html", values)


@require_http_methods(["GET", "POST"])
@needs("tournaments.direct")
def create(request: AccountRequest, club: Club) -> HttpResponse:
    """Open a list."""
    form = ListForm(request.POST or None, initial={"name": _("Club list")})
    if form.is_valid():
        try:
            opened = lists.open_list(
                club=club,
                by=request.user,
                name=form.cleaned_data["name"],
                system=form.cleaned_data["system"],
                terms=form.terms,
                since=club.created_at if form.cleaned_data["has_past"] else None,
                now=timezone.now(),
            )
        except NameTaken as refusal:
            form.add_error("name", str(refusal))
        else:
            messages.success(request, _("The list is open. Matches played so far are being rated."))
            return redirect(f"{reverse('rankings:club', args=[club.slug])}?list={opened.key}")
    values = {"club": club, "form": form, "rights": ClubRights.of(request.user, club)}
    return render(request, "rankings/create.html", values, status=422 if form.is_bound else 200)
