"""The practice player: whom it beats, that it obeys the rules, and what it does where the answer is known."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from engine.actions import (
    Action,
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
    RuledScore,
    Took,
)
from engine.board import STANDARD, Board
from engine.cube import CENTRED, Cube
from engine.dice import ROLLS, Dice
from engine.game import Phase
from engine.match import Match, apply
from engine.movegen import results
from engine.packed import LANE, is_over, mirror_position
from engine.plays import Play, legal_plays
from engine.rules import VARIANTS, Rules
from engine.side import BLACK, WHITE, BySide, Side
from matches.brain import decide, prospects, race
from matches.brain.contact import count_escapes, count_shots
from matches.state.commands import (
    AcceptResignation,
    Beaver,
    Command,
    DeclineResignation,
    Double,
    Drop,
    Move,
    Roll,
    Take,
)

Player = Callable[[Match, Side, random.Random], Command | None]


def brain(match: Match, side: Side, rng: random.Random) -> Command | None:
    return decide(match, side)


def chance_player(match: Match, side: Side, rng: random.Random) -> Command | None:
    return _mover(match, side, lambda plays: rng.choice(plays))


def pip_player(match: Match, side: Side, rng: random.Random) -> Command | None:
    """It hits what it can, bears off what it can, and looks no further than the two pip counts."""
    return _mover(match, side, lambda plays: max(plays, key=lambda p: (*_lead(p.board, side), rng.random())))


def careful_player(match: Match, side: Side, rng: random.Random) -> Command | None:
    """It counts each of its blots as eight pips lost."""

    def worth(play: Play) -> tuple[float, ...]:
        lead, off = _lead(play.board, side)
        return lead - 8 * play.board.points(side)[1:25].count(1), off, rng.random()

    return _mover(match, side, lambda plays: max(plays, key=worth))


def _lead(board: Board, side: Side) -> tuple[int, int]:
    return board.pips(side.other) - board.pips(side), board.off(side)


def _mover(match, side, choose):
    game = match.game
    if not game.dice:
        return Roll()
    return Move(choose(list(legal_plays(game.board, side, game.dice))).steps)


def fact(match: Match, side: Side, command: Command | None, rng: random.Random) -> Action:
    match command:
        case Roll():
            return Rolled(side, Dice.from_numbers(rng.randint(1, 6), rng.randint(1, 6)))
        case Move(steps):
            return Played(side, steps)
        case Double():
            return Doubled(side)
        case Beaver():
            return Beavered(side)
        case Take():
            return Took(side)
        case Drop():
            return Dropped(side)
        case AcceptResignation():
            return ResignAccepted(side)
        case DeclineResignation():
            return ResignDeclined(side)
    raise AssertionError(f"{command} is nothing to do in {match.game.phase}")


def play(rules: Rules, white: Player, black: Player, seed: int, facts: int = 100_000) -> Match:
    """Play a match through the engine, which refuses illegal facts."""
    rng = random.Random(seed)
    players = BySide(white, black)
    match = Match.start(rules)
    while not match.is_over and match.facts < facts:
        if match.game.phase is Phase.OPENING:
            match = apply(match, Opened(rng.randint(1, 6), rng.randint(1, 6)))
            continue
        side = match.game.actor
        assert side is not None
        match = apply(match, fact(match, side, players[side](match, side, rng), rng))
        match = replace(match, before=None)
    return match


def share_won(against: Player, games: int) -> float:
    won = sum(play(Rules(length=1), brain, against, seed).winner is WHITE for seed in range(games // 2))
    won += sum(play(Rules(length=1), against, brain, seed).winner is BLACK for seed in range(games // 2))
    return won / games


def at(
    board: Board | str,
    turn: Side = WHITE,
    *,
    rules: Rules | None = None,
    score: tuple[int, int] = (0, 0),
    crawford_played: bool = False,
    cube: Cube = CENTRED,
    dice: str = "",
) -> Match:
    match = Match.start(rules or Rules(length=7))
    if any(score):
        match = apply(match, RuledScore(BySide(*score), crawford_played=crawford_played))
    board = Board.parse(board) if isinstance(board, str) else board
    return apply(match, RuledPosition(board, turn, cube, Dice.parse(dice) if dice else None))


# --- strength and obedience


@pytest.mark.long
def test_it_beats_a_player_of_chance():
    assert share_won(chance_player, 24) >= 0.95


@pytest.mark.slow
def test_it_beats_a_player_of_chance_two_hundred_times():
    assert share_won(chance_player, 200) >= 0.95


@pytest.mark.long
@pytest.mark.parametrize(("against", "least"), [(pip_player, 0.9), (careful_player, 0.7)])
def test_it_beats_players_who_count(against, least):
    assert share_won(against, 24) >= least


@pytest.mark.slow
@pytest.mark.parametrize(("against", "least"), [(pip_player, 0.95), (careful_player, 0.8)])
def test_it_beats_players_who_count_four_hundred_times(against, least):
    assert share_won(against, 400) >= least


@pytest.mark.long
@pytest.mark.parametrize("seeds", [range(8), pytest.param(range(8, 200), marks=pytest.mark.slow)])
def test_it_plays_five_points_by_the_rules(seeds):
    for seed in seeds:
        assert play(Rules(length=5), brain, brain, seed).winner is not None


@pytest.mark.parametrize(
    "rules",
    [
        *(Rules(length=3, start=start) for start in VARIANTS.values()),
        Rules(length=3, cube=False, gammons=False, backgammons=False),
        Rules(length=3, crawford=False),
        Rules.unlimited(jacoby=True, beavers=True, automatic_doubles=2),
        Rules.unlimited(jacoby=False),
    ],
)
def test_it_plays_every_game_the_club_offers(rules):
    match = play(rules, brain, brain, seed=4, facts=400)
    assert match.is_over or match.facts == 400


def test_the_same_match_is_played_the_same_way_twice():
    assert play(Rules(length=3), brain, brain, 9) == play(Rules(length=3), brain, brain, 9)


def test_it_plays_alike_on_both_sides():
    rng = random.Random(3)
    for board in boards(rng, 40):
        for roll in rng.sample(ROLLS, 3):
            white = decide(at(board, WHITE, dice=str(roll)), WHITE)
            assert white == decide(at(board.mirrored(), BLACK, dice=str(roll)), BLACK)


def boards(rng: random.Random, number: int) -> list[Board]:
    """Positions with contact that chance and pip counts lead to, seen by white, who is to move."""
    found = []
    while len(found) < number:
        position = STANDARD.seen_by(WHITE)
        for _ in range(rng.randint(2, 40)):
            position = mirror_position(rng.choice(sorted(results(position, *rng.choice(ROLLS))[1])))
            if is_over(position):
                break
        board = Board.seen(position, WHITE)
        if not is_over(position) and board.has_contact:
            found.append(board)
    return found


# --- when it has nothing to do


def test_it_waits_for_its_turn():
    match = apply(Match.start(Rules(length=5)), Opened(3, 1))
    assert decide(match, BLACK) is None
    assert isinstance(decide(match, WHITE), Move)
    assert decide(apply(match, ResignOffered(WHITE, 1)), WHITE) is None


def test_before_the_opening_roll_both_are_ready():
    match = Match.start(Rules(length=5))
    assert [decide(match, side) for side in (WHITE, BLACK)] == [Roll(), Roll()]


def test_after_the_end_there_is_nothing_to_do():
    match = play(Rules(length=1), brain, brain, 1)
    assert [decide(match, side) for side in (WHITE, BLACK)] == [None, None]


def test_where_nothing_can_be_played_it_says_so():
    match = at("white bar:2 13:13 black 6:2 5:2 4:2 3:2 2:2 1:2 off:3", dice="61")
    assert decide(match, WHITE) == Move(())


# --- plays that everybody knows


@pytest.mark.parametrize(
    ("dice", "play"),
    [("31", "8/5 6/5"), ("42", "8/4 6/4"), ("61", "13/7 8/7"), ("65", "24/13"), ("53", "8/3 6/3")],
)
def test_it_knows_the_openings_that_nobody_disputes(dice, play):
    chosen = decide(at(STANDARD, dice=dice), WHITE)
    assert isinstance(chosen, Move)
    found = next(
        each for each in legal_plays(STANDARD, WHITE, Dice.parse(dice)) if each.steps == chosen.steps
    )
    assert found.notation == play


@pytest.mark.parametrize(
    ("board", "dice", "hit"),
    [
        # A blot on its five point, with the roll that makes the point.
        ("white 24:2 13:5 8:3 6:5 black 24:1 20:1 13:5 8:3 6:5", "31", True),
        # Bearing off against the last checker on the bar: 6/off 6/5 leaves nothing to hit.
        ("white 6:2 5:2 4:2 off:9 black bar:1 1:14", "61", False),
    ],
)
def test_it_hits_where_that_is_good_and_leaves_no_blot_where_that_is_idle(board, dice, hit):
    match = at(board, dice=dice)
    after = apply(match, fact(match, WHITE, decide(match, WHITE), random.Random(0))).game.board
    if hit:
        assert after.bar(BLACK) == 1
    else:
        assert 1 not in after.points(WHITE)[1:]


# --- the cube


@pytest.mark.parametrize(
    ("board", "doubles", "takes"),
    [
        # The last roll: 36, 19 and 6 of 36 rolls take both checkers off.
        ("white 1:2 off:13 black 1:2 off:13", True, False),
        ("white 5:1 2:1 off:13 black 1:2 off:13", True, True),
        ("white 6:1 5:1 off:13 black 1:2 off:13", False, True),
        (STANDARD.text(), False, True),
        # A race of a hundred pips: ten and thirty-five ahead, fifteen behind.
        ("white 8:5 7:5 5:5 black 9:5 8:5 6:3 4:1 3:1", True, True),
        ("white 8:5 7:5 5:5 black 12:5 9:5 6:5", True, False),
        ("white 9:5 8:5 6:5 black 8:5 7:5 5:5", False, True),
        # Everything closed, one on the bar, and no gammon to be won.
        ("white 6:3 5:3 4:3 3:2 2:2 1:2 black bar:1 6:5 5:4 4:2 off:3", True, False),
    ],
)
@pytest.mark.parametrize("rules", [Rules(length=9), Rules.unlimited(jacoby=False)])
def test_it_doubles_and_takes_where_the_answer_is_known(board, doubles, takes, rules):
    match = at(board, rules=rules)
    assert decide(match, WHITE) == (Double() if doubles else Roll())
    assert decide(apply(match, Doubled(WHITE)), BLACK) == (Take() if takes else Drop())


def test_the_trailer_doubles_at_once_after_the_crawford_game():
    match = at(STANDARD, score=(3, 6), crawford_played=True)
    assert decide(match, WHITE) == Double()
    assert decide(at(STANDARD, BLACK, score=(3, 6), crawford_played=True), BLACK) == Roll()


def test_nobody_doubles_in_the_crawford_game():
    match = at("white 1:1 off:14 black 1:2 off:13", score=(3, 6), crawford_played=False)
    assert match.game.crawford
    assert decide(match, WHITE) == Roll()


def test_a_dead_cube_stays_where_it_is():
    match = at("white 1:2 off:13 black 1:2 off:13", score=(5, 3), cube=Cube(2, WHITE))
    assert match.game.is_dead_double
    assert decide(match, WHITE) == Roll()


def test_it_plays_on_for_a_gammon_that_is_safe():
    board = "white 4:1 off:14 black bar:1 24:1 6:13"
    assert decide(at(board), WHITE) == Roll()
    # At one point to go, or under the Jacoby rule, a gammon is worth nothing and the cube ends the game.
    assert decide(at(board, rules=Rules.unlimited(jacoby=True)), WHITE) == Double()


def test_it_beavers_a_foolish_double_and_answers_a_beaver():
    rules = Rules.unlimited(jacoby=False, beavers=True)
    foolish = apply(at("white 24:15 black 3:15", rules=rules), Doubled(WHITE))
    assert decide(foolish, BLACK) == Beaver()
    assert decide(apply(foolish, Beavered(BLACK)), WHITE) == Drop()
    even = apply(at(STANDARD, rules=rules), Doubled(WHITE))
    assert decide(even, BLACK) == Take()
    assert decide(apply(even, Beavered(BLACK)), WHITE) == Take()


# --- resignations


@pytest.mark.parametrize(
    ("board", "level", "accepts"),
    [
        # The loser has borne off: one game is all there is to win.
        ("white 1:2 off:13 black 6:2 off:13", 1, True),
        # Nothing off, and no time for it: a gammon.
        ("white 1:2 off:13 black 13:5 6:10", 1, False),
        ("white 1:2 off:13 black 13:5 6:10", 2, True),
        # One still in the other home board: a backgammon.
        ("white 2:2 off:13 black 24:2 6:13", 2, False),
        ("white 2:2 off:13 black 24:2 6:13", 3, True),
        # The race is even.
        (STANDARD.text(), 1, True),
    ],
)
def test_it_accepts_what_it_could_expect(board, level, accepts):
    match = apply(at(board, WHITE), ResignOffered(BLACK, level))
    assert decide(match, WHITE) == (AcceptResignation() if accepts else DeclineResignation())


def test_a_gammon_that_the_score_has_no_use_for_is_not_waited_for():
    match = at("white 1:2 off:13 black 13:5 6:10", score=(6, 2), crawford_played=True)
    assert decide(apply(match, ResignOffered(BLACK, 1)), WHITE) == AcceptResignation()


def test_under_the_jacoby_rule_a_single_game_is_all_while_the_cube_is_in_the_middle():
    rules = Rules.unlimited(jacoby=True)
    board = "white 1:2 off:13 black 13:5 6:10"
    assert decide(apply(at(board, rules=rules), ResignOffered(BLACK, 1)), WHITE) == AcceptResignation()
    turned_to_us = at(board, rules=rules, cube=Cube(2, WHITE))
    assert decide(apply(turned_to_us, ResignOffered(BLACK, 1)), WHITE) == DeclineResignation()


def test_who_resigns_instead_of_answering_the_cube_is_let_go():
    match = apply(at(STANDARD), Doubled(WHITE))
    assert decide(apply(match, ResignOffered(BLACK, 1)), WHITE) == AcceptResignation()
    hopeless = apply(at("white 23:15 black 1:1 off:14"), Doubled(WHITE))
    assert decide(apply(hopeless, ResignOffered(WHITE, 1)), BLACK) == DeclineResignation()


# --- what it sees


@pytest.mark.long
def test_shots_are_the_rolls_with_which_the_rules_allow_a_hit():
    wrong = asked = 0
    for board in boards(random.Random(8), 150):
        mine, theirs = board.points(WHITE), board.points(BLACK)
        blots = sum(1 << point for point in range(1, 25) if mine[point] == 1)
        made = sum(1 << point for point in range(1, 25) if mine[point] > 1)
        comers = sum(1 << 25 - point for point in range(1, 26) if theirs[point])
        hitting = {
            roll
            for roll in ROLLS
            if any(after.bar(WHITE) > mine[25] for after in legal_plays(board, BLACK, roll).results())
        }
        count = sum(roll.weight for roll in hitting)
        seen, cost = count_shots(comers, theirs[25], blots, made)
        asked += 1
        wrong += seen != count
        assert abs(seen - count) <= 4, board.text()
        assert seen <= cost <= 24 * seen
    # Rarely the rules force the other die to be played first.
    assert wrong <= asked // 50


def test_escapes_are_the_rolls_with_which_one_checker_can_run():
    for blocks in range(0, 1 << 12, 7):
        held = {point for point in range(12) if blocks >> point & 1}
        free = sum(
            first + second - 1 not in held and not {first - 1, second - 1} <= held
            for first, second in product(range(1, 7), repeat=2)
        )
        assert count_escapes(1, blocks << 1) == free


@pytest.mark.parametrize(
    ("white", "black"), [({6: 1, 2: 1}, {3: 2}), ({5: 2}, {6: 1, 1: 1}), ({4: 1, 3: 1, 1: 1}, {2: 3})]
)
def test_few_checkers_are_counted_out(white, black):
    board = Board.from_counts(white, black)
    exact = 1 - _wins(board, BLACK)
    assert race.estimate_chances(board.seen_by(WHITE)).win == pytest.approx(exact, abs=0.005)


@cache
def _wins(board: Board, side: Side) -> float:
    """The chance of the side to roll, each side playing for the best chance."""
    if board.winner is not None:
        return float(board.winner is side)
    return sum(
        roll.weight
        / 36
        * max(1 - _wins(after, side.other) for after in legal_plays(board, side, roll).results())
        for roll in ROLLS
    )


def test_a_race_is_about_as_long_as_its_pips_and_its_waste():
    # Mean rolls as bear-off tables give them.
    for points, mean in [({1: 15}, 6.98), ({6: 15}, 12.27), ({1: 2, 2: 2, 3: 2, 4: 3, 5: 3, 6: 3}, 8.14)]:
        rolls = race.estimate_rolls(Board.from_counts(points, {1: 15}).seen_by(WHITE) & LANE)
        assert rolls == pytest.approx(mean, abs=0.6)


def test_chances_belong_together():
    for board in boards(random.Random(5), 60):
        win, gammon, lost = prospects.estimate_after_play(board.seen_by(WHITE))
        assert 0 <= gammon <= win <= 1
        assert 0 <= lost <= 1 - win + 1e-9
        assert (
            prospects.estimate_before_roll(board, BLACK)
            == prospects.estimate_after_play(board.seen_by(WHITE)).turned
        )
