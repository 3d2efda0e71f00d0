"""Scores of matches: parsing, and validation against length and games."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from draw.rules_of_play import USUAL, RulesOfPlay
from matches.state.rule_words import cap_score
from tournaments.base.errors import BadGame, BadGames, BadScore, PointsForgotten

TYPED: Final = re.compile(r"^\s*(\d{1,2})\s*[\s:;,/\u2013-]\s*(\d{1,2})\s*$")
TYPED_POINTS: Final = re.compile(r"^\s*(\d{1,2})\s*$")
# How a game can end, with its factor for the cube.
ENDS: Final[Mapping[str, int]] = {"drop": 1, "single": 1, "gammon": 2, "backgammon": 3}
LARGEST_CUBE: Final = 1024


@dataclass(frozen=True, slots=True)
class Game:
    winner: str  # "a" or "b"
    points: int
    cube: int = 1
    end: str = "single"
    # The penalty points at this game of a score sheet, if known; they are not stored with the games.
    begun: tuple[int, int] | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Game:
        return cls(data["winner"], data["points"], data.get("cube", 1), data.get("end", "single"))

    def to_json(self) -> dict[str, Any]:
        return {"winner": self.winner, "points": self.points, "cube": self.cube, "end": self.end}


@dataclass(frozen=True, slots=True)
class GameStep:
    number: int
    game: Game
    before: tuple[int, int]
    after: tuple[int, int]
    is_crawford: bool


def parse_score(text: str, length: int, play: RulesOfPlay = USUAL, winner: str = "") -> tuple[int, int]:
    """Parse a score: 7 5, 7:5, 7-5; or only the loser's points if *winner* is known, "a" or "b".

    :raises BadScore: no match of this length ends like that.
    """
    if winner and (points := TYPED_POINTS.match(text)):
        score = (length, int(points[1])) if winner == "a" else (int(points[1]), length)
    elif typed := TYPED.match(text):
        score = (int(typed[1]), int(typed[2]))
    else:
        raise BadScore(length=length, best_of=play.best_of)
    check_score(score, length, play=play)
    return score


def build_example(length: int) -> str:
    """Return an example of a final score for a match of this length.

    >>> build_example(7), build_example(3), build_example(1)
    ('7 5', '3 1', '1 0')
    """
    return f"{length} {max(length - 2, 0)}"


def check_score(
    score: tuple[int, int], length: int, begun: tuple[int, int] = (0, 0), play: RulesOfPlay = USUAL
) -> None:
    """Validate the final score of a match; *begun* is the score before the first game.

    :raises BadScore: no match of this length ends with it.
    :raises PointsForgotten: it leaves out points for lateness.
    """
    if max(score) != length or min(score) < 0 or min(score) >= length:
        raise BadScore(length=length, best_of=play.best_of)
    if score[0] < begun[0] or score[1] < begun[1]:
        raise PointsForgotten(begun=_format_score(begun))


def check_games(
    games: Sequence[Mapping[str, Any]],
    score: tuple[int, int],
    length: int,
    begun: tuple[int, int] = (0, 0),
    play: RulesOfPlay = USUAL,
) -> None:
    """Validate the games of a match against its score; *begun* is the score before the first game.

    Of penalty points it is not known when they were given, so only games can have ended the match too early.

    :raises BadGame: a game cannot be worth its points.
    :raises BadGames: the games lead to another score.
    """
    after = begun
    for step in list_game_steps([Game.from_json(game) for game in games], begun, length, play):
        if max(points - late for points, late in zip(step.before, begun, strict=True)) >= length:
            raise BadGames(
                score=_format_score(score), number=step.number - 1, found=_format_score(step.before)
            )
        _check_game(step.game, step.number, play, is_crawford=step.is_crawford)
        after = step.after
    reached = cap_score(after, length)
    if reached != score:
        raise BadGames(score=_format_score(score), number=len(games), found=_format_score(reached))


def list_game_steps(
    games: Sequence[Game], begun: tuple[int, int], length: int, play: RulesOfPlay = USUAL
) -> Iterator[GameStep]:
    """Yield the games of a match with their scores; *begun* is the score before the first game.

    That is penalty points. They may also come later: a game with the cube was then not the Crawford game, nor one
    that is known to have begun at another score.
    """
    before, was_crawford = begun, not has_crawford(play)
    for number, game in enumerate(games, 1):
        is_later = any(begun) and (game.cube > 1 or game.end == "drop")
        at_first = game.begun or begun
        score = before[0] - begun[0] + at_first[0], before[1] - begun[1] + at_first[1]
        is_crawford = not was_crawford and not is_later and is_crawford_at(score, length)
        was_crawford = was_crawford or is_crawford
        won = (game.points, 0) if game.winner == "a" else (0, game.points)
        after = (before[0] + won[0], before[1] + won[1])
        yield GameStep(number, game, before, after, is_crawford)
        before = after


def is_crawford_at(score: tuple[int, int], length: int) -> bool:
    """True if one player is a point away, so that the next game has no cube."""
    # R54: if both are, by penalty points, the rule does not apply.
    return length > 1 and max(score) == length - 1 > min(score)


def has_crawford(play: RulesOfPlay) -> bool:
    return play.cube and play.crawford


def list_game_ends(play: RulesOfPlay) -> tuple[str, ...]:
    counting = {"drop": play.cube, "gammon": play.gammons, "backgammon": play.backgammons}
    return tuple(end for end in ENDS if counting.get(end, True))


def _check_game(game: Game, number: int, play: RulesOfPlay, *, is_crawford: bool) -> None:
    is_cube = 0 < game.cube <= LARGEST_CUBE and game.cube & (game.cube - 1) == 0
    # R51: no cube in the Crawford game, so a game of it ends at the board.
    if is_crawford or not play.cube:
        is_cube = game.cube == 1 and game.end != "drop"
    is_worth = game.end in list_game_ends(play) and game.points == game.cube * ENDS[game.end]
    if play.jacoby and game.cube == 1:
        is_worth = is_worth and ENDS[game.end] == 1
    if game.winner not in ("a", "b") or not is_cube or not is_worth:
        raise BadGame(number=number, points=game.points)


def _format_score(score: Sequence[int]) -> str:
    return f"{score[0]}:{score[1]}"
