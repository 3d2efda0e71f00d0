"""Hooks for a player's own page and for the page of two players.

Each match has one button for the next step. Events add reports and boards; packages that call matches to tables or keep
score sheets add their steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from players.models import Player
from runtime.hooks import Hook, Slot
from tournaments.pages.viewer_part import ViewerMatch


class StepPriority(IntEnum):
    ANSWER = 1  # a result that the opponent has reported
    PLAY = 2  # at a live board
    COME = 3  # to the table
    AGREE = 4  # on one of the times that the opponent proposes
    KEEP = 5  # the score
    PROPOSE = 6  # times


@dataclass(frozen=True, slots=True)
class NextStep:
    turn: StepPriority
    title: str
    address: str
    # Form data to post; if empty, the button is a link.
    posts: Mapping[str, str] = field(default_factory=dict["str", "str"])


# Functions that find a player's next step; arguments: player, event key, match.
NEXT_STEPS: Final[Hook[Callable[[Player, str, ViewerMatch], NextStep | None]]] = Hook()

# Parts for a match on the player's own page: its table, and more actions. Arguments: event key, match.
ME_MATCH: Final[Slot[str, ViewerMatch]] = Slot()
ME_MORE: Final[Slot[str, ViewerMatch]] = Slot()

# Parts for the page of two players. Arguments: their keys.
HEAD_TO_HEAD: Final[Slot[str, str]] = Slot()
