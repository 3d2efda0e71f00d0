"""The distinct positions a roll can lead to, over packed positions: the movement rules R12 to R39.

The target of a step depends on the opponent's made points, which no play changes; its source depends on the
mover's checkers. In most positions all steps are independent and are added in bulk: `_play_independently` for
two different dice, `_play_in_chains` for doubles, `_play_from_bar` from the bar. Near bearing off each step
changes the options of the next, and `_play_in_order` plays them one after the other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import compress
from typing import Final

from engine.packed import BAR, BOARD, FLAG, FLAGS, HITS, LANE, OFF, ONE, OUTSIDE, SIZE, STEPS, TWO

POINTS: Final = tuple(range(SIZE))
# The points a die can be played from, chain by chain: for a six 12 18 24, then 7 13 19.
CHAINS: Final = tuple(
    sorted(range(die + 1, 25), key=lambda point: (point % die, point)) if die else [] for die in range(7)
)


def results(position: int, high: int, low: int) -> tuple[int, Collection[int]]:
    """Return the number of dice that every legal play uses, and the distinct positions the plays lead to.

    If no play is possible, 0 and the unchanged position (R23).
    """
    theirs = position >> 4 & LANE
    opened = theirs + TWO & BOARD ^ BOARD  # R14
    blots = theirs + ONE & opened  # R25
    bar = position >> BAR & 15
    if high == low:
        return _play_doubles(position, high, bar, opened, blots)
    if bar:
        return _play_from_bar(position, high, low, bar, opened, blots)
    mine = position & LANE
    outside = (mine >> OUTSIDE) % 255
    if outside < 2:
        if outside or (mine >> 8 * high) % 255 < 2:
            return _play_in_both_orders(position, high, low, opened, blots)
        # All checkers are at home, and so many on high points that no die bears off from below its own point.
        opened |= OFF
    return _play_independently(position, high, low, opened, blots)


def _play_independently(
    position: int, high: int, low: int, opened: int, blots: int
) -> tuple[int, Collection[int]]:
    """Play two dice where neither makes or removes options for the other.

    Most results are in a table with a row for each point the higher die can be played from and a column for
    each point the lower one can. What remains are the runs, in which one checker plays both dice. A cell
    covers a run if another checker is half way; two cells do if there is one half way by either die.
    """
    high_up, low_up = 8 * high, 8 * low
    mine = position & LANE
    held = mine + ONE & FLAGS
    by_high, by_low = held & opened << high_up, held & opened << low_up
    far = opened << high_up + low_up
    via_high, via_low = by_high & far, by_low & far
    known_high, known_low = via_high & held << high_up, via_low & held << low_up
    highs, lows = STEPS[high], STEPS[low]
    hit_high = blots & (by_high | via_low >> low_up) >> high_up
    hit_low = blots & (by_low | via_high >> high_up) >> low_up
    if hits := hit_high or hit_low:
        highs, lows = _list_hitting_steps(high, hit_high), _list_hitting_steps(low, hit_low)

    rows = map(position.__add__, compress(highs, by_high.to_bytes(SIZE, "little")))
    columns = list(compress(lows, by_low.to_bytes(SIZE, "little")))
    table = [row + column for row in rows for column in columns]
    if hits and (twice := hit_high & by_high >> high_up & hit_low & by_low >> low_up):
        _correct_double_hits(table, high, low, by_high, by_low, twice)
    lone = by_high & by_low & (mine + TWO ^ FLAGS)
    both = known_high & known_low
    if lone or both:
        _remove_cells(table, high, by_high, by_low, lone, both)

    if not hits:
        runs = (via_high | via_low) ^ (known_high | known_low)
        table += map(position.__add__, compress(STEPS[high + low], runs.to_bytes(SIZE, "little")))
    else:
        # A run that hits half way leads to another position than the quiet one.
        quiet_low = via_low ^ via_low & hit_low << low_up
        via_high = (via_high ^ known_high) & (hit_high << high_up | quiet_low ^ FLAGS)
        via_low = (via_low ^ known_low) & (hit_low << low_up | known_high ^ FLAGS)
        for point in compress(POINTS, via_high.to_bytes(SIZE, "little")):
            table.append(position + highs[point] + lows[point - high])
        for point in compress(POINTS, via_low.to_bytes(SIZE, "little")):
            table.append(position + lows[point] + highs[point - low])
    return (2, table) if table else _play_in_both_orders(position, high, low, opened, blots)


def _compute_cell_index(by_high: int, by_low: int, source: int, source_too: int) -> int:
    """Return the table index for the higher die played from *source*, the lower one from *source_too*."""
    row, column = (by_high & FLAG[source] - 1).bit_count(), (by_low & FLAG[source_too] - 1).bit_count()
    return row * by_low.bit_count() + column


def _correct_double_hits(
    table: list[int], high: int, low: int, by_high: int, by_low: int, twice: int
) -> None:
    """Correct the cells where both dice land on one of the flagged blots: the second checker hits nothing."""
    for point in compress(POINTS, twice.to_bytes(SIZE, "little")):
        cell = _compute_cell_index(by_high, by_low, point + high, point + low)
        table[cell] += STEPS[low][point + low] - HITS[low][point + low]


def _remove_cells(table: list[int], high: int, by_high: int, by_low: int, lone: int, both: int) -> None:
    """Remove the cells where a *lone* checker moves with each die, and one of the two for a run in *both*."""
    cells = [
        _compute_cell_index(by_high, by_low, point, point)
        for point in compress(POINTS, lone.to_bytes(SIZE, "little"))
    ]
    if both:
        cells += [
            _compute_cell_index(by_high, by_low, point, point - high)
            for point in compress(POINTS, both.to_bytes(SIZE, "little"))
        ]
        cells.sort()
    for cell in reversed(cells):
        del table[cell]


def _list_hitting_steps(die: int, hit: int) -> list[int]:
    """Return the steps of *die*, with a hit where they land on the flagged blots."""
    steps = STEPS[die].copy()
    while hit:
        point = hit.bit_length() >> 3
        steps[point + die] = HITS[die][point + die]
        hit ^= FLAG[point]
    return steps


def _play_from_bar(
    position: int, high: int, low: int, bar: int, opened: int, blots: int
) -> tuple[int, Collection[int]]:
    """Play two different dice with checkers on the bar, which enter first (R26-R31)."""
    by_high = _enter_checker(position, high, opened, blots)
    by_low = _enter_checker(position, low, opened, blots)
    if bar == 1:
        found = _play_die(by_high, low, opened, blots)
        found |= _play_die(by_low, high, opened, blots)
        if found:
            return 2, found
    elif by_high and by_low:
        return 2, (by_high[0] + by_low[0] - position,)
    if by_high or by_low:
        return 1, by_high or by_low  # R21
    return 0, (position,)


def _enter_checker(position: int, die: int, opened: int, blots: int) -> tuple[int, ...]:
    """Return a tuple of the position after one checker enters with *die*; empty if it cannot (R27)."""
    point = FLAG[25 - die]
    return (position + (HITS if blots & point else STEPS)[die][25],) if opened & point else ()


def _play_in_both_orders(
    position: int, high: int, low: int, opened: int, blots: int
) -> tuple[int, Collection[int]]:
    """Play two different dice in both orders, step by step."""
    used, found = _play_in_order(position, (high, low), opened, blots)
    used_too, found_too = _play_in_order(position, (low, high), opened, blots)
    if used == used_too == 2:
        return 2, found | found_too
    return (used, found) if used >= used_too else (used_too, found_too)  # R19, R21


def _play_in_order(position: int, dice: Sequence[int], opened: int, blots: int) -> tuple[int, set[int]]:
    found = {position}
    for used, die in enumerate(dice):
        after = _play_die(found, die, opened, blots)
        if not after:
            return used, found
        found = after
    return len(dice), found


def _play_die(positions: Iterable[int], die: int, opened: int, blots: int) -> set[int]:
    """Return the results of playing one *die* from any of *positions*, with no checker on the bar.

    *opened* and *blots* are those before the play; some of the blots may have been hit since.
    """
    after: set[int] = set()
    ways = opened << 8 * die
    for position in positions:
        mine = position & LANE
        sources = mine + ONE & ways
        if blots and (hitting := sources & ((position >> 4 & LANE) + ONE & blots) << 8 * die):
            sources ^= hitting
            after.update(map(position.__add__, compress(HITS[die], hitting.to_bytes(SIZE, "little"))))
        after.update(map(position.__add__, compress(STEPS[die], sources.to_bytes(SIZE, "little"))))
        if not mine >> OUTSIDE and (source := find_bearoff_point(mine, die)):
            after.add(position + STEPS[die][source])
    return after


def find_bearoff_point(mine: int, die: int) -> int:
    """Return the one point from which *die* may bear off, 0 if there is none (R32-R35)."""
    if mine >> OUTSIDE:
        return 0
    if from_die_up := mine >> 8 * die:
        return die if from_die_up & 15 else 0
    return mine.bit_length() - 1 >> 3


def play_step(position: int, source: int, die: int) -> int | None:
    from_bar = source == BAR // 8
    if not (source and position >> 8 * source & 15) or (position >> BAR & 15 and not from_bar):  # R26
        return None
    if source <= die:
        return position + STEPS[die][source] if find_bearoff_point(position & LANE, die) == source else None
    there = position >> 8 * (source - die) + 4 & 15
    if there > 1:  # R14
        return None
    return position + (HITS if there else STEPS)[die][source]


def _play_doubles(position: int, die: int, bar: int, opened: int, blots: int) -> tuple[int, Collection[int]]:
    """Play up to four steps of the same length (R18, R22)."""
    entering = min(bar, 4)
    if entering:
        if not (entered := _enter_checker(position, die, opened, blots)):
            return 0, (position,)
        position = entered[0] + (entering - 1) * STEPS[die][25]
        blots &= BOARD ^ FLAG[25 - die]
    left = 4 - entering
    if not left:
        return 4, (position,)
    if ((position & LANE) >> OUTSIDE) % 255 < left:
        used, found = _play_in_order(position, (die,) * left, opened, blots)
        return entering + used, found
    tails = _play_in_chains(position, die, left, opened << 8 * die, blots)
    while not tails[left]:
        left -= 1
    return entering + left, tails[left]


def _play_in_chains(position: int, die: int, left: int, ways: int, blots: int) -> list[list[int]]:
    """Return the results of the plays of 0, 1 and so on up to *left* steps.

    Steps of one length stay in a chain of points that far apart, and the chains are independent of each
    other. So all the points are put in a row, chain after chain, and processed from the end: the plays from a
    point on are the plays behind it, preceded by some checkers leaving that point. Each play is met once, and
    no two lead to the same position.
    """
    quiet = STEPS[die]
    steps = _list_hitting_steps(die, blots & FLAGS >> 8 * die)
    counts = (position & LANE).to_bytes(SIZE, "little")
    starts = ((position & LANE) + ONE & ways).to_bytes(SIZE, "little")
    behind: dict[int, list[list[int]]] = {}

    def leave(
        source: int,
        moved: int,
        count: int,
        most: int,
        pips: int,
        step: int,
        tails: list[list[int]],
        found: list[list[int]],
    ) -> None:
        """Add to *found* the results where more than *moved* of *count* checkers leave *source*.

        The steps so far add up to *pips*, the next is *step*, and *most* are left including those *moved*.
        """
        target = source - die
        onward = ways & FLAG[target]
        while moved < count:
            moved += 1
            pips += step
            step = quiet[source]
            found[moved].append(position + pips)
            if moved == most:
                return
            plus = pips.__add__
            for then in range(1, most - moved + 1):
                found[moved + then].extend(map(plus, tails[then]))
            if onward:
                further = found[moved:]
                more = most - moved
                first = steps[target]
                if not starts[target]:
                    leave(target, 0, moved, more, pips, first, tails, further)
                elif (there := counts[target]) < more:
                    first += pips + (there - 1) * quiet[target]
                    leave(target, there, there + moved, more, first, quiet[target], behind[target], further)

    tails: list[list[int]] = [[position], [], [], [], []][: left + 1]
    for source in CHAINS[die]:
        if starts[source]:
            behind[source] = tails
            tails = [tail.copy() for tail in tails]
            leave(source, 0, counts[source], left, 0, steps[source], behind[source], tails)
    return tails
