"""The commands `plays` and `perft`: the legal plays of a position, and counts of positions."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

from engine.board import STANDARD, Board
from engine.cli.terminal import BAD, GOOD, UsageError, print_json, print_message, print_text
from engine.dice import ROLLS, Dice
from engine.errors import EngineError, Unreadable
from engine.formats import ids, position_id
from engine.plays import legal_plays, perft
from engine.render import ascii_board
from engine.rules import VARIANTS
from engine.side import WHITE
from engine.situation import Situation

T = TypeVar("T")
STARTS: Final = {"standard": STANDARD, **VARIANTS}
NUMBERS: Final = re.compile(r"\s*(-?\d{1,2}[\s,]+){25}-?\d{1,2}\s*", re.ASCII)
LONGEST_LINE: Final = 1 << 16


def read_position(text: str) -> Situation:
    """Parse a position: the name of a variant, 26 numbers in White's view, or any identifier.

    >>> read_position("hypergammon").board.pips(WHITE), read_position("0 " * 24 + "1 1").board.off(WHITE)
    (69, 13)
    """
    if text in STARTS:
        return Situation(STARTS[text])
    if NUMBERS.fullmatch(text):
        return Situation(Board.from_numbers([int(word) for word in text.replace(",", " ").split()], WHITE))
    return ids.read(text)


def run_plays(args: argparse.Namespace) -> int:
    """List the legal plays of one roll, or answer a program line by line."""
    if args.jsonl:
        return _answer_lines()
    if args.position is None:
        raise UsageError("Say which position, and which dice unless the position has them.")
    situation = _parse(read_position, args.position)
    dice = _parse(Dice.parse, args.dice) if args.dice is not None else situation.dice
    if dice is None:
        raise UsageError("Say which dice: the position has none.")
    side = situation.turn
    plays = legal_plays(situation.board, side, dice)
    if args.diagram:
        print_text(ascii_board(situation))
    count = "no play" if not plays.dice_used else "1 play" if len(plays) == 1 else f"{len(plays)} plays"
    print_text(f"{side.word} has {count} of {dice.high}-{dice.low}")
    if plays.dice_used:
        for number, play in enumerate(plays, 1):
            identifier = f"  {position_id.encode(play.board, side.other)}" if args.ids else ""
            print_text(f"{number:>4}  {play.notation:<28}{identifier}".rstrip())
    return GOOD


def run_perft(args: argparse.Namespace) -> int:
    """Print the number of positions at each depth, or for each first roll."""
    situation = _parse(read_position, args.position)
    board, side = situation.board, situation.turn
    if args.by_roll:
        for dice in ROLLS:
            after = legal_plays(board, side, dice).results()
            print_text(f"{dice} {sum(perft(each, side.other, args.depth - 1) for each in after)}")
    else:
        for depth in range(1, args.depth + 1):
            print_text(f"{depth} {perft(board, side, depth)}")
    return GOOD


def _parse(parse: Callable[[str], T], text: str) -> T:
    try:
        return parse(text)
    except EngineError as error:
        raise UsageError(str(error)) from error


def _answer_lines() -> int:
    """Answer each line of standard input at once, so that a program can wait for the answer."""
    status = GOOD
    for number, line in enumerate(iter(lambda: sys.stdin.buffer.readline(LONGEST_LINE), b""), 1):
        if not line.strip():
            continue
        try:
            print_json(_answer_line(line))
        except EngineError as error:
            status = BAD
            print_json({"error": {"code": error.code, "message": str(error)}})
            print_message(f"line {number}: {error}")
        sys.stdout.flush()
    return status


def _answer_line(line: bytes) -> dict[str, Any]:
    try:
        given = json.loads(line)
        numbers, (first, second) = given["b"], given["d"]
        whole = all(type(each) is int for each in [*numbers, first, second])
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise _build_question_error() from error
    if not whole:
        raise _build_question_error()
    plays = legal_plays(
        Board.from_numbers(cast("list[int]", numbers), WHITE), WHITE, Dice.from_numbers(first, second)
    )
    return {"n": plays.dice_used, "r": sorted(board.result_text(WHITE) for board in plays.results())}


def _build_question_error() -> Unreadable:
    return Unreadable("bad-question", 'A question looks like {"b": [26 numbers], "d": [6, 5]}.')
