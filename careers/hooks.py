"""What plugs into a player's own page and into that of two players.

What a player does next about a match is one button for the event and the packages above.

An event knows of reports and boards; packages that call matches to tables or keep score sheets add their steps.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from runtime.hooks import Hook, Slot

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from players.models import Player
    from tournaments.pages.mine import Meeting


class Turn(IntEnum):
    """What comes before what, where several things can be done."""

    ANSWER = 1  # a result that the opponent has reported
    PLAY = 2  # at a board of ours
    COME = 3  # to the table
    AGREE = 4  # on one of the times that the opponent proposes
    KEEP = 5  # the score
    PROPOSE = 6  # times


@dataclass(frozen=True, slots=True)
class NextStep:
    """What the button says and where it leads."""

    turn: Turn
    title: str
    address: str
    # What is posted there; without any it is a link.
    posts: Mapping[str, str] = field(default_factory=dict["str", "str"])


# The packages' next steps of a player about a match; each is given the player, the key of the event, and the match.
NEXT_STEPS: Final[Hook[Callable[[Player, str, Meeting], NextStep | None]]] = Hook()

# A match on the player's own page, given the event's key and the match: where it is played, and more to do about it.
ME_MATCH: Final[Slot[str, Meeting]] = Slot()
ME_MORE: Final[Slot[str, Meeting]] = Slot()

# Two players against each other, given their keys.
HEAD_TO_HEAD: Final[Slot[str, str]] = Slot()
