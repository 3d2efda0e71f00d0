"""What a player does next about a match of theirs: one button, for the event and for the packages above.

An event knows of reports and boards; who calls matches to tables or keeps score sheets registers what they ask for here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

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


# By name; each is given the player, the key of the event, and the match.
_finders: Final[dict[str, Callable[[Player, str, Meeting], NextStep | None]]] = {}


def register(name: str, find: Callable[[Player, str, Meeting], NextStep | None]) -> None:
    """Name who knows of something to do about a match."""
    _finders[name] = find


def of_others(player: Player, event: str, meeting: Meeting) -> Iterator[NextStep]:
    """Yield what the packages above ask a player to do about a match."""
    for _name, find in sorted(_finders.items()):
        step = find(player, event, meeting)
        if step is not None:
            yield step
