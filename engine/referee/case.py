"""One game under examination: the table it is followed at, the sheet that tells it, the findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.referee.finding_list import FindingList, Spot
from engine.referee.table import Table
from engine.sheet import CubeClaim, Resigning, Turn, Winning

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.dice import Dice
    from engine.formats.mat.dialects import Dialect
    from engine.match import Match
    from engine.referee.table import Journal
    from engine.sheet import Claim, GameSheet
    from engine.side import BySide, Side


@dataclass(frozen=True, slots=True)
class Setting:
    """What must be known of the sheet around a game."""

    # The game in the sheet, from 1.
    number: int
    # The score at which the next game of the sheet begins, if it says so.
    following: BySide[int] | None
    # Does no other game follow?
    last: bool
    habits: Dialect
    # Does the sheet mark hits? Asked only where one is not marked.
    marks_hits: Callable[[], bool]
    # Where Jacoby is not mentioned, a gammon with an untouched cube may show that it was agreed.
    jacoby_unsaid: bool
    # Were the rules agreed elsewhere, so that the sheet cannot make its own?
    rules_given: bool
    # Unlimited play that calls itself a match of so many points; 0 where it does not.
    cap: int = 0


class Case(Table):
    """A game under examination."""

    def __init__(
        self, match: Match, journal: Journal, sheet: GameSheet, setting: Setting, findings: FindingList
    ) -> None:
        super().__init__(match, journal)
        self.sheet = sheet
        self.setting = setting
        self.findings = findings
        # Nobody can know the board any more; only a result can still be taken.
        self.lost = False
        # A double that cannot count was made by this side: the answer does not count either.
        self.idle_doubler: Side | None = None
        self.resigning: Resigning | None = None
        # The first result that was written.
        self.won: Winning | None = None
        # A roll that was not, or not wholly, played, because somebody seems to have resigned: the claim's index.
        self.lying: tuple[int, Side, Dice] | None = None
        # The roll with the first play that was not legal.
        self.since: int | None = None
        self.jacoby_shown = False
        # Did a comment end the game, or with it the match, and who won?
        self.told_end = False
        self.told_winner: Side | None = None
        self.said_play_after_end = False

    def following(self, index: int) -> Claim | None:
        """Return the claim after the one of that *index*."""
        claims = self.sheet.claims
        return claims[index + 1] if index + 1 < len(claims) else None

    def ends_after(self, index: int) -> bool:
        """Does the sheet say no more of the game after this claim than how it ended?"""
        return isinstance(self.following(index), Winning | Resigning | None)

    def spot(self, index: int, played: str = "", nearest: tuple[str, ...] = ()) -> Spot:
        """Return where the claim of that *index* stands, the board before it included."""
        claims = self.sheet.claims
        claim = claims[index] if index < len(claims) else None
        dice = claim.dice if isinstance(claim, Turn) else None
        return Spot(
            game=self.setting.number,
            ply=self.plies + isinstance(claim, Turn | CubeClaim),
            at=self.sheet.place(min(index, len(claims) - 1)) if claims else self.sheet.at,
            board=None if self.lost else self.board,
            on_roll=self.turn,
            dice=dice,
            played=played,
            nearest=nearest,
            since=self.since,
        )

    def write(self, code: str, index: int, side: Side | None, played: str = "", **facts: object) -> None:
        """Write down a finding about the claim of that *index*."""
        self.findings.write(code, self.spot(index, played), side, **facts)

    def leave(self, index: int, side: Side, dice: Dice) -> None:
        """Leave the dice of that roll lying until it shows why nothing was played."""
        self.lying = index, side, dice
        self.ready = None

    def count_lying(self) -> bool:
        """Let the roll that was left lying be a fact, if there is one."""
        if self.lying is None:
            return False
        (_, side, dice), self.lying = self.lying, None
        self.rolled(side, dice)
        return True

    def lose(self) -> None:
        """Give the board up."""
        self.lost = True
        self.ready = None
