"""The conversion of the nodes of one game of an SGF file to claims."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from engine.actions import RuledPosition
from engine.board import BAR, OFF, Board, Step
from engine.cube import HIGHEST, Cube
from engine.errors import Impossible, Unreadable
from engine.formats import comments, draft
from engine.formats.sgf_tree import Node, Tree
from engine.sheet import (
    Claim,
    CubeClaim,
    CubeWord,
    FactClaim,
    GameSheet,
    Hop,
    Place,
    PositionClaim,
    Remark,
    Turn,
    TurnKind,
    WinClaim,
)
from engine.side import BLACK, WHITE, BySide, Side

SIDES: Final = {"W": WHITE, "B": BLACK}
PLAY: Final = re.compile(r"(\d)(\d)((?:[a-z]{2})*)", re.ASCII)
RESULT: Final = re.compile(r"([WB])\+(\d{1,6})?\s*(R?)", re.ASCII)
RANGE: Final = re.compile(r"([a-y]):([a-y])")
NUMBER: Final = re.compile(r"\d{1,7}", re.ASCII)
EDITS: Final = ("AE", "AW", "AB")
SET_UPS: Final = (*EDITS, "PL", "DI", "CV", "CP", "CO")
ACTS: Final = (*SIDES, *SET_UPS)
# The number of values read of one property: more than there are checkers of a side, or points.
ENOUGH: Final = 40
EVERY_POINT: Final = frozenset("abcdefghijklmnopqrstuvwxy")
WORDS: Final = {"double": CubeWord.DOUBLE, "take": CubeWord.TAKE, "drop": CubeWord.DROP}


def parse_point(letter: str, side: Side) -> int:
    """Return *side*'s number of the point with this letter; ``y`` is the bar and ``z`` is off.

    >>> parse_point("a", Side.WHITE), parse_point("a", Side.BLACK), parse_point("y", Side.BLACK)
    (1, 24, 25)
    """
    if letter in "yz":
        return BAR if letter == "y" else OFF
    place = ord(letter) - ord("a")
    return place + 1 if side is WHITE else 24 - place


def format_point(point: int, side: Side) -> str:
    """Return the letter of *side*'s point: the inverse of `parse_point`."""
    if point in (BAR, OFF):
        return "y" if point == BAR else "z"
    return chr(ord("a") + (point - 1 if side is WHITE else 24 - point))


def read_game(
    tree: Tree, start: Board, *, score: BySide[int], length: int, crawford: bool | None
) -> tuple[GameSheet, list[Remark]]:
    """Return the game of a tree, and remarks about what could not be read."""
    root = tree.nodes[0]
    line = _GameClaims(start)
    before = tuple(each for each in read_comment_facts(root) if isinstance(each, FactClaim))
    if any(name in root for name in EDITS):
        line.prepare(root)
    else:
        line.automatic_doubles(root)
    line.act(root)
    for node in tree.nodes[1:]:
        if any(name in node for name in SET_UPS):
            line.prepare(node)
        line.act(node)
        line.tell(node)
    line.settle()
    line.end(root, score, length)
    if not tree.whole:
        line.remark("unread-line", "The file ends inside this game.", tree.nodes[-1].at)
    return GameSheet(tuple(line.claims), score, crawford, root.at, before=before), line.remarks


def read_comment_facts(node: Node) -> Iterator[FactClaim | comments.CommentRules]:
    """Yield the facts and rules in a node's comment, one for each line; damaged ones are ignored."""
    for text in node.text("C").split("\n") if "C" in node else ():
        with suppress(Unreadable):
            found = comments.read_comment(text)
            if isinstance(found, dict):
                yield found
            elif found is not None:
                yield FactClaim(found, node.at, comments.strip_fact(text))


@dataclass(slots=True)
class _SetUp:
    """A manual set-up whose meaning depends on the next action."""

    at: Place
    turn: Side | None = None
    dice: tuple[int, int] | None = None
    roller: Side | None = None
    cube: Cube | None = None
    board: Board | None = None
    # True if the dice were set before the board: an illegal play, and its result.
    dice_first: bool = False


