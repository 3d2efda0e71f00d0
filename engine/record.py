"""A record: the players, the rules, and the facts of the match in order.

A record is the result of an accepted file or a finished journal. Writers do not need every fact: they need
the story, game by game, without facts that were taken back, ties of the opening roll or clock stops.
`Record.chapters` returns it, and `Record.digest` is the same for equal stories, in any format.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Final, NamedTuple

from engine.actions import (
    CUBE_WORDS,
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
from engine.game import Move, Termination
from engine.match import GameResult, Match, apply, replay
from engine.rules import Rules
from engine.side import BySide


class Moment(NamedTuple):
    """A fact with the match before and after it."""

    action: Action
    before: Match
    after: Match


@dataclass(frozen=True, slots=True)
class Chapter:
    """One game: its facts and its result, None if it did not end."""

    moments: tuple[Moment, ...]
    result: GameResult | None

    @property
    def between(self) -> tuple[Moment, ...]:
        """The facts before the game began: penalties, a score that was set, the end of the match."""
        return tuple(takewhile(_is_between_games, self.moments))

    @property
    def game(self) -> tuple[Moment, ...]:
        """The facts of the game; empty if there was no game."""
        return self.moments[len(self.between) :]


@dataclass(frozen=True, slots=True)
class Record:
    """A whole match, or a part of one.

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
        """Return the match after the last fact; raises IllegalAction at the first illegal one."""
        return replay(self.rules, self.actions)

    def with_crawford(self, *, played: bool) -> Record:
        """Return the record with *played* set in its first fact, if that is a score; else this record.

        *played* is True if the Crawford game was before that score. Facts that were legal may become illegal:
        the caller replays them.
        """
        first, *others = self.actions or (None,)
        if not isinstance(first, RuledScore):
            return self
        return replace(self, actions=(replace(first, crawford_played=played), *others))

    def moments(self) -> Iterator[Moment]:
        """Yield every fact in turn with the match before and after it."""
        match = Match.start(self.rules)
        for action in self.actions:
            after = apply(match, action)
            yield Moment(action, match, after)
            match = after

    def story(self) -> list[Moment]:
        """Return the facts that count: none taken back or void, no ties, clock events or offers to resign."""
        # The story after each number of facts, as linked lists: a takeback can restore what an earlier
        # takeback had removed.
        moments: list[_LinkedMoment | None] = [None]
        for moment in self.moments():
            match moment.action:
                case TakenBack(to=to):
                    moments.append(moments[to])
                case VoidedGame():
                    moments.append(_drop_game(moments[-1], moment.before))
                case RuledScore() | ReportedScore():
                    # The current game does not count either: the next one begins at that score.
                    moments.append(_LinkedMoment(moment, _drop_game(moments[-1], moment.before)))
                case TimeCredited() | Paused() | Resumed() | ResignOffered() | ResignDeclined():
                    moments.append(moments[-1])
                case Opened(white=white, black=black) if white == black:
                    moments.append(moments[-1])
                case _:
                    moments.append(_LinkedMoment(moment, moments[-1]))
        return _list_moments(moments[-1])

    def chapters(self) -> tuple[Chapter, ...]:
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
        """Return the hash of the story: unchanged by a round trip through any format that can express it."""
        digest = hashlib.sha256()
        for line in self._list_digest_lines():
            digest.update(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        return digest.hexdigest()

    def _list_digest_lines(self) -> Iterator[list[object]]:
        rules = self.rules
        yield ["match", rules.length, rules.start.text(), rules.jacoby]
        for chapter in self.chapters():
            for moment in chapter.moments:
                # The line about the end of the game covers all other endings.
                if moment.after.results == moment.before.results or isinstance(
                    moment.action, Played | Dropped
                ):
                    yield _serialize_moment(moment)
            result = chapter.result
            if result is not None:
                winner = None if result.winner is None else int(result.winner)
                yield ["end", winner, result.points, result.how if result.how in PLAYED_OUT else "given"]


class _LinkedMoment(NamedTuple):
    moment: Moment
    before: _LinkedMoment | None


def _list_moments(last: _LinkedMoment | None) -> list[Moment]:
    moments: list[Moment] = []
    while last is not None:
        moments.append(last.moment)
        last = last.before
    return moments[::-1]


def _drop_game(last: _LinkedMoment | None, match: Match) -> _LinkedMoment | None:
    """Drop the moves of the game that *match* is in."""
    last_kept: _LinkedMoment | None = None
    for each in _list_moments(last):
        if len(each.before.results) != len(match.results) or not isinstance(each.action, Move):
            last_kept = _LinkedMoment(each, last_kept)
    return last_kept


def _is_between_games(moment: Moment) -> bool:
    """True if this is neither a move nor the end of a game or of a match with a winner."""
    before, after = moment.before, moment.after
    has_ended = len(after.results) > len(before.results) or (after.winner is not None and not before.is_over)
    return not has_ended and not isinstance(moment.action, Move)


PLAYED_OUT: Final = (Termination.BEAROFF, Termination.DROP)


def _serialize_moment(moment: Moment) -> list[object]:
    """Serialize a fact independently of the order of its steps and the spelling of its source."""
    match moment.action:
        case Opened() | Rolled():
            game = moment.after.game
            return ["roll", game.turn, str(game.dice)]
        case Played(side=side):
            return ["play", int(side), moment.before.game.board.moved(side, moment.action.steps).text()]
        case Doubled(side=side) | Beavered(side=side) | Took(side=side) | Dropped(side=side):
            return [CUBE_WORDS[type(moment.action)], int(side)]
        case RuledPosition(board=board, turn=turn, cube=cube):
            return ["set", board.text(), int(turn), cube.value, cube.owner]
        case _:
            return ["score", *moment.after.score]
