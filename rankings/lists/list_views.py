"""Pages of rating lists, of a player's ratings and of a match's effect; forms for directors."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Final
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from players.access import requests
from players.access.permissions import require_permission
from players.access.requests import (
    AccountRequest,
    SiteRequest,
    add_refusal,
    get_page_number,
    get_query,
    render_part,
)
from players.clubs.club_pages import ClubRights
from players.models import Club
from players.people import people
from rankings.errors import NameTaken, PolicyChanged, PolicyTooEarly, PolicyUnchanged, RankingError
from rankings.ledger import order, reach
from rankings.lists import list_pages, list_search, lists, printed_lists
from rankings.lists import player_ratings as ratings
from rankings.lists.list_forms import ListForm, PolicyForm
from rankings.models import DatedInterval, RatingList
from rankings.requests import get_club, get_list
from rankings.seasons import season_pages
from runtime.refusals import build_form_error
from tournaments.models import Tournament

# The number of seasons beside a list; all of them have their own page.
SEASONS: Final = 5
PERIODS: Final = {
    "quarter": gettext_lazy("3 months"),
    "year": gettext_lazy("1 year"),
    "all": gettext_lazy("All time"),
}


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show the clubs with lists; if there is only one, redirect to its rankings."""
    rows = list_pages.list_ranked_clubs()
    if len(rows) == 1:
        return redirect("rankings:club", rows[0][0].slug)
    return render(request, "rankings/index.html", {"clubs": rows})


@require_safe
def club(request: SiteRequest, slug: str) -> HttpResponse:
    """Show one of the club's lists, and how it is computed."""
    found = get_club(request, slug)
    key, now = request.GET.get("list", "")[:10], timezone.now()
    wanted = list_search.ListFilters(get_query(request), request.GET.get("active") == "1")
    if request.GET.get("find") == "me":
        return _redirect_to_own_row(request, found, key, wanted)
    ranking = list_pages.load_ranking(
        found, request.user, key=key, number=get_page_number(request), wanted=wanted, now=now
    )
    if ranking is None and key:
        raise Http404
    values = {
        "club": found,
        "rights": ClubRights.load(request.user, found),
        "ranking": ranking,
        "lists": RatingList.objects.filter(club=found).order_by("pk"),
        "beyond": reach.list_foreign_lists(found),
        "led": reach.list_members(found).count(),
        "seasons": season_pages.list_seasons(found, now=now)[:SEASONS],
        "directs": request.user.is_authenticated and request.user.has_perm("tournaments.direct", found),
    }
    return render_part(request, "rankings/club.html", {"ranking": "rankings/_ranking.html"}, values)


