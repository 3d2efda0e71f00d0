"""A writer of ``.mat`` in GNU Backgammon's layout, which every program reads.

What that layout cannot express is written as other programs do: a set position as in XG, an illegal play as
in Snowie, rules in tags; the rest is in comments (`engine.formats.comments`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from engine import actions
from engine.board import BAR, Step
from engine.formats import comments, snowie
from engine.formats.game_pages import GamePage, list_game_pages
from engine.formats.mat.headings import OURS, RULES
from engine.formats.mat.position_marks import AUTOMATIC
from engine.formats.notation import format_play
from engine.game import Game
from engine.plays import legal_plays
from engine.record import Moment, Record
from engine.rules import Rules
from engine.side import BLACK, WHITE, BySide, Side
from engine.situation import Situation

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
    >>> from engine.board import Step
    >>> opened = (actions.Opened(1, 3), actions.Played(BLACK, (Step(8, 5), Step(6, 5))))
    >>> opened += (actions.Doubled(WHITE), actions.Dropped(BLACK))
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
    lines = [*_list_head_lines(record), f" {record.rules.length} point match", ""]
    for number, page in enumerate(list_game_pages(record), 1):
        lines += _list_comments(record, page.before)
        lines += [f" Game {number}", _format_score_line(record, page), *_GameWriter(record, page).lines(), ""]
        lines += _list_comments(record, page.after)
    return "".join(f"{line}\n" for line in lines).encode()


def _list_comments(record: Record, moments: Iterable[Moment]) -> Iterator[str]:
    """Yield comments for the facts between games; the first game's score is in its heading."""
    for moment in moments:
        if comments.is_needed(moment.action):
            yield f"; {comments.format_fact(moment.action, record.players)}"


def _list_head_lines(record: Record) -> Iterator[str]:
    """Yield the tags, and a comment with the rules that no tag can express."""
    tags = [(key, value) for key, value in record.tags if key not in RULES | OURS and KEY.fullmatch(key)]
    tags += _list_rule_tags(record.rules)
    for key, value in tags:
        yield f'; [{key} "{" ".join(value.split())}"]'
    # In a match there are no beavers.
    rules_text = comments.format_rules(record.rules, comments.list_known_rules(record.rules) | {"beavers"})
    if rules_text:
        yield f"; {rules_text}"
    if tags or rules_text:
        yield ""


def _list_rule_tags(rules: Rules) -> Iterator[tuple[str, str]]:
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


def _format_score_line(record: Record, page: GamePage) -> str:
    score = page.start.score
    white, black = (f"{clean_name(record, side)} : {score[side]}" for side in Side)
    return f" {white:<{NAME_WIDTH}}{black}" if len(white) < NAME_WIDTH else f" {white}  {black}"


def clean_name(record: Record, side: Side) -> str:
    """Return a name that is valid in a score line: no colon, no gap, not empty."""
    name = " ".join(record.players[side].replace(":", " ").split())
    return name or f"Player {side + 1}"


