"""The ``board:`` line of the First Internet Backgammon Server: fifty-two fields from one player's view."""

from __future__ import annotations

import re
from typing import Final

from engine.board import BAR, Board
from engine.cube import Cube
from engine.dice import Dice
from engine.errors import EngineError, Impossible, Unreadable
from engine.formats.draft import LONGEST_NAME
from engine.side import BySide, Side, order_by_side
from engine.situation import Offer, Situation, build_score

PREFIX: Final = "board:"
UNLIMITED: Final = 9999
POINTS: Final = tuple(f"point {number}" for number in range(26))
FIELDS: Final = (
    "length", "score", "their score", *POINTS,
    "turn", "die", "die 2", "their die", "their die 2", "cube", "may double", "they may double", "was doubled",
    "colour", "direction", "home", "bar", "off", "their off", "on bar", "their on bar",
    "can move", "forced", "crawford played", "redoubles",
)  # fmt: skip
NUMBER: Final = re.compile(r"-?\d{1,5}", re.ASCII)


def encode(situation: Situation, you: Side = Side.BLACK) -> str:
    """Return the line from the view of *you*, who moves from 24 down and has positive counts.

    >>> encode(Situation(turn=Side.BLACK, dice=Dice(6, 2), length=3, players=BySide("ann", "ben")))[:58]
    'board:ben:ann:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3'
    """
    if situation.offer and (situation.offer is not Offer.DOUBLE or situation.actor is not you):
        raise Impossible("cannot-say", "A board line shows a double only to the player who must answer it.")
    board, other, idle = situation.board, you.other, situation.crawford or situation.offer is not None
    open_to = [int(situation.cube.is_open_to(side) and not idle) for side in (you, other)]
    mine = situation.turn is you
    dice, nothing = situation.dice or (0, 0), (0, 0)
    numbers = (
        *(situation.length or UNLIMITED, situation.score[you], situation.score[other]),
        *board.numbers(you),
        *(1 if mine else -1, *(dice if mine else nothing), *(nothing if mine else dice)),
        *(situation.cube.value, *open_to, int(situation.offer is not None)),
        *(1, -1, 0, BAR, board.off(you), board.off(other), board.bar(you), board.bar(other)),
        *(0, 0, int(_is_one_away(situation.length, situation.score) and not situation.crawford), 0),
    )
    names = (situation.players[side].replace(":", "") or side.word for side in (you, other))
    return PREFIX + ":".join((*names, *map(str, numbers)))


def decode(text: str, you: Side = Side.BLACK) -> Situation:
    """Parse a board line from the view of *you*.

    >>> line = encode(Situation(turn=Side.WHITE, dice=Dice(5, 1), length=5, players=BySide("ann", "ben")))
    >>> decode(line).dice, decode(line).players.white
    (Dice(high=5, low=1), 'ann')
    """
    words = text.strip().removeprefix(PREFIX).split(":")
    names, numbers = [name[:LONGEST_NAME] for name in words[:2]], words[2:]
    if len(numbers) != len(FIELDS) or not all(map(NUMBER.fullmatch, numbers)):
        raise Unreadable("bad-identifier", "A FIBS board line has two names and fifty numbers.")
    given = dict(zip(FIELDS, map(int, numbers), strict=True))
    length = 0 if given["length"] == UNLIMITED else given["length"]
    doubled = bool(given["was doubled"])
    try:
        score = build_score(length, *order_by_side(you, given["score"], given["their score"]))
        return Situation(
            board=Board.from_numbers(_read_numbers(given), you),
            turn=you if given["turn"] == given["colour"] and not doubled else you.other,
            dice=_read_dice(given),
            cube=_read_cube(given, you, doubled=doubled),
            length=length,
            score=score,
            crawford=_is_one_away(length, score) and not given["crawford played"],
            offer=Offer.DOUBLE if doubled else None,
            players=order_by_side(you, *names),
        )
    except EngineError as error:
        raise Unreadable("bad-position", f"The board line shows no position: {error}") from error


def _is_one_away(length: int, score: BySide[int]) -> bool:
    """True if exactly one side needs a single point: this game or an earlier one is the Crawford game."""
    return (score.white == length - 1) != (score.black == length - 1)


def _read_numbers(given: dict[str, int]) -> list[int]:
    """Return the numbers from the view of the player, who moves from 24 down and has positive counts."""
    numbers = [given["colour"] * given[point] for point in POINTS]
    return numbers if given["direction"] == -1 else numbers[::-1]


def _read_dice(given: dict[str, int]) -> Dice | None:
    lying = [given[name] for name in FIELDS if "die" in name and given[name]]
    return Dice.from_numbers(lying[0], lying[1]) if lying[1:] else None


def _read_cube(given: dict[str, int], you: Side, *, doubled: bool) -> Cube:
    """Return the cube: its owner is the side that alone may double, or that has just doubled with it."""
    mine, theirs = bool(given["may double"]), bool(given["they may double"])
    if doubled:
        mine, theirs = False, given["cube"] > 1
    owner = None if mine == theirs else you if mine else you.other
    return Cube(given["cube"], owner)
