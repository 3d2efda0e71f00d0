"""The JSON API of dice statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.core.cache import cache
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import permissions, viewsets
from rest_framework.response import Response

from matches.play import problems
from matches.watch.dice_statistics import compute_statistics
from matches.watch.statistics_shapes import DiceAnswer
from players.models import Club

if TYPE_CHECKING:
    from rest_framework.request import Request

# Cache lifetime: new matches hardly change the figures.
FRESH_SECONDS: Final = 60
NO_CLUB: Final = problems.build_responses({404: {"not_found": "there is no club of this address"}})
CLUB: Final = OpenApiParameter("club", str, description="The club's address; all matches without it.")


class DiceViewSet(viewsets.ViewSet):
    """The dice that were thrown here."""

    permission_classes = (permissions.AllowAny,)

    @extend_schema(parameters=[CLUB], responses={200: DiceAnswer, **NO_CLUB}, tags=["matches"])
    def list(self, request: Request) -> Response:
        """The counts of all throws of finished matches, and the counts expected from fair dice.

        A low p means that fair dice rarely deviate as far: p is below 0.01 in one of a hundred honest clubs.
        The figures are up to a minute old.
        """
        slug = request.query_params.get("club", "")
        club = Club.objects.filter(slug=slug).first()
        if slug and club is None:
            raise Http404

        def count() -> DiceAnswer:
            return DiceAnswer.read(compute_statistics(club), club=club.slug if club else None)

        return Response(cache.get_or_set(f"dice-statistics.{club.pk if club else 0}", count, FRESH_SECONDS))


routes: list[tuple[str, type[viewsets.ViewSetMixin], str]] = [("dice", DiceViewSet, "dice")]
