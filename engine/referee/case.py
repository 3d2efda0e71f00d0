"""One game under examination: the match state, the sheet that describes it, and the findings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.dice import Dice
from engine.formats.mat.dialects import Dialect
from engine.match import Match
from engine.referee.finding_list import FindingContext, FindingList
from engine.referee.game_state import GameState, Journal
from engine.sheet import Claim, CubeClaim, GameSheet, ResignClaim, Turn, WinClaim
from engine.side import BySide, Side


@dataclass(frozen=True, slots=True)
class GameContext:
    # The game in the sheet, from 1.
    number: int
    # The score at which the next game of the sheet begins, if it says so.
    following: BySide[int] | None
    # True if no other game follows.
    last: bool
    habits: Dialect
    # Whether the sheet marks hits. Called only for an unmarked hit.
    marks_hits: Callable[[], bool]
    # True if Jacoby is not mentioned: a gammon with an untouched cube may then show that it was agreed.
    jacoby_unsaid: bool
    # True if the rules were agreed elsewhere, so that the sheet cannot set its own.
    rules_given: bool
    # The points of unlimited play that is written as a match; 0 for other sheets.
    cap: int = 0


class Case(GameState):
    def __init__(
        self, match: Match, journal: Journal, sheet: GameSheet, setting: GameContext, findings: FindingList
    ) -> None:
        super().__init__(match, journal)
        self.sheet = sheet
        self.setting = setting
        self.findings = findings
        # True if the board is unknown from here on, so that only a result can be accepted.
        self.lost = False
        # This side made a double that cannot count: the answer does not count either.
        self.idle_doubler: Side | None = None
        self.resigning: ResignClaim | None = None
        # The first written result.
        self.won: WinClaim | None = None
        # A roll that was not completely played, perhaps because of a resignation: claim index, side, dice.
        self.lying: tuple[int, Side, Dice] | None = None
        # The roll of the first illegal play.
        self.since: int | None = None
        self.jacoby_shown = False
        # True if a comment ended the game or the match, which `told_winner` then won.
        self.told_end = False
        self.told_winner: Side | None = None
        self.said_play_after_end = False

    def following(self, index: int) -> Claim | None:
        claims = self.sheet.claims
        return claims[index + 1] if index + 1 < len(claims) else None

    def ends_after(self, index: int) -> bool:
        """True if only the result of the game follows the claim at *index*."""
        return isinstance(self.following(index), WinClaim | ResignClaim | None)

    def spot(self, index: int, played: str = "", nearest: tuple[str, ...] = ()) -> FindingContext:
        """Return the context of a finding about the claim at *index*, with the board before that claim."""
        claims = self.sheet.claims
        claim = claims[index] if index < len(claims) else None
        dice = claim.dice if isinstance(claim, Turn) else None
        return FindingContext(
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
        self.findings.write(code, self.spot(index, played), side, **facts)

    def leave(self, index: int, side: Side, dice: Dice) -> None:
        """Leave the roll unplayed until a later claim shows why nothing was played."""
        self.lying = index, side, dice
        self.ready = None

    def count_lying(self) -> bool:
        """Turn the roll that was left unplayed into a fact; return False if there is none."""
        if self.lying is None:
            return False
        (_, side, dice), self.lying = self.lying, None
        self.rolled(side, dice)
        return True

    def lose(self) -> None:
        """Mark the board as unknown."""
        self.lost = True
        self.ready = None
