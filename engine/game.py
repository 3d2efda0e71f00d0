"""One game: a table of phases that maps each legal move to its handler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias, TypeVar

from engine.actions import (
    Beavered,
    Doubled,
    Dropped,
    Opened,
    Played,
    ResignAccepted,
    ResignDeclined,
    ResignOffered,
    Rolled,
    RuledPosition,
    Took,
)
from engine.board import BAR, HOME, Board
from engine.cube import CENTRED, HIGHEST, Cube
from engine.dice import Dice
from engine.errors import IllegalAction
from engine.plays import is_legal
from engine.rules import Rules
from engine.side import BySide, Side

# A checker here or nearer to home cannot end up in the winner's home board unless it is hit.
OUTSIDE: Final = BAR - 1 - HOME

T = TypeVar("T")


def copy_with(value: T, **changes: Any) -> T:
    """Copy *value* with changed fields, faster than `dataclasses.replace`.

    >>> from engine.game import Game
    >>> from engine.rules import Rules
    >>> copy_with(Game.start(Rules()), plies=3).plies
    3
    """
    other = object.__new__(type(value))
    object.__setattr__(other, "__dict__", vars(value) | changes)
    return other


Move: TypeAlias = (
    Opened
    | Rolled
    | Played
    | Doubled
    | Beavered
    | Took
    | Dropped
    | ResignOffered
    | ResignAccepted
    | ResignDeclined
    | RuledPosition
)


class Phase(StrEnum):
    OPENING = "opening"  # the opening roll
    TO_ROLL = "to-roll"  # a roll, or a double
    TO_PLAY = "to-play"  # a play with the dice rolled
    DOUBLED = "doubled"  # an answer to the cube
    RESIGNING = "resigning"  # an answer to a resignation
    OVER = "over"  # nothing


class Termination(StrEnum):
    BEAROFF = "bearoff"
    DROP = "drop"
    RESIGN = "resign"
    FLAG = "flag"
    CONCESSION = "concession"
    REPORT = "report"
    RULING = "ruling"
    VOID = "void"
    # A record that stops; a match in play never has such a game.
    UNFINISHED = "unfinished"


KINDS: Final = ("single", "gammon", "backgammon")


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game: the winner, how it was won, the multiple of the cube, and the points."""

    winner: Side
    how: Termination
    kind: int
    points: int


