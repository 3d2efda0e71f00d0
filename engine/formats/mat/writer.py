"""Writing ``.mat`` as GNU Backgammon lays it out, which every program reads (record-formats.md 5).

What that layout cannot say is said the way others say it: a position set by hand as XG does, a play that
was left illegal as Snowie does, rules in tags; and equal opening dice that turned the cube in a comment.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from engine.actions import Beavered, Conceded, Doubled, Dropped, Opened, Played, Rolled, RuledPosition, Took
from engine.formats import snowie
from engine.formats.mat.headings import OURS, RULES
from engine.formats.mat.marks import AUTOMATIC
from engine.formats.notation import Style, play_text
from engine.plays import legal_plays
from engine.side import BLACK, WHITE, Side
from engine.situation import Situation
from engine.step import BAR

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine.dice import Dice
    from engine.game import Game
    from engine.record import Chapter, Moment, Record
    from engine.rules import Rules
    from engine.step import Step

LEFT: Final = 27
INDENT: Final = {WHITE: 6, BLACK: 34}
NAME_WIDTH: Final = 31
KEY: Final = re.compile(r"[A-Za-z][\w ]{0,40}", re.ASCII)
VARIATIONS: Final = {"nackgammon": "Nackgammon", "hypergammon": "HyperGammon (3)"}


def write(record: Record) -> bytes:
    """Return *record* in UTF-8.

    >>> from engine.record import Record
    >>> from engine.rules import Rules
    >>> from engine.side import BySide
    >>> from engine.step import Step
    >>> opened = (Opened(1, 3), Played(BLACK, (Step(8, 5), Step(6, 5))), Doubled(WHITE), Dropped(BLACK))
    >>> for line in write(Record(BySide("Ann", "Ben"), Rules(length=3), opened)).decode().splitlines():
    ...     print(line.rstrip())
     3 point match
    <BLANKLINE>
     Game 1
     Ann : 0                        Ben : 0
      1)                             31: 8/5 6/5
      2)  Doubles => 2                Drops
          Wins 1 point
    <BLANKLINE>
    """
    lines = [*_tags(record), f" {record.rules.length} point match", ""]
    played = [chapter for chapter in record.chapters() if _is_game(chapter)]
    for number, chapter in enumerate(played, 1):
        lines += [f" Game {number}", _score_line(record, chapter), *_game(record, chapter), ""]
    return "".join(f"{line}\n" for line in lines).encode()


def _is_game(chapter: Chapter) -> bool:
    return chapter.result is not None or any(
        isinstance(moment.action, Opened | RuledPosition | Conceded) for moment in chapter.moments
    )


def _tags(record: Record) -> Iterator[str]:
    tags = [(key, value) for key, value in record.tags if key not in RULES | OURS and KEY.fullmatch(key)]
    tags += _rules(record.rules)
    for key, value in tags:
        yield f'; [{key} "{" ".join(value.split())}"]'
    if tags:
        yield ""


def _rules(rules: Rules) -> Iterator[tuple[str, str]]:
    """Say what is not understood by itself."""
    if rules.variant in VARIATIONS:
        yield "Variation", VARIATIONS[rules.variant]
    if rules.length > 1 and not rules.crawford:
        yield "Crawford", "Off"
    if rules.jacoby:
        yield ("Match Jacoby" if rules.is_match else "Jacoby"), "On"
    if rules.beavers:
        yield "Beaver", "On"
    if not rules.cube:
        yield "CubeLimit", "1"
    if not rules.gammons:
        yield "Gammons", "Off"
    elif not rules.backgammons:
        yield "Backgammons", "Off"
    if rules.best_of_games:
        yield "Best of", str(rules.best_of_games)


def _score_line(record: Record, chapter: Chapter) -> str:
    score = chapter.match.score
    white, black = (f"{name_of(record, side)} : {score[side]}" for side in Side)
    return f" {white:<{NAME_WIDTH}}{black}" if len(white) < NAME_WIDTH else f" {white}  {black}"


def name_of(record: Record, side: Side) -> str:
    """Return a name that can stand in a score line: no colon, no gap, and not nothing."""
    name = " ".join(record.players[side].replace(":", " ").split())
    return name or f"Player {side + 1}"


class _Rows:
    """The rows of one game: a left cell waits for its right one."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.left: str | None = None
        self.number = 0

    def put(self, side: Side, cell: str) -> None:
        """Set a cell in the column of *side*."""
        if side is WHITE:
            self.flush()
            self.left = cell
        else:
            self._row(f"{self.left or '':<{LEFT}} {cell}")

    def flush(self) -> None:
        """End a row that has only its left cell."""
        if self.left is not None:
            self._row(self.left)

    def say(self, line: str) -> None:
        """Set a line below all rows so far."""
        self.flush()
        self.lines.append(line)

    def _row(self, cells: str) -> None:
        self.number += 1
        self.left = None
        self.lines.append(f"{self.number:3d}) {cells}")


