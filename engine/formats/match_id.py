"""GNU Backgammon's Match ID: score, cube, dice and turn in twelve characters, without the board."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.cube import Cube
from engine.dice import Dice
from engine.errors import Impossible, Unreadable
from engine.formats.position_id import decode_bits, encode_bits
from engine.rules import LONGEST_READ
from engine.side import BySide, Side
from engine.situation import Offer, Resignation, Situation, Stage

BYTES: Final = 9
# Each field with its width in bits, the lowest first.
FIELDS: Final = {
    "cube": 4,
    "owner": 2,
    "mover": 1,
    "crawford": 1,
    "stage": 3,
    "actor": 1,
    "doubled": 1,
    "resigned": 2,
    "die": 3,
    "other_die": 3,
    "length": 15,
    "white": 15,
    "black": 15,
    "no_jacoby": 1,
}
NOBODY: Final = 3
SIX: Final = 6


def encode(situation: Situation) -> str:
    """Return the identifier of everything but the board.

    >>> encode(Situation(turn=Side.BLACK, dice=Dice(3, 1), length=7))
    'cInlAAAAAAAE'
    """
    cube = _compute_shown_cube(situation)
    high, low = situation.dice or (0, 0)
    values = {
        "cube": cube.log,
        "owner": NOBODY if cube.owner is None else int(cube.owner),
        "mover": int(situation.turn),
        "crawford": int(situation.crawford),
        "stage": int(situation.stage),
        "actor": int(situation.actor),
        "doubled": int(situation.offer is not None),
        "resigned": situation.resignation.level if situation.resignation else 0,
        "die": high,
        "other_die": low,
        "length": situation.length,
        "white": situation.score.white,
        "black": situation.score.black,
        "no_jacoby": int(not situation.jacoby),
    }
    bits = place = 0
    for name, width in FIELDS.items():
        if values[name] >> width:
            raise Impossible("cannot-say", f"A Match ID cannot say that {name} is {values[name]}.")
        bits |= values[name] << place
        place += width
    return encode_bits(bits, BYTES)


def decode(text: str) -> Situation:
    """Parse a Match ID; the board is the opening position.

    >>> decode("QYnoAGAAGAAE").score, str(decode("QYnoAGAAGAAE").dice)
    (BySide(white=6, black=3), '21')
    """
    bits = decode_bits(text, BYTES)
    read: dict[str, int] = {}
    for name, width in FIELDS.items():
        read[name] = bits & ((1 << width) - 1)
        bits >>= width
    if bits or not _is_valid(read):
        raise Unreadable("bad-identifier", f"{text!r} is no Match ID.", text=text)
    actor = Side(read["actor"])
    money = not read["length"]
    return _undo_shown_cube(
        Situation(
            turn=Side(read["mover"]),
            dice=Dice.from_numbers(read["die"], read["other_die"]) if read["die"] else None,
            cube=Cube(1 << read["cube"], None if read["owner"] == NOBODY else Side(read["owner"])),
            length=read["length"],
            score=BySide(read["white"], read["black"]),
            crawford=bool(read["crawford"]),
            jacoby=money and not read["no_jacoby"],
            offer=Offer.DOUBLE if read["doubled"] else None,
            resignation=Resignation(actor.other, read["resigned"]) if read["resigned"] else None,
            stage=Stage(read["stage"]),
        ),
        actor,
    )


def _is_valid(read: dict[str, int]) -> bool:
    length = read["length"]
    return (
        max(read["die"], read["other_die"]) <= SIX
        and bool(read["die"]) == bool(read["other_die"])
        and read["owner"] in (0, 1, NOBODY)
        and read["stage"] <= max(Stage)
        and length <= LONGEST_READ
        # A score equal to the length is valid if the last game is over.
        and (
            max(read["white"], read["black"]) < length + (read["stage"] > Stage.PLAYING)
            if length
            else not read["crawford"]
        )
    )


def _compute_shown_cube(situation: Situation) -> Cube:
    """Return the cube as shown: a beaver counts as a take and a turn at once, and the taker owns the cube."""
    cube, taker = situation.cube, situation.turn.other
    match situation.offer:
        case Offer.BEAVER:
            return Cube(cube.value * 2, taker)
        case Offer.RACCOON:
            return Cube(cube.value * 4, taker)
        case _:
            return cube


def _undo_shown_cube(situation: Situation, actor: Side) -> Situation:
    """Undo `_compute_shown_cube`: a double with the opponent's cube must be a beaver."""
    cube, turn = situation.cube, situation.turn
    if situation.offer is None or cube.owner is not turn.other:
        return situation
    offer, turns = (Offer.BEAVER, 1) if actor is turn else (Offer.RACCOON, 2)
    log = max(0, cube.log - turns)
    return replace(situation, offer=offer, cube=Cube(1 << log, turn if log else None))
