"""A snapshot of a match as JSON types, so that it can be resumed without replaying its journal.

It contains neither the rules, which the caller passes, nor the past: nothing before a snapshot can be taken
back. Sides are words, as in the journal; default values are left out::

    v  facts  score  crawford  paused      of the match; facts is how many led here
    outcome   [winner or null, how]
    results   a list a game: winner, points, kind, how, cube, crawford, white's and black's start, plies
    board     the packed position (engine.packed) in hexadecimal digits
    cube      [value, owner or null]
    phase  turn  dice  plies  ties         of the current game
    away      [white, black]; none in unlimited play
    closed    true in the Crawford game
    stopped   true where a penalty has stopped the cube in this game
    double    [value offered, the side that must answer]
    resign    [level, the side that offers, the phase it interrupted]
    ending    [winner, how, kind, points]

>>> from engine.actions import Opened
>>> from engine.match import apply
>>> from engine.rules import Rules
>>> match = apply(Match.start(Rules(length=5)), Opened(3, 1))
>>> data = to_json(match)
>>> data["facts"], data["phase"], data["turn"], data["dice"], data["away"]
(1, 'to-play', 'white', '31', [5, 5])
>>> from_json(match.rules, data) == match
True
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import mul
from typing import Any, Final, cast

from engine.actions import read_bool, read_number
from engine.board import CHECKERS, Board
from engine.cube import Cube
from engine.dice import ROLLS, Dice
from engine.errors import EngineError, Unreadable
from engine.game import Ending, Game, Phase, Termination
from engine.match import Crawford, GameResult, Match, Outcome
from engine.rules import Rules
from engine.side import BLACK, SIDES, SIDES_OR_NONE, WHITE, BySide, Side

VERSION: Final = 1

DICE: Final[dict[str | None, Dice | None]] = {None: None, **{str(dice): dice for dice in ROLLS}}


def to_json(match: Match) -> dict[str, Any]:
    data: dict[str, Any] = {
        "v": VERSION,
        "facts": match.facts,
        "score": [match.score.white, match.score.black],
        "crawford": match.crawford.value,
    }
    if match.paused:
        data["paused"] = True
    if match.outcome is not None:
        data["outcome"] = [_serialize_side(match.outcome.winner), match.outcome.how.value]
    if match.results:
        data["results"] = [_serialize_result(result) for result in match.results]
    _write_game(match.game, data)
    return data


def _serialize_side(side: Side | None) -> str | None:
    return None if side is None else side.word


def _serialize_result(result: GameResult) -> list[object]:
    winner, points, kind, how, cube, crawford, start, plies = result
    return [_serialize_side(winner), points, kind, how.value, cube, crawford, start.white, start.black, plies]


def _write_game(game: Game, data: dict[str, Any]) -> None:
    data["board"] = f"{game.board.position:x}"
    data["cube"] = [game.cube.value, _serialize_side(game.cube.owner)]
    data["phase"] = game.phase.value
    data["plies"] = game.plies
    if game.turn is not None:
        data["turn"] = game.turn.word
    if game.dice is not None:
        data["dice"] = str(game.dice)
    if game.away is not None:
        data["away"] = [game.away.white, game.away.black]
    if game.crawford:
        data["closed"] = True
    if game.is_cube_stopped:
        data["stopped"] = True
    if game.ties:
        data["ties"] = game.ties
    if game.asked is not None:
        data["double"] = [game.offer, game.asked.word]
    if game.resigning is not None and game.interrupted is not None:
        data["resign"] = [game.level, game.resigning.word, game.interrupted.value]
    if game.ending is not None:
        ending = game.ending
        data["ending"] = [ending.winner.word, ending.how.value, ending.kind, ending.points]


def from_json(rules: Rules, data: object) -> Match:
    if not isinstance(data, Mapping):
        raise Unreadable("bad-snapshot", "A snapshot is an object.")
    given = cast("Mapping[str, Any]", data)
    try:
        if given["v"] != VERSION:
            raise ValueError(f"version {given['v']!r} is not known here")
        return _read_match(rules, given)
    except (KeyError, TypeError, ValueError, OverflowError, EngineError) as error:
        raise Unreadable("bad-snapshot", f"This is no moment of a match: {error}.") from error


def _read_match(rules: Rules, data: Mapping[str, Any]) -> Match:
    outcome = None
    if "outcome" in data:
        winner, how = data["outcome"]
        outcome = Outcome(SIDES_OR_NONE[winner], Termination(how))
    return Match(
        rules,
        _read_game(rules, data),
        _read_pair(data["score"]),
        Crawford(data["crawford"]),
        tuple([_read_result(row) for row in data.get("results", ())]),
        outcome,
        read_bool(data.get("paused", False)),
        read_number(data["facts"]),
    )


def _read_result(row: list[Any]) -> GameResult:
    winner, points, kind, how, cube, crawford, white, black, plies = row
    _require_numbers(points, kind, cube, white, black, plies)
    start: BySide[int] = BySide(white, black)
    return GameResult(
        SIDES_OR_NONE[winner], points, kind, Termination(how), cube, read_bool(crawford), start, plies
    )


def _read_game(rules: Rules, data: Mapping[str, Any]) -> Game:
    value, owner = data["cube"]
    offer, asked = data.get("double", (0, None))
    level, resigning, interrupted = data.get("resign", (0, None, None))
    _require_numbers(value, offer, level)
    game = Game(
        rules,
        _read_board(data["board"]),
        Cube(value, SIDES_OR_NONE[owner]),
        Phase(data["phase"]),
        SIDES_OR_NONE[data.get("turn")],
        DICE[data.get("dice")],
        read_bool(data.get("closed", False)),
        _read_pair(data["away"]) if "away" in data else None,
        offer,
        SIDES_OR_NONE[asked],
        level,
        SIDES_OR_NONE[resigning],
        None if interrupted is None else Phase(interrupted),
        read_number(data.get("ties", 0)),
        read_number(data["plies"]),
        read_bool(data.get("stopped", False)),
        _read_ending(data["ending"]) if "ending" in data else None,
    )
    _require_consistent_phase(game)
    return game


def _require_consistent_phase(game: Game) -> None:
    # Dice, double, resignation and ending are set in their own phases and in no others.
    phase = game.interrupted or game.phase
    whole = (
        (game.dice is not None) is (phase is Phase.TO_PLAY)
        and (game.asked is not None) is (game.offer > 0) is (phase is Phase.DOUBLED)
        and (game.resigning is not None) is (game.interrupted is not None) is (game.phase is Phase.RESIGNING)
        and (game.ending is not None) is (game.phase is Phase.OVER) is (phase is Phase.OVER)
        and (game.away is not None) is game.rules.is_match
        and (game.turn is not None or phase is Phase.OPENING or phase is Phase.OVER)
    )
    if not whole or phase is Phase.RESIGNING:
        raise ValueError(f"something is missing in the phase {game.phase.value}, or too much")


def _read_ending(row: list[Any]) -> Ending:
    winner, how, kind, points = row
    return Ending(SIDES[winner], Termination(how), read_number(kind), read_number(points))


def _read_board(digits: str) -> Board:
    board = Board(int(digits, 16))
    white, black = board.points(WHITE), board.points(BLACK)
    checkers = sum(white)
    if not 0 < checkers <= CHECKERS or sum(black) != checkers:  # R01
        raise ValueError("a side has too many checkers or too few")
    if any(map(mul, white[1:25], black[24:0:-1])):  # R07
        raise ValueError("both sides stand on one point")
    return board


def _read_pair(pair: list[Any]) -> BySide[int]:
    white, black = pair
    return BySide(read_number(white), read_number(black))


def _require_numbers(*values: object) -> None:
    for value in values:
        read_number(value)