@require_safe
def sheet(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    found = get_club(request, slug)
    shown = printed_lists.build_sheet(get_list(club=found, key=key), now=timezone.now())
    return render(request, "rankings/sheet.html", {"club": found, "sheet": shown})


def _redirect_to_own_row(
    request: HttpRequest, club: Club, key: str, wanted: list_search.ListFilters
) -> HttpResponse:
    now = timezone.now()
    chosen = list_pages.find_list(club, key)
    if chosen is None:
        raise Http404
    parameters = {"list": chosen.key}
    mine = list_search.find_own_rating(chosen, request.user)
    if mine is None:
        messages.info(request, _("You are not in this list: none of your matches has been rated in it."))
        return redirect(f"{reverse('rankings:club', args=[club.slug])}?{urlencode(parameters)}")
    least = order.get_provisional_limit(chosen, now)
    wanted = replace(wanted, months=order.get_inactivity_months(chosen, now))
    number, filters = list_search.find_page(mine, wanted, least, size=requests.PAGE_SIZE, now=now)
    parameters |= {"active": "1"} if filters.is_active else {}
    parameters |= {"page": str(number)} if number > 1 else {}
    return redirect(f"{reverse('rankings:club', args=[club.slug])}?{urlencode(parameters)}#me")


@require_safe
def club_card(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the first players of the club's first list, as a card on the club's page; empty without a list."""
    found = get_object_or_404(Club, slug=slug)
    leading = list_pages.list_leading(found, now=timezone.now())
    return render(request, "rankings/_club_card.html", {"club": found, "leading": leading})


@require_http_methods(["GET", "POST"])
@require_permission("tournaments.direct")
def create(request: AccountRequest, club: Club) -> HttpResponse:
    is_operator = request.user.is_staff
    form = ListForm(request.POST or None, initial={"name": _("Club list")}, is_operator=is_operator)
    if form.is_valid():
        whose = form.cleaned_data["reach"]
        try:
            opened = lists.open_list(
                club=club,
                by=request.user,
                name=form.cleaned_data["name"],
                system=form.cleaned_data["system"],
                terms=form.terms,
                since=lists.find_past(club, whose) if form.cleaned_data["has_past"] else None,
                dated=DatedInterval(form.cleaned_data["dated"]),
                reach=whose,
                now=timezone.now(),
            )
        except RankingError as refusal:
            add_refusal(form, refusal, "name" if isinstance(refusal, NameTaken) else None)
        else:
            if form.cleaned_data["has_past"]:
                message = _("The list is open. Matches played so far are being rated.")
            else:
                message = _("The list is open. Matches played from now on are rated.")
            messages.success(request, message)
            return redirect(f"{reverse('rankings:club', args=[club.slug])}?list={opened.key}")
    values = {
        "club": club,
        "form": form,
        "heading": _("Open a rating list"),
        "lede": _("The system cannot be changed later. For another one, open another list."),
        "submit": _("Open the list"),
        "cancel": reverse("rankings:club", args=[club.slug]),
    }
    return render(request, "form_page.html", values, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
@require_permission("tournaments.direct")
def amend(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    """Add a version of the policy."""
    now = timezone.now()
    found = get_list(club=club, key=key)
    last, newer = lists.get_last_policy(found), None
    initial = {**asdict(lists.read_terms(last)), "seen": last.number}
    form = PolicyForm(request.POST or None, initial=initial, club=club)
    if form.is_valid():
        try:
            lists.amend(
                rating_list=found,
                terms=form.terms,
                from_at=form.cleaned_data["from_at"] or now,
                by=request.user,
                seen=form.cleaned_data["seen"] or 0,
                now=now,
            )
        except PolicyChanged as refusal:
            newer = lists.get_last_policy(found)
            typed = request.POST.copy()
            typed["seen"] = str(newer.number)
            form = PolicyForm(typed, club=club)
            form.add_error(None, build_form_error(refusal))
        except PolicyTooEarly as refusal:
            form.add_error("from_at", build_form_error(refusal))
        except PolicyUnchanged as refusal:
            form.add_error(None, build_form_error(refusal))
        else:
            messages.success(
                request, _("The new policy is saved. Matches opened before it applies keep the old one.")
            )
            return redirect(f"{reverse('rankings:club', args=[club.slug])}?list={found.key}")
    values = {"club": club, "list": found, "form": form, "policy": newer}
    return render(request, "rankings/amend.html", values, status=422 if form.is_bound else 200)


@require_safe
def match(request: HttpRequest, slug: str, uid: UUID) -> HttpResponse:
    """Show the effect of a match on both ratings."""
    found = get_club(request, slug)
    shown = list_pages.load_club_effects(found.pk, uid)
    if not shown:
        raise Http404
    values = {"club": found, "rated": shown}
    return render(request, "rankings/match.html", values)


@require_safe
def player(request: HttpRequest, key: str) -> HttpResponse:
    """Show the history of a player's rating, list by list."""
    found = people.get_player(key=key)
    if found.key != key:
        return redirect("rankings:player", found.key)
    rows = list(ratings.list_visible(found, request.user))
    list_key = request.GET.get("list", "")[:10]
    row = (
        next((each for each in rows if each.list.key == list_key), None)
        if list_key
        else next(iter(rows), None)
    )
    if row is None and list_key:
        raise Http404
    period, number = request.GET.get("period", "")[:10], get_page_number(request)
    values = {
        "player": found,
        "lists": [each.list for each in rows],
        "periods": PERIODS,
        "history": row and ratings.load_history(row, period=period, number=number, now=timezone.now()),
    }
    return render(request, "rankings/player.html", values)


def build_player_part(request: HttpRequest, key: str) -> ratings.RatingCard | None:
    return ratings.load_card(people.get_player(key=key), request.user, now=timezone.now())


def build_match_part(
    _request: HttpRequest, event: Tournament, key: str
) -> tuple[list_pages.RatedMatch, ...] | None:
    return list_pages.load_pairing_effects(event, key) or None


def build_correction_part(
    _request: HttpRequest, event: Tournament, key: str
) -> list[tuple[list_pages.RatedMatch, int]] | None:
    return list_pages.compute_correction_effects(event, key) or None


def build_board_part(_request: HttpRequest, key: str) -> tuple[list_pages.RatedMatch, ...] | None:
    """Return the effect of a match played on this site on the ratings, for its page."""
    return list_pages.load_board_effects(key) or None


def build_pair_part(request: HttpRequest, key: str, other: str) -> tuple[ratings.CommonList, ...] | None:
    """Return the ratings of two players in the lists that have both, now and when they met."""
    one, two = people.get_player(key=key), people.get_player(key=other)
    return ratings.list_common(one, two, request.user) or None


def build_friendlies_part(
    _request: HttpRequest, clubs: list[int]
) -> tuple[reach.FriendliesPolicy, ...] | None:
    """Return the lists of some clubs that count friendlies, for the page where friendlies are proposed."""
    return reach.list_friendlies_policies(clubs, now=timezone.now()) or None
