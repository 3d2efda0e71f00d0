"""Writers of formats that Barpoint only reads, after `docs/formats.md` and files of the original programs.

Each takes the notes of a game (`bouts.GameNotes`), not the output of the product's writers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.side import BLACK, WHITE, BySide, Side
from tests.engine import xg_files
from tests.samples.bouts import GameNotes, Note, Scorer

LEVELS = {"single": 1, "gammon": 2, "backgammon": 3}


def step(source: int, target: int, dash: str = "/", *, turned: bool = False) -> str:
    """Return one step, in the mover's numbering or, turned round, in the opponent's."""
    source_, target_ = (25 - source, 25 - target) if turned else (source, target)
    return f"{'bar' if source == 25 else source_}{dash}{'off' if target == 0 else target_}"


def steps(note: Note, dash: str = "/", between: str = " ", *, turned: bool = False) -> str:
    return between.join(step(*each, dash, turned=turned) for each in note.steps)


def points(number: int) -> str:
    return f"{number} point{'' if number == 1 else 's'}"


def oldmoves(names: BySide[str], scorer: Scorer) -> bytes:
    """FIBS: O's points are counted from X's side."""
    lines: list[str] = []
    for game in scorer.games:
        length = scorer.rules.length
        lines += [
            f"Score is {game.start[0]}-{game.start[1]} in a {length} point match.",
            f"{names.white} is X - {names.black} is O",
        ]
        for note in game.notes:
            said = {"double": "doubles", "take": "accepts", "drop": "rejects"}.get(note.word)
            if said is None:
                played = steps(note, "-", turned=note.side is BLACK) or "can't move"
                said = f"({note.dice[0]} {note.dice[1]}) {played}"
            lines.append(f"{'XO'[note.side]}: {said}")
        lines.append(f"{'XO'[game.winner]}: wins {points(game.points)}.")
    return text(lines)


def sgg(names: BySide[str], scorer: Scorer) -> bytes:
    """GamesGrid: a turn has one line for the roll, and one that repeats the roll with the play."""
    length = scorer.rules.length
    lines = [f"{names.white} vs. {names.black}", "Crawford: Yes", "Doubling Cube: Yes", "Variant: Backgammon"]
    for number, game in enumerate(scorer.games, 1):
        stars = ["*" * (game.crawford and score == length - 1) for score in game.start]
        lines.append(f"Game {number}.{game.start[0]}{stars[0]}-{game.start[1]}{stars[1]}/{length}")
        for row, note in enumerate(game.notes, 1):
            head = f"{row}\t" + "\t" * (note.side is BLACK)
            if note.word == "roll":
                dice = f"{note.dice[0]}{note.dice[1]}:"
                lines += [f"{head}{dice} ", f"{head}{dice} {steps(note, between=', ') or 'O-O'}"]
            else:
                said = {"double": f"double to {2 * note.cube}", "take": "accept", "drop": "pass"}
                lines.append(head + said[note.word])
        lines.append(f"{names[Side(game.winner)]} wins {points(game.points)}")
    return text(lines)


def tmg(names: BySide[str], scorer: Scorer) -> bytes:
    """TrueMoneyGames: an event a line, with a number for its kind; player 2's lines are negative."""
    lines = [
        "MatchID: 1",
        f"Player1: 1 {names.white} 1500.00",
        f"Player2: 2 {names.black} 1500.00",
        *("Jacoby: 0", "Crawford: 1", "Cube: 1"),
        f"Length: {scorer.rules.length}",
        *("Variant: 1", ""),
    ]
    for number, game in enumerate(scorer.games, 1):
        lines.append(f"Game {number}: {game.start[0]}-{game.start[1]}")
        row = 0
        for note in game.notes:
            row += 1
            head = f" {'-' * (note.side is BLACK)}{row} "
            if note.word == "roll":
                lines += [
                    f"{head}1 {note.dice[0]}{note.dice[1]}: ",
                    f"{head}4 {steps(note) or '0/0'}",
                ]
            else:
                said = {"double": f"5 Double to {2 * note.cube}", "take": "7 Take", "drop": "10 Pass"}
                lines.append(head + said[note.word])
        end = f" {'-' * game.winner}{row + 1} {13 + LEVELS[game.kind]} "
        lines.append(f"{end}wins {points(game.points)}")
    return text(lines)