@dataclass(slots=True)
class _GameClaims:
    board: Board
    followed: int = 0
    claims: list[Claim] = field(default_factory=list["Claim"])
    remarks: list[Remark] = field(default_factory=list[Remark])
    set_up: _SetUp | None = None

    def remark(self, code: str, message: str, at: Place) -> None:
        self.remarks.append(Remark(code, message, at))

    def automatic_doubles(self, root: Node) -> None:
        """Add automatic doubles for the cube value of a root without a set position."""
        value = min(_parse_number(root.text("CV")), HIGHEST)
        for log in range(1, value.bit_length()):
            self.claims.append(draft.build_cube_claim(None, CubeWord.AUTOMATIC, 1 << log, root.at))

    def tell(self, node: Node) -> None:
        for each in read_comment_facts(node):
            if isinstance(each, FactClaim):
                self.settle()
                self.claims.append(each)

    def act(self, node: Node) -> None:
        name = next((name for name in node.values if name in SIDES), None)
        if name is None:
            return
        side, text = SIDES[name], node.text(name).strip()
        play = PLAY.fullmatch(text)
        if text.lower() in WORDS:
            self.settle(side)
            self.claims.append(self._build_cube_claim(side, WORDS[text.lower()], node.at))
        elif play:
            self._add_play(side, play, node.at)
        else:
            self.remark(
                "unread-line", f"{name}[{text[:40]}] says neither a play nor a word of the cube.", node.at
            )

    def _build_cube_claim(self, side: Side, word: CubeWord, at: Place) -> CubeClaim:
        last = next((each for each in reversed(self.claims) if not _is_fact_without_board(each)), None)
        if word is CubeWord.DOUBLE and isinstance(last, CubeClaim) and last.side is side.other:
            word = draft.TURNED_AGAIN.get(last.word, word)
        return draft.build_cube_claim(side, word, at=at)

    def _add_play(self, side: Side, play: re.Match[str], at: Place) -> None:
        dice = int(play[1]), int(play[2])
        letters = play[3]
        pairs = zip(letters[::2], letters[1::2], strict=True)
        hops = [Hop((parse_point(source, side), parse_point(target, side))) for source, target in pairs]
        # If its dice were set up before, a play without checkers is a roll that was not played.
        unplayed = self.settle(side, dice)
        kind = TurnKind.PLAY if hops else TurnKind.NOTHING if unplayed else TurnKind.DANCE
        self.claims.append(draft.build_turn(side, dice, hops, kind, at))

    def prepare(self, node: Node) -> None:
        """Handle the set-up of a node; consecutive ones are merged."""
        set_up = self.set_up = self.set_up or _SetUp(node.at)
        set_up.turn = SIDES.get(node.text("PL").strip().upper()[:1], set_up.turn)
        dice = node.text("DI").strip()
        if len(dice) == 2 and dice.isascii() and dice.isdigit():
            set_up.dice, set_up.roller = (int(dice[0]), int(dice[1])), set_up.turn
        try:
            self._set_cube(set_up, node)
            if any(name in node for name in EDITS):
                set_up.dice_first = set_up.dice is not None
                set_up.board = self._edit_board(set_up.board, node)
        except Impossible as error:
            self.remark("bad-position", f"What is set up here cannot be: {error}", node.at)

    def _set_cube(self, set_up: _SetUp, node: Node) -> None:
        cube = set_up.cube or Cube()
        if "CV" in node:
            set_up.cube = cube = Cube(_parse_number(node.text("CV")), cube.owner)
        if "CP" in node or "CO" in node:
            letter = (node.text("CP") or node.text("CO")).strip().upper()
            set_up.cube = Cube(cube.value, SIDES.get(letter))

    def _edit_board(self, board: Board | None, node: Node) -> Board:
        """Return *board* with the points of AE emptied, then the checkers of AW and AB added."""
        emptied = set(_list_letters(node, "AE"))
        if board is None:
            board = self.board if emptied >= EVERY_POINT else self._follow_claims()
        sides: list[Counter[int]] = []
        for side, name in ((WHITE, "AW"), (BLACK, "AB")):
            points = enumerate(board.points(side)[1:], 1)
            remaining = Counter({p: number for p, number in points if format_point(p, side) not in emptied})
            sides.append(
                remaining + Counter(parse_point(letter, side) for letter in _list_letters(node, name))
            )
        return Board.from_counts(sides[0], sides[1], board.checkers)

    def _follow_claims(self) -> Board:
        for claim in self.claims[self.followed :]:
            if isinstance(claim, PositionClaim):
                self.board = claim.board
            elif isinstance(claim, FactClaim) and isinstance(claim.action, RuledPosition):
                self.board = claim.action.board
            elif isinstance(claim, Turn):
                steps = [Step(hop.points[0], hop.points[1]) for hop in claim.hops]
                self.board = self.board.moved(claim.side, steps)
        self.followed = len(self.claims)
        return self.board

    def settle(self, side: Side | None = None, dice: tuple[int, int] | None = None) -> bool:
        """Add the claims for a pending set-up, when *side* acts or the game is over.

        Returns True if the dice of the set-up are those that are now played.
        """
        set_up, self.set_up = self.set_up, None
        if set_up is None:
            return False
        last = next((claim.side for claim in reversed(self.claims) if isinstance(claim, Turn)), BLACK)
        roller = next((each for each in (set_up.roller, set_up.turn) if each is not None), last.other)
        lying = set_up.dice
        played = lying is not None and dice is not None and sorted(dice) == sorted(lying) and side is roller
        if played:
            lying = None
        illegal = lying is not None and set_up.board is not None and set_up.dice_first and bool(self.claims)
        if illegal:
            self.claims.append(draft.build_turn(roller, lying, kind=TurnKind.UNKNOWN, at=set_up.at))
        if set_up.board is not None or set_up.cube is not None:
            turn = side if side is not None else roller.other if illegal else roller
            self._add_position(set_up, turn, illegal=illegal)
        if lying is not None and not illegal:
            # At the end of a game this is a roll before a resignation.
            left = side is None and set_up.board is None
            kind = TurnKind.UNKNOWN if left else TurnKind.NOTHING
            self.claims.append(draft.build_turn(roller, lying, kind=kind, at=set_up.at))
        return played

    def _add_position(self, set_up: _SetUp, turn: Side, *, illegal: bool) -> None:
        try:
            board = set_up.board or self._follow_claims()
        except Impossible:
            self.remark(
                "bad-position", "The cube is set here after plays that cannot be followed.", set_up.at
            )
            return
        self.claims.append(PositionClaim(board, turn, set_up.cube, declared_illegal=illegal, at=set_up.at))

    def end(self, root: Node, score: BySide[int], length: int) -> None:
        """Add the result, if the root has one. A resignation without points is for the match."""
        result = RESULT.match(root.text("RE").strip().upper())
        if result is None:
            return
        side, resigned = SIDES[result[1]], bool(result[3])
        points = int(result[2]) if result[2] else None
        enough = resigned if points is None else score[side] + points >= length
        text = f"RE[{root.text('RE')[:40]}]"
        winning = WinClaim(
            side, points, match=bool(length) and enough, resigned=resigned, at=root.at, text=text
        )
        self.claims.append(winning)


def _is_fact_without_board(claim: Claim) -> bool:
    """True if *claim* is a fact that does not change the board."""
    return isinstance(claim, FactClaim) and not isinstance(claim.action, RuledPosition)


def _list_letters(node: Node, name: str) -> list[str]:
    """Return the letters of a property's points, which are single ones or ranges."""
    letters: list[str] = []
    for value in node.values.get(name, [])[:ENOUGH]:
        span = RANGE.fullmatch(value.strip())
        first, last = span.groups() if span else (value.strip(), value.strip())
        letters += (chr(code) for code in range(ord(first), ord(last) + 1)) if len(first) == 1 else ()
    return letters


def _parse_number(text: str) -> int:
    return int(text) if NUMBER.fullmatch(text.strip()) else 0
