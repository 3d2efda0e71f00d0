"""The findings of one record, each with its place and its sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import copy
from typing import Final, NamedTuple

from engine.board import Board
from engine.finding_codes import CODES, FindingCode, Severity
from engine.findings import Finding
from engine.sheet import NOWHERE, Place, Remark
from engine.side import BySide, Side

# More faults, or notes, than this are only counted.
MOST: Final = 100
LONGEST_NAME: Final = 40
COLOURS: Final = BySide("White", "Black")
NOBODY: Final = ("Somebody", "the opponent")
STRANGE: Final = FindingCode(Severity.NOTE, "", "", "")


class FindingContext(NamedTuple):
    """The subject of a finding: game and ply from 1, the place in the file, the board before, the play."""

    game: int | None = None
    ply: int | None = None
    at: Place = NOWHERE
    board: Board | None = None
    on_roll: Side | None = None
    dice: tuple[int, int] | None = None
    played: str = ""
    nearest: tuple[str, ...] = ()
    # The broken rule, if it is not the usual one of the code.
    rule: str = ""
    # The roll of an earlier fault in this game, after which the board may not be what the players saw.
    since: int | None = None


NO_SPOT: Final = FindingContext()


class FindingList:
    def __init__(self, names: BySide[str]) -> None:
        shown = names.map(lambda name: " ".join(name.split())[:LONGEST_NAME])
        # Players with equal or missing names are called by their colours.
        self.names = COLOURS if shown.white == shown.black or not all(shown) else shown
        self.findings: list[Finding] = []
        self.written: Counter[Severity] = Counter()

    def copy(self) -> FindingList:
        """Return a copy that can be continued independently."""
        other = copy(self)
        other.findings, other.written = list(self.findings), self.written.copy()
        return other

    def write(
        self, code: str, spot: FindingContext = NO_SPOT, side: Side | None = None, **facts: object
    ) -> None:
        """Add a finding about *side*; *facts* fill its sentence."""
        kind = CODES[code]
        who, other = NOBODY if side is None else (self.names[side], self.names[side.other])
        words = {
            "who": who,
            "other": other,
            "dice": format_dice(spot.dice),
            "played": spot.played or "nothing",
        }
        self._add_finding(code, kind, kind.sentence.format(**(words | facts)), spot)

    def close(self) -> None:
        """Add a finding with the number of those that were left out."""
        more = self.written.total() - len(self.findings)
        if more:
            self.write("more-findings", number=more)

    def blames(self, line: int) -> bool:
        """True if a fault has been found in that line already."""
        return any(each.line == line and each.severity is Severity.FAULT for each in self.findings)

    def repeat(self, remark: Remark) -> None:
        """Add a reader's remark in its own words."""
        spot = FindingContext(game=None if remark.game is None else remark.game + 1, at=remark.at)
        self._add_finding(remark.code, CODES.get(remark.code, STRANGE), remark.message, spot)

    def _add_finding(self, code: str, kind: FindingCode, sentence: str, spot: FindingContext) -> None:
        self.written[kind.severity] += 1
        if self.written[kind.severity] > MOST:
            return
        self.findings.append(
            Finding(
                code=code,
                severity=kind.severity,
                message=" ".join(_list_sentences(kind, sentence, spot)),
                quirk=kind.quirk,
                rule=spot.rule or kind.rule,
                game=spot.game,
                ply=spot.ply,
                line=spot.at.line or None,
                column=spot.at.column or None,
                position=spot.board,
                on_roll=spot.on_roll,
                dice=spot.dice,
                played=spot.played,
                nearest=spot.nearest,
            )
        )


def format_score(score: BySide[int]) -> str:
    return f"{score.white}-{score.black}"


def format_dice(dice: tuple[int, int] | None) -> str:
    return "-".join(map(str, dice)) if dice else "no dice"


def _list_sentences(kind: FindingCode, sentence: str, spot: FindingContext) -> Iterator[str]:
    if spot.game is not None:
        yield f"Game {spot.game}:" if spot.ply is None else f"Game {spot.game}, roll {spot.ply}:"
    yield sentence
    if spot.since is not None and kind.severity is Severity.FAULT:
        yield f"This may follow from roll {spot.since}."
    if spot.rule or kind.rule:
        yield f"{spot.rule or kind.rule}."