class _RowWriter:
    """The rows of one game: a left cell waits for its right one."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.left: str | None = None
        self.number = 0

    def put(self, side: Side, cell: str) -> None:
        if side is WHITE:
            self.flush()
            self.left = cell
        else:
            self._add_row(f"{self.left or '':<{LEFT}} {cell}")

    def flush(self) -> None:
        """Finish a row that has only its left cell."""
        if self.left is not None:
            self._add_row(self.left)

    def say(self, line: str) -> None:
        """Add a line below all rows so far."""
        self.flush()
        self.lines.append(line)

    def _add_row(self, cells: str) -> None:
        self.number += 1
        self.left = None
        self.lines.append(f"{self.number:3d}) {cells}")


class _GameWriter:
    """A writer of one game, row by row; a roll waits for its play."""

    def __init__(self, record: Record, page: GamePage) -> None:
        self.record = record
        self.page = page
        self.rows = _RowWriter()
        # The roll that has not been played yet, and whether a comment contains it.
        self.lying: Moment | None = None
        self.is_told = False
        # An accepted beaver is not written if the doubler plays on.
        self.taken: actions.Took | None = None

    def lines(self) -> list[str]:
        for _ in range(self.page.automatic_doubles):
            self.rows.say(AUTOMATIC)
        for moment in self.page.game:
            self._write_moment(moment)
        self._write_unplayed_roll()
        self._write_result()
        return self.rows.lines

    def _write_moment(self, moment: Moment) -> None:
        action = moment.action
        match action:
            case actions.Opened() | actions.Rolled():
                self._hold_roll(moment)
            case actions.Played(side=side, steps=steps):
                self.rows.put(side, format_play_cell(moment.before.game, side, steps))
                self.lying = self.taken = None
            case (
                actions.Doubled(side=side)
                | actions.Beavered(side=side)
                | actions.Took(side=side)
                | actions.Dropped(side=side)
            ):
                word = _format_cube_word(moment)
                if word:
                    self.rows.put(side, f" {word}")
                elif isinstance(action, actions.Took):
                    self.taken = action
            case actions.RuledPosition():
                self._write_position(moment)
            case actions.ResignAccepted(side=side) if moment.before.game.asked is not None:
                # After a double, a resignation might be read as a drop.
                self._write_facts(actions.ResignOffered(side.other, moment.before.game.level), action)
            case actions.ResignAccepted():
                self._write_take()
            case _ if comments.is_needed(action):
                self._write_facts(action)
            case _:
                pass

    def _hold_roll(self, moment: Moment, *, is_told: bool = False) -> None:
        self.lying, self.is_told = moment, is_told

    def _write_facts(self, *facts: actions.Action) -> None:
        """Write facts in comments, preceded by the pending roll, which is in no row yet."""
        self._write_take()
        if self.lying is not None and not self.is_told:
            self.is_told = True
            self._write_facts(self.lying.action)
        for action in facts:
            self._write_comment(action)

    def _write_take(self) -> None:
        action, self.taken = self.taken, None
        if action is not None:
            self._write_comment(action)

    def _write_comment(self, action: actions.Action) -> None:
        self.rows.say(f"; {comments.format_fact(action, self.record.players)}")

    def _write_position(self, moment: Moment) -> None:
        """Set a position: after a roll, as the result of an illegal play (Q-28); else as in XG (Q-26)."""
        self._write_take()
        game, action = moment.after.game, moment.action
        lying = self.lying.after.game if self.lying is not None and not self.is_told else None
        roller = lying.turn if lying is not None else None
        if lying is not None and roller is not None and roller is not game.turn:
            self.rows.put(roller, f"{lying.dice}: Illegal play ({self._format_marker(moment)})")
        else:
            if lying is not None and roller is not None:
                self._write_abandoned_roll(lying, roller, is_told=comments.is_needed(action))
            owner = game.cube.owner
            power = 0 if owner is None else game.cube.log if owner is WHITE else -game.cube.log
            self.rows.say(f"; Set Pos={game.board.result_text(WHITE)}/{power}")
        self.lying = None
        if comments.is_needed(action):
            self._write_facts(action)
        if game.dice is not None:
            self._hold_roll(moment, is_told=True)

    def _write_abandoned_roll(self, lying: Game, roller: Side, *, is_told: bool) -> None:
        """Write a roll that was never played, in a row or in a comment."""
        if is_told:
            self._write_facts()
        else:
            self.rows.put(roller, f"{lying.dice}: ")

    def _format_marker(self, moment: Moment) -> str:
        """Return the position line of an illegal play, which has its own score, third and fifth field."""
        names = BySide(*(clean_name(self.record, side) for side in Side))
        situation = replace(Situation.from_match(moment.after, names), score=self.page.start.score)
        fields = snowie.encode(situation).split(";")
        fields[2], fields[4] = "1", str(int(situation.turn.other))
        return ";".join(fields)

    def _write_unplayed_roll(self) -> None:
        """Write a roll without a play, in a row if other programs read it there as we do."""
        if self.lying is None or self.is_told:
            return
        game = self.lying.after.game
        if game.turn is None or game.dice is None:
            return
        plays = legal_plays(game.board, game.turn, game.dice)
        if plays.dice_used:
            # A blank would be read as the only play, if there is only one.
            self.rows.put(game.turn, f"{game.dice}: {'????' if len(plays) == 1 else ''}")
        else:
            self._write_facts()

    def _write_result(self) -> None:
        win = self.page.win
        if win is None:
            self.rows.flush()
            return
        match = " and the match" if win.ends_match else ""
        words = f"Wins {comments.format_points(win.points)}{match}"
        if isinstance(self.page.game[-1].action, actions.Dropped) and win.winner is BLACK:
            self.rows.put(BLACK, f" {words}")
        else:
            self.rows.say(" " * INDENT[win.winner] + words)


def format_play_cell(game: Game, side: Side, steps: Iterable[Step]) -> str:
    """Return a roll and its play, the rearmost checker first; a star marks a hit."""
    theirs = game.board.points(side.other)
    blots = [point for point in range(1, BAR) if theirs[BAR - point] == 1]
    ordered = sorted(steps, key=lambda step: (-step.source, -step.target))
    # gnubg writes a trailing blank: it follows every hop but the fourth.
    return f"{game.dice}: {format_play(ordered, blots)}{' ' * (0 < len(ordered) < 4)}"


def _format_cube_word(moment: Moment) -> str:
    """Return the word for a cube action; "" for an accepted beaver, which is not written (Q-40)."""
    before, after = moment.before.game, moment.after.game
    match moment.action:
        case actions.Doubled():
            return f"Doubles => {after.offer}"
        case actions.Beavered():
            return f"{'Beavers' if after.offer == 4 * before.cube.value else 'Raccoons'} => {after.offer}"
        case actions.Took():
            return "Takes" if before.offer == 2 * before.cube.value else ""
        case _:
            return "Drops"
