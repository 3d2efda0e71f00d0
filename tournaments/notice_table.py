"""The notices of events and friendlies."""

from __future__ import annotations

from typing import Final

from tournaments.play import appointing, friendly_notices
from tournaments.play.arrivals import DOOR_ANSWERED
from tournaments.play.deadlines import DEADLINE_NEAR
from tournaments.play.entering import PLACE_FREE
from tournaments.play.news import EVENT_CANCELLED, EVENT_FINISHED, EVENT_STARTED
from tournaments.play.ruling_notices import MATCH_DROPPED, MATCH_RULED

NOTICES: Final = (
    PLACE_FREE,
    DOOR_ANSWERED,
    EVENT_STARTED,
    EVENT_CANCELLED,
    EVENT_FINISHED,
    DEADLINE_NEAR,
    appointing.PROPOSED,
    appointing.ACCEPTED,
    appointing.DECLINED,
    appointing.CANCELLED,
    appointing.NEAR,
    MATCH_RULED,
    MATCH_DROPPED,
    friendly_notices.PROPOSED,
    friendly_notices.AGREED,
    friendly_notices.DECLINED,
    friendly_notices.CALLED_OFF,
    friendly_notices.REPORTED,
    friendly_notices.DISPUTED,
)
