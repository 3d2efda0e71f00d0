"""The orientation of a board in a picture, shared by all renderers."""

from __future__ import annotations

from dataclasses import dataclass

from engine.board import BAR, OFF, Board, format_point
from engine.side import Side
from engine.situation import Offer, Situation, Stage


@dataclass(frozen=True, slots=True)
class Layout:
    """The side at the bottom, the side of the home boards, and the numbering of the points (R03, R66).

    >>> Layout(Side.WHITE).lower
    (12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
    >>> Layout(Side.WHITE, home_left=True).upper
    (24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13)
    """

    below: Side = Side.WHITE
    home_left: bool = False
    numbers: Side | None = None

    @property
    def upper(self) -> tuple[int, ...]:
        """The upper points from left to right, in the numbering of the side at the bottom."""
        return tuple(BAR - point for point in self.lower)

    @property
    def lower(self) -> tuple[int, ...]:
        """The lower points from left to right, in the numbering of the side at the bottom."""
        return tuple(range(1, 13)) if self.home_left else tuple(range(12, 0, -1))

    def label(self, point: int) -> int:
        """Return the number displayed at a point of the side at the bottom."""
        return point if self.numbers in (None, self.below) else BAR - point

    def checkers(self, board: Board, point: int) -> tuple[Side, int]:
        """Return the owner and the number of checkers on a point of the side at the bottom."""
        mine = board.count(self.below, point)
        return (self.below, mine) if mine else (self.below.other, board.count(self.below.other, BAR - point))


def wrap_in_situation(scene: Situation | Board) -> Situation:
    """Return *scene*; a bare board is wrapped in a situation without any other information."""
    return scene if isinstance(scene, Situation) else Situation(board=scene, stage=Stage.NONE, highest=0)


def format_cube_face(situation: Situation) -> str:
    """Return the face of the cube: 64 while its value is 1 (R44), "" if no cube is in play."""
    if not situation.highest or situation.crawford:
        return ""
    return str(64 if situation.cube.value == 1 else situation.cube.value)


def compute_offered_value(situation: Situation) -> int:
    """Return the value of the cube if the offer were taken; 0 without an offer."""
    turns = {None: 0, Offer.DOUBLE: 1, Offer.BEAVER: 2, Offer.RACCOON: 3}[situation.offer]
    return situation.cube.value << turns if turns else 0


def describe_position(situation: Situation) -> str:
    """Describe the position in sentences.

    >>> from engine.board import Board
    >>> from engine.dice import Dice
    >>> board = Board.from_counts({6: 2, 4: 1}, {25: 1, 1: 14})
    >>> describe_position(Situation(board, dice=Dice(6, 4)))
    'White: 2 on 6, 1 on 4, 12 off; 16 pips. Black: 1 on bar, 14 on 1; 39 pips. Cube 1 in the middle. White to play 64.'
    """
    sentences = [_describe_side(situation, side) for side in Side]
    cube = situation.cube
    if format_cube_face(situation):
        place = "in the middle" if cube.owner is None else f"with {cube.owner.word}"
        sentences.append(f"Cube {cube.value} {place}.")
    if situation.stage is Stage.PLAYING:
        sentences.append(f"{_get_name(situation, situation.actor)} {describe_next_action(situation)}.")
    return " ".join(sentences)


def describe_next_action(situation: Situation) -> str:
    if situation.resignation is not None:
        return "to answer a resignation"
    if situation.offer is not None:
        return f"to answer a double to {compute_offered_value(situation)}"
    return f"to play {situation.dice}" if situation.dice else "to roll"


def _get_name(situation: Situation, side: Side) -> str:
    return situation.players[side] or side.word.capitalize()


def _describe_side(situation: Situation, side: Side) -> str:
    points = situation.board.points(side)
    places = [f"{points[point]} on {format_point(point)}" for point in range(BAR, OFF, -1) if points[point]]
    off = [f"{points[OFF]} off"] if points[OFF] else []
    return f"{_get_name(situation, side)}: {', '.join(places + off)}; {situation.board.pips(side)} pips."
