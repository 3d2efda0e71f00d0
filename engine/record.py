"""A record: who played under which rules, and the facts of the match in their order.

A record is what an accepted file or a finished journal becomes. Writers do not want every fact: they
want the story, game by game, without what was taken back, without ties of the opening roll, without
the stops of a clock. `Record.chapters` tells it, and `Record.digest` is the same for two records that
tell the same one, whichever format they went through.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.actions import (
    Action,
    Beavered,
    Doubled,
    Dropped,
    Opened,
    Paused,
    Played,
    ReportedScore,
    ResignDeclined,
    ResignOffered,
    Resumed,
    Rolled,
    RuledPosition,
    RuledScore,
    TakenBack,
    TimeCredited,
    Took,
    VoidedGame,
)
from engine.game import How, Move
from engine.match import Match, apply

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine.match import GameResult
    from engine.rules import Rules
    from engine.side import BySide


class Moment(NamedTuple):
    """A fact with the match before and after it."""

    action: Action
    before: Match
    after: Match


@dataclass(frozen=True, slots=True)
class Chapter:
    """One game: what happened, and how it ended (None: it did not)."""

    moments: tuple[Moment, ...]
    result: GameResult | None

    @property
    def between(self) -> tuple[Moment, ...]:
        """What happened before the game began: fines, a score that was set, the end of the match."""
        return tuple(takewhile(_is_between, self.moments))

    @property
    def game(self) -> tuple[Moment, ...]:
        """What happened in the game; nothing where there was none."""
        return self.moments[len(self.between) :]


@dataclass(frozen=True, slots=True)
class Record:
    """A whole match, or as much of one as there is.

    >>> from engine.rules import Rules
    >>> from engine.side import BySide, Side
    >>> record = Record(BySide("Ann", "Ben"), Rules(length=1), (Opened(6, 1), ResignOffered(Side.WHITE, 1)))
    >>> [len(chapter.moments) for chapter in record.chapters()]
    [1]
    """

    players: BySide[str]
    rules: Rules
    actions: tuple[Action, ...] = ()
    tags: tuple[tuple[str, str], ...] = field(default=())

    def replay(self) -> Match:
        """Return the match at its last fact; raise IllegalAction at the first that cannot be."""
        match = Match.start(self.rules)
        for action in self.actions:
            match = apply(match, action)
        return match

    def with_crawford(self, *, played: bool) -> Record:
        """Return the same facts, with the Crawford game before or after the score at which they begin; else this record.

        Facts that were legal may become illegal: the caller replays them.
        """
        first, *others = self.actions or (None,)
        if not isinstance(first, RuledScore):
            return self
        return replace(self, actions=(replace(first, crawford_played=played), *others))

    def moments(self) -> Iterator[Moment]:
        """Every fact in turn with the match before and after it."""
        match = Match.start(self.rules)
        for action in self.actions:
            after = apply(match, action)
            yield Moment(action, match, after)
            match = after

    def story(self) -> list[Moment]:
        """Return the facts that count: nothing taken back or void, no ties, no clocks, no refused resignations."""
        # What had been told after so many facts, the last moment first: a takeback may lead back into what was
        # taken back before.
        told: list[_Told | None] = [None]
        for moment in self.moments():
            match moment.action:
                case TakenBack(to=to):
                    told.append(told[to])
                case VoidedGame():
                    told.append(_without_game(told[-1], moment.before))
                case RuledScore() | ReportedScore():
                    # The game in hand does not count either: the next one begins at that score.
                    told.append(_Told(moment, _without_game(told[-1], moment.before)))
                case TimeCredited() | Paused() | Resumed() | ResignOffered() | ResignDeclined():
                    told.append(told[-1])
                case Opened(white=white, black=black) if white == black:
                    told.append(told[-1])
                case _:
                    told.append(_Told(moment, told[-1]))
        return _listed(told[-1])

    def chapters(self) -> tuple[Chapter, ...]:
        """Return the story game by game."""
        chapters: list[Chapter] = []
        moments: list[Moment] = []
        for moment in self.story():
            moments.append(moment)
            after = moment.after
            if after.is_over or len(after.results) != len(moment.before.results):
                ended = len(after.results) > len(moment.before.results)
                chapters.append(Chapter(tuple(moments), after.results[-1] if ended else None))
                moments = []
        if moments:
            chapters.append(Chapter(tuple(moments), None))
        return tuple(chapters)

    def digest(self) -> str:
        """Return the fingerprint of the story: equal before and after any format that can tell it."""
        told = hashlib.sha256()
        for line in self._lines():
            told.update(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        return told.hexdigest()

    def _lines(self) -> Iterator[list[object]]:
        rules = self.rules
        yield ["match", rules.length, rules.start.text(), rules.jacoby]
        for chapter in self.chapters():
            for moment in chapter.moments:
                # However else a game ended, the line about its end says it.
                if moment.after.results == moment.before.results or isinstance(
                    moment.action, Played | Dropped
                ):
                    yield _line(moment)
            result = chapter.result
            if result is not None:
                winner = None if result.winner is None else int(result.winner)
                yield ["end", winner, result.points, result.how if result.how in PLAYED_OUT else "given"]


class _Told(NamedTuple):
    """A moment, and what had been told before."""

    moment: Moment
    before: _Told | None


def _chain(moments: Iterable[Moment]) -> _Told | None:
    last: _Told | None = None
    for moment in moments:
        last = _Told(moment, last)
    return last


def _listed(last: _Told | None) -> list[Moment]:
    moments: list[Moment] = []
    while last is not None:
        moments.append(last.moment)
        last = last.before
    return moments[::-1]


def _without_game(last: _Told | None, match: Match) -> _Told | None:
    """Forget the moves of the game that *match* is in."""
    games = len(match.results)
    return _chain(
        each
        for each in _listed(last)
        if len(each.before.results) != games or not isinstance(each.action, Move)
    )


def _is_between(moment: Moment) -> bool:
    """Is this neither a move nor the end of a game, or of a match that somebody won?"""
    before, after = moment.before, moment.after
    has_ended = len(after.results) > len(before.results) or (after.winner is not None and not before.is_over)
    return not has_ended and not isinstance(moment.action, Move)


PLAYED_OUT: Final = (How.BEAROFF, How.DROP)


def _line(moment: Moment) -> list[object]:
    """Say a fact so that the order of its steps and the spelling of its source do not matter."""
    match moment.action:
        case Opened() | Rolled():
            game = moment.after.game
            return ["roll", game.turn, str(game.dice)]
        case Played(side=side):
            return ["play", int(side), moment.before.game.board.moved(side, moment.action.steps).text()]
        case Doubled(side=side):
            return ["double", int(side)]
        case Beavered(side=side):
            return ["beaver", int(side)]
        case Took(side=side):
            return ["take", int(side)]
        case Dropped(side=side):
            return ["drop", int(side)]
        case RuledPosition(board=board, turn=turn, cube=cube):
            return ["set", board.text(), int(turn), cube.value, cube.owner]
        case _:
            return ["score", *moment.after.score]
