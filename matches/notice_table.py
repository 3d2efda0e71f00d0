"""The notices of matches."""

from __future__ import annotations

from typing import Final

from matches.play.chat import CHAT_REPORTED
from matches.play.notices import (
    CHALLENGE_ACCEPTED,
    CHALLENGE_DECLINED,
    CHALLENGE_RECEIVED,
    MATCH_CALLED,
    MATCH_ENDED,
    YOUR_TURN,
)

NOTICES: Final = (
    CHALLENGE_RECEIVED,
    CHALLENGE_ACCEPTED,
    CHALLENGE_DECLINED,
    MATCH_CALLED,
    YOUR_TURN,
    MATCH_ENDED,
    CHAT_REPORTED,
)
