"""A whole sheet from its first heading to its last result."""

from __future__ import annotations

from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.actions import RuledScore, VoidedGame
from engine.game import How
from engine.match import GameResult, Match, apply
from engine.referee import cube, plain, results, terms, told, turns
from engine.referee.case import Case, Setting
from engine.referee.endings import habits
from engine.referee.finding_list import FindingList, Spot, points_text, score_text
from engine.rules import LONGEST_READ
from engine.sheet import CubeClaim, CubeWord, Fact, Placing, Resigning, Turn, Winning

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from engine.findings import Finding
    from engine.referee.table import Journal
    from engine.rules import Rules
    from engine.sheet import Claim, GameSheet, Sheet
    from engine.side import BySide

HANDLERS: Final[dict[type[Claim], Callable[[Case, int, Any], None]]] = {
    Turn: turns.turn,
    CubeClaim: cube.cube,
    Resigning: results.resigning,
    Winning: results.winning,
    Placing: turns.place,
    Fact: told.fact,
}


class Walked(NamedTuple):
    """What a sheet came to."""

    match: Match
    games: tuple[GameResult, ...]
    findings: tuple[Finding, ...]
    journal: Journal
    # A gammon was counted once although nobody had said that Jacoby was agreed.
    jacoby_shown: bool


def walk(sheet: Sheet, rules: Rules, *, given: bool) -> Walked:
    """Walk through *sheet*; *given* rules are not its own, and it may contradict them."""
    walker = Walker(sheet, rules, given=given)
    walker.head()
    for index, game in enumerate(sheet.games):
        walker.game(index, game)
    return walker.close()


