"""Opening a list and changing its policy over HTTP: for directors, by the same rules as on the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.response import Response

from players.access.callers import get_account
from players.models import Club
from players.people.player_shapes import ApiNameField
from rankings.ledger.ledger_shapes import TAG
from rankings.lists import lists
from rankings.lists.list_shapes import ListAnswer
from rankings.models import DatedInterval, PlayMedium, RatingList, Reach, RulesOfPlay
from runtime.http.strict_fields import StrictFields
from tournaments.base import local_times
from tournaments.models import LONGEST_MATCH

if TYPE_CHECKING:
    from rest_framework.request import Request


class PolicyTerms(StrictFields):
    """The settings of a list; a missing field is not changed, in a new list it has its default."""

    shortest = serializers.IntegerField(
        required=False, min_value=1, max_value=LONGEST_MATCH, help_text="The shortest rated match; usually 1."
    )
    longest = serializers.IntegerField(
        required=False, min_value=1, max_value=LONGEST_MATCH, help_text="The longest rated match; usually 25."
    )
    played = serializers.ChoiceField(
        required=False, choices=PlayMedium.choices, help_text="Which matches count; usually any."
    )
    rules = serializers.ChoiceField(
        required=False, choices=RulesOfPlay.choices, help_text="By which rules of play; usually any."
    )
    friendlies = serializers.BooleanField(
        required=False,
        help_text="Whether matches of no event count that two members agreed on before; usually not.",
    )
    provisional_under = serializers.IntegerField(
        required=False, min_value=0, max_value=10_000, help_text="Points of experience; usually 100."
    )
    inactive_after = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=lists.LONGEST_AWAY,
        help_text="Months without a rated match; 0: never; usually 12.",
    )


class PolicyChange(PolicyTerms):
    """The next version of a list's policy."""

    from_at = serializers.DateTimeField(
        required=False,
        allow_null=True,
        validators=[local_times.validate_moment],
        help_text="It holds for matches that are opened from then on; left out: from now on.",
    )


class ListOpening(StrictFields):
    """A new list. Its system and reach never change."""

    club = serializers.SlugField(help_text="The address of the club that keeps it.")
    name = ApiNameField(max_length=80)
    about = serializers.CharField(
        required=False, allow_blank=True, max_length=2000, help_text="Words of its own, on its page."
    )
    system = serializers.CharField(max_length=20, help_text="fibs, elo or glicko2.")
    params = serializers.DictField(
        required=False, help_text='Parameters that are not as published, such as {"tau": 0.3}.'
    )
    reach = serializers.ChoiceField(
        choices=Reach.choices,
        default=Reach.CLUB,
        help_text="Whose matches: of the club, of the group of clubs that it leads, or, for administrators, of the whole site.",
    )
    dated = serializers.ChoiceField(
        choices=DatedInterval.choices,
        default=DatedInterval.NEVER,
        help_text="How often it is published with a date.",
    )
    has_past = serializers.BooleanField(
        default=True, help_text="Whether matches are rated that have been played already."
    )
    policy = PolicyTerms(required=False, help_text="What it rates; left out: everything, as is usual.")


class ListChangesViewSet(viewsets.GenericViewSet[RatingList]):
    """Base of the view set of rating lists, with the changes that directors may make."""

    @extend_schema(request=ListOpening, responses={201: ListAnswer}, tags=[TAG])
    def create(self, request: Request) -> Response:
        """Open a list, as a director of the club; matches played already are rated soon after."""
        form = ListOpening(data=request.data)
        form.is_valid(raise_exception=True)
        said, now = form.validated_data, timezone.now()
        club, reach = get_object_or_404(Club, slug=said["club"]), Reach(said["reach"])
        opened = lists.open_list(
            club=club,
            by=get_account(request),
            **{name: said[name] for name in ("name", "system")},
            about=said.get("about", ""),
            params=said.get("params"),
            terms=lists.Terms(**said.get("policy", {})),
            since=lists.find_past(club, reach) if said["has_past"] else None,
            dated=DatedInterval(said["dated"]),
            reach=reach,
            now=now,
        )
        return Response(ListAnswer.read(opened), status=status.HTTP_201_CREATED)

    @extend_schema(request=PolicyChange, responses={201: ListAnswer}, tags=[TAG])
    @action(detail=True, methods=["post"])
    def policies(self, request: Request, key: str) -> Response:
        """Put another version of the policy in force; matches opened before keep their version."""
        found: RatingList = self.get_object()
        form = PolicyChange(data=request.data)
        form.is_valid(raise_exception=True)
        said, now = form.validated_data, timezone.now()
        lists.change_terms(
            rating_list=found,
            said={name: value for name, value in said.items() if name != "from_at"},
            from_at=said.get("from_at") or now,
            by=get_account(request),
            now=now,
        )
        return Response(ListAnswer.read(self.get_object()), status=status.HTTP_201_CREATED)
