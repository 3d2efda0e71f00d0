"""Writing SGF GM[6] as GNU Backgammon does, a tree a game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from engine import __version__
from engine.actions import Beavered, Doubled, Dropped, Opened, Played, Rolled, RuledPosition, Took, VoidedGame
from engine.formats.sgf_game import letter_of
from engine.formats.sgf_tree import escaped
from engine.game import How
from engine.record import PLAYED_OUT
from engine.side import BLACK, WHITE, Side

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.board import Board
    from engine.game import Game
    from engine.record import Chapter, Moment, Record
    from engine.rules import Rules

LETTERS: Final[dict[Side | None, str]] = {WHITE: "W", BLACK: "B", None: "c"}
WORDS: Final = {Doubled: "double", Beavered: "double", Took: "take", Dropped: "drop"}
# The points of the game then only make up what the match still wanted.
MATCH_LOST: Final = (How.CONCESSION, How.FLAG)
VARIATIONS: Final = {"nackgammon": "Nackgammon", "hypergammon": "Hypergammon3"}
TAGS: Final = {
    "EventDate": "DT",
    "Event": "EV",
    "Round": "RO",
    "Site": "PC",
    "Transcriber": "AN",
    "Player 1 Elo": "WR",
    "Player 2 Elo": "BR",
    "Comment": "GC",
}
PROPERTY: Final = re.compile("[A-Z]{2}")
DATE: Final = re.compile(r"(\d{4})\.(\d\d)\.(\d\d)", re.ASCII)


def write(record: Record) -> bytes:
    """Return *record* in UTF-8.

    >>> from engine.record import Record
    >>> from engine.dice import Dice
    >>> from engine.rules import Rules
    >>> from engine.side import BySide
    >>> from engine.step import Step
    >>> played = (Opened(5, 1), Played(Side.WHITE, (Step(24, 23), Step(13, 8))), Rolled(Side.BLACK, Dice(2, 1)))
    >>> print(write(Record(BySide("Ann", "Ben"), Rules(length=3), played)).decode().partition("MI")[2])
    [length:3][game:0][ws:0][bs:0]PW[Ann]PB[Ben]RU[Crawford]
    ;W[51xwmh]
    ;PL[B]DI[21])
    <BLANKLINE>
    """
    chapters = record.chapters()
    return "".join(_tree(record, number, chapter) for number, chapter in enumerate(chapters)).encode()


def _tree(record: Record, number: int, chapter: Chapter) -> str:
    told = _told(chapter.moments)
    nodes = [_root(record, number, chapter, told), *_nodes(told)]
    return "(;" + "\n;".join(nodes) + ")\n"


def _told(moments: Sequence[Moment]) -> list[Moment]:
    """Return what is left of a game whose beginning may have been declared void."""
    told: list[Moment] = []
    for moment in moments:
        told = [] if isinstance(moment.action, VoidedGame) else [*told, moment]
    return told


def _root(record: Record, number: int, chapter: Chapter, told: Sequence[Moment]) -> str:
    rules, match = record.rules, chapter.match
    opened = next((moment.after for moment in told if isinstance(moment.action, Opened)), None)
    parts = [
        f"FF[4]GM[6]CA[UTF-8]AP[Barpoint:{__version__}]",
        f"MI[length:{rules.length}][game:{number}][ws:{match.score.white}][bs:{match.score.black}]",
        f"PW[{escaped(record.players.white)}]PB[{escaped(record.players.black)}]",
        _tags(record) if not number else "",
        _rules(rules, crawford_game=match.game.crawford),
        f"CV[{opened.game.cube.value}]" if opened and opened.game.cube.value > 1 else "",
        _result(chapter),
    ]
    return "".join(parts)


def _tags(record: Record) -> str:
    said = ((TAGS.get(name, name), DATE.sub(r"\1-\2-\3", text)) for name, text in record.tags)
    return "".join(f"{name}[{escaped(text)}]" for name, text in said if PROPERTY.fullmatch(name))


def _rules(rules: Rules, *, crawford_game: bool) -> str:
    said = {
        "NoCube": not rules.cube,
        "Crawford": rules.crawford and rules.length > 1,
        "CrawfordGame": crawford_game,
        "Jacoby": rules.jacoby and not rules.is_match,
        # Words of ours, which others pass over.
        "MatchJacoby": rules.jacoby and rules.is_match,
        "NoGammons": not rules.gammons,
        "NoBackgammons": rules.gammons and not rules.backgammons,
        f"BestOf{rules.best_of_games}": rules.best_of_games > 0,
        VARIATIONS.get(rules.variant, ""): rules.variant in VARIATIONS,
    }
    words = ":".join(word for word, holds in said.items() if holds)
    return f"RU[{words}]" if words else ""


def _result(chapter: Chapter) -> str:
    result = chapter.result
    if result is None or result.winner is None:
        return ""
    points = "" if result.how in MATCH_LOST else result.points
    given = "" if result.how in PLAYED_OUT else "R"
    return f"RE[{LETTERS[result.winner]}+{points}{given}]"


def _nodes(told: Sequence[Moment]) -> Iterator[str]:
    """Yield the nodes after the root; a roll waits for its play."""
    lying: Game | None = None
    for moment in told:
        action = moment.action
        match action:
            case Opened() | Rolled():
                lying = moment.after.game
            case Played(side=side, steps=steps):
                letters = "".join(letter_of(point, side) for step in steps for point in step)
                yield f"{LETTERS[side]}[{moment.before.game.dice}{letters}]"
                lying = None
            case Doubled(side=side) | Beavered(side=side) | Took(side=side) | Dropped(side=side):
                yield f"{LETTERS[side]}[{WORDS[type(action)]}]"
            case RuledPosition():
                if lying is not None:
                    yield _rolled(lying)
                yield from _set_up(action)
                lying = moment.after.game if action.dice else None
            case _:
                pass
    if lying is not None:
        yield _rolled(lying)


def _rolled(game: Game) -> str:
    return f"PL[{LETTERS[game.turn]}]DI[{game.dice}]"


def _set_up(action: RuledPosition) -> Iterator[str]:
    yield f"CP[{LETTERS[action.cube.owner].lower()}]"
    yield f"CV[{action.cube.value}]"
    checkers = (
        f"A{LETTERS[side]}{_checkers(action.board, side)}"
        for side in Side
        if any(action.board.points(side)[1:])
    )
    yield f"PL[{LETTERS[action.turn]}]AE[a:y]{''.join(checkers)}"


def _checkers(board: Board, side: Side) -> str:
    return "".join(
        f"[{letter_of(point, side)}]" * number for point, number in enumerate(board.points(side)) if point
    )
