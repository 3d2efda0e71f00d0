"""Dated lists over HTTP: as JSON page by page, and as tables for a spreadsheet."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse
from django.urls import URLPattern, path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import permissions, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from rankings.formulas.systems import system
from rankings.ledger import order, rated_matches
from rankings.lists import dated_pages
from rankings.lists import list_shapes as shapes
from rankings.models import DatedList
from rankings.requests import TAG, TableFile, build_csv_response, get_list
from runtime.http.answer_schema import make_list_serializer
from runtime.http.answers import paginate

HEADS: Final = ("place", "provisional", "name", "player", "rating", "deviation", "experience", "matches")


@extend_schema(tags=[TAG])
class DatedListViewSet(viewsets.GenericViewSet[DatedList]):
    """The dated lists of a rating list, the latest first."""

    permission_classes = (permissions.AllowAny,)

    @extend_schema(responses=shapes.DatedListAnswer)
    def list(self, request: Request, key: str) -> Response:
        """List the dated lists of a rating list."""
        rows = dated_pages.list_published(get_list(key=key))
        return paginate(self, rows, lambda row: shapes.DatedListAnswer.read(row, list=key))

    @extend_schema(operation_id="dated_list", responses=make_list_serializer(shapes.DatedRatingAnswer))
    def retrieve(self, request: Request, key: str, day: str) -> Response:
        """The places of the list of a day, the first place first."""
        found = dated_pages.get_dated_list(get_list(key=key), day)
        return paginate(self, dated_pages.list_ratings(found), shapes.DatedRatingAnswer.read)

    @extend_schema(
        operation_id="dated_list_corrections", responses=make_list_serializer(shapes.DatedCorrectionAnswer)
    )
    def corrections(self, request: Request, key: str, day: str) -> Response:
        """List the earlier matches that were corrected between the previous dated list and this one."""
        found = dated_pages.get_dated_list(get_list(key=key), day)
        return paginate(self, dated_pages.list_corrections(found), shapes.DatedCorrectionAnswer.read)


class RankingFile(TableFile):
    def get(self, request: Request, key: str) -> HttpResponse:
        """Return the current places as CSV."""
        rating_list, now = get_list(key=key), timezone.now()
        least = order.get_provisional_limit(rating_list, now)
        rows = order.load_whole_list(rating_list, least)
        places = order.compute_places(rating_list, rows, least, first=0)
        how = system(rating_list.system, rating_list.params)
        found = (
            (
                *(places[row.pk], row.experience < least, row.player.public_name, row.player.key),
                *(row.rating, rated_matches.compute_shown_standing(how, row, now).deviation),
                *(row.experience, row.matches),
            )
            for row in rows
        )
        return build_csv_response(rating_list.key, HEADS, found)


class DatedListFile(TableFile):
    def get(self, request: Request, key: str, day: str) -> HttpResponse:
        """Return the places in the list of a day as CSV."""
        dated_list = dated_pages.get_dated_list(get_list(key=key), day)
        found = (
            (
                *(row.place, row.is_provisional, row.player.public_name, row.player.key),
                *(row.rating, row.deviation, row.experience, row.matches),
            )
            for row in dated_pages.list_ratings(dated_list).iterator()
        )
        return build_csv_response(f"{key}-{day}", HEADS, found)


LIST: Final = "rating-lists/<slug:key>"
paths: list[URLPattern] = [
    path(f"{LIST}/ranking.csv", RankingFile.as_view(), name="ranking-csv"),
    path(f"{LIST}/dated/", DatedListViewSet.as_view({"get": "list"}), name="dated-lists"),
    path(f"{LIST}/dated/<str:day>/", DatedListViewSet.as_view({"get": "retrieve"}), name="dated-list"),
    path(f"{LIST}/dated/<str:day>/ranking.csv", DatedListFile.as_view(), name="dated-list-csv"),
    path(
        f"{LIST}/dated/<str:day>/corrections/",
        DatedListViewSet.as_view({"get": "corrections"}),
        name="dated-list-corrections",
    ),
]
