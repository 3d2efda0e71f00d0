"""Matches in which anything may happen: any rules, fines, take-backs, set positions, clocks, rulings."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from engine.actions import (
    Action,
    Beavered,
    Conceded,
    Doubled,
    Dropped,
    Flagged,
    Opened,
    Penalised,
    Played,
    ReportedGame,
    ReportedScore,
    ResignAccepted,
    ResignDeclined,
    ResignOffered,
    Rolled,
    RuledGame,
    RuledMatch,
    RuledPosition,
    RuledScore,
    TakenBack,
    Took,
    VoidedGame,
    VoidedMatch,
)
from engine.board import HYPERGAMMON, NACKGAMMON, STANDARD, Board
from engine.cube import Cube
from engine.dice import ROLLS
from engine.errors import EngineError
from engine.game import Phase
from engine.match import Match, apply
from engine.plays import legal_plays
from engine.record import Record
from engine.rules import DeadCube, Rules
from engine.side import BySide, Side

SHORT = Board.from_counts({6: 3, 5: 2, 3: 1}, {6: 2, 4: 3, 24: 1})
STARTS = (STANDARD, STANDARD, STANDARD, NACKGAMMON, HYPERGAMMON, SHORT)
NAMES = (BySide("Ann", "Ben"), BySide("Ann (a) {b}", "Ann (a) {b}"), BySide("Wins 3", "Jürgen ] \\"))
REASONS = ("", "so it is", 'a (long) story: 31: wins 3 points ] \\ {"v": 1}', "ä" * 2_000, "two\nlines")


def rules(rng: random.Random, starts: Sequence[Board] = STARTS) -> Rules:
    """Return rules that could be agreed."""
    gammons = rng.random() < 0.8
    told = {
        "cube": rng.random() < 0.85,
        "gammons": gammons,
        "backgammons": gammons and rng.random() < 0.8,
        "dead_cube": rng.choice(list(DeadCube)),
        "start": rng.choice(starts),
    }
    if rng.random() < 0.25:
        money = {"jacoby": rng.random() < 0.5, "beavers": rng.random() < 0.5}
        return Rules(length=0, crawford=False, automatic_doubles=rng.randint(0, 2), **told, **money)
    length, jacoby = rng.choice((1, 2, 3, 5, 7, 25)), rng.random() < 0.2
    return Rules(length=length, crawford=rng.random() < 0.8, jacoby=jacoby, **told)


def record(seed: int, most: int = 400) -> Record:
    """A finished random match, with any kind of ending."""
    rng = random.Random(seed)
    agreed = rules(rng)
    match = Match.start(agreed)
    facts: list[Action] = []

    def now() -> Match:
        return match

    # Some matches are quiet, in others there is always something.
    unrest = rng.choice((0.0, 0.005, 0.03, 0.1))
    for action in _endlessly(rng, unrest, now):
        try:
            match = apply(match, action)
        except EngineError:
            continue
        facts.append(action)
        if (match.is_over and rng.random() < 0.9) or len(facts) > most:
            break
    if not match.is_over:
        facts.append(_end(rng, match))
    return Record(rng.choice(NAMES), agreed, tuple(facts))


def _endlessly(rng, unrest, now) -> Iterator[Action]:
    while True:
        match = now()
        if match.is_over or rng.random() < unrest:
            yield _disturbance(rng, match)
        else:
            yield from _move(rng, match, now)


def _end(rng, match) -> Action:
    side = rng.choice(list(Side))
    endings = [Conceded(side), Flagged(side), RuledMatch(side, "so it is"), VoidedMatch("nobody came")]
    if match.rules.is_match:
        length = match.rules.length
        endings += [
            Penalised(side, length),
            ReportedScore(BySide(length, 0)),
            RuledScore(BySide(0, length), None, "x"),
        ]
    return rng.choice(endings)


def _move(rng, match, now) -> Iterator[Action]:
    game = match.game
    side = game.turn
    if game.phase is Phase.OPENING:
        yield Opened(rng.randint(1, 6), rng.randint(1, 6))
    elif game.phase is Phase.TO_PLAY:
        if rng.random() < 0.02:
            yield from _resignation(rng, now, side)
        if now() is match:
            plays = list(legal_plays(game.board, side, game.dice))
            home = min(plays, key=lambda each: each.board.rearmost(side) - each.board.off(side))
            yield Played(side, (home if rng.random() < 0.7 else rng.choice(plays)).steps)
    elif game.phase is Phase.DOUBLED:
        if rng.random() < 0.1:
            yield from _resignation(rng, now, rng.choice(list(Side)))
        else:
            yield rng.choice((Took, Took, Dropped, Beavered))(game.asked)
    elif rng.random() < 0.08 and game.why_no_double is None:
        yield Doubled(side)
    else:
        yield Rolled(side, rng.choice(ROLLS))


def _resignation(rng, now, side) -> Iterator[Action]:
    yield ResignOffered(side, rng.randint(1, 3))
    if now().game.phase is Phase.RESIGNING:
        yield rng.choice((ResignAccepted, ResignDeclined))(side.other)


def _disturbance(rng, match) -> Action:
    side, reason = rng.choice(list(Side)), rng.choice(REASONS)
    points = rng.randint(1, 3)
    length = match.rules.length or 9
    score = BySide(rng.randint(0, length), rng.randint(0, length))
    some = [
        Penalised(side, 1, reason),
        Penalised(side, points, reason),
        Flagged(side, points),
        RuledGame(side, points, reason),
        ReportedGame(side, points, rng.choice((None, 1, 2)), rng.choice((None, 1, 2))),
        RuledScore(score, rng.choice((None, True, False)), reason or "so it is"),
        VoidedGame(reason),
        TakenBack(max(0, match.facts - rng.randint(1, 9)), reason),
        TakenBack(max(0, match.facts - rng.randint(1, 99)), reason),
        ResignOffered(side, points),
        *(_position(rng, match, reason or "so it is") for _ in range(5)),
    ]
    if rng.random() < 0.2 or match.is_over:
        some += [
            Conceded(side),
            Flagged(side),
            RuledMatch(side, reason),
            VoidedMatch(reason),
            ReportedScore(score),
        ]
    return rng.choice(some)


def _position(rng, match, reason) -> RuledPosition:
    board = match.game.board
    if rng.random() < 0.5 and match.game.dice and match.game.turn is not None:
        board = rng.choice(list(legal_plays(board, match.game.turn, match.game.dice))).board
    if board.winner is not None:
        board = match.rules.start
    cube = Cube(rng.choice((1, 2, 4)), rng.choice((None, *Side))) if match.rules.has_cube else Cube()
    dice = rng.choice(ROLLS) if rng.random() < 0.5 else None
    return RuledPosition(board, rng.choice(list(Side)), cube, dice, reason)
