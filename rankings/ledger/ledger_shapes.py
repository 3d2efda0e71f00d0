"""Shapes of a rated match for the API, and parts that all shapes of ratings share."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from runtime import uids
from runtime.http.answers import Answer, about

if TYPE_CHECKING:
    from rest_framework.request import Request

TAG: Final = "rankings"
CLUB: Final = OpenApiParameter("club", OpenApiTypes.STR, description="The club's address.")
PLAYER: Final = OpenApiParameter("player", OpenApiTypes.STR, description="A player's key.")
EVENT: Final = OpenApiParameter("event", OpenApiTypes.STR, description="An event's key.")


class LedgerEntryAnswer(Answer):
    """The effect of a match on one of its players: `change` is `k` x `weight` x (1 or 0 - `expectancy`)."""

    match: UUID = about(uids.ABOUT)
    event: str = about("The event's key.", source="event.key")
    at: datetime = about("When the match was finished.")
    player: str = about("The player's key.", source="player.key")
    opponent: str = about("The opponent's key.", source="opponent.key")
    won: bool
    length: int
    policy: int = about("The number of the version that rated it.", source="policy.number")
    before: float
    opponent_before: float
    expectancy: float
    weight: float
    k: float
    change: float
    after: float
    experience: int
    deviation: float
    volatility: float


def read_query_parameter(request: Request, name: str) -> str:
    """Return a query parameter, cut to 80 characters."""
    return request.query_params.get(name, "")[:80]
