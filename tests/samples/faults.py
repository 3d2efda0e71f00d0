"""Copies of one match, each with one fault at a known place that the referee has to find.

Places are chosen on the board of the notes (`bouts.Note.state`), by the rules in `slow_plays`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from engine.side import BySide, Side
from tests.engine.slow_plays import after, sources
from tests.samples import foreign
from tests.samples.bouts import Note, Scorer

Cells = list[list[tuple[Side, str]]]


class Fault(NamedTuple):
    """A sheet, and what is wrong with it: the code, the game, the roll; nothing where it is right."""

    sheet: bytes
    code: str = ""
    game: int | None = None
    roll: int | None = None


class Spot(NamedTuple):
    """One note of the match, with its game, its index in the game, and the number of its roll."""

    game: int
    at: int
    roll: int
    note: Note


def sheet(names: BySide[str], scorer: Scorer, cells: Cells, *, length: int = 0, upto: int = 0) -> bytes:
    """A plain score sheet of these cells, as Jellyfish wrote it, cut after *upto* games."""
    lines = [f" {length or scorer.rules.length} point match", ""]
    for number, (game, said) in enumerate(zip(scorer.games, cells, strict=False), 1):
        if upto and number > upto:
            break
        lines += [
            f" Game {number}",
            f" {f'{names.white} : {game.start[0]}':<31}{names.black} : {game.start[1]}",
            *foreign.rows(said),
            "",
        ]
    return foreign.text(lines)


def cells_of(scorer: Scorer) -> Cells:
    """The cells of every game, with its winner in the last cell."""
    return [
        [
            *((note.side, foreign.cell(note)) for note in game.notes),
            (Side(game.winner), f" Wins {foreign.points(game.points)}"),
        ]
        for game in scorer.games
    ]


def spots(scorer: Scorer) -> Iterator[Spot]:
    """Yield all rolls but the first before two more rolls, so that no play looks like a resignation."""
    for number, game in enumerate(scorer.games):
        roll = 0
        for at, note in enumerate(game.notes[:-2]):
            roll += note.word == "roll"
            if roll > 1 and {one.word for one in game.notes[at : at + 3]} == {"roll"}:
                yield Spot(number, at, roll, note)


def every(names: BySide[str], scorer: Scorer) -> Iterator[tuple[str, Fault]]:
    yield "control", Fault(sheet(names, scorer, cells_of(scorer)))
    for code, spoil in SPOILERS.items():
        spot, said = next((spot, said) for spot in spots(scorer) if (said := spoil(spot.note)))
        cells = cells_of(scorer)
        cells[spot.game][spot.at] = (spot.note.side, said)
        yield code, Fault(sheet(names, scorer, cells), code, spot.game + 1, spot.roll)
    yield from cube_faults(names, scorer)
    yield from result_faults(names, scorer)


def cube_faults(names: BySide[str], scorer: Scorer) -> Iterator[tuple[str, Fault]]:
    """Yield a cube of a wrong value, and an answer to nothing."""
    game, at = next(
        (game, at)
        for game, played in enumerate(scorer.games)
        for at, note in enumerate(played.notes)
        if note.word == "double" and played.notes[at + 1].word == "take"
    )
    rolled = sum(note.word == "roll" for note in scorer.games[game].notes[:at])
    cells = cells_of(scorer)
    cells[game][at] = (cells[game][at][0], " Doubles => 16")
    yield "wrong-cube-value", Fault(sheet(names, scorer, cells), "wrong-cube-value", game + 1, rolled + 1)
    cells = cells_of(scorer)
    del cells[game][at]
    yield (
        "take-without-double",
        Fault(sheet(names, scorer, cells), "take-without-double", game + 1, rolled + 1),
    )


def result_faults(names: BySide[str], scorer: Scorer) -> Iterator[tuple[str, Fault]]:
    """Yield results that do not follow, games that do not end, and a length that cannot be."""
    first = scorer.games[0]
    cells = cells_of(scorer)
    cells[0][-1] = (Side(first.winner), f" Wins {foreign.points(first.points + 1)}")
    yield "wrong-points", Fault(sheet(names, scorer, cells), "wrong-points", 1, first.rolls)
    cells = cells_of(scorer)
    cells[0][-1:-1] = [(Side(first.winner), "31: 8/5 6/5")]
    yield "play-after-end", Fault(sheet(names, scorer, cells), "play-after-end", 1, first.rolls + 1)
    cells = cells_of(scorer)
    last = len(cells) - 1
    cut = next(spot for spot in reversed(list(spots(scorer))) if spot.game == last)
    del cells[last][cut.at + 1 :]
    yield "unfinished-game", Fault(sheet(names, scorer, cells), "unfinished-game", last + 1, cut.roll)
    yield "bad-length", Fault(sheet(names, scorer, cells_of(scorer), length=-5), "bad-length")


# -- a cell that was spoiled, or nothing where the place does not lend itself to it


def illegal_dice(note: Note) -> str:
    return "7" + foreign.cell(note)[1:] if note.steps else ""


def dice_mismatch(note: Note) -> str:
    """Dice with which the play is not possible."""
    lengths = {source - target for source, target in note.steps}
    if len(note.steps) != 2 or note.dice[0] == note.dice[1] or 0 in {target for _, target in note.steps}:
        return ""
    other = next((die for die in range(1, 7) if die not in lengths and die not in note.dice), 0)
    return f"{other}{other}:" + foreign.cell(note)[3:] if other and sum(lengths) % other else ""


def empty_source(note: Note) -> str:
    mine, theirs = note.state
    if mine[25] or len(note.steps) != 2 or note.dice[0] == note.dice[1]:
        return ""
    high, low = note.dice
    (source, target) = note.steps[0]
    second = low if source - target == high else high
    for point in range(24, second, -1):
        free = not mine[point] and theirs[25 - point] == 0 and point != target
        if free and theirs[25 - (point - second)] < 2:
            return f"{high}{low}: {source}/{target} {point}/{point - second}"
    return ""


def blocked(note: Note) -> str:
    mine, theirs = note.state
    for source in range(24, note.dice[0], -1):
        target = source - note.dice[0]
        if mine[source] and not mine[25] and theirs[25 - target] >= 2 and note.dice[0] != note.dice[1]:
            return f"{note.dice[0]}{note.dice[1]}: {source}/{target}" + second_step(note, source, target)
    return ""


def second_step(note: Note, source: int, target: int) -> str:
    """Return a step with the other die, by another checker."""
    for other in sources(note.state, note.dice[1]):
        if other not in (source, target) and other > note.dice[1]:
            return f" {other}/{other - note.dice[1]}"
    return ""


def partial_play(note: Note) -> str:
    if len(note.steps) != 2 or note.dice[0] == note.dice[1] or note.state[0][25]:
        return ""
    return foreign.cell(note._replace(steps=note.steps[:1]))


def bar_ignored(note: Note) -> str:
    """A checker stays on the bar although it could come in, and another one moves."""
    mine, _ = note.state
    if mine[25] != 1 or len(note.steps) != 2 or note.dice[0] == note.dice[1]:
        return ""
    without = (*mine[:25], 0)
    state = (tuple(without), note.state[1])
    for first in sources(state, note.dice[0]):
        if first - note.dice[0] <= 0:
            continue
        then = after(state, first, first - note.dice[0])
        for second in sources(then, note.dice[1]):
            if second - note.dice[1] > 0 and second != first - note.dice[0]:
                steps = ((first, first - note.dice[0]), (second, second - note.dice[1]))
                return foreign.cell(note._replace(steps=steps))
    return ""


def early_bearoff(note: Note) -> str:
    mine, _ = note.state
    high, low = note.dice
    if high == low or not mine[high] or mine[25] or sum(mine[7:]) < 2:
        return ""
    for source in sources(note.state, low):
        if source - low > 6:
            return f"{high}{low}: {high}/0 {source}/{source - low}"
    return ""


def cannot_move(note: Note) -> str:
    return f"{note.dice[0]}{note.dice[1]}: Cannot Move" if len(note.steps) > 1 else ""


def phantom_hit(note: Note) -> str:
    said = foreign.cell(note)
    return f"{said}*" if note.steps and "*" not in said else ""


def missing_hit(note: Note) -> str:
    said = foreign.cell(note)
    return said.replace("*", "") if said.count("*") == 1 else ""


SPOILERS: dict[str, Callable[[Note], str]] = {
    "illegal-dice": illegal_dice,
    "dice-mismatch": dice_mismatch,
    "empty-source": empty_source,
    "blocked": blocked,
    "partial-play": partial_play,
    "bar-ignored": bar_ignored,
    "early-bearoff": early_bearoff,
    "cannot-move-but-could": cannot_move,
    "phantom-hit": phantom_hit,
    "missing-hit": missing_hit,
}
