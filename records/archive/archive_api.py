"""The archive over HTTP: matches, positions, openings, and a player's statistics."""

from __future__ import annotations

from datetime import date, datetime
from functools import partial
from typing import Final

from django.db.models import QuerySet
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import exceptions, permissions, viewsets
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine.formats import position_id
from matches.play import problems
from players.access.callers import found_or_404
from records.archive import archive, figures, openings, positions, sightings
from records.archive.archive import ArchiveLine
from records.models import ArchivedMatch
from runtime.http.answers import Answer, about, paginate

describe: Final = partial(problems.describe, tag="archive")
NO_CLUB: Final = {404: {"not_found": "there is no such club"}}
CLUB: Final = OpenApiParameter("club", str, description="The address of a club: its matches alone.")
SEARCHED: Final = [
    CLUB,
    OpenApiParameter("player", str, description="Words of a player's name."),
    OpenApiParameter("opponent", str, description="Words of the other player's name."),
    OpenApiParameter("event", str, description="Words of the event's name."),
    OpenApiParameter("length", int, description="Points of the match; 0 without end."),
    OpenApiParameter("since", date, description="Played on this day or later."),
    OpenApiParameter("until", date, description="Played on this day or earlier."),
    OpenApiParameter("score", str, description="7-5, whoever won."),
    OpenApiParameter("ending", str, enum=[*archive.ENDINGS], description="How it ended."),
]
POSITION: Final = OpenApiParameter("position", str, required=True, description="A Position ID or an XGID.")
ROLL: Final = OpenApiParameter(
    "roll",
    int,
    required=True,
    enum=[*openings.ROLLS],
    description="The opening roll, the higher die first: 31.",
)
SOURCES: Final = ("board", "event", "record")


class ArchivedSideAnswer(Answer):
    """One side of a match in the archive."""

    name: str
    player: str = about("Their key; blank where only a record names them.")
    score: int


def _build_sides(line: ArchiveLine) -> list[ArchivedSideAnswer]:
    sides = zip(line.names, line.players, line.score, strict=True)
    return [ArchivedSideAnswer(name=name, player=player, score=score) for name, player, score in sides]


class ArchivedMatchAnswer(Answer):
    """A match of the archive."""

    sides: list[ArchivedSideAnswer] = about("White and Black.", source=_build_sides)
    winner: int | None = about("0 for White, 1 for Black.")
    length: int
    played_at: datetime = about(source="at")
    event: str
    club: str
    ending: str = about("How its last game ended, or why there was none.")
    where: str = about(
        "Played on a board here, at a table in an event, or told by a record.",
        source="source",
        words=SOURCES,
    )
    url: str


class SightingAnswer(Answer):
    """The place in a match at which a position occurred."""

    game: int
    roll: int = about("Which roll of the game came next, from 1.")
    side: int = about("Who was on roll: 0 for White, 1 for Black.")


class OccurrenceAnswer(Answer):
    """A match in which a position occurred."""

    match: ArchivedMatchAnswer = about(source="line")
    sightings: list[SightingAnswer]


class OccurrencesAnswer(Answer):
    """The result of a search for a position."""

    position: str = about("The Position ID that was looked for.")
    has_more: bool
    matches: list[OccurrenceAnswer] = about(source="rows")


class OpeningPlayAnswer(Answer):
    """One way to play an opening roll."""

    roll: int
    play: str
    games: int
    won: int
    points: int = about("Points won less points lost by whoever opened.")


class OpeningsAnswer(Answer):
    """Statistics of an opening roll."""

    roll: int
    plays: list[OpeningPlayAnswer]


class EndingAnswer(Answer):
    """Games that ended in one way."""

    ending: str = about(source="how")
    won: int
    lost: int


class FiguresAnswer(Answer):
    """A player's figures, from the facts of their matches."""

    player: str = about(source="key")
    matches: int
    matches_won: int = about(source="won")
    with_facts: int = about("Of so many matches every play is known.")
    games: int
    games_won: int
    gammons_won: int
    gammons_lost: int
    backgammons_won: int
    backgammons_lost: int
    endings: list[EndingAnswer]
    cubes_given: int = about(source="doubled")
    cubes_taken: int = about(source="took")
    cubes_dropped: int = about(source="dropped")
    rolls: int
    hits: int
    dances: int
    seconds: int | None = about(
        "Time used on boards here.",
        source=lambda found: None if found.time_used is None else int(found.time_used.total_seconds()),
    )
    timed_matches: int


class ArchiveViewSet(viewsets.GenericViewSet[ArchivedMatch]):
    permission_classes = (permissions.AllowAny,)

    def get_queryset(self) -> QuerySet[ArchivedMatch]:
        return archive.list_visible(self.request.user)

    @describe("archive_matches_list", ArchivedMatchAnswer, NO_CLUB, parameters=SEARCHED)
    def list(self, request: Request) -> Response:
        """Search the archive, the latest matches first; at most 2,000 per search."""
        form = archive.ArchiveForm(request.query_params)
        if not form.is_valid():
            raise exceptions.ValidationError(
                {
                    name: [str(each) for each in messages_of_field]
                    for name, messages_of_field in form.errors.items()
                }
            )
        found = archive.search_matches(request.user, form.search(), archive.find_club(request.query_params))
        rows = archive.load_relations(found)[: archive.MOST_FOUND]
        return paginate(self, rows, lambda row: ArchivedMatchAnswer.read(archive.build_line(row)))


class PositionsView(APIView):
    permission_classes = (permissions.AllowAny,)

    @describe("archive_positions", OccurrencesAnswer, NO_CLUB, parameters=[POSITION, CLUB])
    def get(self, request: Request) -> Response:
        """The latest matches in which a position occurred, with the same side on roll."""
        named = sightings.parse_position(request.query_params.get("position", "")[:200])
        if named is None:
            raise exceptions.ValidationError({"position": [_("This is neither a Position ID nor an XGID.")]})
        found = positions.find_occurrences(
            request.user, sightings.build_key(*named), archive.find_club(request.query_params)
        )
        return Response(OccurrencesAnswer.read(found, position=position_id.encode(*named)))


class OpeningsView(APIView):
    permission_classes = (permissions.AllowAny,)

    @describe("archive_openings", OpeningsAnswer, NO_CLUB, parameters=[ROLL, CLUB])
    def get(self, request: Request) -> Response:
        """The plays of an opening roll, with their frequency and their results."""
        roll = int(request.query_params.get("roll") or 0)
        if not roll:
            sentence = _("An opening roll is two different dice, such as 31.")
            raise exceptions.ValidationError({"roll": [sentence]})
        plays = openings.list_plays(request.user, roll, archive.find_club(request.query_params))
        return Response(OpeningsAnswer(roll=roll, plays=[OpeningPlayAnswer.read(each) for each in plays]))


class FiguresView(APIView):
    permission_classes = (permissions.AllowAny,)

    @describe("archive_player", FiguresAnswer)
    def get(self, request: Request, key: str) -> Response:
        """A player's figures, from the facts of the matches that the caller may see."""
        return Response(FiguresAnswer.read(found_or_404(figures.find_figures(request.user, key))))


routes = [("archive/matches", ArchiveViewSet, "archive-match")]
paths: list[URLPattern] = [
    path("archive/positions/", PositionsView.as_view(), name="archive-positions"),
    path("archive/openings/", OpeningsView.as_view(), name="archive-openings"),
    path("archive/players/<slug:key>/", FiguresView.as_view(), name="archive-player"),
]
