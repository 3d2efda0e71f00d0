"""A game and a match under construction, and their conversion to sheets."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Final

from engine.board import CHECKERS, HYPERGAMMON, Board
from engine.formats.draft import TURNED_AGAIN
from engine.formats.mat import headings
from engine.formats.mat.dialects import FileFeatures, recognise_dialect
from engine.formats.mat.headings import Heading
from engine.sheet import (
    PACKING,
    Claim,
    CubeClaim,
    CubeWord,
    FactClaim,
    GameSheet,
    Place,
    PositionClaim,
    Remark,
    Sheet,
    Turn,
)
from engine.side import BySide, Side

# Further remarks about a match are dropped.
MOST_REMARKS: Final = 500
NOBODY: Final = headings.Heading(BySide("", ""), BySide("", ""), BySide(0, 0))


@dataclass(slots=True)
class DraftGame:
    """One game; ``first`` is the index of the line below its heading."""

    at: Place
    first: int
    # The score line, and the index of that line.
    heading: Heading | None = None
    headed: int = 0
    # True if the start of the right column is known.
    measured: bool = False
    # True if a comment sets a position without the side on roll.
    is_set: bool = False
    claims: list[Claim] = field(default_factory=list[Claim])
    places: list[int] = field(default_factory=list[int])

    def add(self, claim: Claim, index: int, start: int) -> None:
        self.claims.append(claim)
        self.places.append((index + 1) * PACKING + start + 1)

    def sheet(self, before: tuple[FactClaim, ...] = ()) -> GameSheet:
        if self.is_set:
            self._assign_turns()
        return GameSheet(
            claims=tuple(self.claims),
            score=self.heading.score if self.heading else None,
            at=self.at,
            places=tuple(self.places),
            before=before,
        )

    def name_beavers(self) -> None:
        """Name each double in answer to the other side's cube action a beaver or raccoon."""
        for index in range(1, len(self.claims)):
            last, claim = self.claims[index - 1], self.claims[index]
            if not (isinstance(last, CubeClaim) and isinstance(claim, CubeClaim)):
                continue
            if claim.word is CubeWord.DOUBLE and last.side is not claim.side:
                self.claims[index] = replace(claim, word=TURNED_AGAIN.get(last.word, claim.word))

    def _assign_turns(self) -> None:
        """Assign each set position to the side that rolls or doubles next."""
        actor: Side | None = None
        for index in reversed(range(len(self.claims))):
            claim = self.claims[index]
            if isinstance(claim, Turn) or (isinstance(claim, CubeClaim) and claim.word is CubeWord.DOUBLE):
                actor = claim.side
            elif isinstance(claim, PositionClaim) and claim.turn is None:
                self.claims[index] = replace(claim, turn=actor)


@dataclass(slots=True)
class DraftMatch:
    """One match; ``heading`` is the score line of its first game."""

    tags: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    length: int | None = None
    heading: Heading | None = None
    games: list[GameSheet] = field(default_factory=list[GameSheet])
    # From comments: rules, and facts before the first game.
    told: dict[str, Any] = field(default_factory=dict[str, Any])
    early: list[FactClaim] = field(default_factory=list[FactClaim])
    remarks: list[Remark] = field(default_factory=list[Remark])

    @property
    def names(self) -> BySide[str]:
        return (self.heading or NOBODY).names

    @property
    def checkers(self) -> int:
        start = self.told.get("start")
        if start is not None:
            return Board.parse(start).checkers
        is_hyper = headings.get_variant(dict(self.tags)) == "hypergammon"
        return HYPERGAMMON.checkers if is_hyper else CHECKERS

    def remark(self, code: str, message: str, at: Place, game: int | None) -> None:
        if len(self.remarks) < MOST_REMARKS:
            self.remarks.append(Remark(code, message, at, game))

    def sheet(self, look: FileFeatures, right: int) -> Sheet:
        tags = dict(self.tags)
        ratings = (self.heading or NOBODY).ratings
        rated = [(f"{side.name.title()} Rating", ratings[side]) for side in Side if ratings[side]]
        return Sheet(
            format="mat",
            names=self.names,
            length=self.length,
            games=tuple(self.games),
            dialect=recognise_dialect(look, tags, rated=bool(rated), right=right),
            tags=(*self.tags, *rated),
            crawford=headings.get_switch(tags, "Crawford"),
            jacoby=headings.get_switch(tags, "Jacoby"),
            beavers=headings.get_switch(tags, "Beaver"),
            cube=headings.has_cube(tags),
            gammons=headings.get_switch(tags, "Gammons"),
            backgammons=headings.get_switch(tags, "Backgammons"),
            match_jacoby=headings.get_switch(tags, "Match Jacoby"),
            variant=headings.get_variant(tags),
            told=self.told,
            remarks=tuple(self.remarks),
        )