def _game(record: Record, chapter: Chapter) -> list[str]:
    rows = _Rows()
    lying: Game | None = None
    for moment in chapter.moments:
        action = moment.action
        match action:
            case Opened() | Rolled():
                lying = moment.after.game
                for _ in range(lying.cube.log if isinstance(action, Opened) else 0):
                    rows.say(AUTOMATIC)
            case Played(side=side, steps=steps):
                rows.put(side, play_cell(moment.before.game, side, steps))
                lying = None
            case Doubled(side=side) | Beavered(side=side) | Took(side=side) | Dropped(side=side):
                word = _cube_word(moment)
                if word:
                    rows.put(side, f" {word}")
            case RuledPosition():
                _set(rows, record, moment, lying)
                lying = moment.after.game if action.dice else None
            case _:
                pass
    if lying is not None and lying.turn is not None and lying.dice is not None:
        rows.put(lying.turn, _unplayed(lying, lying.turn, lying.dice))
    _end(rows, chapter)
    return rows.lines


def play_cell(game: Game, side: Side, steps: Iterable[Step]) -> str:
    """Return a roll and its play, the rearmost checker first; a star where a blot is hit."""
    theirs = game.board.points(side.other)
    blots = [point for point in range(1, BAR) if theirs[BAR - point] == 1]
    ordered = sorted(steps, key=lambda step: (-step.source, -step.target))
    # The blank at the end is gnubg's: it follows every hop but the fourth.
    return f"{game.dice}: {play_text(ordered, blots, Style.MAT)}{' ' * (0 < len(ordered) < 4)}"


def _unplayed(game: Game, side: Side, dice: Dice) -> str:
    """Return a roll after which nothing was played; a blank would be read as the one play, where there is but one."""
    plays = legal_plays(game.board, side, dice)
    return f"{dice}: {'????' if len(plays) == 1 and plays.dice_used else ''}"


def _cube_word(moment: Moment) -> str:
    """Say what happened to the cube; that a beaver was accepted goes without saying (Q-40)."""
    before, after = moment.before.game, moment.after.game
    match moment.action:
        case Doubled():
            return f"Doubles => {after.offer}"
        case Beavered():
            return f"{'Beavers' if after.offer == 4 * before.cube.value else 'Raccoons'} => {after.offer}"
        case Took():
            return "Takes" if before.offer == 2 * before.cube.value else ""
        case _:
            return "Drops"


def _set(rows: _Rows, record: Record, moment: Moment, lying: Game | None) -> None:
    """Set a position: after a roll, what an illegal play led to (9.3); else before one (9.4)."""
    game = moment.after.game
    roller = lying.turn if lying is not None else None
    if lying is not None and roller is not None and roller is not game.turn:
        rows.put(roller, f"{lying.dice}: Illegal play ({_marker(record, moment)})")
    else:
        if lying is not None and roller is not None:
            rows.put(roller, f"{lying.dice}: ")
        owner = game.cube.owner
        power = 0 if owner is None else game.cube.log if owner is WHITE else -game.cube.log
        rows.say(f"; Set Pos={game.board.result_text(WHITE)}/{power}")


def _marker(record: Record, moment: Moment) -> str:
    """Return the position line of a marker, whose third and fifth fields are not as in other lines."""
    situation = Situation.of(moment.after, record.players)
    fields = snowie.encode(situation).split(";")
    fields[2], fields[4] = "1", str(int(situation.turn.other))
    return ";".join(fields)


def _end(rows: _Rows, chapter: Chapter) -> None:
    last, result = chapter.moments[-1], chapter.result
    if isinstance(last.action, Conceded):
        winner, points, match = last.action.side.other, last.before.game.cube.value, " and the match"
    elif result is None or result.winner is None:
        rows.flush()
        return
    else:
        winner, points, match = result.winner, result.points, ""
    words = f"Wins {points} point{'s' * (points != 1)}{match}"
    if isinstance(last.action, Dropped) and winner is BLACK:
        rows.put(BLACK, f" {words}")
    else:
        rows.say(" " * INDENT[winner] + words)
