"""The archive by program: matches, positions, openings, and the figures of a player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions, permissions, serializers, viewsets
from rest_framework.response import Response
from rest_framework.views import APIView

from matches.play import problems
from players.models import Club
from records.archive import archive, figures, openings, positions, sightings
from records.archive.archive_forms import ArchiveForm
from records.models import ArchivedMatch
from runtime.http.strict_fields import StrictFields

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.urls import URLPattern
    from rest_framework.request import Request

    from records.archive.archive import ArchiveLine
    from records.archive.figures import PlayerFigures

TAG: Final = "archive"
NO_CLUB: Final = problems.answers({404: {"not_found": "there is no such club"}})
CLUB: Final = OpenApiParameter(
    "club", OpenApiTypes.STR, description="The address of a club: its matches alone."
)
SEARCHED: Final = (
    CLUB,
    OpenApiParameter("player", OpenApiTypes.STR, description="Words of a player's name."),
    OpenApiParameter("opponent", OpenApiTypes.STR, description="Words of the other player's name."),
    OpenApiParameter("event", OpenApiTypes.STR, description="Words of the event's name."),
    OpenApiParameter("length", OpenApiTypes.INT, description="Points of the match; 0 without end."),
    OpenApiParameter("since", OpenApiTypes.DATE, description="Played on this day or later."),
    OpenApiParameter("until", OpenApiTypes.DATE, description="Played on this day or earlier."),
    OpenApiParameter("score", OpenApiTypes.STR, description="7-5, whoever won."),
    OpenApiParameter("ending", OpenApiTypes.STR, enum=[*archive.ENDINGS], description="How it ended."),
)
SOURCES: Final = ("board", "event", "record")


class ArchivedSideShape(StrictFields):
    """One of the two in a match of the archive."""

    name = serializers.CharField()
    player = serializers.CharField(
        allow_blank=True, help_text="Their key; blank where only a record names them."
    )
    score = serializers.IntegerField()


class ArchivedMatchShape(StrictFields):
    """A match of the archive."""

    sides = ArchivedSideShape(many=True, help_text="White and Black.")
    winner = serializers.IntegerField(allow_null=True, help_text="0 for White, 1 for Black.")
    length = serializers.IntegerField()
    played_at = serializers.DateTimeField()
    event = serializers.CharField(allow_blank=True)
    club = serializers.CharField(allow_blank=True)
    ending = serializers.CharField(
        allow_blank=True, help_text="How its last game ended, or why there was none."
    )
    where = serializers.ChoiceField(
        SOURCES, help_text="Played on a board here, at a table in an event, or told by a record."
    )
    url = serializers.CharField()


class SightingShape(StrictFields):
    """Where in a match a position occurred."""

    game = serializers.IntegerField()
    roll = serializers.IntegerField(help_text="Which roll of the game came next, from 1.")
    side = serializers.IntegerField(help_text="Who was on roll: 0 for White, 1 for Black.")


class OccurrenceShape(StrictFields):
    """A match in which a position occurred."""

    match = ArchivedMatchShape()
    sightings = SightingShape(many=True)


class OccurrencesShape(StrictFields):
    """What a search for a position found."""

    position = serializers.CharField(help_text="The Position ID that was looked for.")
    has_more = serializers.BooleanField()
    matches = OccurrenceShape(many=True)


class OpeningPlayShape(StrictFields):
    """One way to play an opening roll."""

    roll = serializers.IntegerField()
    play = serializers.CharField()
    games = serializers.IntegerField()
    won = serializers.IntegerField()
    points = serializers.IntegerField(help_text="Points won less points lost by whoever opened.")


class OpeningsShape(StrictFields):
    """How an opening roll was played."""

    roll = serializers.IntegerField()
    plays = OpeningPlayShape(many=True)


class EndingShape(StrictFields):
    """Games that ended in one way."""

    ending = serializers.CharField()
    won = serializers.IntegerField()
    lost = serializers.IntegerField()


class FiguresShape(StrictFields):
    """A player's figures, from the facts of their matches."""

    player = serializers.CharField()
    matches = serializers.IntegerField()
    matches_won = serializers.IntegerField()
    with_facts = serializers.IntegerField(help_text="Of so many matches every play is known.")
    games = serializers.IntegerField()
    games_won = serializers.IntegerField()
    gammons_won = serializers.IntegerField()
    gammons_lost = serializers.IntegerField()
    backgammons_won = serializers.IntegerField()
    backgammons_lost = serializers.IntegerField()
    endings = EndingShape(many=True)
    cubes_given = serializers.IntegerField()
    cubes_taken = serializers.IntegerField()
    cubes_dropped = serializers.IntegerField()
    rolls = serializers.IntegerField()
    hits = serializers.IntegerField()
    dances = serializers.IntegerField()
    seconds = serializers.IntegerField(allow_null=True, help_text="Time used on boards here.")
    timed_matches = serializers.IntegerField()


