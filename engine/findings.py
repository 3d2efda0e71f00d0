"""What may be wrong with a record: the finding that says it to a player.

A *fault* means that the record cannot stand as it is. A *note* says what the adjudicator read between the
lines, or what a writer of such files is known to do; the record stands. What is read silently is no
finding: ``docs/formats.md`` lists that too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.formats import position_id
from engine.side import WHITE

if TYPE_CHECKING:
    from engine.board import Board
    from engine.finding_codes import Severity
    from engine.side import Side


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to say about a record: what, how bad, where, and what stood on the board before it."""

    code: str
    severity: Severity
    message: str
    quirk: str = ""
    rule: str = ""
    # The game and the roll of that game, from 1; where the file says it.
    game: int | None = None
    ply: int | None = None
    line: int | None = None
    column: int | None = None
    position: Board | None = None
    on_roll: Side | None = None
    dice: tuple[int, int] | None = None
    played: str = ""
    nearest: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the finding as JSON's plain values; what it does not know is left out at the end."""
        plain: dict[str, Any] = {
            "code": self.code,
            "rule": self.rule,
            "severity": self.severity.value,
            "game": self.game,
            "ply": self.ply,
            "line": self.line,
            "message": self.message,
            "quirk": self.quirk,
            "column": self.column,
        }
        if self.position is not None:
            plain["position"] = position_id.encode(self.position, self.on_roll or WHITE)
            plain["board"] = self.position.text()
            plain["on_roll"] = None if self.on_roll is None else self.on_roll.word
        if self.dice is not None:
            plain["dice"] = list(self.dice)
        if self.played or self.nearest:
            plain["played"] = self.played
            plain["nearest"] = list(self.nearest)
        return plain
