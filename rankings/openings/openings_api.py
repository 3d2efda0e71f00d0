"""Opening ratings over HTTP: public to read; directors import them and undo an import."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import permissions, serializers, status, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from players.access.callers import KEY, IdempotentRequest, get_account, read_body, require_account
from players.models import Player
from players.people.players_api import ApiNameField, PlayerSerializer
from rankings.ledger import opening_ratings as selectors
from rankings.models import Opening, OpeningImport
from rankings.openings import openings
from rankings.openings.openings import MOST_DEVIATION, MOST_EXPERIENCE, MOST_RATING
from rankings.requests import TAG, get_list
from runtime.http.answers import Answer, about, paginate
from runtime.http.strict_fields import NumberField, StrictFields, refuse_body

MOST = 2_000


class OpeningAnswer(Answer):
    """The rating with which a player begins in a list."""

    player: dict[str, Any] = about(
        source=lambda row: PlayerSerializer(row.player.merged_into or row.player).data,
        described=PlayerSerializer(),
    )
    rating: float
    experience: int
    deviation: float | None = about("null: that of a newcomer.")
    day: date = about("Of which day the rating is.")
    period: str = about(
        "Its month, as `python -m rankings rate` takes it for Glicko-2.",
        source=lambda row: row.day.strftime("%Y-%m"),
    )
    source: str = about(source="opening_import.source")
    opening_import: int = about("By which import it came in.", source="opening_import_id")


class NewOpening(StrictFields):
    """A rating from elsewhere."""

    player = serializers.CharField(max_length=10, help_text="The key of a member.")
    rating = NumberField(min_value=-MOST_RATING, max_value=MOST_RATING)
    experience = serializers.IntegerField(required=False, default=0, min_value=0, max_value=MOST_EXPERIENCE)
    deviation = NumberField(
        required=False, allow_null=True, default=None, min_value=0, max_value=MOST_DEVIATION
    )
    day = serializers.DateField()


class NewOpeningImport(StrictFields):
    """Ratings from elsewhere: all of them are imported, or none."""

    source = ApiNameField(max_length=120)  # type: ignore[assignment]
    ratings = NewOpening(many=True, max_length=MOST)  # type: ignore[call-arg]

    def validate_ratings(self, rows: list[Any]) -> list[Any]:
        """Limit the number of ratings as for a file."""
        if not 1 <= len(rows) <= MOST:
            raise serializers.ValidationError(f"Send 1 to {MOST} ratings.")
        return rows


class OpeningImportAnswer(Answer):
    """An import that was saved."""

    opening_import: int
    ratings: int


@extend_schema(tags=[TAG])
class OpeningViewSet(viewsets.GenericViewSet[Opening]):
    queryset = Opening.objects.none()
    permission_classes = (permissions.IsAuthenticatedOrReadOnly,)

    @extend_schema(operation_id="rating_list_openings", responses=OpeningAnswer)
    def list(self, request: Request, key: str) -> Response:
        """List the opening ratings; merged players appear under their current key."""
        return paginate(self, selectors.list_valid(get_list(key=key)), OpeningAnswer.read)

    @extend_schema(
        operation_id="rating_list_openings_create",
        parameters=[KEY],
        request=NewOpeningImport,
        responses={201: OpeningImportAnswer},
    )
    def create(self, request: Request, key: str) -> Response:
        """Import ratings from elsewhere, as a director: all or none; the list is computed again with them."""
        once, now, rating_list = IdempotentRequest.read(request), timezone.now(), get_list(key=key)
        user = require_account(request, "tournaments.direct", rating_list)
        data = read_body(NewOpeningImport, request)
        wanted = [row["player"] for row in data["ratings"]]
        players = {each.key: each for each in Player.objects.filter(key__in=wanted)}
        if missing := [key for key in wanted if key not in players]:
            raise serializers.ValidationError({"ratings": f"There is no player {missing[0]}."})
        olds = [
            openings.ImportedRating(**{**row, "row": number, "player": players[row["player"]], "name": ""})
            for number, row in enumerate(data["ratings"], 1)
        ]

        def act() -> tuple[int, Any]:
            # A file that the same director is reviewing on the page stays.
            made = openings.draft(
                rating_list=rating_list, source=data["source"], table=[], by=user, now=now, replaces=False
            )
            count = openings.save(import_id=made.pk, olds=olds, by=user, now=now)
            return status.HTTP_201_CREATED, OpeningImportAnswer(opening_import=made.pk, ratings=count)

        return once.run_once(now, act)

    @extend_schema(operation_id="rating_list_openings_destroy", responses={204: None})
    @refuse_body
    def destroy(self, request: Request, key: str, number: int) -> Response:
        """Undo an import as a whole; guests whom it created are removed unless they have played."""
        row = get_object_or_404(OpeningImport, list=get_list(key=key), pk=number, saved_at__isnull=False)
        openings.undo(import_id=row.pk, by=get_account(request), now=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)


OPENINGS: Final = "rating-lists/<slug:key>/openings"
paths: list[URLPattern] = [
    path(
        f"{OPENINGS}/", OpeningViewSet.as_view({"get": "list", "post": "create"}), name="rating-list-openings"
    ),
    path(
        f"{OPENINGS}/<int:number>/",
        OpeningViewSet.as_view({"delete": "destroy"}),
        name="rating-list-opening-import",
    ),
]
