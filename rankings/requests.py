"""What pages and the API of all subjects share: parameters, the object of an address, tables as CSV."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import permissions
from rest_framework.request import Request
from rest_framework.views import APIView

from draw.files import tables
from matches.watch.downloads_api import FixedContentNegotiation
from players.access import context
from players.models import Club
from rankings.models import RatingList, Season

TAG: Final = "rankings"
CLUB: Final = OpenApiParameter("club", str, description="The club's address.")
PLAYER: Final = OpenApiParameter("player", str, description="A player's key.")
EVENT: Final = OpenApiParameter("event", str, description="An event's key.")


def read_query_parameter(request: Request, name: str) -> str:
    """Return a query parameter, cut to 80 characters."""
    return request.query_params.get(name, "")[:80]


def get_club(request: HttpRequest, slug: str) -> Club:
    """Return the club of a page, and set it for menus and times."""
    club = get_object_or_404(Club, slug=slug)
    context.set_club(request, club)
    return club


def get_list(**address: object) -> RatingList:
    return get_object_or_404(RatingList.objects.select_related("club"), **address)


def get_season(**address: object) -> Season:
    return get_object_or_404(Season.objects.select_related("club"), **address)


@extend_schema(responses={(200, "text/csv"): str}, tags=[TAG])
class TableFile(APIView):
    """A table for a spreadsheet."""

    permission_classes = (permissions.AllowAny,)
    content_negotiation_class = FixedContentNegotiation


def build_csv_response(name: str, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> HttpResponse:
    response = HttpResponse(tables.write_csv([heads, *rows]), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response
