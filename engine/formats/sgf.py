"""A reader of SGF GM[6], the native format of GNU Backgammon: a tree for each game, a node for each action.

Points are letters in one numbering for both sides: ``a`` is White's ace point and Black's 24 point.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

from engine.board import HYPERGAMMON, NACKGAMMON, STANDARD, Board
from engine.errors import Unreadable
from engine.formats.decoding import decode
from engine.formats.draft import LONGEST_NAME, LONGEST_TAG
from engine.formats.limits import LIMITS, Limits
from engine.formats.sgf_game import ACTS, read_comment_facts, read_game
from engine.formats.sgf_tree import Node, Tree, read_trees
from engine.sheet import GameSheet, Remark, Sheet
from engine.side import BySide

START: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*\(\s*;")
HEAD: Final = 2_000
BACKGAMMON: Final = "6"
NUMBER: Final = re.compile(r"-?\d{1,6}", re.ASCII)
DATE: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)

# Properties of a match, with their names in .mat files.
TAGS: Final = {
    "EV": "Event",
    "RO": "Round",
    "PC": "Site",
    "DT": "EventDate",
    "AN": "Transcriber",
    "WR": "Player 1 Elo",
    "BR": "Player 2 Elo",
    "GC": "Comment",
}
# Root properties about the game itself or its analysis.
OWN: Final = frozenset(
    {"FF", "GM", "CA", "AP", "ST", "VW", "MI", "PW", "PB", "RU", "RE", "GS", "A", "DA", "LU"}
)
STARTS: Final = {"Nackgammon": NACKGAMMON, "Hypergammon3": HYPERGAMMON}


def sniff(data: bytes) -> bool:
    """True if this is SGF, of any game."""
    head = data[:HEAD]
    return START.match(head) is not None and (b"GM[" in head or b"FF[" in head)


def parse(data: bytes, limits: Limits = LIMITS) -> tuple[Sheet, ...]:
    """Return the matches of an SGF file; consecutive games with the same names and length are one match."""
    matches: list[_Match] = []
    claims = 0
    for number, tree in enumerate(read_trees(decode(data, limits), limits), 1):
        limits.check("games", number)
        root = _Root(tree.nodes[0])
        if not matches or not matches[-1].takes(root):
            matches.append(_Match(root))
            limits.check("matches", len(matches))
        claims += matches[-1].add(root, tree)
        limits.check("claims", claims)
    if not matches:
        raise Unreadable("no-game", "There is no game in this file.")
    return tuple(match.sheet() for match in matches)


class _Root:
    """The first node of a game: properties of the game and of its match."""

    def __init__(self, node: Node) -> None:
        if node.text("GM").strip() != BACKGAMMON:
            raise Unreadable(
                "other-game", "This SGF file holds another game than backgammon.", line=node.at.line
            )
        parts = (value.partition(":") for value in node.values.get("MI", ()))
        info = {key.strip(): text for key, _, text in parts}
        self.node = node
        self.names = BySide(_shorten_name(node.text("PW")), _shorten_name(node.text("PB")))
        self.length = _parse_number(info.get("length")) or 0
        self.index = _parse_number(info.get("game"))
        self.score = BySide(_parse_number(info.get("ws")) or 0, _parse_number(info.get("bs")) or 0)
        self.rules = tuple(rule.strip() for rule in node.text("RU").split(":"))

    @property
    def says_crawford(self) -> bool:
        """True if this file would mention the Crawford rule if it were in use."""
        return "RU" in self.node or self.node.text("AP").startswith(("GNU Backgammon", "Barpoint"))

    def tags(self) -> tuple[tuple[str, str], ...]:
        texts = (
            (name, self.node.text(name))
            for name in self.node.values
            if len(name) <= 2 and name not in OWN and name not in ACTS
        )
        return tuple(
            (TAGS.get(name, name), DATE.sub(r"\1.\2.\3", text)[:LONGEST_TAG]) for name, text in texts
        )

    @property
    def variant(self) -> str | None:
        return next((rule for rule in self.rules if "gammon" in rule and not rule.startswith("No")), None)


@dataclass(slots=True)
class _Match:
    first: _Root
    games: list[GameSheet] = field(default_factory=list["GameSheet"])
    remarks: list[Remark] = field(default_factory=list[Remark])
    last: int = -1
    # The rules in a comment.
    told: dict[str, Any] = field(default_factory=dict[str, Any])

    def takes(self, root: _Root) -> bool:
        """True if a game with this root continues the match."""
        if root.length != self.first.length or (any(root.names) and root.names != self.first.names):
            return False
        if root.index == self.last:
            # Another match that was decided in its first game.
            return not root.length or any(root.score)
        return root.index is None or root.index > self.last

    def add(self, root: _Root, tree: Tree) -> int:
        """Read one more game; return the number of its claims."""
        index = len(self.games) if root.index is None else root.index
        crawford = "CrawfordGame" in root.rules if root.says_crawford and root.length else None
        if not self.told:
            for each in read_comment_facts(root.node):
                if isinstance(each, dict):
                    self.told = each
                    break
        named = self.told.get("start")
        start = Board.parse(named) if named else STARTS.get(root.variant or "", STANDARD)
        game, remarks = read_game(
            tree,
            start,
            score=root.score,
            length=root.length,
            crawford=crawford,
        )
        self.remarks += (Remark(each.code, each.message, each.at, game=len(self.games)) for each in remarks)
        self.games.append(game)
        self.last = index
        return len(game.claims)

    def sheet(self) -> Sheet:
        root = self.first
        money = not root.length
        return Sheet(
            format="sgf",
            names=root.names,
            length=root.length,
            games=tuple(self.games),
            dialect=root.node.text("AP").partition(":")[0],
            tags=root.tags(),
            crawford="Crawford" in root.rules if root.says_crawford and root.length > 1 else None,
            jacoby="Jacoby" in root.rules if money else None,
            cube=False if "NoCube" in root.rules else None,
            gammons=False if "NoGammons" in root.rules else None,
            backgammons=False if "NoBackgammons" in root.rules else None,
            match_jacoby="MatchJacoby" in root.rules or None,
            variant=root.variant,
            told=self.told,
            remarks=tuple(self.remarks),
        )


def _parse_number(text: str | None) -> int | None:
    return int(text) if text is not None and NUMBER.fullmatch(text.strip()) else None


def _shorten_name(text: str) -> str:
    return " ".join(text.split())[:LONGEST_NAME]
