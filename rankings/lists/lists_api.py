"""Rating lists and title chances over HTTP: public to read, like the pages; directors open and change lists."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.db.models import Prefetch, Q, QuerySet
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, permissions, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.access.callers import SEARCH, KeyLookup, get_account, read_body
from players.models import Club
from players.people import people
from rankings.chances import calibration as calibrations
from rankings.chances import titles
from rankings.formulas.systems import system
from rankings.ledger import order, rated_matches
from rankings.lists import dated_lists, list_search, lists
from rankings.lists import list_shapes as shapes
from rankings.lists import player_ratings as of_player
from rankings.models import DatedInterval, PlayerRating, Policy, RatingList, Reach
from rankings.requests import CLUB, EVENT, PLAYER, TAG, read_query_parameter
from runtime.http.answer_schema import make_list_serializer
from runtime.http.answers import paginate
from tournaments.pages import access

OF_PLAYER: Final = OpenApiParameter(
    "player", str, description="Only this player, by key; `me` is whoever asks."
)
ACTIVE: Final = OpenApiParameter(
    "active",
    bool,
    description="Only who is active: a rated match in as many months as the list's policy says.",
)
TRUE: Final = ("1", "true")
ME: Final = "me"


@extend_schema(responses=shapes.ListAnswer, tags=[TAG])
class RatingListViewSet(KeyLookup, viewsets.GenericViewSet[RatingList]):
    """Rating lists, a club's oldest first."""

    permission_classes = (permissions.IsAuthenticatedOrReadOnly,)

    def get_queryset(self) -> QuerySet[RatingList]:
        policies = Prefetch("policies", Policy.objects.order_by("number"))
        return RatingList.objects.select_related("club").prefetch_related(policies).order_by("club", "pk")

    @extend_schema(parameters=[CLUB])
    def list(self, request: Request) -> Response:
        """List rating lists."""
        rows = self.get_queryset()
        if club := read_query_parameter(request, "club"):
            rows = rows.filter(club__slug=club)
        return paginate(self, rows, shapes.ListAnswer.read)

    def retrieve(self, request: Request, key: str) -> Response:
        """A rating list, with every version of its policy."""
        return Response(shapes.ListAnswer.read(self.get_object()))

    @extend_schema(request=shapes.DatedChange)
    def partial_update(self, request: Request, key: str) -> Response:
        """Set whether a list is published each week, each month or not at all; for directors."""
        found = self.get_object()
        each = DatedInterval(read_body(shapes.DatedChange, request)["dated"])
        dated_lists.schedule(rating_list=found, each=each, by=get_account(request), now=timezone.now())
        return Response(shapes.ListAnswer.read(self.get_object()))

    @extend_schema(request=shapes.ListOpening, responses={201: shapes.ListAnswer})
    def create(self, request: Request) -> Response:
        """Open a list, as a director of the club; matches played already are rated soon after."""
        data, now = read_body(shapes.ListOpening, request), timezone.now()
        club, reach = get_object_or_404(Club, slug=data["club"]), Reach(data["reach"])
        opened = lists.open_list(
            club=club,
            by=get_account(request),
            **{name: data[name] for name in ("name", "system")},
            about=data.get("about", ""),
            params=data.get("params"),
            terms=lists.Terms(**data.get("policy", {})),
            since=lists.find_past(club, reach) if data["has_past"] else None,
            dated=DatedInterval(data["dated"]),
            reach=reach,
            now=now,
        )
        return Response(shapes.ListAnswer.read(opened), status=status.HTTP_201_CREATED)

    @extend_schema(request=shapes.PolicyChange, responses={201: shapes.ListAnswer})
    @action(detail=True, methods=["post"])
    def policies(self, request: Request, key: str) -> Response:
        """Put another version of the policy in force; matches opened before keep their version."""
        found: RatingList = self.get_object()
        data, now = read_body(shapes.PolicyChange, request), timezone.now()
        lists.change_terms(
            rating_list=found,
            terms={name: value for name, value in data.items() if name != "from_at"},
            from_at=data.get("from_at") or now,
            by=get_account(request),
            now=now,
        )
        return Response(shapes.ListAnswer.read(self.get_object()), status=status.HTTP_201_CREATED)

    @extend_schema(
        parameters=[SEARCH, ACTIVE, OF_PLAYER], responses=make_list_serializer(shapes.RatingAnswer)
    )
    @action(detail=True)
    def ranking(self, request: Request, key: str) -> Response:
        """The places, the first place first, counted in the whole list."""
        rating_list, now = self.get_object(), timezone.now()
        least = order.get_provisional_limit(rating_list, now)
        wanted = list_search.ListFilters(
            read_query_parameter(request, "q"),
            read_query_parameter(request, "active") in TRUE,
            order.get_inactivity_months(rating_list, now),
        )
        which = list_search.build_condition(wanted, request.user, now=now)
        if player_key := read_query_parameter(request, "player"):
            mine = list_search.find_own_rating(rating_list, request.user) if player_key == ME else None
            player = (
                mine.player_id if mine else None if player_key == ME else people.get_player(key=player_key).pk
            )
            which = (which or Q()) & Q(player=player)
        rows: Any = order.OrderedPlayers(rating_list, least, which, now=now)
        page = self.paginate_queryset(rows) or []
        paginator: Any = self.paginator
        first = None if which or not page else paginator.page.start_index() - 1
        places = order.compute_places(rating_list, page, least, first=first)
        return self.get_paginated_response(
            [serialize_rating(row, places[row.pk], least, now=now) for row in page]
        )

    @extend_schema(parameters=[PLAYER, EVENT], responses=make_list_serializer(shapes.LedgerEntryAnswer))
    @action(detail=True)
    def entries(self, request: Request, key: str) -> Response:
        """The ledger in its order: the effect of each match on each of the two players."""
        rating_list = self.get_object()
        rows: Any = rated_matches.list_entries(rating_list)
        if player_key := read_query_parameter(request, "player"):
            player = people.get_player(key=player_key)
            may_see = of_player.list_visible(player, request.user).filter(list=rating_list).exists()
            rows = rows.filter(player=player) if may_see else rows.none()
        if player_key := read_query_parameter(request, "event"):
            rows = rows.filter(event__key=player_key)
        rows = rows.select_related("player", "opponent", "event", "policy")
        return paginate(self, rows, shapes.LedgerEntryAnswer.read)

    @extend_schema(responses=shapes.CalibrationAnswer)
    @action(detail=True)
    def calibration(self, request: Request, key: str) -> Response:
        """The predictions of the list for its last 5,000 matches, compared with the results.

        Each match counts from the side of the favourite.
        """
        return Response(shapes.CalibrationAnswer.read(calibrations.load_calibration(self.get_object())))


