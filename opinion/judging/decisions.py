"""The decisions of a record, in order, as questions to an oracle.

Left out: beavers and answers to them, a dead cube, positions before the opening roll. Actions that were taken
back are not part of the record.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from engine.actions import Doubled, Dropped, Opened, Played, Rolled, Took
from engine.board import Board
from engine.dice import Dice
from engine.equity import compute_chance
from engine.formats import xgid
from engine.game import Game
from engine.match import Crawford, Match
from engine.plays import legal_plays
from engine.record import Moment, Record
from engine.side import Side
from engine.situation import Situation
from opinion.judging.spots import Numbers, Spot, to_numbers

# The first three rolls of each side.
OPENING_PLIES: Final = 6


class Kind(StrEnum):
    PLAY = "play"
    DOUBLE = "double"
    TAKE = "take"
    # A roll after which there was no play: only its luck is evaluated.
    ROLL = "roll"


class Part(StrEnum):
    """The phase of the game, for plays."""

    OPENING = "opening"
    CONTACT = "contact"
    RACE = "race"
    BEAR_OFF = "bear-off"


class CubeAction(StrEnum):
    NO_DOUBLE = "no double"
    DOUBLE = "double"
    TAKE = "take"
    DROP = "pass"


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision or a roll, with the input of an oracle."""

    # Index of the fact in the record, from 0.
    fact: int
    game: int
    # Number of the roll in this game, from 1.
    ply: int
    side: Side
    kind: Kind
    # From the side's view; for an answer to a double, from the doubler's.
    spot: Spot
    stakes: Stakes
    xgid: str
    # The action in notation.
    done: str
    part: Part
    # The position before the roll, if there was one; for the opening roll from both sides' views.
    thrown: tuple[Spot, ...] = ()
    dice: Dice | None = None
    after: Numbers = ()
    # Number of boards the roll can lead to.
    choices: int = 0
    board: Board | None = None

    def __hash__(self) -> int:
        return hash((self.fact, self.kind))

    @property
    def is_play_with_a_choice(self) -> bool:
        return self.kind is Kind.PLAY and self.choices > 1


def list_decisions(record: Record) -> tuple[Decision, ...]:
    """Return the decisions and rolls of a record, in order."""
    found: list[Decision] = []
    for chapter in record.chapters():
        thrown: Moment | None = None
        for moment in chapter.game:
            found += _list_cube_decisions(moment)
            match moment.action:
                case Opened() | Rolled():
                    thrown = moment
                case Played() as played:
                    found.append(build_play(moment.before, played, thrown))
                    thrown = None
                case _:
                    pass
        if thrown is not None:
            found.append(_build_roll_decision(thrown))
    return tuple(found)


def _list_cube_decisions(moment: Moment) -> list[Decision]:
    """Return the cube decision of a moment, if any; rolling without doubling is one too."""
    game = moment.before.game
    match moment.action:
        case Rolled(side=side) if _may_double(game):
            return [_build_cube_decision(moment, side, Kind.DOUBLE, CubeAction.NO_DOUBLE)]
        case Doubled(side=side) if _may_double(game):
            return [_build_cube_decision(moment, side, Kind.DOUBLE, CubeAction.DOUBLE)]
        case Took(side=side) if _is_answer(game):
            return [_build_cube_decision(moment, side, Kind.TAKE, CubeAction.TAKE)]
        case Dropped(side=side) if _is_answer(game):
            return [_build_cube_decision(moment, side, Kind.TAKE, CubeAction.DROP)]
        case _:
            return []


def _may_double(game: Game) -> bool:
    return game.why_no_double is None and not game.is_dead_double


def _is_answer(game: Game) -> bool:
    """True for an answer to a double (not to a beaver) with a live cube."""
    return game.offer == 2 * game.cube.value and not game.is_dead_double


