"""The facts and the figures of a sheet without fault, computed from its cells.

The facts of a written play are the same at each occurrence, and are cached by its text like the cells. Only
where one checker moves with two different dice does the board decide which die came first. The figures are
those of `engine.statistics`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.actions import (
    Action,
    Doubled,
    Dropped,
    Opened,
    Played,
    ResignAccepted,
    ResignOffered,
    Rolled,
    Took,
)
from engine.board import OFF, Step
from engine.dice import ROLLED, Dice
from engine.express.cells import DANCE, DICE, DOUBLE, FULL, LIMIT, SIDES, TAKE, Cell
from engine.express.game import START, CleanGame, find_legal_results
from engine.express.reader import CleanSheet, read_written_sheet
from engine.plays import find_play_between
from engine.record import Record
from engine.rules import Rules
from engine.side import BLACK, WHITE, BySide, Side
from engine.statistics import CubeTurn, GameStatistics, Statistics, Tally
from engine.strokes import BLOTS, HIGH, WAITING, narrow_for_side

AT_FIRST: Final[tuple[int, int]] = (167, 167)
# Every hop by its word: minus the source (to sort the rearmost first), the target, the step, and the point of
# a marked hit or 0.
HOPS: Final = {
    f"{source}/{target}{mark}": (-source, target, Step(source, target), target if mark else 0)
    for source in range(1, 26)
    for target in range(source)
    for mark in ("", "*")
}


class PlainTurn(NamedTuple):
    """A roll and its play, as far as the text shows it."""

    rolled: Rolled
    # None if the board decides which of two dice a checker moved with first.
    played: Played | None
    dice: Dice
    pips: int
    # The pips that the opponent loses by marked hits.
    sent: int
    # The figures of this play in the order of the fields of `Tally`.
    counts: tuple[int, int, int, int, int, int, int]


class PlyCache(dict[str, PlainTurn]):
    """A cache of the plays in one side's column, by their texts."""

    def __init__(self, side: Side) -> None:
        super().__init__()
        self.side = side
        dice = {text: ROLLED[one - 1][other - 1] for text, (one, other) in DICE.items()}
        self.rolls = {text: (each, Rolled(side, each), sum(each.numbers)) for text, each in dice.items()}

    def __missing__(self, text: str) -> PlainTurn:
        if len(self) >= LIMIT:
            self.clear()
        roll, *words = text.split()
        dice, rolled, given = self.rolls[roll]
        hops = sorted([HOPS[word] for word in words])
        steps = tuple([hop[2] for hop in hops])
        marked = {hop[3] for hop in hops if hop[3]} if "*" in text else ()
        pips = -sum([hop[0] + hop[1] for hop in hops])
        off = sum([hop[1] == OFF for hop in hops])
        played = None if _is_order_open(dice, steps) else Played(self.side, steps)
        counts = (1, dice.is_double, given, pips, len(marked), not steps, off)
        self[text] = ply = PlainTurn(rolled, played, dice, pips, sum(marked), counts)
        return ply


PLIES: Final = PlyCache(WHITE), PlyCache(BLACK)


def compute_facts(data: bytes, clean: CleanSheet, rules: Rules) -> tuple[Record, Statistics]:
    """Compute the facts and the figures of a sheet that `read_clean_sheet` has accepted."""
    facts: list[Action] = []
    games: list[GameStatistics] = []
    tags, written_games = read_written_sheet(data)
    for number, (game, written) in enumerate(zip(clean.games, written_games, strict=True), 1):
        games.append(_GameConverter(number, facts).add_game(iter(written), game))
    return Record(BySide(*clean.players), rules, tuple(facts), tags), Statistics(tuple(games))


class _GameConverter:
    def __init__(self, number: int, facts: list[Action]) -> None:
        self.number = number
        self.facts = facts
        self.cube = 1
        self.turns: list[CubeTurn] = []

    def add_game(self, cells: Iterator[tuple[Cell, str]], game: CleanGame) -> GameStatistics:
        add = self.facts.append
        board, plies = START, 0
        left: list[int] = list(AT_FIRST)
        pips: list[tuple[int, int]] = [AT_FIRST]
        counts: tuple[list[tuple[int, ...]], ...] = ([], [])
        unmarked = [0, 0]
        for (step, mask, more), text in cells:
            if more.kind > DANCE:
                if more.kind == DOUBLE:
                    self._add_double(SIDES[more.side], next(cells)[0][2].kind == TAKE, plies)
                continue
            side = more.side
            ply = PLIES[side][text]
            add(ply.rolled if plies else _build_opening_roll(side, ply.dice))
            plies += 1
            if more.kind == DANCE and plies == game.plies and find_legal_results(board, more)[0]:
                continue  # the side resigned after its roll
            before, sent = board, ply.sent
            board += step
            looked = mask if more.kind == FULL else more.mask
            if not sent and (met := board & looked & BLOTS[side]):
                board += met.bit_count() * WAITING[side ^ 1] - met
                unmarked[side] += met.bit_count()
                sent = _count_pips_hit(side, met)
            add(ply.played or _build_ordered_play(before, board, side, ply.dice))
            counts[side].append(ply.counts)
            left[side] -= ply.pips
            left[side ^ 1] += sent
            pips.append((left[0], left[1]))
        if game.how == "resign":
            winner = SIDES[game.winner]
            self.facts += ResignOffered(winner.other, game.kind), ResignAccepted(winner)
        sides = BySide(*(_build_tally(counts[side], unmarked[side]) for side in SIDES))
        return GameStatistics(sides, tuple(self.turns), tuple(pips))

    def _add_double(self, side: Side, is_taken: bool, plies: int) -> None:
        self.cube *= 2
        answer = Took(side.other) if is_taken else Dropped(side.other)
        self.facts += Doubled(side), answer
        for who, word in ((side, "double"), (side.other, "take" if is_taken else "drop")):
            self.turns.append(CubeTurn(self.number, plies + 1, who, word, self.cube))


def _is_order_open(dice: Dice, steps: tuple[Step, ...]) -> bool:
    """True if one checker moved with both dice, the lower first in the text, so that their order is open."""
    if dice.is_double or len(steps) != 2:
        return False
    first, second = steps
    return first.target == second.source and first.source - first.target != dice.high


def _build_ordered_play(before: int, after: int, side: Side, dice: Dice) -> Played:
    here, there = narrow_for_side(before, 1, side), narrow_for_side(after, 1, side)
    return Played(side, find_play_between(here, there, side, dice, 2).steps)


def _count_pips_hit(side: int, met: int) -> int:
    """Return the pips that the opponent loses by unmarked hits."""
    seen = met >> HIGH if side == 0 else met
    points = [point for point in range(1, 25) if seen >> 8 * point & 1]
    return sum(points) if side == 0 else sum(25 - point for point in points)


def _build_tally(counts: list[tuple[int, ...]], unmarked: int) -> Tally:
    rolls, doubles, rolled, played, hits, dances, off = (
        map(sum, zip(*counts, strict=True)) if counts else [0] * 7
    )
    return Tally(rolls, doubles, rolled, played, hits + unmarked, dances, off)


def _build_opening_roll(side: int, dice: Dice) -> Opened:
    return Opened(dice.high, dice.low) if side == 0 else Opened(dice.low, dice.high)
