"""The rules a match is judged by, as options of a command."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any, Final

from engine.board import Board
from engine.cli import positions
from engine.errors import EngineError
from engine.rules import LONGEST_READ, UNLIMITED, DeadCube, Rules

SWITCHES: Final = {
    "cube": "the doubling cube is in use",
    "crawford": "no doubling in the first game in which a side needs one point",
    "gammons": "a gammon counts twice the cube",
    "backgammons": "a backgammon counts three times the cube",
    "jacoby": "gammons count only once the cube was turned",
    "beavers": "unlimited play: who takes may turn the cube again",
}


def add_rule_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for rules; a rule that is not given is taken from each record."""
    group = parser.add_argument_group(
        "rules", "Judge by these rules; what is not given is as each record says itself."
    )
    group.add_argument(
        "--length", type=_parse_length, metavar="N", help="points of the match; 0 is unlimited play"
    )
    for name, meaning in SWITCHES.items():
        group.add_argument(f"--{name}", action=argparse.BooleanOptionalAction, help=meaning)
    group.add_argument(
        "--automatic-doubles",
        type=int,
        metavar="N",
        help="unlimited play: at most N doubles for opening ties",
    )
    group.add_argument(
        "--dead-cube", choices=list(DeadCube), type=DeadCube, help="doubles that cannot matter"
    )
    group.add_argument(
        "--start", type=_parse_start, metavar="POSITION", help="a variant by its name, or any position"
    )


def read_requested_rules(args: argparse.Namespace) -> dict[str, Any]:
    """Return the rules that the command line sets, by the names of the fields of `Rules`."""
    names = ("length", *SWITCHES, "automatic_doubles", "dead_cube", "start")
    return {name: value for name in names if (value := getattr(args, name)) is not None}


def apply_requested_rules(claimed: Rules, wished: dict[str, Any]) -> Rules:
    """Return *claimed* with the *wished* changes; rules that contradict these are switched off.

    >>> from engine.rules import Rules
    >>> apply_requested_rules(Rules.unlimited(jacoby=True), {"length": 5, "gammons": False}).worst
    1
    """
    wanted = dict(wished)
    length = wanted.get("length", claimed.length)
    if length == UNLIMITED:
        wanted["crawford"] = False
    else:
        wanted |= {"beavers": False, "automatic_doubles": 0}
        wanted.setdefault("jacoby", claimed.jacoby and claimed.is_match)
    if not wanted.get("gammons", claimed.gammons):
        wanted["backgammons"] = False
    return replace(claimed, **wanted)


def _parse_start(text: str) -> Board:
    try:
        return positions.read_position(text).board
    except EngineError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _parse_length(text: str) -> int:
    if not text.isdecimal() or int(text) > LONGEST_READ:
        raise argparse.ArgumentTypeError(f"a length is a number from 0 to {LONGEST_READ}, not {text!r}")
    return int(text)