@dataclass(frozen=True)
class Game:
    """A game at one moment. `apply` returns the next one or raises an `EngineError`.

    >>> from engine.rules import Rules
    >>> game = Game.start(Rules(length=3))
    >>> game = apply(game, Opened(6, 1))
    >>> game.phase.value, game.actor, str(game.dice)
    ('to-play', <Side.WHITE: 0>, '61')
    """

    rules: Rules
    board: Board
    cube: Cube = CENTRED
    phase: Phase = Phase.OPENING
    # The side whose turn it is: the doubler while the double is being answered.
    turn: Side | None = None
    dice: Dice | None = None
    crawford: bool = False
    # Points each side needs to win the match; None in unlimited play.
    away: BySide[int] | None = None
    # A pending double: its value and the side that must answer.
    offer: int = 0
    asked: Side | None = None
    # A pending resignation: its level, the side, and the phase it interrupted.
    level: int = 0
    resigning: Side | None = None
    interrupted: Phase | None = None
    ties: int = 0
    plies: int = 0
    # A penalty has brought a side within one point of the match: the cube is not turned in this game any more
    # (R69).
    is_cube_stopped: bool = False
    ending: Ending | None = None

    @classmethod
    def start(cls, rules: Rules, *, crawford: bool = False, away: BySide[int] | None = None) -> Game:
        """Return the game before its opening roll."""
        return cls(rules=rules, board=rules.start, crawford=crawford, away=away)

    @property
    def actor(self) -> Side | None:
        """The side that must act; None before the opening roll and after the end."""
        match self.phase:
            case Phase.OPENING | Phase.OVER:
                return None
            case Phase.RESIGNING:
                return None if self.resigning is None else self.resigning.other
            case Phase.DOUBLED:
                return self.asked
            case _:
                return self.turn

    @property
    def why_no_double(self) -> IllegalAction | None:
        """The refusal if the side to roll may not double now; None if it may (R45, R48, R51, R53, R69)."""
        side = self.turn
        if side is None or self.phase is not Phase.TO_ROLL:
            return IllegalAction("double-out-of-turn", "A double comes before one's own roll.", rule="R45")
        if not self.rules.has_cube:
            return IllegalAction("no-cube", "This game is played without a cube.", rule="R53")
        if self.crawford:
            return IllegalAction("double-in-crawford", "You cannot double in the Crawford game.", rule="R51")
        if self.is_cube_stopped:
            return IllegalAction(
                "cube-stopped",
                "A penalty brought a side to one short of the match: the cube is not turned again in this "
                "game.",
                rule="R69",
            )
        if not self.cube.is_open_to(side):
            return IllegalAction("double-by-nonowner", "The cube belongs to the other side.", rule="R45")
        if self.is_dead_double and self.rules.dead_cube == "refused":
            return IllegalAction(
                "dead-cube", "The cube wins the match already; turning it is idle.", rule="R48"
            )
        if self.cube.value >= HIGHEST:  # a take could not be represented
            return IllegalAction("dead-cube", "The cube goes no higher.", rule="R48")
        return None

    @property
    def is_dead_double(self) -> bool:
        """True if a double by the side to roll would win nothing that the cube does not win already (R48)."""
        return self.away is not None and self.turn is not None and self.cube.value >= self.away[self.turn]

    def find_highest_level(self, loser: Side) -> int:
        """Return the most that *loser* can still lose, as a multiple of the cube (R69).

        Any offer is accepted here, since records contain odd ones. Live play checks before it is made or declined.
        """
        most = self._find_highest_on_board(loser)
        if self.away is None:
            return most
        # A level that ends the match is enough; more would be worth nothing (R55).
        enough = -(-self.away[loser.other] // self.cube.value)
        return max(1, min(most, enough))

    def _find_highest_on_board(self, loser: Side) -> int:
        is_idle_cube = self.rules.jacoby and self.cube.owner is None
        if is_idle_cube or self.board.off(loser):  # R41
            return 1
        if self.board.rearmost(loser) <= OUTSIDE and not self.board.has_contact:  # R43
            return min(2, self.rules.worst)
        return self.rules.worst

    @property
    def is_highest_resignation(self) -> bool:
        """True if the pending resignation is for the most that can still be won."""
        return self.resigning is not None and self.level >= self.find_highest_level(self.resigning)


def apply(game: Game, move: Move) -> Game:
    """Return the game after *move*. Raises IllegalAction."""
    if isinstance(move, RuledPosition):
        return _set_up_position(game, move)
    handler = TABLE[game.phase].get(type(move))
    if handler is None:
        raise build_phase_error(game, move)
    return handler(game, move)


def build_phase_error(game: Game, move: Move) -> IllegalAction:
    code, sentence = MISPLACED.get(type(move), ("out-of-turn", "This cannot happen now."))
    rule = "R45" if isinstance(move, Doubled) else "R11"
    if game.phase is Phase.OVER:
        code, sentence, rule = "play-after-end", "The game is over.", "R40"
    return IllegalAction(code, sentence, rule=rule, phase=game.phase)


MISPLACED: Final[dict[type[Move], tuple[str, str]]] = {
    Took: ("take-without-double", "There is no double to take."),
    Dropped: ("drop-without-double", "There is no double to drop."),
    Beavered: ("beaver-without-double", "There is no double to beaver."),
    Doubled: ("double-out-of-turn", "A double comes before one's own roll."),
    ResignAccepted: ("no-resignation", "Nobody has offered to resign."),
    ResignDeclined: ("no-resignation", "Nobody has offered to resign."),
    Played: ("play-without-dice", "There is no roll to play."),
    Opened: ("already-opened", "The opening roll has been made."),
}


def _require_turn(side: Side, actor: Side | None) -> None:
    if side is not actor:
        raise IllegalAction("out-of-turn", f"It is not {side.word}'s turn.", rule="R11", side=side.word)


def _roll_opening(game: Game, move: Opened) -> Game:
    dice = Dice.from_numbers(move.white, move.black)
    if dice.is_double:  # R10
        automatic = game.cube.log < game.rules.automatic_doubles
        cube = Cube(game.cube.value * 2) if automatic else game.cube
        return copy_with(game, ties=game.ties + 1, cube=cube)
    first = Side.WHITE if move.white > move.black else Side.BLACK
    return copy_with(game, phase=Phase.TO_PLAY, turn=first, dice=dice, plies=1)


def _roll(game: Game, move: Rolled) -> Game:
    _require_turn(move.side, game.turn)
    return copy_with(game, phase=Phase.TO_PLAY, dice=move.dice, plies=game.plies + 1)


def _play(game: Game, move: Played) -> Game:
    _require_turn(move.side, game.turn)
    dice = game.dice
    if dice is None or not is_legal(game.board, move.side, dice, move.steps):
        raise IllegalAction(
            "illegal-play",
            f"With {dice} this cannot be played: {' '.join(map(str, move.steps)) or 'nothing'}.",
            rule="R12-R38",
            steps=move.steps,
        )
    board = game.board.moved(move.side, move.steps)
    if board.winner is not None:  # R40
        return end_game(
            copy_with(game, board=board, dice=None),
            move.side,
            Termination.BEAROFF,
            board.gammon_level(move.side),
        )
    return copy_with(game, board=board, phase=Phase.TO_ROLL, turn=move.side.other, dice=None)


def _double(game: Game, move: Doubled) -> Game:
    _require_turn(move.side, game.turn)
    refusal = game.why_no_double
    if refusal is not None:
        raise refusal
    return copy_with(game, phase=Phase.DOUBLED, offer=game.cube.value * 2, asked=move.side.other)


def _beaver(game: Game, move: Beavered) -> Game:
    _require_turn(move.side, game.asked)
    if not game.rules.beavers:
        raise IllegalAction("no-beavers", "Beavers are not allowed in this match.", rule="R47")
    if game.offer >= HIGHEST:
        raise IllegalAction("no-beavers", "The cube goes no higher.", rule="R47")
    return copy_with(game, offer=game.offer * 2, asked=move.side.other)


def _take(game: Game, move: Took) -> Game:
    _require_turn(move.side, game.asked)
    # However often the cube was turned, it belongs in the end to the side that was first offered the double
    # (R47).
    owner = game.turn.other if game.turn is not None else move.side
    return copy_with(game, phase=Phase.TO_ROLL, cube=Cube(game.offer, owner), offer=0, asked=None)


def _drop(game: Game, move: Dropped) -> Game:
    _require_turn(move.side, game.asked)
    # R46: the value before the last turn of the cube.
    return end_game(
        copy_with(game, cube=Cube(game.offer // 2, game.cube.owner)), move.side.other, Termination.DROP, 1
    )


def _offer_resignation(game: Game, move: ResignOffered) -> Game:
    if not 1 <= move.level <= game.rules.worst:
        raise IllegalAction(
            "bad-resignation", f"Nobody can resign {move.level} times the cube.", level=move.level
        )
    return copy_with(
        game, phase=Phase.RESIGNING, level=move.level, resigning=move.side, interrupted=game.phase
    )


def _accept_resignation(game: Game, move: ResignAccepted) -> Game:
    _require_turn(move.side, game.actor)
    return end_game(game, move.side, Termination.RESIGN, game.level)


def _decline_resignation(game: Game, move: ResignDeclined) -> Game:
    _require_turn(move.side, game.actor)
    return copy_with(game, phase=game.interrupted or Phase.TO_ROLL, level=0, resigning=None, interrupted=None)


def _set_up_position(game: Game, move: RuledPosition) -> Game:
    return copy_with(
        game,
        board=move.board,
        turn=move.turn,
        cube=move.cube,
        dice=move.dice,
        phase=Phase.TO_PLAY if move.dice else Phase.TO_ROLL,
        offer=0,
        asked=None,
        level=0,
        resigning=None,
        interrupted=None,
        plies=max(game.plies, 1) if move.dice else game.plies,
    )


def end_game(game: Game, winner: Side, how: Termination, kind: int, points: int | None = None) -> Game:
    """Return the finished game, worth *kind* times the cube, or *points* if they are given."""
    kind = min(kind, game.rules.worst)
    if game.rules.jacoby and game.cube.owner is None and how is not Termination.DROP:
        kind = 1  # Jacoby: gammons count once the cube has been turned.
    worth = game.cube.value * kind if points is None else points
    ending = Ending(winner, how, kind, worth)
    return copy_with(
        game,
        phase=Phase.OVER,
        dice=None,
        offer=0,
        asked=None,
        level=0,
        resigning=None,
        interrupted=None,
        ending=ending,
    )


Handler: TypeAlias = Callable[[Game, Any], Game]

TABLE: Final[dict[Phase, dict[type[Move], Handler]]] = {
    Phase.OPENING: {Opened: _roll_opening, ResignOffered: _offer_resignation},
    Phase.TO_ROLL: {Rolled: _roll, Doubled: _double, ResignOffered: _offer_resignation},
    Phase.TO_PLAY: {Played: _play, ResignOffered: _offer_resignation},
    Phase.DOUBLED: {Took: _take, Dropped: _drop, Beavered: _beaver, ResignOffered: _offer_resignation},
    Phase.RESIGNING: {ResignAccepted: _accept_resignation, ResignDeclined: _decline_resignation},
    Phase.OVER: {},
}