class ArchiveViewSet(viewsets.GenericViewSet[ArchivedMatch]):
    """Matches of the archive."""

    serializer_class = ArchivedMatchShape
    permission_classes = (permissions.AllowAny,)

    def get_queryset(self) -> QuerySet[ArchivedMatch]:
        """Return what the caller may know of."""
        return archive.visible(self.request.user)

    @extend_schema(
        parameters=[*SEARCHED], responses={200: ArchivedMatchShape(many=True), **NO_CLUB}, tags=[TAG]
    )
    def list(self, request: Request) -> Response:
        """Search the archive, the latest matches first; no more than 2,000 are told of one search."""
        form = ArchiveForm(request.query_params)
        if not form.is_valid():
            raise exceptions.ValidationError(
                {name: [str(each) for each in told] for name, told in form.errors.items()}
            )
        rows = archive.shown(archive.found(request.user, form.search(), _club(request)))[: archive.MOST_FOUND]
        page = self.paginate_queryset(rows)
        return self.get_paginated_response([_match(archive.line_of(row)) for row in page or ()])


class Positions(APIView):
    """Where a position occurred."""

    permission_classes = (permissions.AllowAny,)

    @extend_schema(
        operation_id="archive_positions",
        parameters=[
            OpenApiParameter(
                "position", OpenApiTypes.STR, required=True, description="A Position ID or an XGID."
            ),
            CLUB,
        ],
        responses={200: OccurrencesShape, **NO_CLUB},
        tags=[TAG],
    )
    def get(self, request: Request) -> Response:
        """The latest matches in which a position occurred, with the same side on roll."""
        named = sightings.asked(request.query_params.get("position", "")[:200])
        if named is None:
            raise exceptions.ValidationError({"position": [_("This is neither a Position ID nor an XGID.")]})
        found = positions.occurrences(request.user, sightings.key(*named), _club(request))
        told = [
            {"match": _match(each.line), "sightings": [place._asdict() for place in each.sightings]}
            for each in found.rows
        ]
        return Response({"position": sightings.text(*named), "has_more": found.has_more, "matches": told})


class Openings(APIView):
    """How openings are played."""

    permission_classes = (permissions.AllowAny,)

    @extend_schema(
        operation_id="archive_openings",
        parameters=[
            OpenApiParameter(
                "roll",
                OpenApiTypes.INT,
                required=True,
                enum=[*openings.ROLLS],
                description="The opening roll, the higher die first: 31.",
            ),
            CLUB,
        ],
        responses={200: OpeningsShape, **NO_CLUB},
        tags=[TAG],
    )
    def get(self, request: Request) -> Response:
        """What was played with an opening roll, how often, and how it went."""
        roll = int(request.query_params.get("roll") or 0)
        if not roll:
            sentence = _("An opening roll is two different dice, such as 31.")
            raise exceptions.ValidationError({"roll": [sentence]})
        plays = [
            {
                "roll": each.roll,
                "play": each.play,
                "games": each.games,
                "won": each.won,
                "points": each.points,
            }
            for each in openings.plays(request.user, roll, _club(request))
        ]
        return Response({"roll": roll, "plays": plays})


class Figures(APIView):
    """A player's figures."""

    permission_classes = (permissions.AllowAny,)

    @extend_schema(operation_id="archive_player", responses=FiguresShape, tags=[TAG])
    def get(self, request: Request, key: str) -> Response:
        """A player's figures, from the facts of the matches that the caller may see."""
        player = archive.visible_player(request.user, key)
        found = None if player is None else figures.of_player(request.user, player)
        if found is None:
            raise exceptions.NotFound
        return Response(_figures(found))


def _club(request: Request) -> Club | None:
    slug = request.query_params.get("club", "")
    return get_object_or_404(Club, slug=slug) if slug else None


def _match(line: ArchiveLine) -> dict[str, Any]:
    sides = zip(line.names, line.players, line.score, strict=True)
    return {
        "sides": [{"name": name, "player": player, "score": score} for name, player, score in sides],
        "winner": line.winner,
        "length": line.length,
        "played_at": line.at,
        "event": line.event,
        "club": line.club,
        "ending": line.ending,
        "where": line.source,
        "url": line.url,
    }


def _figures(found: PlayerFigures) -> dict[str, Any]:
    return {
        "player": found.key,
        "matches": found.matches,
        "matches_won": found.won,
        "with_facts": found.with_facts,
        "games": found.games,
        "games_won": found.games_won,
        "gammons_won": found.gammons_won,
        "gammons_lost": found.gammons_lost,
        "backgammons_won": found.backgammons_won,
        "backgammons_lost": found.backgammons_lost,
        "endings": [{"ending": each.how, "won": each.won, "lost": each.lost} for each in found.endings],
        "cubes_given": found.doubled,
        "cubes_taken": found.took,
        "cubes_dropped": found.dropped,
        "rolls": found.rolls,
        "hits": found.hits,
        "dances": found.dances,
        "seconds": None if found.time_used is None else int(found.time_used.total_seconds()),
        "timed_matches": found.timed_matches,
    }


routes = [("archive/matches", ArchiveViewSet, "archive-match")]
paths: list[URLPattern] = [
    path("archive/positions/", Positions.as_view(), name="archive-positions"),
    path("archive/openings/", Openings.as_view(), name="archive-openings"),
    path("archive/players/<slug:key>/", Figures.as_view(), name="archive-player"),
]
