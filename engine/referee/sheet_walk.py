"""The walk through a whole sheet, from its first heading to its last result; and facts from comments.

The match decides whether these facts are possible.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import cached_property
from typing import Any, Final

from engine import actions
from engine.actions import RuledScore, VoidedGame
from engine.errors import EngineError, IllegalAction
from engine.formats.comments import format_points
from engine.formats.mat.dialects import DIALECTS, TRUTHFUL
from engine.game import Termination
from engine.match import GameResult, Match, apply
from engine.referee import claimed_rules, cube, plain_plays, results, turns
from engine.referee.case import Case, GameContext
from engine.referee.finding_list import FindingContext, FindingList, format_score
from engine.referee.game_state import Journal
from engine.rules import LONGEST_READ, Rules
from engine.sheet import (
    Claim,
    CubeClaim,
    CubeWord,
    FactClaim,
    GameSheet,
    PositionClaim,
    ResignClaim,
    Sheet,
    Turn,
    WinClaim,
)
from engine.side import BySide

IMPOSSIBLE: Final = "impossible-ruling"
# These are no rulings to be noted, only facts that the format cannot express.
PLAIN: Final = (
    actions.Conceded,
    actions.Opened,
    actions.ResignAccepted,
    actions.ResignOffered,
    actions.Rolled,
    actions.Took,
)


def apply_fact_to_case(case: Case, index: int, claim: FactClaim) -> None:
    case.count_lying()
    was_over = case.is_over
    _, code, facts = apply_fact_to_match(case.match, claim)
    if code:
        case.write(code, index, None, **facts)
    if code == IMPOSSIBLE:
        return
    case.lost = case.lost and not isinstance(claim.action, actions.RuledPosition)
    case.act(claim.action)
    if not case.is_over:
        case.plies = max(case.plies, case.match.game.plies)
    elif not was_over:
        case.told_end = True
        case.told_winner = case.result.winner if case.result else case.match.winner


def apply_fact_to_match(match: Match, claim: FactClaim) -> tuple[Match, str, dict[str, Any]]:
    """Return the match after a fact, with the code and the values of a finding about it."""
    action = claim.action
    try:
        if isinstance(action, actions.RuledPosition):
            _require_playable(match, action)
        after = apply(match, action)
    except EngineError as error:
        return match, IMPOSSIBLE, {"text": claim.text, "right": _format_reason(error)}
    if isinstance(action, PLAIN):
        return after, "", {}
    code = "out-of-time" if isinstance(action, actions.Flagged) else "ruling"
    return after, code, {"text": claim.text}


def _format_reason(error: EngineError) -> str:
    sentence = str(error).removesuffix(".")
    return sentence[:1].lower() + sentence[1:]


def _require_playable(match: Match, action: actions.RuledPosition) -> None:
    if action.board.checkers != match.rules.start.checkers or action.board.winner is not None:
        raise IllegalAction("bad-position", "Nobody can play on from there.", rule="R01")


HANDLERS: Final[dict[type[Claim], Callable[[Case, int, Any], None]]] = {
    Turn: turns.apply_turn,
    CubeClaim: cube.apply_cube_claim,
    ResignClaim: results.remember_resignation,
    WinClaim: results.apply_written_result,
    PositionClaim: turns.apply_position,
    FactClaim: apply_fact_to_case,
}


def walk_sheet(sheet: Sheet, rules: Rules, *, given: bool) -> Walker:
    """Judge *sheet* and return the walker at its end.

    *given* rules were agreed elsewhere, and the sheet may contradict them.
    """
    walker = Walker(sheet, rules, given=given)
    walker.head()
    for index, game in enumerate(sheet.games):
        walker.game(index, game)
    return walker.close()


class Walker:
    """The state of the match while a sheet is read."""

    def __init__(self, sheet: Sheet, rules: Rules, *, given: bool) -> None:
        self.sheet = sheet
        self.rules = rules
        self.rules_given = given
        self.match = Match.start(rules)
        self.journal: Journal = []
        self.games: list[GameResult] = []
        self.findings = FindingList(sheet.names)
        self.habits = DIALECTS.get(sheet.dialect, TRUTHFUL)
        # True if a gammon counted once although no rule said that Jacoby was agreed.
        self.jacoby_shown = False
        # A session with 0-0 before every game does not keep the score.
        self.keeps_score = rules.is_match or any(any(game.score or ()) for game in sheet.games)
        self.is_said = False
        # True if the game before this one has no result, so that any score may follow.
        self.open_ended = False

    @cached_property
    def marks_hits(self) -> bool:
        turns = (claim for game in self.sheet.games for claim in game.claims if isinstance(claim, Turn))
        return any(hop.starred for turn in turns for hop in turn.hops)

    def head(self) -> None:
        """Check the data about the whole match."""
        for remark in self.sheet.remarks:
            self.findings.repeat(remark)
        self._check_length(self.sheet.length)
        start = claimed_rules.find_start(self.sheet)
        if start is None:
            self.findings.write("unknown-variant", value=self.sheet.variant)
        elif self.rules_given and self.sheet.variant and start != self.rules.start:
            self.findings.write("wrong-variant", value=self.sheet.variant, right=self.rules.variant)

    def _check_length(self, claimed: int | None) -> None:
        if claimed is None:
            if not self.rules_given:
                self.findings.write("no-length")
        elif not 0 <= claimed <= LONGEST_READ:
            self.findings.write("bad-length", value=claimed)
        elif self.rules.length not in (claimed, claimed_rules.get_length(self.sheet)):
            right = self.rules.length
            self.findings.write("wrong-length", value=_format_length(claimed), right=_format_length(right))

    def game(self, index: int, game: GameSheet) -> None:
        case = self.begin(index, game)
        if case is not None:
            self.end(case)

    def begin(self, index: int, game: GameSheet) -> Case | None:
        """Apply the claims of one game, without its end; None if the match was over before."""
        for earlier in game.before:
            self._apply_early_fact(index, earlier)
        # A heading with a possible score implies that the match is not over yet.
        if not self.match.is_over or (game.score is not None and self._is_possible_score(game.score)):
            self._check_heading(index, game)
        if self.match.is_over:
            spot = FindingContext(index + 1, at=game.at)
            self.findings.write("score-past-length", spot, score=format_score(self.match.score))
            return None
        case = Case(self.match, self.journal, game, self._build_context(index), self.findings)
        place, claims = 0, game.claims
        while place < len(claims):
            if type(claims[place]) is Turn:
                place = plain_plays.apply_plain_plays(case, place)
            if place < len(claims):
                claim = claims[place]
                HANDLERS[type(claim)](case, place, claim)
                place += 1
        return case

    def end(self, case: Case) -> None:
        """Finish a game after its last claim."""
        # A match that was over may have been reopened.
        if not (case.is_over or case.told_end):
            results.close_game(case)
        self.match = case.match
        self.jacoby_shown = self.jacoby_shown or case.jacoby_shown
        self.open_ended = not (case.is_over or case.told_end)
        self.games.append(case.result or _build_unfinished_result(case))

    def copy(self, sheet: Sheet) -> Walker:
        """Return a copy in the same state for another sheet that has the same beginning."""
        other = copy(self)
        other.sheet = sheet
        other.journal, other.games = list(self.journal), list(self.games)
        other.findings = self.findings.copy()
        return other

    def _apply_early_fact(self, index: int, claim: FactClaim) -> None:
        spot = FindingContext(index + 1, at=claim.at)
        self.match, code, facts = apply_fact_to_match(self.match, claim)
        if code != IMPOSSIBLE:
            self.journal.append(claim.action)
        if code:
            self.findings.write(code, spot, **facts)

    def _build_context(self, index: int) -> GameContext:
        games = self.sheet.games
        last = index + 1 == len(games)
        return GameContext(
            number=index + 1,
            following=None if last or not self.keeps_score else games[index + 1].score,
            last=last,
            habits=self.habits,
            marks_hits=lambda: self.marks_hits,
            jacoby_unsaid=not self.rules.is_match and not self.rules.jacoby and self.sheet.jacoby is None,
            rules_given=self.rules_given,
            cap=(self.sheet.length or 0) if claimed_rules.is_money_as_match(self.sheet) else 0,
        )

    def _check_heading(self, index: int, game: GameSheet) -> None:
        """Compare the heading's score with that of the match, and continue from the heading's."""
        spot = FindingContext(index + 1, at=game.at)
        score = game.score
        taken = False
        if score is not None and score != self.match.score:
            if self.keeps_score:
                taken = self._adopt_score(index, game, score, spot)
            elif not self.is_said:
                self.is_said = True
                self.findings.write("score-not-kept", spot)
        if self.open_ended and not taken:
            self._apply_action(VoidedGame())
        self.open_ended = False
        if game.crawford is not None and not self.match.is_over and game.crawford != self.match.game.crawford:
            self.findings.write("crawford-mismatch", spot)

    def _is_possible_score(self, score: BySide[int]) -> bool:
        """True if a game can begin at this score."""
        return min(score) >= 0 and (not self.rules.is_match or max(score) < self.rules.length)

    def _adopt_score(self, index: int, game: GameSheet, score: BySide[int], spot: FindingContext) -> bool:
        """Continue from the heading's different score; return False if it is impossible."""
        written = format_score(score)
        if not self._is_possible_score(score):
            self.findings.write("bad-score", spot, score=written)
            return False
        if index == 0:
            self.findings.write("starts-mid-match", spot, score=written)
        elif not self.open_ended:
            self.findings.write("score-jump", spot, score=written, right=format_score(self.match.score))
        # Until a side is one point short, the Crawford game is still to come, even if there are doubles.
        is_one_short = self.rules.is_match and max(score) == self.rules.length - 1
        played = _shows_crawford_past(game) if index == 0 and is_one_short else None
        self._apply_action(RuledScore(score, crawford_played=played))
        return True

    def _apply_action(self, action: RuledScore | VoidedGame) -> None:
        self.match = apply(self.match, action)
        self.journal.append(action)

    def close(self) -> Walker:
        """Report an unfinished match at the end of the sheet."""
        if self.rules.is_match and not self.match.is_over and not self.open_ended:
            self.findings.write("match-unfinished", score=format_score(self.match.score))
        self.findings.close()
        return self


def _shows_crawford_past(game: GameSheet) -> bool | None:
    """True if the first game of a record that begins in mid-match shows that Crawford is over (Q-31).

    False if it is the Crawford game itself; None if it shows neither.
    """
    if game.crawford is not None:
        return not game.crawford
    doubled = any(isinstance(claim, CubeClaim) and claim.word is CubeWord.DOUBLE for claim in game.claims)
    return True if doubled else None


def _build_unfinished_result(case: Case) -> GameResult:
    game = case.match.game
    return GameResult(
        None, 0, 1, Termination.UNFINISHED, game.cube.value, game.crawford, case.match.score, case.plies
    )


def _format_length(points: int) -> str:
    return format_points(points) if points else "unlimited length"
