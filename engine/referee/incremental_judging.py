"""Incremental judging of a sheet that is being edited: only from the first changed game on.

The state of the walk before each game is cached. It is valid for another sheet with the same games up to
there, the same score before the next game, and the same data about the whole match.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from engine.match import Match
from engine.referee import claimed_rules, results
from engine.referee.sheet_walk import Walker
from engine.rules import Rules
from engine.sheet import GameSheet, Sheet
from engine.side import BySide


class StateAtLine(NamedTuple):
    match: Match
    # True if no game is in progress: the next roll begins one.
    is_between: bool
    # True if the board is unknown: an earlier play could not be read or carried out.
    is_lost: bool


class _CachedWalker(NamedTuple):
    """A cached walker before a game, with that game's heading score and the game before."""

    before: GameSheet | None
    score: BySide[int] | None
    walker: Walker


class IncrementalReferee:
    """A referee for successive versions of a sheet.

    >>> from engine.formats import transcript
    >>> sheet = transcript.build_sheet({"names": ["Ann", "Ben"], "length": 5}, ["Game", "W 31: 8/5 6/5"])
    >>> IncrementalReferee().stand(sheet, 2).match.game.turn
    <Side.BLACK: 1>
    """

    def __init__(self) -> None:
        self._about: object = None
        self._kept: list[_CachedWalker] = []
        # The number of games examined, for measurements.
        self.walked = 0

    def walk(self, sheet: Sheet, rules: Rules, *, given: bool) -> Walker:
        """Judge *sheet* like `walk_sheet`, but only from the first changed game on."""
        walker, first = self._resume_walk(sheet, rules, given=given)
        for index in range(first, len(sheet.games)):
            walker.game(index, sheet.games[index])
            self._cache_walker(sheet, index + 1, walker)
        return walker.close()

    def stand(self, sheet: Sheet, line: int) -> StateAtLine:
        """Return the state after *line* of *sheet*, without requiring a result of a game in progress."""
        index = sum(game.at.line <= line for game in sheet.games) - 1
        walker, first = self._resume_walk(
            sheet, claimed_rules.build_claimed_rules(sheet), given=False, most=index
        )
        if index < 0:
            return StateAtLine(walker.match, is_between=True, is_lost=False)
        for earlier in range(first, index):
            walker.game(earlier, sheet.games[earlier])
            self._cache_walker(sheet, earlier + 1, walker)
        game = sheet.games[index]
        length = sum(game.place(place).line <= line for place in range(len(game.claims)))
        case = walker.begin(index, replace(game, claims=game.claims[:length], places=game.places[:length]))
        if case is None:
            return StateAtLine(walker.match, is_between=True, is_lost=False)
        self.walked += 1
        if not case.is_over and case.resigning is not None and case.resigning.side is not None:
            results.close_game(case)
        return StateAtLine(case.match, case.is_over or case.told_end, case.lost)

    def _resume_walk(
        self, sheet: Sheet, rules: Rules, *, given: bool, most: int | None = None
    ) -> tuple[Walker, int]:
        """Return the furthest cached walker, and the index of the game that it has to read next."""
        walker = Walker(sheet, rules, given=given)
        about = (
            sheet.names,
            sheet.length,
            sheet.remarks,
            rules,
            given,
            walker.marks_hits,
            walker.keeps_score,
            sheet.dialect,
        )
        if about != self._about:
            self._about, self._kept = about, []
        games = sheet.games
        first = 0
        for place, kept in enumerate(self._kept):
            if place and (
                place >= len(games) or kept.before != games[place - 1] or kept.score != games[place].score
            ):
                break
            first = place
        if not self._kept:
            walker.head()
            self._kept = [_CachedWalker(None, None, walker.copy(sheet))]
        first = min(first, len(games) if most is None else max(most, 0))
        return self._kept[first].walker.copy(sheet), first

    def _cache_walker(self, sheet: Sheet, index: int, walker: Walker) -> None:
        """Cache the state before the game at *index*, if there is one."""
        self.walked += 1
        if index < len(sheet.games):
            del self._kept[index:]
            self._kept.append(
                _CachedWalker(sheet.games[index - 1], sheet.games[index].score, walker.copy(sheet))
            )
