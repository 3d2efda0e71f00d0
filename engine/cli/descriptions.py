"""Descriptions of facts for people who watch a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from engine import actions
from engine.formats.comments import format_points
from engine.game import KINDS
from engine.plays import legal_plays
from engine.side import BySide

if TYPE_CHECKING:
    from engine.match import GameResult, Match
    from engine.record import Moment

DEEDS: Final[dict[type[actions.Action], str]] = {
    actions.Beavered: "beavers",
    actions.Took: "takes",
    actions.Dropped: "drops",
    actions.ResignAccepted: "accepts",
    actions.ResignDeclined: "plays on",
    actions.Conceded: "gives up the match",
    actions.Flagged: "is out of time",
}
# Left out of the details: the version, and the name, which precedes them.
UNTOLD: Final = frozenset({"v", "fact"})


def name_players(players: BySide[str]) -> BySide[str]:
    """Return the players' names; a player without one is called by colour.

    >>> name_players(BySide("Ann", ""))
    BySide(white='Ann', black='Black')
    """
    return BySide(players.white or "White", players.black or "Black")


def format_heading(match: Match, names: BySide[str]) -> str:
    """Return the line above a game: its number, the score and the length of the match."""
    score, length = match.score, match.rules.length
    crawford = ", Crawford game" if match.game.crawford else ""
    to = f"match to {length}" if length else "unlimited play"
    return f"Game {match.number}: {names.white} {score.white}, {names.black} {score.black}, {to}{crawford}"


def describe_moment(moment: Moment, names: BySide[str]) -> str:
    """Describe one event of a game in a sentence without a full stop."""
    match moment.action:
        case actions.Opened(white=white, black=black):
            again = ", and again" if white == black else ""
            return f"{names.white} throws {white}, {names.black} throws {black}{again}"
        case actions.Rolled(side=side, dice=dice):
            return f"{names[side]} rolls {dice.high}-{dice.low}"
        case actions.Played(side=side):
            return f"{names[side]} {_describe_play(moment.before, moment.action)}"
        case actions.Doubled(side=side):
            return f"{names[side]} doubles to {moment.after.game.offer}"
        case actions.ResignOffered(side=side, level=level):
            return f"{names[side]} offers to lose a {KINDS[level - 1]}"
        case _:
            return _describe_deed(moment.action, names)


def describe_ending(result: GameResult, names: BySide[str]) -> str:
    """Describe the result of a game in a sentence without a full stop."""
    if result.winner is None:
        return "The game does not count"
    return f"{names[result.winner]} wins {format_points(result.points)}"


def _describe_play(before: Match, action: actions.Played) -> str:
    game = before.game
    if not action.steps or game.dice is None:
        return "cannot move"
    play = legal_plays(game.board, action.side, game.dice).to(game.board.moved(action.side, action.steps))
    return f"plays {play.notation if play else ' '.join(map(str, action.steps))}"


def _describe_deed(action: actions.Action, names: BySide[str]) -> str:
    deed = DEEDS.get(type(action))
    if deed is not None:
        return f"{names[cast('Any', action).side]} {deed}"
    details = ", ".join(
        f"{key} {value}" for key, value in actions.to_json(action).items() if key not in UNTOLD
    )
    return f"{actions.NAMES[type(action)].replace('-', ' ').capitalize()}{': ' if details else ''}{details}"
