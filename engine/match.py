"""A match: score, Crawford game, next game, outcome. `apply` is the only transition function."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple

from engine import actions
from engine import game as games
from engine.cube import Cube
from engine.errors import IllegalAction
from engine.game import Game, Phase, Termination, copy_with
from engine.rules import Rules
from engine.side import BySide, Side

LOVE: Final = BySide(0, 0)


class Crawford(StrEnum):
    """The state of the Crawford game: still to come, being played, over, or not part of the match (R51)."""

    AHEAD = "ahead"
    NOW = "now"
    PAST = "past"
    NONE = "none"


class GameResult(NamedTuple):
    """A finished game. *start* is the score before it."""

    winner: Side | None
    points: int
    kind: int
    how: Termination
    cube: int
    crawford: bool
    start: BySide[int]
    plies: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a match; void if there is no winner."""

    winner: Side | None
    how: Termination


@dataclass(frozen=True)
class Match:
    """A match at one moment.

    >>> from engine.actions import Opened
    >>> from engine.rules import Rules
    >>> match = apply(Match.start(Rules(length=5)), Opened(3, 1))
    >>> match.game.turn, match.crawford.value, match.facts
    (<Side.WHITE: 0>, 'ahead', 1)
    """

    rules: Rules
    game: Game
    score: BySide[int] = LOVE
    crawford: Crawford = Crawford.AHEAD
    results: tuple[GameResult, ...] = ()
    outcome: Outcome | None = None
    paused: bool = False
    # How many facts led here, and the match before the last of them, for takebacks.
    facts: int = 0
    before: Match | None = field(default=None, repr=False, compare=False)

    @classmethod
    def start(cls, rules: Rules) -> Match:
        is_played = rules.crawford and rules.is_match and rules.has_cube
        crawford = Crawford.AHEAD if is_played else Crawford.NONE
        return _start_next_game(cls(rules, Game.start(rules), crawford=crawford))

    @property
    def away(self) -> BySide[int] | None:
        """Points each side still needs; None in unlimited play."""
        length = self.rules.length
        return self.score.map(lambda points: length - points) if length else None

    @property
    def winner(self) -> Side | None:
        return self.outcome.winner if self.outcome else None

    @property
    def is_over(self) -> bool:
        return self.outcome is not None

    @property
    def number(self) -> int:
        """The number of the current game, from 1."""
        return len(self.results) + 1


def apply(match: Match, action: actions.Action) -> Match:
    """Return the match after *action*. Raises IllegalAction."""
    handler = HANDLERS.get(type(action), _apply_to_game)
    if match.is_over and type(action) not in AFTER_THE_END:
        raise IllegalAction("play-after-end", "The match is over.", rule="R55")
    return copy_with(handler(match, action), facts=match.facts + 1, before=match)


def replay(rules: Rules, facts: Iterable[actions.Action]) -> Match:
    match = Match.start(rules)
    for action in facts:
        match = apply(match, action)
    return match


def _apply_to_game(match: Match, action: Any) -> Match:
    if match.paused:
        raise IllegalAction("paused", "The match is paused.")
    return _settle_game(copy_with(match, game=games.apply(match.game, action)))


def _settle_game(match: Match) -> Match:
    """Count the game if it has ended, and start the next one."""
    ending = match.game.ending
    if ending is None:
        return match
    result = GameResult(
        winner=ending.winner,
        points=ending.points,
        kind=ending.kind,
        how=ending.how,
        cube=match.game.cube.value,
        crawford=match.game.crawford,
        start=match.score,
        plies=match.game.plies,
    )
    score = match.score.put(ending.winner, match.score[ending.winner] + ending.points)
    past = Crawford.PAST if match.game.crawford else match.crawford
    return _set_score(copy_with(match, results=(*match.results, result), crawford=past), score, ending.how)


def _set_score(match: Match, score: BySide[int], how: Termination) -> Match:
    """Set the score: the match ends (R55), or the next game starts."""
    match = copy_with(match, score=score)
    length = match.rules.length
    if length and max(score) >= length:
        winner = Side.WHITE if score.white >= score.black else Side.BLACK
        return _end(match, winner, how)
    return _start_next_game(match)


def _start_next_game(match: Match) -> Match:
    crawford = match.crawford
    away = match.away
    if crawford is Crawford.NOW:  # the same score again: a void game, or a score set by a ruling
        crawford = Crawford.AHEAD
    if crawford is Crawford.AHEAD and away is not None and sorted(away)[0] == 1:
        # R51, R54: if both sides need one point, no Crawford game is played.
        crawford = Crawford.NOW if max(away) > 1 else Crawford.PAST
    game = Game.start(match.rules, crawford=crawford is Crawford.NOW, away=away)
    return copy_with(match, game=game, crawford=crawford)


def _flag(match: Match, action: actions.Flagged) -> Match:
    if action.points is None:
        return _end_as_lost(match, action.side, Termination.FLAG)
    return _apply_fine(match, action.side, action.points, Termination.FLAG)


def _end_as_lost(match: Match, loser: Side, how: Termination) -> Match:
    """End the match and the current game as lost by *loser*; in unlimited play the cube's value is lost."""
    game, winner = match.game, loser.other
    points = match.away[winner] if match.away else 0
    if game.phase is not Phase.OPENING:
        points = points or game.cube.value
        result = GameResult(winner, points, 1, how, game.cube.value, game.crawford, match.score, game.plies)
        match = copy_with(match, results=(*match.results, result))
    score = match.score.put(winner, match.score[winner] + points)
    return copy_with(match, score=score, outcome=Outcome(winner, how))