def gam(names: BySide[str], scorer: Scorer) -> bytes:
    """GammonEmpire: rows as in a score sheet, with no length and no score."""
    lines: list[str] = []
    for game in scorer.games:
        lines.append(f" {names.white:<31}{names.black}")
        lines += rows([(note.side, cell(note)) for note in game.notes])
        lines += ["      ".ljust(6 + 28 * game.winner) + f"Wins {points(game.points)}", ""]
    return text(lines)


def cell(note: Note) -> str:
    """One cell of a score sheet, with marked hits."""
    if note.word in ("double", "take", "drop"):
        return {"double": f" Doubles => {2 * note.cube}", "take": " Takes", "drop": " Drops"}[note.word]
    theirs = list(note.state[1])
    words: list[str] = []
    for source, target in note.steps:
        hits = bool(target) and theirs[25 - target] == 1
        if hits:
            theirs[25 - target] = 0
        words.append(f"{source}/{target}{'*' * hits}")
    return f"{note.dice[0]}{note.dice[1]}: {' '.join(words) or 'Cannot Move'}"


def rows(cells: Sequence[tuple[Side, str]]) -> Iterator[str]:
    """Yield the rows of a game: the left column is white's, each begins with its number."""
    number, left = 1, None
    for side, said in cells:
        if side is WHITE:
            if left is not None:
                yield f"{number:3d}) {left}"
                number += 1
            left = said
        else:
            yield f"{number:3d}) {left or '':<29}{said}"
            number, left = number + 1, None
    if left is not None:
        yield f"{number:3d}) {left}"


def bgammon(names: BySide[str], scorer: Scorer) -> bytes:
    """bgammon.org: both players' plays in player 1's numbering, a double with its answer, points without the cube."""
    lines = ["bgammon-replay 1"]
    for game in scorer.games:
        a, b = game.start
        lines.append(
            f"i 1700000000 {names.white} {names.black} {scorer.rules.length} {a} {b} {game.winner + 1} {LEVELS[game.kind]} 0"
        )
        for note in game.notes:
            if note.word == "roll":
                played = steps(note, turned=note.side is BLACK)
                lines.append(f"{note.side + 1} r {note.dice[0]}-{note.dice[1]} {played}".rstrip())
            elif note.word != "double":
                taken = int(note.word == "take")
                lines.append(f"{note.side.other + 1} d {2 * note.cube} {taken}")
    return text(lines)


def xg(names: BySide[str], scorer: Scorer) -> bytes:
    """Write eXtreme Gammon's binary records, of fixed size and packed together."""
    made = [xg_files.match_header(names.white, names.black, scorer.rules.length)]
    for number, game in enumerate(scorer.games, 1):
        made.append(xg_files.game_header(game.start, number, int(game.crawford)))
        for at, note in enumerate(game.notes):
            player = 1 if note.side is WHITE else -1
            before = seen_by_white(note)
            if note.word == "double":
                taken = int(game.notes[at + 1].word == "take")
                made.append(xg_files.cube(player, 1, taken, cube=exponent(game, at), before=before))
            elif note.word == "roll":
                moves = [(source - 1, target - 1) for source, target in note.steps]
                made.append(xg_files.move(note.dice, moves, player, before, cube=exponent(game, at)))
        ending = {"drop": 0, "bearoff": LEVELS[game.kind], "resign": 100 + LEVELS[game.kind]}[game.how]
        after = [game.start[0], game.start[1]]
        after[game.winner] += game.points
        winner = 1 if game.winner == WHITE else -1
        made.append(xg_files.game_footer(tuple(after), winner, game.points, ending))
    return xg_files.xg(*made, xg_files.match_footer())


def seen_by_white(note: Note) -> tuple[int, ...]:
    mine, theirs = note.state if note.side is WHITE else note.state[::-1]
    middle = (mine[point] - theirs[25 - point] for point in range(1, 25))
    return (-theirs[25], *middle, mine[25])


def exponent(game: GameNotes, at: int) -> int:
    """The number of doubles so far, negative if player 2 owns the cube."""
    taken = [note.side for note in game.notes[:at] if note.word == "take"]
    return len(taken) * (1 if taken and taken[-1] is WHITE else -1) if taken else 0


def text(lines: Sequence[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()


WRITERS: dict[str, Callable[[BySide[str], Scorer], bytes]] = {
    "fibs": oldmoves,
    "sgg": sgg,
    "tmg": tmg,
    "match": bgammon,
    "xg": xg,
}
