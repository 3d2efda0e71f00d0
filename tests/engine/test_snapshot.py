"""Snapshots against the matches they were taken of: every moment of many, and every way to spoil one."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

from engine.actions import (
    Action,
    Beavered,
    Conceded,
    Doubled,
    Dropped,
    Flagged,
    Opened,
    Paused,
    Penalised,
    Played,
    ReportedGame,
    ReportedScore,
    ResignAccepted,
    ResignDeclined,
    ResignOffered,
    Resumed,
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
from engine.dice import ROLLS, Dice
from engine.errors import IllegalAction, Unreadable
from engine.game import Phase
from engine.match import Match, apply
from engine.plays import legal_plays
from engine.rules import Rules
from engine.side import BySide, Side
from engine.snapshot import from_json, to_json
from tests.engine import selfplay

W, B = Side.WHITE, Side.BLACK
RULES = {
    "one point": Rules(length=1),
    "three points": Rules(length=3),
    "no Crawford game": Rules(length=5, crawford=False),
    "no gammons": Rules(length=5, gammons=False, backgammons=False),
    "nackgammon": Rules(length=5, start=NACKGAMMON),
    "hypergammon": Rules(length=7, start=HYPERGAMMON),
    "money": Rules.unlimited(jacoby=True, beavers=True, automatic_doubles=2),
    "money hypergammon": Rules.unlimited(beavers=True, start=HYPERGAMMON),
}


def taken(match: Match) -> Any:
    """Return the snapshot as it comes back from a database."""
    return json.loads(json.dumps(to_json(match)))


def check(match: Match) -> None:
    assert from_json(match.rules, taken(match)) == match


def after(match: Match, *actions: Action) -> Match:
    """Apply and check the moments on the way."""
    for action in actions:
        match = apply(match, action)
        check(match)
    return match


@pytest.mark.long
def test_every_moment_of_whole_matches() -> None:
    for seed in range(6):
        record = selfplay.match(seed, 5)
        match = Match.start(record.rules)
        for action in record.actions:
            check(match)
            match = apply(match, action)
        check(match)
        assert match.is_over


# -- and what does not happen in a quiet match ------------------------------------------------------


def acts(match: Match, rng: random.Random) -> list[Action]:
    """Return something that may happen now: play for the most part, else a director or a quarrel."""
    game, side = match.game, rng.choice((W, B))
    if match.paused:
        return [Resumed()]
    if rng.random() < 0.06:
        return [rng.choice(disturbances(match, side, rng))]
    if game.phase is Phase.RESIGNING:
        assert game.actor is not None
        return [rng.choice((ResignAccepted, ResignDeclined, ResignDeclined))(game.actor)]
    if rng.random() < 0.05:
        return [ResignOffered(side, rng.randint(1, match.rules.worst))]
    if game.phase is Phase.OPENING:
        return [Opened(rng.randint(1, 6), rng.randint(1, 6))]
    assert game.turn is not None
    if game.phase is Phase.DOUBLED:
        assert game.asked is not None
        can_beaver = match.rules.beavers and game.offer < 1 << 12
        return [rng.choice((Took, Took, Dropped, Beavered if can_beaver else Took))(game.asked)]
    if game.phase is Phase.TO_ROLL:
        if game.why_no_double is None and game.cube.value < 1 << 12 and rng.random() < 0.3:
            return [Doubled(game.turn)]
        return [Rolled(game.turn, rng.choice(ROLLS))]
    assert game.dice is not None
    return [Played(game.turn, rng.choice(list(legal_plays(game.board, game.turn, game.dice))).steps)]


def disturbances(match: Match, side: Side, rng: random.Random) -> list[Action]:
    score = BySide(rng.randint(0, 2), rng.randint(0, match.rules.length or 2))
    found: list[Action] = [
        Paused(),
        Penalised(side, rng.randint(1, 2)),
        ReportedGame(side, rng.randint(1, 4), kind=1, cube=rng.choice((1, 2, 4))),
        RuledGame(side, 2),
        RuledScore(score, rng.choice((None, False, True))),
        ReportedScore(score),
        RuledPosition(
            Board.from_counts({6: 2, 25: 1}, {24: 1, 1: 2}, 3), side, Cube(4, B), rng.choice((None, ROLLS[3]))
        ),
        VoidedGame(),
        TakenBack(rng.randint(max(0, match.facts - 30), match.facts)),
    ]
    return found


def last_acts(side: Side, rng: random.Random) -> Action:
    endings: list[Action] = [
        Conceded(side),
        Flagged(side),
        Flagged(side, 1),
        Penalised(side, 9),
        RuledMatch(side),
        VoidedMatch(),
    ]
    return rng.choice(endings)


@pytest.mark.parametrize("name", RULES)
def test_every_moment_of_unquiet_matches(name: str) -> None:
    rng = random.Random(name)
    met: set[object] = set()
    for _ in range(12):
        match = after(Match.start(RULES[name]))
        for _ in range(160):
            try:
                match = after(match, *acts(match, rng))
            except IllegalAction as refusal:
                if refusal.code != "bad-score":
                    raise
            met |= {match.game.phase, match.paused, match.is_over}
            if match.is_over:
                break
        if not match.is_over:
            match = after(match, last_acts(rng.choice((W, B)), rng))
        after(match, RuledMatch(W), VoidedMatch(), TakenBack(max(0, match.facts - 2)))
    assert met >= {True, False, Phase.TO_ROLL, Phase.TO_PLAY, Phase.RESIGNING}
    assert Phase.DOUBLED in met or not RULES[name].has_cube


def test_play_goes_on_from_a_snapshot_as_from_the_match() -> None:
    record = selfplay.match(3, 3)
    match, from_snapshots = Match.start(record.rules), Match.start(record.rules)
    for action in record.actions:
        match = apply(match, action)
        from_snapshots = apply(from_json(record.rules, taken(from_snapshots)), action)
        assert from_snapshots == match


def test_a_snapshot_has_no_past() -> None:
    match = after(Match.start(Rules(length=3)), Opened(3, 1))
    loaded = from_json(match.rules, taken(match))
    assert loaded.before is None
    with pytest.raises(IllegalAction) as caught:
        apply(loaded, TakenBack(0))
    assert caught.value.code == "bad-takeback"
    further = apply(loaded, ResignOffered(W, 1))
    assert apply(further, TakenBack(1)).game == match.game


def test_a_snapshot_is_small() -> None:
    record = selfplay.match(11, 11)
    sizes = []
    match = Match.start(record.rules)
    for action in record.actions:
        match = apply(match, action)
        sizes.append(len(json.dumps(to_json(match), separators=(",", ":"))) - 48 * len(match.results))
    assert max(sizes) < 340


# -- spoiled ----------------------------------------------------------------------------------------

ROLLED = apply(apply(Match.start(Rules(length=5)), RuledGame(B, 1)), Opened(3, 1))


@pytest.mark.parametrize(
    "damage",
    [
        {"v": 2},
        {"facts": True},
        {"facts": None},
        {"score": [1]},
        {"score": 5},
        {"score": [0, 1.0]},
        {"crawford": "maybe"},
        {"paused": 1},
        {"outcome": ["white"]},
        {"outcome": ["white", "luck"]},
        {"outcome": ["red", "drop"]},
        {"results": [[]]},
        {"results": 3},
        {"results": [["black", 1, 1, "ruling", 1, 0, 0, 0, 0]]},
        {"results": [["black", "1", 1, "ruling", 1, False, 0, 0, 0]]},
        {"board": ""},
        {"board": "standard"},
        {"board": 77},
        {"board": "-1"},
        {"board": "f" * 60},
        {"board": "0"},
        {"board": f"{STANDARD.position + 1:x}"},
        {"board": f"{STANDARD.position - 1:x}"},
        {"board": f"{Board.from_counts({6: 15}, {24: 15}).position + (14 << 4 * 12 + 4) - (14 << 8):x}"},
        {"cube": [3, None]},
        {"cube": [2.0, None]},
        {"cube": [2, "red"]},
        {"cube": 2},
        {"phase": "asleep"},
        {"phase": []},
        {"phase": "to-roll"},
        {"phase": "doubled"},
        {"phase": "resigning"},
        {"phase": "over"},
        {"turn": "red"},
        {"turn": None},
        {"dice": "71"},
        {"dice": None},
        {"away": None},
        {"away": [1, 2, 3]},
        {"closed": "no"},
        {"ties": -0.5},
        {"plies": "1"},
        {"double": [2, "white"]},
        {"double": [0, "white"]},
        {"resign": [1, "white", "to-play"]},
        {"resign": [1, "white", "resigning"]},
        {"phase": "resigning", "resign": [1, "white", "resigning"]},
        {"phase": "resigning", "dice": None, "resign": [1, "white", "over"]},
        {"ending": ["white", "drop", 1, 1]},
        {"ending": [None, "drop", 1, 1]},
    ],
)
def test_data_that_is_no_snapshot_is_refused(damage: dict[str, object]) -> None:
    with pytest.raises(Unreadable, match="This is no moment of a match") as caught:
        from_json(ROLLED.rules, taken(ROLLED) | damage)
    assert caught.value.code == "bad-snapshot"


def test_two_sides_on_one_point_are_refused() -> None:
    shared = Board.from_counts({6: 15}, {24: 15}).position + (1 << 8 * 6 + 4)  # black too on white's 6 point
    shared -= 1 << 8 * 1 + 4
    with pytest.raises(Unreadable, match="both sides stand on one point"):
        from_json(ROLLED.rules, taken(ROLLED) | {"board": f"{shared:x}"})


@pytest.mark.parametrize("missing", ["v", "facts", "score", "crawford", "board", "cube", "phase", "plies"])
def test_nothing_may_be_missing(missing: str) -> None:
    data = taken(ROLLED)
    del data[missing]
    with pytest.raises(Unreadable):
        from_json(ROLLED.rules, data)


@pytest.mark.parametrize("nothing", [None, [], {}, 5, "text", [["v", 1]]])
def test_nothing_is_no_snapshot(nothing: object) -> None:
    with pytest.raises(Unreadable):
        from_json(ROLLED.rules, nothing)


def test_a_match_by_other_rules_is_refused() -> None:
    with pytest.raises(Unreadable):
        from_json(Rules.unlimited(), taken(ROLLED))


def test_whatever_is_spoiled_is_refused_or_read_and_never_breaks() -> None:
    rng = random.Random(1972)
    doubled = apply(
        apply(
            apply(ROLLED, Played(W, next(iter(legal_plays(ROLLED.game.board, W, Dice(3, 1)))).steps)),
            Doubled(B),
        ),
        ResignOffered(B, 2),
    )
    over = apply(ROLLED, Conceded(W))
    junk = [
        None,
        True,
        -1,
        0,
        1,
        99,
        1.5,
        "",
        "white",
        "over",
        "doubled",
        "to-play",
        [],
        {},
        [1, 2],
        [[]],
        1 << 300,
    ]
    refused = 0
    for _ in range(4_000):
        data = copy.deepcopy(taken(rng.choice((ROLLED, doubled, over))))
        key = rng.choice([*data, "ending", "double", "dice"])
        inner = data.get(key)
        if isinstance(inner, list) and inner and rng.random() < 0.6:
            inner[rng.randrange(len(inner))] = rng.choice(junk)
        else:
            data[key] = rng.choice(junk)
        try:
            read = from_json(ROLLED.rules, data)
        except Unreadable:
            refused += 1
        else:
            check(read)
    assert refused > 2_000
