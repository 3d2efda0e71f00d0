"""The JSON API of dice statistics."""

from __future__ import annotations

from typing import Final

from django.core.cache import cache
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import permissions, serializers, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from matches.play import problems
from matches.watch.dice_statistics import compute_statistics
from players.models import Club
from runtime.http.answers import Answer, about

# Cache lifetime: new matches hardly change the figures.
FRESH_SECONDS: Final = 60
NO_CLUB: Final = problems.build_responses({404: {"not_found": "there is no club of this address"}})
CLUB: Final = OpenApiParameter("club", str, description="The club's address; all matches without it.")

PLACES: Final = 3


class CountAnswer(Answer):
    """A count, and the count expected from fair dice."""

    count: int
    expected: float = about(source=lambda found: round(found.expected, PLACES))


class CellAnswer(Answer):
    """The count of one face, throw or roll, and the count expected from fair dice."""

    dice: list[int] = about(
        described=serializers.ListField(child=serializers.IntegerField(min_value=1, max_value=6))
    )
    count: int
    expected: float = about(source=lambda found: round(found.expected, PLACES))


class FitAnswer(Answer):
    """A chi-square test; `p` is the probability that fair dice deviate as far or further."""

    chi_square: float = about(source=lambda found: round(found.chi_square, PLACES))
    df: int = about("Degrees of freedom.")
    p: float = about(source=lambda found: round(found.p, 6))


class SpreadAnswer(Answer):
    """The statistics of `count` throws."""

    count: int
    doubles: CountAnswer
    faces: list[CellAnswer]
    throws: list[CellAnswer] = about("The 36 throws, the dice in the order thrown.")
    rolls: list[CellAnswer] = about("The 21 rolls, the higher die first.")
    throws_fit: FitAnswer | None = about("Over the 36 throws; null where there are too few yet.")
    rolls_fit: FitAnswer | None = about("Over the 21 rolls; null where there are too few yet.")


class RunAnswer(Answer):
    """Runs of doubles; a run does not cross matches."""

    at_least: int = about("So many doubles in a row, or more.", source="least")
    count: int
    expected: float = about(source=lambda found: round(found.expected, PLACES))


class LabelsAnswer(Answer):
    """The number of rolls by how they were made: see `docs/dice.md`."""

    strict: int
    sealed: int
    weaker: int


@extend_schema_serializer(many=False)
class DiceAnswer(Answer):
    """All dice of the matches that are over."""

    club: str | None
    matches: int
    rolls: int = about(source=lambda found: found.turns.count + found.openings.count)
    labels: LabelsAnswer = about(source=lambda found: LabelsAnswer(**found.labels))
    turns: SpreadAnswer = about("The rolls of one player.")
    openings: SpreadAnswer = about("Opening rolls, one die each, white's first; ties included.")
    runs: list[RunAnswer]
    longest_run: int = about("The most doubles in a row.")
    longest_run_expected: float = about(source=lambda found: round(found.longest_run_expected, PLACES))


class DiceViewSet(viewsets.ViewSet):
    permission_classes = (permissions.AllowAny,)

    @extend_schema(parameters=[CLUB], responses={200: DiceAnswer, **NO_CLUB}, tags=["matches"])
    def list(self, request: Request) -> Response:
        """The counts of all throws of finished matches, and the counts expected from fair dice.

        A low p means that fair dice rarely deviate as far: p is below 0.01 in one of a hundred honest clubs.
        The figures are up to a minute old.
        """
        slug = request.query_params.get("club", "")
        club = get_object_or_404(Club, slug=slug) if slug else None

        def count() -> DiceAnswer:
            return DiceAnswer.read(compute_statistics(club), club=club.slug if club else None)

        return Response(cache.get_or_set(f"dice-statistics.{club.pk if club else 0}", count, FRESH_SECONDS))


routes: list[tuple[str, type[viewsets.ViewSetMixin], str]] = [("dice", DiceViewSet, "dice")]
