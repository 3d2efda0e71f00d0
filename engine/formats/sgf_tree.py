"""The grammar of SGF: trees of nodes of properties, of which only the main line is kept.

The reader is not recursive: the main line of a tree ends at its first closing parenthesis, and everything
between that and the last one is variations at any depth.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from engine.formats.limits import Limits
from engine.sheet import Place

TOKEN: Final = re.compile(
    r"(?P<open>\()|(?P<close>\))|(?P<node>;)|(?P<name>[A-Za-z]++)|\[(?P<value>(?:[^\]\\]++|\\.)*+)\]|(?P<torn>\[)",
    re.DOTALL,
)
ESCAPED: Final = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Node:
    at: Place
    values: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def text(self, name: str) -> str:
        """Return the first value of a property, unescaped; "" if it is missing."""
        values = self.values.get(name)
        return unescape_value(values[0]) if values else ""


@dataclass(frozen=True, slots=True)
class Tree:
    """The main line of one game; ``whole`` unless the text ends inside it."""

    nodes: tuple[Node, ...]
    whole: bool = True


def unescape_value(value: str) -> str:
    r"""Unescape a property value.

    >>> unescape_value(r"a \] and a \\")
    'a ] and a \\'
    """
    if "\\" not in value:
        return value
    return ESCAPED.sub(lambda match: "" if match[1] in NEWLINES else match[1], value)


NEWLINES: Final = frozenset({"\n", "\r", "\r\n", "\n\r"})


def escape_value(text: str) -> str:
    r"""Escape *text* as a property value.

    >>> escape_value("a ] and a \\")
    'a \\] and a \\\\'
    """
    return text.replace("\\", "\\\\").replace("]", "\\]")


def read_trees(text: str, limits: Limits) -> Iterator[Tree]:
    """Yield the main line of every tree in *text*; text outside of trees is ignored."""
    scan = _TreeReader(limits, [match.start() for match in re.finditer("\n", text)])
    for token in TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "torn":  # a value without an end
            break
        if kind == "open":
            scan.depth += 1
        elif kind == "close":
            if scan.closes() and (tree := scan.tree()).nodes:
                yield tree
        elif scan.depth and not scan.ended:
            scan.take(kind or "", token)
    if scan.nodes:
        yield scan.tree(whole=False)


@dataclass(slots=True)
class _TreeReader:
    limits: Limits
    newlines: list[int]
    depth: int = 0
    ended: bool = False
    nodes: list[Node] = field(default_factory=list[Node])
    name: str = ""

    def closes(self) -> bool:
        """Handle a closing parenthesis; return True if it completes the tree."""
        if not self.depth:
            return False
        self.depth -= 1
        self.ended = True
        return not self.depth

    def tree(self, *, whole: bool = True) -> Tree:
        tree = Tree(tuple(self.nodes), whole)
        self.nodes, self.ended, self.name = [], False, ""
        return tree

    def take(self, kind: str, token: re.Match[str]) -> None:
        """Handle a node, a name or a value of the main line."""
        if kind == "node":
            self.nodes.append(Node(self._find_place(token.start())))
            self.limits.check("plies", len(self.nodes), line=self.nodes[-1].at.line)
            self.name = ""
        elif kind == "name":
            # Older files spell names out: "White" is W, "CoPyright" is CP.
            self.name = "".join(letter for letter in token["name"] if letter.isupper())
        elif self.nodes and self.name:
            self.nodes[-1].values.setdefault(self.name, []).append(token["value"])

    def _find_place(self, offset: int) -> Place:
        line = bisect_right(self.newlines, offset)
        return Place(line + 1, offset - (self.newlines[line - 1] if line else -1))
