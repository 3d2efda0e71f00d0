"""A writer of SGF GM[6] in GNU Backgammon's form, one tree for each game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engine import __version__, actions
from engine.board import Board
from engine.formats import comments, sgf
from engine.formats.game_pages import GamePage, list_game_pages
from engine.formats.sgf_game import format_point
from engine.formats.sgf_tree import escape_value
from engine.plays import legal_plays
from engine.record import PLAYED_OUT, Moment, Record
from engine.rules import Rules
from engine.side import BLACK, WHITE, Side

LETTERS: Final[dict[Side | None, str]] = {WHITE: "W", BLACK: "B", None: "c"}
WORDS: Final = {
    actions.Doubled: "double",
    actions.Beavered: "double",
    actions.Took: "take",
    actions.Dropped: "drop",
}
VARIATIONS: Final = {"nackgammon": "Nackgammon", "hypergammon": "Hypergammon3"}
TAGS: Final = {name: key for key, name in sgf.TAGS.items()}
PROPERTY: Final = re.compile("[A-Z]{2}")
DATE: Final = re.compile(r"(\d{4})\.(\d\d)\.(\d\d)", re.ASCII)


def write(record: Record) -> bytes:
    """Return *record* in UTF-8.

    >>> from engine.record import Record
    >>> from engine.dice import Dice
    >>> from engine.rules import Rules
    >>> from engine.side import BySide
    >>> from engine.board import Step
    >>> played = (actions.Opened(5, 1), actions.Played(Side.WHITE, (Step(24, 23), Step(13, 8))))
    >>> played += (actions.Rolled(Side.BLACK, Dice(2, 1)),)
    >>> print(write(Record(BySide("Ann", "Ben"), Rules(length=3), played)).decode().partition("MI")[2])
    [length:3][game:0][ws:0][bs:0]PW[Ann]PB[Ben]RU[Crawford]
    ;W[51xwmh]
    ;PL[B]DI[21])
    <BLANKLINE>
    """
    trees = (
        [_format_root(record, number, page), *_NodeWriter(record, page).all()]
        for number, page in enumerate(list_game_pages(record))
    )
    return "".join("(;" + "\n;".join(nodes) + ")\n" for nodes in trees).encode()


def _format_root(record: Record, number: int, page: GamePage) -> str:
    rules, start = record.rules, page.start
    comments_written = [comments.format_rules(rules, comments.list_known_rules(rules))] if not number else []
    comments_written += (
        comments.format_fact(moment.action, record.players)
        for moment in page.before
        if comments.is_needed(moment.action)
    )
    automatic = page.automatic_doubles
    parts = [
        f"FF[4]GM[6]CA[UTF-8]AP[Barpoint:{__version__}]",
        f"MI[length:{rules.length}][game:{number}][ws:{start.score.white}][bs:{start.score.black}]",
        f"PW[{escape_value(record.players.white)}]PB[{escape_value(record.players.black)}]",
        _format_tags(record) if not number else "",
        _format_rules(rules, crawford_game=start.game.crawford),
        f"CV[{1 << automatic}]" if automatic else "",
        _format_result(page),
        _format_comment(*filter(None, comments_written)),
    ]
    return "".join(parts)


def _format_comment(*texts: str) -> str:
    return f"C[{escape_value(chr(10).join(texts))}]" if texts else ""


def _find_properties(record: Record) -> dict[str, str]:
    """Return the property of each tag; Player 1 is Black if the tags name the players that way (Q-06)."""
    tags = dict(record.tags)
    first, second = (tags.get(f"Player {number}", "").casefold() for number in (1, 2))
    white, black = (name.casefold() for name in record.players)
    if not (first or second) or first == white or second == black:
        return TAGS
    if first == black or second == white:
        return TAGS | {"Player 1 Elo": "BR", "Player 2 Elo": "WR"}
    return {name: key for name, key in TAGS.items() if key not in ("WR", "BR")}


def _format_tags(record: Record) -> str:
    properties = _find_properties(record)
    tags = ((properties.get(name, name), DATE.sub(r"\1-\2-\3", text)) for name, text in record.tags)
    return "".join(f"{name}[{escape_value(text)}]" for name, text in tags if PROPERTY.fullmatch(name))


def _format_rules(rules: Rules, *, crawford_game: bool) -> str:
    flags = {
        "NoCube": not rules.cube,
        "Crawford": rules.crawford and rules.length > 1,
        "CrawfordGame": crawford_game,
        "Jacoby": rules.jacoby and not rules.is_match,
        # Our own words, which other programs ignore.
        "MatchJacoby": rules.jacoby and rules.is_match,
        "NoGammons": not rules.gammons,
        "NoBackgammons": rules.gammons and not rules.backgammons,
        f"BestOf{rules.best_of_games}": rules.best_of_games > 0,
        VARIATIONS.get(rules.variant, ""): rules.variant in VARIATIONS,
    }
    words = ":".join(word for word, holds in flags.items() if holds)
    return f"RU[{words}]" if words else ""


def _format_result(page: GamePage) -> str:
    win, result = page.win, page.result
    if win is None:
        return ""
    given = "" if result is not None and result.how in PLAYED_OUT else "R"
    return f"RE[{LETTERS[win.winner]}+{win.points}{given}]"


class _NodeWriter:
    """The nodes after the root; a roll waits for its play."""

    def __init__(self, record: Record, page: GamePage) -> None:
        self.record = record
        self.page = page
        self.nodes: list[str] = []
        # The roll that has not been played yet, and whether a node contains it.
        self.lying: Moment | None = None
        self.is_told = False

    def all(self) -> list[str]:
        for moment in self.page.game:
            self._write_moment(moment)
        self._write_unplayed_roll()
        for moment in self.page.after:
            if comments.is_needed(moment.action):
                self._write_facts(moment.action)
        return self.nodes

    def _write_moment(self, moment: Moment) -> None:
        action = moment.action
        match action:
            case actions.Opened() | actions.Rolled():
                self._hold_roll(moment)
            case actions.Played(side=side, steps=steps):
                letters = "".join(format_point(point, side) for step in steps for point in step)
                self.nodes.append(f"{LETTERS[side]}[{moment.before.game.dice}{letters}]")
                self.lying = None
            case (
                actions.Doubled(side=side)
                | actions.Beavered(side=side)
                | actions.Took(side=side)
                | actions.Dropped(side=side)
            ):
                self.nodes.append(f"{LETTERS[side]}[{WORDS[type(action)]}]")
            case actions.RuledPosition():
                self._write_position(moment, action)
            case actions.ResignAccepted(side=side) if self._is_comment_needed(moment):
                self._write_facts(actions.ResignOffered(side.other, moment.before.game.level), action)
            case _ if comments.is_needed(action):
                self._write_facts(action)
            case _:
                pass

    def _is_comment_needed(self, moment: Moment) -> bool:
        """True if the result in the root is not enough for a resignation, which has no node."""
        # After a double the result might be read as a drop; and it is read after all facts, even later ones.
        return moment.before.game.asked is not None or any(
            comments.is_needed(each.action) for each in self.page.after
        )

    def _hold_roll(self, moment: Moment, *, is_told: bool = False) -> None:
        self.lying, self.is_told = moment, is_told

    def _write_facts(self, *facts: actions.Action) -> None:
        """Write facts in comments, preceded by the pending roll, which is in no node yet."""
        self._write_pending_roll()
        self.nodes += (_format_comment(comments.format_fact(action, self.record.players)) for action in facts)

    def _write_pending_roll(self) -> None:
        if self.lying is not None and not self.is_told:
            self.is_told = True
            game = self.lying.after.game
            self.nodes.append(f"PL[{LETTERS[game.turn]}]DI[{game.dice}]")

    def _write_position(self, moment: Moment, action: actions.RuledPosition) -> None:
        if self.lying is not None and not self.is_told and comments.is_needed(action):
            self.is_told = True
            self._write_facts(self.lying.action)
        self._write_pending_roll()
        self.nodes += _format_set_up(action)
        self.lying = None
        if comments.is_needed(action):
            self._write_facts(action)
        if action.dice is not None:
            self._hold_roll(moment, is_told=True)

    def _write_unplayed_roll(self) -> None:
        if self.lying is None or self.is_told:
            return
        game = self.lying.after.game
        can_play = (
            game.turn is None or game.dice is None or legal_plays(game.board, game.turn, game.dice).dice_used
        )
        if can_play:
            self._write_pending_roll()
        else:
            # If no play was possible, the roll alone would be read as a whole turn.
            self.is_told = True
            self._write_facts(self.lying.action)


def _format_set_up(action: actions.RuledPosition) -> Iterator[str]:
    yield f"CP[{LETTERS[action.cube.owner].lower()}]"
    yield f"CV[{action.cube.value}]"
    checkers = (
        f"A{LETTERS[side]}{_format_checkers(action.board, side)}"
        for side in Side
        if any(action.board.points(side)[1:])
    )
    yield f"PL[{LETTERS[action.turn]}]AE[a:y]{''.join(checkers)}"


def _format_checkers(board: Board, side: Side) -> str:
    return "".join(
        f"[{format_point(point, side)}]" * number for point, number in enumerate(board.points(side)) if point
    )
