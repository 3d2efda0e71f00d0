"""The state of a game under examination: the match, and a shortcut between cube actions.

Between two cube actions a game consists only of a board, a turn and a count of rolls. `GameState` maintains
those three and calls `engine.match` only for the cube, a resignation, or the end. The facts are kept in
compact form until the record is needed. So is the board: plain plays are added up (`engine.strokes`), and a
`Board` is created on demand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from engine.actions import Action, Opened, Played, Rolled
from engine.board import Board, Step
from engine.dice import Dice
from engine.game import Phase, copy_with
from engine.match import GameResult, Match, apply
from engine.plays import find_play_between
from engine.sheet import Turn
from engine.side import Side
from engine.strokes import narrow_board, narrow_for_side, widen_position


class Ply(NamedTuple):
    opening: bool
    side: Side
    dice: Dice
    steps: tuple[Step, ...]


class UnorderedPlay(NamedTuple):
    """A plain play whose words do not show which die came first; the boards before and after it do."""

    turn: Turn
    before: int
    after: int
    more: int


class OpeningPlay(NamedTuple):
    play: Turn | UnorderedPlay


# Most plain plays are kept as their claims.
Journal: TypeAlias = "list[Ply | Turn | UnorderedPlay | OpeningPlay | Action]"


def list_facts(journal: Journal) -> Iterator[Action]:
    for entry in journal:
        if isinstance(entry, Turn):
            yield from entry.facts
        elif isinstance(entry, Ply | UnorderedPlay | OpeningPlay):
            opening, side, dice, steps = build_ply(entry)
            yield build_roll(opening, side, dice)
            yield Played(side, steps)
        else:
            yield entry


def build_ply(entry: Ply | Turn | UnorderedPlay | OpeningPlay) -> Ply:
    if isinstance(entry, Ply):
        return entry
    if isinstance(entry, OpeningPlay):
        return build_ply(entry.play)._replace(opening=True)
    turn = entry if isinstance(entry, Turn) else entry.turn
    rolled, played = turn.facts
    side, dice, steps = turn.side, rolled.dice, played.steps
    if isinstance(entry, UnorderedPlay):
        before, after = (narrow_for_side(board, entry.more, side) for board in (entry.before, entry.after))
        steps = find_play_between(before, after, side, dice, 2).steps
    return Ply(False, side, dice, steps)


def build_roll(opening: bool, side: Side, dice: Dice) -> Action:
    """Build the fact of a roll; in the opening each side rolled one die, and *side* the higher one (R09)."""
    if not opening:
        return Rolled(side, dice)
    return Opened(dice.high, dice.low) if side == 0 else Opened(dice.low, dice.high)


class GameState:
    """One game of a match in progress."""

    def __init__(self, match: Match, journal: Journal) -> None:
        self._match = match
        self._fresh = True  # the match state includes every play
        self._games = len(match.results)
        self.journal = journal
        self._board: Board | None = match.game.board
        # The board in the form of `engine.strokes`, if no Board has been created for it.
        self._wide = self._more = 0
        # None before the opening roll.
        self.turn: Side | None = None
        # The side that may simply roll and play now; None in any other state.
        self.ready: Side | None = None
        self.plies = 0
        self.result: GameResult | None = None
        # True if dice have been rolled in the match state and are still to be played.
        self.lies = False

    @property
    def board(self) -> Board:
        if self._board is None:
            self._board = Board(narrow_board(self._wide, self._more))
        return self._board

    @board.setter
    def board(self, board: Board) -> None:
        self._board = board

    def widen(self) -> tuple[int, int]:
        """Return the board in the form of `engine.strokes`, as `widen_position` does."""
        if self._board is not None:
            self._wide, self._more = widen_position(self._board.position)
        return self._wide, self._more

    def run(self, plays: list[Turn | UnorderedPlay], side: Side, board: int, *, opens: bool) -> None:
        """Apply plain plays that led to *board*, *side* being next; the first *opens* the game."""
        if opens:
            self.journal.append(OpeningPlay(plays[0]))
        self.journal += plays[opens:]
        self.plies += len(plays)
        self.turn = self.ready = side
        self._wide, self._board, self._fresh = board, None, False

    @property
    def match(self) -> Match:
        """The match including the plays made here."""
        if not self._fresh:
            game = copy_with(
                self._match.game,
                board=self.board,
                turn=self.turn,
                phase=Phase.OPENING if self.turn is None else Phase.TO_ROLL,
                dice=None,
                plies=self.plies,
            )
            self._match = copy_with(self._match, game=game)
            self._fresh = True
        return self._match

    @property
    def is_over(self) -> bool:
        """True if the game has ended, by itself or with the match."""
        return self.result is not None or self._match.is_over

    def act(self, action: Action) -> None:
        """Apply *action*; if it is refused, raises IllegalAction and changes nothing."""
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
        """Apply a legal play that does not end the game."""
        self.journal.append(Ply(self.turn is None, side, dice, steps))
        self.plies += 1
        self.board = board
        self.turn = self.ready = side.other
        self._fresh = False

    def rolled(self, side: Side, dice: Dice) -> None:
        if not self.lies:
            self.act(build_roll(self.turn is None, side, dice))
            self.plies += 1

    def counted(self) -> None:
        """Count a roll that is not a fact."""
        self.plies += 1
        self._fresh = False
