"""What the API says of a rated match, and what all its descriptions of ratings share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from runtime import uids
from runtime.http.strict_fields import StrictFields

if TYPE_CHECKING:
    from django.db.models import Model
    from rest_framework.request import Request

    from rankings.models import LedgerEntry

Shape = StrictFields
TAG: Final = "rankings"
CLUB: Final = OpenApiParameter("club", OpenApiTypes.STR, description="The club's address.")
PLAYER: Final = OpenApiParameter("player", OpenApiTypes.STR, description="A player's key.")
EVENT: Final = OpenApiParameter("event", OpenApiTypes.STR, description="An event's key.")


class LedgerEntryShape(Shape):
    """What a match did to one of its players: `change` is `k` x `weight` x (1 or 0 - `expectancy`)."""

    match = serializers.UUIDField(help_text=uids.ABOUT)
    event = serializers.CharField(help_text="The event's key.")
    at = serializers.DateTimeField(help_text="When the match was finished.")
    player = serializers.CharField(help_text="The player's key.")
    opponent = serializers.CharField(help_text="The opponent's key.")
    won = serializers.BooleanField()
    length = serializers.IntegerField()
    policy = serializers.IntegerField(help_text="The number of the version that rated it.")
    before = serializers.FloatField()
    opponent_before = serializers.FloatField()
    expectancy = serializers.FloatField()
    weight = serializers.FloatField()
    k = serializers.FloatField()
    change = serializers.FloatField()
    after = serializers.FloatField()
    experience = serializers.IntegerField()
    deviation = serializers.FloatField()
    volatility = serializers.FloatField()


def word_of(request: Request, name: str) -> str:
    """Return what the address asks for."""
    return request.query_params.get(name, "")[:80]


def fields_of(row: Model, shape: Shape) -> dict[str, Any]:
    """Return the columns of a row that *shape* describes by the same names."""
    return {str(name): getattr(row, str(name)) for name in shape.fields}


def entry(row: LedgerEntry) -> dict[str, Any]:
    """Tell an entry of the ledger."""
    names = {"player": row.player.key, "opponent": row.opponent.key, "event": row.event.key}
    return {**fields_of(row, LedgerEntryShape()), **names, "policy": row.policy.number}