def _build_cube_decision(moment: Moment, side: Side, kind: Kind, done: CubeAction) -> Decision:
    match = moment.before
    doubler = side if kind is Kind.DOUBLE else side.other
    return Decision(
        fact=match.facts,
        game=match.number,
        ply=match.game.plies + 1,
        side=side,
        kind=kind,
        spot=Spot.from_match(match, doubler),
        stakes=Stakes.from_match(match, side),
        xgid=xgid.encode(Situation.from_match(match)),
        done=done.value,
        part=_get_part(match.game, doubler),
        board=match.game.board,
    )


def build_play(match: Match, played: Played, thrown: Moment | None = None) -> Decision:
    """Return a play as a decision; *match* is the state before it. Its luck is left out without *thrown*."""
    game = match.game
    assert game.dice is not None  # noqa: S101 - a play has dice
    side = played.side
    plays = legal_plays(game.board, side, game.dice)
    after = game.board.moved(side, played.steps)
    play = plays.to(after)
    return Decision(
        fact=match.facts,
        game=match.number,
        ply=game.plies,
        side=side,
        kind=Kind.PLAY,
        spot=Spot.from_match(match, side),
        stakes=Stakes.from_match(match, side),
        xgid=xgid.encode(Situation.from_match(match)),
        done=play.notation if play else "",
        part=_get_part(game, side),
        thrown=() if thrown is None else _list_spots_before(thrown, side),
        dice=game.dice,
        after=to_numbers(after, side),
        choices=len(plays),
        board=game.board,
    )


def _build_roll_decision(moment: Moment) -> Decision:
    match = moment.after
    side = match.game.turn if match.game.turn is not None else moment.before.game.turn
    assert side is not None  # noqa: S101 - a roll has a side
    game = moment.before.game
    action = moment.action
    dice = action.dice if isinstance(action, Rolled) else match.game.dice
    return Decision(
        fact=moment.before.facts,
        game=moment.before.number,
        ply=game.plies + 1,
        side=side,
        kind=Kind.ROLL,
        spot=Spot.from_match(moment.before, side),
        stakes=Stakes.from_match(moment.before, side),
        xgid=xgid.encode(Situation.from_match(match)),
        done="",
        part=_get_part(game, side),
        thrown=_list_spots_before(moment, side),
        dice=dice,
        board=game.board,
    )


def _list_spots_before(thrown: Moment, side: Side) -> tuple[Spot, ...]:
    match: Match = thrown.before
    mine = Spot.from_match(match, side)
    return (mine, Spot.from_match(match, side.other)) if isinstance(thrown.action, Opened) else (mine,)


def _get_part(game: Game, side: Side) -> Part:
    if not game.board.has_contact:
        return Part.BEAR_OFF if game.board.is_home(side) else Part.RACE
    return Part.OPENING if game.plies <= OPENING_PLIES else Part.CONTACT


class Stakes(NamedTuple):
    """A side's match winning chances after winning and losing the cube's value; points in money play."""

    win: float
    loss: float

    @classmethod
    def from_match(cls, match: Match, side: Side) -> Stakes:
        cube, away = match.game.cube.value, match.away
        if away is None:
            return cls(float(cube), float(-cube))
        # Without the Crawford rule the trailer may double at once, as after the Crawford game.
        played = match.crawford is not Crawford.AHEAD
        mine, theirs = away[side], away[side.other]
        return cls(
            compute_chance(mine - cube, theirs, crawford_played=played),
            compute_chance(mine, theirs - cube, crawford_played=played),
        )

    def cost(self, equity: float) -> float:
        """Convert an equity difference into match winning chance, or points.

        >>> Stakes(0.75, 0.25).cost(0.1)
        0.025
        """
        return equity * (self.win - self.loss) / 2

    def chance(self, equity: float) -> float:
        """Convert an equity into match winning chance, or points.

        >>> Stakes(0.75, 0.25).chance(0.0)
        0.5
        """
        return (self.win + self.loss) / 2 + self.cost(equity)