class Walker:
    """The match as far as it has been read."""

    def __init__(self, sheet: Sheet, rules: Rules, *, given: bool) -> None:
        self.sheet = sheet
        self.rules = rules
        self.rules_given = given
        self.match = Match.start(rules)
        self.journal: Journal = []
        self.games: list[GameResult] = []
        self.findings = FindingList(sheet.names)
        self.habits = habits(sheet.dialect)
        self.jacoby_shown = False
        # A session that begins every game at 0-0 keeps no score.
        self.keeps_score = rules.is_match or any(any(game.score or ()) for game in sheet.games)
        self.is_said = False
        # The game before this one has no result, so that any score may follow.
        self.open_ended = False

    @cached_property
    def marks_hits(self) -> bool:
        """Does the sheet mark any hit?"""
        turns = (claim for game in self.sheet.games for claim in game.claims if isinstance(claim, Turn))
        return any(hop.starred for turn in turns for hop in turn.hops)

    def head(self) -> None:
        """Take what is said about the whole match."""
        for remark in self.sheet.remarks:
            self.findings.repeat(remark)
        self._length(self.sheet.length)
        start = terms.start(self.sheet)
        if start is None:
            self.findings.write("unknown-variant", value=self.sheet.variant)
        elif self.rules_given and self.sheet.variant and start != self.rules.start:
            self.findings.write("wrong-variant", value=self.sheet.variant, right=self.rules.variant)

    def _length(self, claimed: int | None) -> None:
        if claimed is None:
            if not self.rules_given:
                self.findings.write("no-length")
        elif not 0 <= claimed <= LONGEST_READ:
            self.findings.write("bad-length", value=claimed)
        elif self.rules.length not in (claimed, terms.length(self.sheet)):
            right = self.rules.length
            self.findings.write("wrong-length", value=_length_text(claimed), right=_length_text(right))

    def game(self, index: int, game: GameSheet) -> None:
        """Take one game."""
        case = self.begin(index, game)
        if case is not None:
            self.end(case)

    def begin(self, index: int, game: GameSheet) -> Case | None:
        """Take what is told of one game, without asking how it ended; None if the match was over before."""
        for earlier in game.before:
            self._told(index, earlier)
        if not self.match.is_over or self._is_denied(game):
            self._heading(index, game)
        if self.match.is_over:
            spot = Spot(index + 1, at=game.at)
            self.findings.write("score-past-length", spot, score=score_text(self.match.score))
            return None
        case = Case(self.match, self.journal, game, self._setting(index), self.findings)
        place, claims = 0, game.claims
        while place < len(claims):
            if type(claims[place]) is Turn:
                place = plain.run(case, place)
            if place < len(claims):
                claim = claims[place]
                HANDLERS[type(claim)](case, place, claim)
                place += 1
        return case

    def end(self, case: Case) -> None:
        """Ask how a game ended, and go on to the next."""
        # A match that was over may have been taken up again.
        if not (case.is_over or case.told_end):
            results.close(case)
        self.match = case.match
        self.jacoby_shown = self.jacoby_shown or case.jacoby_shown
        self.open_ended = not (case.is_over or case.told_end)
        self.games.append(case.result or _unfinished(case))

    def copy(self, sheet: Sheet) -> Walker:
        """Return somebody who stands at the same place of another sheet that begins alike."""
        other = copy(self)
        other.sheet = sheet
        other.journal, other.games = list(self.journal), list(self.games)
        other.findings = self.findings.copy()
        return other

    def _told(self, index: int, claim: Fact) -> None:
        """Take what a comment tells of the time before a game."""
        spot = Spot(index + 1, at=claim.at)
        self.match, code, facts = told.happen(self.match, claim)
        if code != told.IMPOSSIBLE:
            self.journal.append(claim.action)
        if code:
            self.findings.write(code, spot, **facts)

    def _setting(self, index: int) -> Setting:
        games = self.sheet.games
        last = index + 1 == len(games)
        return Setting(
            number=index + 1,
            following=None if last or not self.keeps_score else games[index + 1].score,
            last=last,
            habits=self.habits,
            marks_hits=lambda: self.marks_hits,
            jacoby_unsaid=not self.rules.is_match and not self.rules.jacoby and self.sheet.jacoby is None,
            rules_given=self.rules_given,
            cap=(self.sheet.length or 0) if terms.is_money_as_match(self.sheet) else 0,
        )

    def _heading(self, index: int, game: GameSheet) -> None:
        """Hold the score of the heading against that of the match, and go on from it."""
        spot = Spot(index + 1, at=game.at)
        score = game.score
        taken = False
        if score is not None and score != self.match.score:
            if self.keeps_score:
                taken = self._takes(index, game, score, spot)
            elif not self.is_said:
                self.is_said = True
                self.findings.write("score-not-kept", spot)
        if self.open_ended and not taken:
            self._act(VoidedGame())
        self.open_ended = False
        if game.crawford is not None and not self.match.is_over and game.crawford != self.match.game.crawford:
            self.findings.write("crawford-mismatch", spot)

    def _is_possible(self, score: BySide[int]) -> bool:
        """Can a game begin at this score?"""
        return min(score) >= 0 and (not self.rules.is_match or max(score) < self.rules.length)

    def _is_denied(self, game: GameSheet) -> bool:
        """Does the heading say that the match is not over yet?"""
        return game.score is not None and self._is_possible(game.score)

    def _takes(self, index: int, game: GameSheet, score: BySide[int], spot: Spot) -> bool:
        """Go on from the score of the heading, which is not the one there was, if it can be one."""
        said = score_text(score)
        if not self._is_possible(score):
            self.findings.write("bad-score", spot, score=said)
            return False
        if index == 0:
            self.findings.write("starts-mid-match", spot, score=said)
        elif not self.open_ended:
            self.findings.write("score-jump", spot, score=said, right=score_text(self.match.score))
        # Before somebody is one point short the Crawford game is still to come, whatever is doubled.
        is_one_short = self.rules.is_match and max(score) == self.rules.length - 1
        played = _shows_crawford_past(game) if index == 0 and is_one_short else None
        self._act(RuledScore(score, crawford_played=played))
        return True

    def _act(self, action: RuledScore | VoidedGame) -> None:
        self.match = apply(self.match, action)
        self.journal.append(action)

    def close(self) -> Walked:
        """Say it where the match was not brought to its end, and return what the sheet came to."""
        if self.rules.is_match and not self.match.is_over and not self.open_ended:
            self.findings.write("match-unfinished", score=score_text(self.match.score))
        self.findings.close()
        return Walked(
            self.match, tuple(self.games), tuple(self.findings.findings), self.journal, self.jacoby_shown
        )


def _shows_crawford_past(game: GameSheet) -> bool | None:
    """Does the first game of a record that begins in mid-match show that the Crawford game is behind (Q-31)?"""
    if game.crawford is not None:
        return not game.crawford
    doubled = any(isinstance(claim, CubeClaim) and claim.word is CubeWord.DOUBLE for claim in game.claims)
    return True if doubled else None


def _unfinished(case: Case) -> GameResult:
    game = case.match.game
    return GameResult(
        None, 0, 1, How.UNFINISHED, game.cube.value, game.crawford, case.match.score, case.plies
    )


def _length_text(points: int) -> str:
    return points_text(points) if points else "unlimited length"
