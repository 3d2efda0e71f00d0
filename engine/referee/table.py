"""The table a game is followed at: the match machine, and the shortcut between the words of the cube.

Between two such words a game is nothing but a board, a turn and a count of rolls. `Table` keeps those
three and asks `engine.match` only where there is more to know: the cube, a resignation, the end. The
facts are kept as small as they came, until somebody wants the record. So is the board: plain plays are
added up (`engine.strokes`), and a position is made of it when somebody looks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from engine.actions import Action, Opened, Played, Rolled
from engine.board import Board
from engine.game import Phase
from engine.match import Match, apply
from engine.plays import leading_to
from engine.replacing import replace
from engine.sheet import Turn
from engine.strokes import narrowed, seen, widened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.dice import Dice
    from engine.match import GameResult
    from engine.side import Side
    from engine.step import Step


class Ply(NamedTuple):
    """A roll and its play, said short."""

    opening: bool
    side: Side
    dice: Dice
    steps: tuple[Step, ...]


class Unordered(NamedTuple):
    """A plain play whose words do not show which die came first; the boards before and after it do (`engine.strokes`)."""

    turn: Turn
    before: int
    after: int
    more: int


class Opening(NamedTuple):
    """The plain play that opens a game."""

    play: Turn | Unordered


# Most plain plays are kept as their claims.
Journal: TypeAlias = "list[Ply | Turn | Unordered | Opening | Action]"


def facts(journal: Journal) -> Iterator[Action]:
    """Return the facts of *journal* one by one."""
    for entry in journal:
        if isinstance(entry, Turn):
            yield from entry.facts
        elif isinstance(entry, Ply | Unordered | Opening):
            opening, side, dice, steps = ply(entry)
            yield roll(opening, side, dice)
            yield Played(side, steps)
        else:
            yield entry


def ply(entry: Ply | Turn | Unordered | Opening) -> Ply:
    """Return a play with its dice and steps."""
    if isinstance(entry, Ply):
        return entry
    if isinstance(entry, Opening):
        return ply(entry.play)._replace(opening=True)
    turn = entry if isinstance(entry, Turn) else entry.turn
    rolled, played = turn.facts
    side, dice, steps = turn.side, rolled.dice, played.steps
    if isinstance(entry, Unordered):
        before, after = (seen(board, entry.more, side) for board in (entry.before, entry.after))
        steps = leading_to(before, after, side, dice, 2).steps
    return Ply(False, side, dice, steps)


def roll(opening: bool, side: Side, dice: Dice) -> Action:
    """Return the fact of a roll. In the opening each side threw one die, the winner the higher (R09)."""
    if not opening:
        return Rolled(side, dice)
    return Opened(dice.high, dice.low) if side == 0 else Opened(dice.low, dice.high)


class Table:
    """One game of a match under way."""

    def __init__(self, match: Match, journal: Journal) -> None:
        self._match = match
        self._fresh = True  # the match machine knows of every play
        self._games = len(match.results)
        self.journal = journal
        self._board: Board | None = match.game.board
        # The board as `engine.strokes` has it, where no Board has been made of it.
        self._wide = self._more = 0
        # None before the opening roll.
        self.turn: Side | None = None
        # Who may simply roll and play now; None wherever there is more to think of.
        self.ready: Side | None = None
        self.plies = 0
        self.result: GameResult | None = None
        # Do dice lie that have been told already, and are still to be played?
        self.lies = False

    @property
    def board(self) -> Board:
        """Where the checkers stand."""
        if self._board is None:
            self._board = Board(narrowed(self._wide, self._more))
        return self._board

    @board.setter
    def board(self, board: Board) -> None:
        self._board = board

    def widen(self) -> tuple[int, int]:
        """Return the board as `engine.strokes` has it."""
        if self._board is not None:
            self._wide, self._more = widened(self._board.position)
        return self._wide, self._more

    def run(self, plays: list[Turn | Unordered], side: Side, board: int, *, opens: bool) -> None:
        """Let plain plays have happened that led to *board*, *side* being next; the first *opens* the game."""
        if opens:
            self.journal.append(Opening(plays[0]))
        self.journal += plays[opens:]
        self.plies += len(plays)
        self.turn = self.ready = side
        self._wide, self._board, self._fresh = board, None, False

    @property
    def match(self) -> Match:
        """The match as it stands, the plays made here included."""
        if not self._fresh:
            game = replace(
                self._match.game,
                board=self.board,
                turn=self.turn,
                phase=Phase.OPENING if self.turn is None else Phase.TO_ROLL,
                dice=None,
                plies=self.plies,
            )
            self._match = replace(self._match, game=game)
            self._fresh = True
        return self._match

    @property
    def is_over(self) -> bool:
        """Has the game ended, by itself or with the match?"""
        return self.result is not None or self._match.is_over

    def act(self, action: Action) -> None:
        """Let *action* happen, or raise IllegalAction and leave everything as it was."""
        self._match = apply(self.match, action)
        self.journal.append(action)
        game = self._match.game
        self.lies = game.phase is Phase.TO_PLAY
        self.ready = None
        if len(self._match.results) > self._games:
            self.result = self._match.results[-1]
            return
        self.board, self.turn = game.board, game.turn
        if game.phase is Phase.TO_ROLL and not self._match.is_over:
            self.ready = game.turn

    def played(self, side: Side, dice: Dice, steps: tuple[Step, ...], board: Board) -> None:
        """Let a legal play happen that does not end the game."""
        self.journal.append(Ply(self.turn is None, side, dice, steps))
        self.plies += 1
        self.board = board
        self.turn = self.ready = side.other
        self._fresh = False

    def rolled(self, side: Side, dice: Dice) -> None:
        """Let a roll happen whose play is another matter."""
        if not self.lies:
            self.act(roll(self.turn is None, side, dice))
            self.plies += 1

    def counted(self) -> None:
        """Count a roll that is no fact."""
        self.plies += 1
        self._fresh = False