class PlayerRatingsView(generics.GenericAPIView[PlayerRating]):
    queryset = PlayerRating.objects.none()
    permission_classes = (permissions.AllowAny,)

    @extend_schema(
        operation_id="player_ratings",
        responses=make_list_serializer(shapes.RatingAnswer),
        tags=[TAG],
    )
    def get(self, request: Request, key: str) -> Response:
        """A player's places in all lists, the list with most matches first."""
        rows = of_player.list_visible(people.get_player(key=key), request.user)
        return paginate(self, rows, _serialize_with_place)


class TitleChancesView(APIView):
    permission_classes = (permissions.AllowAny,)

    @extend_schema(operation_id="event_title_chances", responses=shapes.TitleChancesAnswer, tags=[TAG])
    def get(self, request: Request, key: str) -> Response:
        """The chance of each player to win, by rating.

        It is empty if the event is not running, or no list that rates the club may predict.
        """
        event = access.load_event(key, request.user)
        seen = titles.load_title_chances(event.key)
        if seen is None:
            return Response(
                shapes.TitleChancesAnswer(list=None, computed_at=None, runs=0, margin=0.0, chances=())
            )
        return Response(shapes.TitleChancesAnswer.read(seen))


def serialize_rating(row: PlayerRating, place: int, least: int, *, now: datetime) -> shapes.RatingAnswer:
    """Serialize a rating; below *least* experience it is provisional."""
    how = system(row.list.system, row.list.params)
    deviation = rated_matches.compute_shown_standing(how, row, now).deviation
    return shapes.RatingAnswer.read(row, place=place, provisional=row.experience < least, deviation=deviation)


def _serialize_with_place(row: PlayerRating) -> shapes.RatingAnswer:
    now = timezone.now()
    least = order.get_provisional_limit(row.list, now)
    return serialize_rating(row, order.compute_places(row.list, [row], least)[row.pk], least, now=now)


routes = (("rating-lists", RatingListViewSet, "rating-list"),)
paths: list[URLPattern] = [
    path("events/<slug:key>/title-chances/", TitleChancesView.as_view(), name="event-title-chances"),
    path("players/<slug:key>/ratings/", PlayerRatingsView.as_view(), name="player-ratings"),
]
