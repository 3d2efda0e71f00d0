"""Pages of the requirement of an event or a division: its form, who meets it, and admissions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakKeyDictionary

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from players.access.permissions import require_permission
from players.access.requests import AccountRequest, refusals_shown_to
from players.models import Club, Player, User
from players.people.fields import DAY_INPUT
from rankings.eligibility import eligibility
from rankings.eligibility import eligibility_pages as selectors
from rankings.eligibility.eligibility_pages import JudgedPlayer, Verdict
from rankings.errors import RankingError
from rankings.ledger import reach
from rankings.models import Requirement, SeasonDivision
from rankings.openings.openings import MOST_RATING
from tournaments.models import Entry, Tournament
from tournaments.pages import access

SETTINGS: Final = ("day", "at_least", "at_most", "first")
# Cache per request, shared by all rows of a roster.
_read: Final[WeakKeyDictionary[HttpRequest, dict[int, Verdict]]] = WeakKeyDictionary()


class RequirementForm(forms.Form):
    """The requirement of an event or a division; without limits everybody may play."""

    list = forms.ChoiceField(label=gettext_lazy("List"), choices=())
    day = forms.DateField(
        label=gettext_lazy("List of"),
        widget=DAY_INPUT,
        help_text=gettext_lazy("The day of a dated list. It can be in the future."),
    )
    at_least = forms.FloatField(
        label=gettext_lazy("Rated at least"), min_value=-MOST_RATING, max_value=MOST_RATING, required=False
    )
    at_most = forms.FloatField(
        label=gettext_lazy("Rated at most"), min_value=-MOST_RATING, max_value=MOST_RATING, required=False
    )
    first = forms.IntegerField(
        label=gettext_lazy("Among the first"), required=False, min_value=1, max_value=100_000
    )

    def __init__(self, data: Any, *, club: Club, there: Requirement | None) -> None:
        initial = (
            {name: getattr(there, name) for name in SETTINGS} | {"list": there.list.key} if there else {}
        )
        super().__init__(data, initial=initial)
        self.lists = {row.key: row for row in reach.list_current_lists(club.pk)}
        field = self.fields["list"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - declared above
        field.choices = [(key, reach.format_list_name(row, club.pk)) for key, row in self.lists.items()]

    @property
    def terms(self) -> eligibility.RequirementTerms:
        cleaned = self.cleaned_data
        return eligibility.RequirementTerms(
            self.lists[cleaned["list"]], **{name: cleaned[name] for name in SETTINGS}
        )


@dataclass(frozen=True, slots=True)
class RosterEligibility:
    """The requirement in words, and the entrants who do not meet it."""

    words: str
    refused: tuple[JudgedPlayer, ...]
    # The page where directors set the requirement and admit players.
    url: str


@dataclass(frozen=True, slots=True)
class EventRequirement:
    words: str
    list_url: str
    list_name: str


@access.require_director("GET", "POST")
def event_requirement(request: HttpRequest, event: Tournament) -> HttpResponse:
    back = reverse("tournaments:roster", args=[event.key])
    here = reverse("rankings:event_eligibility", args=[event.key])
    admit = reverse("rankings:admit_to_event", args=[event.key])
    return _render_page(request, event, access.require_user(request), (back, here, admit), event.name)


@access.require_director(form="rankings:event_eligibility")
def admit_to_event(request: HttpRequest, event: Tournament) -> HttpResponse:
    here = reverse("rankings:event_eligibility", args=[event.key])
    return _change_admission(request, event, access.require_user(request), here)


@require_http_methods(["GET", "POST"])
@require_permission("tournaments.direct")
def division_requirement(request: AccountRequest, club: Club, key: str, number: int) -> HttpResponse:
    division = _get_division(club, key, number)
    place = [club.slug, key, number]
    back = reverse("rankings:divisions", args=[club.slug, key])
    here = reverse("rankings:division_eligibility", args=place)
    admit = reverse("rankings:admit_to_division", args=place)
    return _render_page(request, division, request.user, (back, here, admit), division.name)


@require_POST
@require_permission("tournaments.direct")
def admit_to_division(request: AccountRequest, club: Club, key: str, number: int) -> HttpResponse:
    here = reverse("rankings:division_eligibility", args=[club.slug, key, number])
    return _change_admission(request, _get_division(club, key, number), request.user, here)


def build_roster_part(request: HttpRequest, event: Tournament) -> RosterEligibility | None:
    """Return the requirement and the ineligible entrants, for the roster page."""
    url = reverse("rankings:event_eligibility", args=[event.key])
    requirement = selectors.find_requirement(event)
    if requirement is None:
        has_lists = reach.list_rating_lists([event.club_id]).exists()
        return RosterEligibility("", (), url) if has_lists else None
    refused = tuple(one for one in selectors.list_judged_players(requirement) if one.verdict.is_refused)
    return RosterEligibility(selectors.describe_requirement(requirement, event.club), refused, url)


def build_entrant_part(request: HttpRequest, event: Tournament, number: int) -> Verdict | None:
    """Return the verdict of an entrant, if they are ineligible or were admitted; otherwise None."""
    if request not in _read:
        requirement = selectors.find_requirement(event)
        rows = dict(Entry.objects.filter(tournament=event).values_list("number", "player"))
        judgements = selectors.judge_players(requirement, list(rows.values())) if requirement and rows else {}
        _read[request] = {
            number: judgements[player] for number, player in rows.items() if player in judgements
        }
    verdict = _read[request].get(number)
    return verdict if verdict and (verdict.is_refused or verdict.code == selectors.ADMITTED) else None


def build_event_part(_request: HttpRequest, key: str) -> EventRequirement | None:
    rows = Requirement.objects.filter(event__key=key).select_related("list__club", "event__club")
    requirement = rows.first()
    if requirement is None:
        return None
    rating_list, event = requirement.list, requirement.event
    assert event is not None  # noqa: S101 - it was found by the event
    url = f"{reverse('rankings:club', args=[rating_list.club.slug])}?list={rating_list.key}"
    name = reach.format_list_name(rating_list, event.club_id)
    return EventRequirement(selectors.describe_requirement(requirement, event.club), url, name)


def _render_page(
    request: HttpRequest,
    of: Tournament | SeasonDivision,
    by: User,
    urls: tuple[str, str, str],
    name: str,
) -> HttpResponse:
    club, found = selectors.get_club(of), selectors.find_requirement(of)
    form = RequirementForm(request.POST or None, club=club, there=found)
    if form.is_bound and form.is_valid():
        try:
            eligibility.set_requirement(of=of, terms=form.terms, by=by, now=timezone.now())
        except RankingError as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The requirement is saved."))
            return redirect(urls[1])
    values = {
        **{"club": club, "name": name, "form": form, "requirement": found},
        **{"back": urls[0], "admit": urls[2]},
        "words": selectors.describe_requirement(found, club) if found else "",
        "is_out_of_reach": bool(found and found.list.key not in form.lists),
        "is_published": bool(found and selectors.find_published_list(found)),
        "people": selectors.list_judged_players(found) if found else [],
    }
    return render(request, "rankings/eligibility.html", values, status=422 if form.errors else 200)


def _change_admission(
    request: HttpRequest, of: Tournament | SeasonDivision, by: User, here: str
) -> HttpResponse:
    player = get_object_or_404(Player, key=request.POST.get("player", ""))
    now = timezone.now()
    with refusals_shown_to(request):
        if request.POST.get("act") == "back":
            eligibility.withdraw_admission(of=of, player=player, by=by, now=now)
            done = _("The admission is taken back.")
        else:
            reason = request.POST.get("reason", "")
            eligibility.admit(of=of, player=player, reason=reason, by=by, now=now)
            done = _("The player is admitted.")
        messages.success(request, done)
    return redirect(here)


def _get_division(club: Club, key: str, number: int) -> SeasonDivision:
    rows = SeasonDivision.objects.select_related("season__club")
    return get_object_or_404(rows, season__club=club, season__key=key, number=number)