def _penalise(match: Match, action: actions.Penalised) -> Match:
    if action.points < 0:
        return _remit_penalty(match, action.side, -action.points)
    return _apply_fine(match, action.side, action.points, Termination.RULING)


def _remit_penalty(match: Match, side: Side, points: int) -> Match:
    """Take penalty points back and undo their consequences, including a Crawford game in progress."""
    left = match.score[side.other] - points
    if left < 0:
        raise IllegalAction("bad-penalty", "Nobody has so many penalty points.", points=-points)
    score = match.score.put(side.other, left)
    if match.game.phase is Phase.OPENING:
        return _set_score(match, score, Termination.RULING)
    match = copy_with(match, score=score)
    match = copy_with(match, game=copy_with(match.game, away=match.away))
    if match.away is None or min(match.away) == 1:
        return match
    # Neither side is one point short any more: the cube is available again in the current game.
    crawford = Crawford.AHEAD if match.crawford is Crawford.NOW else match.crawford
    return copy_with(
        match, crawford=crawford, game=copy_with(match.game, crawford=False, is_cube_stopped=False)
    )


def _apply_fine(match: Match, side: Side, points: int, how: Termination) -> Match:
    if points < 1:
        raise IllegalAction("bad-penalty", "A penalty is at least one point.", points=points)
    score = match.score.put(side.other, match.score[side.other] + points)
    if match.game.phase is Phase.OPENING:
        return _set_score(match, score, how)  # between games a penalty can lead to the Crawford game
    match = copy_with(match, score=score)
    match = copy_with(
        match, game=copy_with(match.game, away=match.away, is_cube_stopped=_stops_cube(match, side))
    )
    ended = match.rules.is_match and max(score) >= match.rules.length
    return _end(match, side.other, how) if ended else match


def _end(match: Match, winner: Side | None, how: Termination) -> Match:
    return copy_with(match, outcome=Outcome(winner, how))


def _stops_cube(match: Match, fined: Side) -> bool:
    """True if a fine in this game has made the next game the Crawford game (R69)."""
    is_one_short = match.away is not None and match.away[fined.other] == 1
    return match.game.is_cube_stopped or (is_one_short and match.crawford is Crawford.AHEAD)


def _report_game(match: Match, action: actions.ReportedGame) -> Match:
    return _award_game(match, action.winner, Termination.REPORT, action.points, action.kind or 1, action.cube)


def _award_game(
    match: Match, winner: Side, how: Termination, points: int, kind: int = 1, cube: int | None = None
) -> Match:
    if points < 1:
        raise IllegalAction("bad-points", "A game is won by at least one point.", points=points)
    game = match.game if cube is None else copy_with(match.game, cube=Cube(cube))
    return _settle_game(copy_with(match, game=games.end_game(game, winner, how, kind, points)))


def _rule_score(match: Match, action: actions.RuledScore) -> Match:
    crawford = match.crawford
    if action.crawford_played is not None and crawford is not Crawford.NONE:
        crawford = Crawford.PAST if action.crawford_played else Crawford.AHEAD
    match = copy_with(match, crawford=crawford, outcome=None)
    return _claim_score(match, action.score, Termination.RULING)


def _claim_score(match: Match, score: BySide[int], how: Termination) -> Match:
    length = match.rules.length
    if min(score) < 0 or (length and min(score) >= length):
        raise IllegalAction(
            "bad-score", f"{score.white}-{score.black} is no score of this match.", rule="R55"
        )
    return _set_score(match, score, how)


def _take_back(match: Match, action: actions.TakenBack) -> Match:
    moment: Match | None = match
    while moment is not None and moment.facts > action.to:
        moment = moment.before
    if moment is None or moment.facts != action.to:
        raise IllegalAction("bad-takeback", "There is nothing to take back there.", to=action.to)
    # A takeback does not change whether the match is paused.
    return copy_with(moment, paused=match.paused)


def _pause(match: Match, action: actions.Paused) -> Match:
    if match.paused:
        raise IllegalAction("paused", "The match is paused already.")
    return copy_with(match, paused=True)


def _resume(match: Match, action: actions.Resumed) -> Match:
    if not match.paused:
        raise IllegalAction("not-paused", "The match is not paused.")
    return copy_with(match, paused=False)


HANDLERS: Final[dict[type[actions.Action], Callable[[Match, Any], Match]]] = {
    actions.Conceded: lambda match, action: _end_as_lost(match, action.side, Termination.CONCESSION),
    actions.Flagged: _flag,
    actions.Penalised: _penalise,
    actions.ReportedGame: _report_game,
    actions.ReportedScore: lambda match, action: _claim_score(match, action.score, Termination.REPORT),
    actions.RuledGame: lambda match, action: _award_game(
        match, action.winner, Termination.RULING, action.points
    ),
    actions.RuledPosition: lambda match, action: copy_with(match, game=games.apply(match.game, action)),
    actions.RuledScore: _rule_score,
    actions.RuledMatch: lambda match, action: _end(match, action.winner, Termination.RULING),
    actions.VoidedGame: lambda match, _: _start_next_game(match),
    actions.VoidedMatch: lambda match, _: _end(match, None, Termination.VOID),
    actions.TakenBack: _take_back,
    actions.TimeCredited: lambda match, _: match,
    actions.Paused: _pause,
    actions.Resumed: _resume,
}

# Rulings that are allowed after the end of the match.
AFTER_THE_END: Final = frozenset(
    {actions.TakenBack, actions.RuledMatch, actions.RuledScore, actions.VoidedMatch}
)
