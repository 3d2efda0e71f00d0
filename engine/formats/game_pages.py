"""A record in the form that writers need: a page for each game, with the facts around it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from engine.actions import Opened
from engine.game import Termination
from engine.match import GameResult, Match
from engine.record import Moment, Record
from engine.side import Side

# After such an ending the points of the game are only those that the winner still needed.
MATCH_LOST = (Termination.CONCESSION, Termination.FLAG)


class Win(NamedTuple):
    """The result below a game. ``ends_match`` if the match ended in another way than by play."""

    winner: Side
    points: int
    ends_match: bool


@dataclass(frozen=True, slots=True)
class GamePage:
    """One game: the facts before it, its own facts, and those after the last game."""

    before: tuple[Moment, ...]
    game: tuple[Moment, ...]
    result: GameResult | None
    after: tuple[Moment, ...] = ()

    @property
    def start(self) -> Match:
        """The match at the start of the game: its score, and whether this was the Crawford game."""
        return self.game[0].before

    @property
    def end(self) -> Match:
        return self.game[-1].after

    @property
    def automatic_doubles(self) -> int:
        """The number of times that equal opening dice turned the cube (R10)."""
        first = self.game[0]
        game = (first.after if isinstance(first.action, Opened) else first.before).game
        return game.cube.log if game.turn is None or isinstance(first.action, Opened) else 0

    @property
    def win(self) -> Win | None:
        """The winner and the points; None for a game that did not end."""
        result, end = self.result, self.end
        if result is not None and result.winner is not None and result.how not in MATCH_LOST:
            return Win(result.winner, result.points, ends_match=False)
        if end.winner is None or self.start.is_over:
            return None
        away = self.start.away
        points = end.game.cube.value if away is None else away[end.winner]
        return Win(end.winner, max(1, points), ends_match=end.rules.is_match)


def list_game_pages(record: Record) -> list[GamePage]:
    """Return the pages of *record*; facts outside games belong to the page of the game before."""
    found: list[GamePage] = []
    before: tuple[Moment, ...] = ()
    for chapter in record.chapters():
        if chapter.game:
            found.append(GamePage((*before, *chapter.between), chapter.game, chapter.result))
            before = ()
        elif found:
            found[-1] = replace(found[-1], after=(*found[-1].after, *chapter.moments))
        else:
            before = (*before, *chapter.moments)
    if before:  # no game was ever played
        found.append(GamePage((), before, None))
    return found
