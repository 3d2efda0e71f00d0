"""Requirements of events and divisions over HTTP: public to read; directors change them and admit players."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import permissions, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.access.callers import get_account, read_body
from players.models import Player
from rankings.eligibility import eligibility
from rankings.eligibility import eligibility_pages as selectors
from rankings.models import RatingList, SeasonDivision
from rankings.openings.openings import MOST_RATING
from rankings.requests import TAG
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import NumberField, StrictFields
from tournaments.base import event_lines
from tournaments.models import Tournament

LIMITS = ("at_least", "at_most", "first")


class JudgedAnswer(Answer):
    """A player who has entered, and whether they may play."""

    player: str = about("The player's key.", source="player.key")
    name: str = about(source="player.public_name")
    code: str = about(
        "eligible, admitted, unknown (the list is not published yet), not_listed, too_low, too_high or "
        "not_among_first.",
        source="verdict.code",
    )
    why: str = about(source="verdict.why")


class EligibilityAnswer(Answer):
    """The requirement, and the players who meet it."""

    list: str | None = about("The list's key; null: everybody may play.", source="list.key")
    day: date | None = about("The day of the dated list.")
    at_least: float | None
    at_most: float | None
    first: int | None
    words: str
    players: tuple[JudgedAnswer, ...]


class NewRequirement(StrictFields):
    """A requirement; without any of the three limits everybody may play."""

    list = serializers.CharField(
        max_length=10,
        required=False,
        help_text="The key of a list that rates the club: its own, a group's, the site's.",
    )
    day = serializers.DateField(required=False)
    at_least = NumberField(required=False, allow_null=True, min_value=-MOST_RATING, max_value=MOST_RATING)
    at_most = NumberField(required=False, allow_null=True, min_value=-MOST_RATING, max_value=MOST_RATING)
    first = serializers.IntegerField(required=False, allow_null=True, max_value=100_000)


class NewAdmission(StrictFields):
    """A player admitted despite the requirement."""

    player = serializers.CharField(max_length=10)
    reason = serializers.CharField(max_length=200, allow_blank=True, help_text="Empty: admitted no longer.")


@extend_schema(responses=EligibilityAnswer, tags=[TAG])
class Eligibility(APIView):
    permission_classes = (permissions.IsAuthenticatedOrReadOnly,)

    def thing(self, request: Request, key: str, number: int | None) -> Tournament | SeasonDivision:
        """The event or division of the request."""
        if number is None:
            return get_object_or_404(event_lines.query_visible(request.user).select_related("club"), key=key)
        rows = SeasonDivision.objects.select_related("season__club")
        return get_object_or_404(rows, season__key=key, number=number)

    def get(self, request: Request, key: str, number: int | None = None) -> Response:
        """The requirement, and each entered player with whether they may play and why."""
        return _build_response(self.thing(request, key, number))

    @extend_schema(request=NewRequirement)
    def put(self, request: Request, key: str, number: int | None = None) -> Response:
        """Set the requirement, as a director."""
        of, data = self.thing(request, key, number), read_body(NewRequirement, request)
        rating_list = RatingList.objects.filter(key=data.get("list", "")).first()
        limits = {name: data.get(name) for name in LIMITS}
        terms = eligibility.RequirementTerms(rating_list, data.get("day"), **limits)
        eligibility.set_requirement(of=of, terms=terms, by=get_account(request), now=timezone.now())
        return _build_response(of)

    @extend_schema(request=NewAdmission)
    def post(self, request: Request, key: str, number: int | None = None) -> Response:
        """Admit a player with a reason, as a director; without a reason the admission is withdrawn."""
        of, data = self.thing(request, key, number), read_body(NewAdmission, request)
        player = get_object_or_404(Player, key=data["player"])
        by, now, reason = get_account(request), timezone.now(), data["reason"]
        if reason:
            eligibility.admit(of=of, player=player, reason=reason, by=by, now=now)
        else:
            eligibility.withdraw_admission(of=of, player=player, by=by, now=now)
        return _build_response(of)


def _build_response(of: Tournament | SeasonDivision) -> Response:
    found = selectors.find_requirement(of)
    if found is None:
        nothing: dict[str, Any] = dict.fromkeys(("list", "day", *LIMITS))
        return Response(EligibilityAnswer(**nothing, words="", players=()))
    words = selectors.describe_requirement(found, selectors.get_club(of))
    return Response(EligibilityAnswer.read(found, words=words, players=selectors.list_judged_players(found)))


paths: list[URLPattern] = [
    path("events/<slug:key>/eligibility/", Eligibility.as_view(), name="event-eligibility"),
    path(
        "seasons/<slug:key>/divisions/<int:number>/eligibility/",
        Eligibility.as_view(),
        name="division-eligibility",
    ),
]
