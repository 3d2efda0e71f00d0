"""The rules of movement, step by step on plain lists, without code of the engine.

The points of a side are 26 numbers from that side's view: 0 is off, 25 the bar.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from engine.board import Board, Step
from engine.dice import Dice
from engine.side import Side

Steps = tuple[tuple[int, int], ...]
State = tuple[tuple[int, ...], tuple[int, ...]]


def slow_plays(board: Board, side: Side, dice: Dice) -> dict[Steps, State]:
    """Return every legal way to play the dice, in every order, with the points of both sides after it."""
    start = board.points(side), board.points(side.other)
    ways = dict(sequences(start, dice.numbers))
    if not dice.is_double:
        low_first = dict(sequences(start, dice.numbers[::-1]))
        longest = max(len(steps) for steps in (*ways, *low_first))
        # If either die can be played, but not both, it must be the larger.
        if longest != 1 or () in ways:
            ways |= low_first
    longest = max(len(steps) for steps in ways)
    return {steps: state for steps, state in ways.items() if len(steps) == longest}


def slow_results(board: Board, side: Side, dice: Dice) -> tuple[int, set[State]]:
    """The number of dice used, and every state after a legal play. Faster than `slow_plays`."""
    start = board.points(side), board.points(side.other)
    used, found = as_far_as_one_can(start, dice.numbers)
    if not dice.is_double:
        used_too, found_too = as_far_as_one_can(start, dice.numbers[::-1])
        if used == used_too == 2:
            return 2, found | found_too
        if used_too > used:
            return used_too, found_too
    return used, found


def as_far_as_one_can(state: State, numbers: tuple[int, ...]) -> tuple[int, set[State]]:
    states = {state}
    for used, die in enumerate(numbers):
        further = {
            after(each, source, max(source - die, 0)) for each in states for source in sources(each, die)
        }
        if not further:
            return used, states
        states = further
    return len(numbers), states


def sequences(state: State, numbers: tuple[int, ...]) -> Iterator[tuple[Steps, State]]:
    """Yield the ways to play the numbers in this order for as long as one can."""
    moves = [(source, max(source - die, 0)) for die in numbers[:1] for source in sources(state, die)]
    if not moves:
        yield (), state
    for source, target in moves:
        for steps, last in sequences(after(state, source, target), numbers[1:]):
            yield ((source, target), *steps), last


def sources(state: State, die: int) -> Iterator[int]:
    mine, theirs = state
    for source in range(25, 0, -1):
        if not mine[source] or (mine[25] and source != 25):
            continue
        if source > die:
            if theirs[25 - (source - die)] < 2:
                yield source
        elif not any(mine[7:]) and (source == die or not any(mine[source + 1 :])):
            yield source


def after(state: State, source: int, target: int) -> State:
    mine, theirs = map(list, state)
    mine[source] -= 1
    mine[target] += 1
    if target and theirs[25 - target]:
        theirs[25 - target] -= 1
        theirs[25] += 1
    return tuple(mine), tuple(theirs)


def can_be_made(state: State, numbers: tuple[int, ...], steps: Steps) -> bool:
    """Is there a number for each of the steps, in the order they are in?"""
    if not steps:
        return True
    (source, target), *rest = steps
    if not 0 < source <= 25 or not state[0][source]:
        return False
    for die in set(numbers):
        if target == max(source - die, 0) and source in sources(state, die):
            left = list(numbers)
            left.remove(die)
            if can_be_made(after(state, source, target), tuple(left), tuple(rest)):
                return True
    return False


def mutated(rng: Random, steps: Iterable[tuple[int, int]]) -> list[Step]:
    """Return the steps with one thing about them changed."""
    steps = [Step(*step) for step in steps]
    match rng.randrange(6 if steps else 1):
        case 0:
            source = rng.randint(-1, 26)
            steps.insert(rng.randint(0, len(steps)), Step(source, source - rng.randint(-2, 7)))
        case 1:
            steps.pop(rng.randrange(len(steps)))
        case 2:
            rng.shuffle(steps)
        case 3:
            steps[rng.randrange(len(steps))] = Step(rng.randint(0, 25), rng.randint(-3, 24))
        case 4:
            index = rng.randrange(len(steps))
            steps[index] = Step(steps[index].source + rng.choice((-1, 1)), steps[index].target)
        case _:
            index, by = rng.randrange(len(steps)), rng.choice((-6, -2, -1, 1, 2))
            steps[index] = Step(steps[index].source + by, steps[index].target + by)
    return steps


def random_board(rng: Random) -> Board:
    """Return a board of any kind: contact or none, checkers on the bar or off, made points or blots."""
    depth = rng.choice((6, 9, 12, 18, 24, 24, 24))
    free = list(range(1, 25))
    sides: list[dict[int, int]] = []
    for number in range(2):
        reach = rng.choice((depth, 24))
        mine = [point for point in free if (25 - point if number else point) <= reach]
        held = rng.sample(mine, min(len(mine), rng.randint(1, 10)))
        free = [point for point in free if point not in held]
        own = dict.fromkeys((25 - point if number else point for point in held), 1)
        if rng.random() < 0.25:
            own[25] = rng.choice((1, 1, 1, 2, 3))
        left = rng.choice((15, 15, 15, rng.randint(1, 15))) - sum(own.values())
        for _ in range(max(left, 0)):
            own[rng.choice(list(own))] += 1
        while sum(own.values()) > 15:
            own.popitem()
        sides.append(own or {1: 1})
    return Board.from_counts(*sides)
