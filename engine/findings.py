"""A finding of the adjudicator: one problem of a record, reported to the player.

A *fault* means that the record is rejected. A *note* reports an assumption that the adjudicator made, or a
known habit of a program that writes such files; the record is accepted. Quirks that are read without a
finding are listed in ``docs/formats.md``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.board import Board
from engine.finding_codes import Severity
from engine.formats import position_id
from engine.side import WHITE, Side


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding about a record: the code, its severity, its place, and the position before it."""

    code: str
    severity: Severity
    message: str
    quirk: str = ""
    rule: str = ""
    # The game and the roll of that game, from 1, if the file has them.
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
        """Serialize to JSON types; position, dice and play are left out if they are unknown."""
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
