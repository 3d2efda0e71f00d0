"""Positions in play, which engines must not analyse: those of running matches between people.

Positions that occur within a few turns, before or after, count as well.

The current position of each running match is in its row. Those rows are found by an index, and only
positions are compared, as numbers. Point of view, dice, cube and score are ignored: a mirrored position
counts as the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.db.models import F
from django.db.models.fields.json import KT

from engine.actions import Played
from engine.board import Board
from engine.dice import ROLLS, Dice
from engine.errors import EngineError
from engine.match import Match as MatchValue
from engine.plays import legal_plays
from engine.side import Side
from matches.journal import journal
from matches.models import JournalEntry, Match
from matches.models.matches import State
from matches.state import facts, match_state

# Two plays of each side back; forward it is always one.
PLIES_BACK: Final = 4
# Journal lines per play: itself, its roll, a double and its response, a takeback.
LINES_A_PLY: Final = 5
# A play moves at most four checkers, and hits at most four.
MOST_MOVED: Final = 4
# Paths in the cache (`engine.snapshot`). As text: digits alone would be read as a number.
CACHED: Final = tuple(
    map(KT, ("cache__version", "cache__match__board", "cache__match__turn", "cache__match__dice"))
)
SIDES: Final = {side.word: side for side in Side}


class CurrentPosition(NamedTuple):
    match_id: int
    board: Board
    # None before the opening roll: either side may play first.
    turn: Side | None
    dice: Dice | None

    @classmethod
    def from_match(cls, match_id: int, match: MatchValue) -> CurrentPosition:
        return cls(match_id, match.game.board, match.game.turn, match.game.dice)


def is_in_play(board: Board) -> bool:
    """True if a running match between people has this position, or had or may have it within a few turns."""
    return bool(find_in_play((board,)))


def find_in_play(boards: Iterable[Board]) -> frozenset[Board]:
    """Return the positions that are in play; matches are read once for all of them."""
    there = _list_current_positions()
    if not there:
        return frozenset()
    views = {board: (board, board.mirrored()) for board in boards}
    found = {
        board
        for board, both in views.items()
        if any(each.board in both for each in there)
        or any(_is_reachable(each, view) for each in there for view in both)
    }
    left = views.keys() - found
    plays = _load_last_plays([each.match_id for each in there]) if left else {}
    return frozenset(found | {board for board in left if _was_recent(there, views[board], plays)})


def _list_current_positions() -> list[CurrentPosition]:
    """Return the positions of all running matches between people."""
    rows = Match.objects.filter(status__in=(State.LIVE, State.PAUSED), has_bot=False)
    found, other = [], []
    for pk, version, position, turn, dice in rows.values_list("pk", *CACHED):
        if str(version) == str(match_state.VERSION):
            lies = None if dice is None else Dice.parse(str(dice))
            found.append(CurrentPosition(pk, Board(int(str(position), 16)), SIDES.get(turn), lies))
        else:
            other.append(pk)
    # Caches of another format version: replay the journal.
    found += (
        [CurrentPosition.from_match(row.pk, journal.load(row).match) for row in rows.filter(pk__in=other)]
        if other
        else []
    )
    return found


# -- one play on ----------------------------------------------------------------------------------


def _is_reachable(stand: CurrentPosition, board: Board) -> bool:
    """True if the next play can lead to *board*, with the dice rolled, or before the roll with any."""
    movers = Side if stand.turn is None else (stand.turn,)
    return any(
        _may_be_reachable(stand.board, board, side)
        and board.position in _list_positions_after(stand.board, side, stand.dice)
        for side in movers
    )


def _may_be_reachable(before: Board, after: Board, mover: Side) -> bool:
    """True if one play of *mover* might lead to *after*: a quick necessary condition."""
    mine = zip(before.points(mover), after.points(mover), strict=True)
    theirs = zip(before.points(mover.other)[:-1], after.points(mover.other)[:-1], strict=True)
    # The other side only loses checkers to the bar.
    return sum(max(0, was - now) for was, now in mine) <= MOST_MOVED and all(
        was >= now for was, now in theirs
    )


@lru_cache(maxsize=256)
def _list_positions_after(board: Board, side: Side, dice: Dice | None) -> frozenset[int]:
    rolls = ROLLS if dice is None else (dice,)
    return frozenset(after.position for roll in rolls for after in legal_plays(board, side, roll).results())


# -- some plays back ------------------------------------------------------------------------------


def _was_recent(
    there: Sequence[CurrentPosition], views: Iterable[Board], plays: Mapping[int, list[Played]]
) -> bool:
    """True if the last plays of a match lead from this position to its current one."""
    return any(
        _leads_to(view, last[-back:], each.board)
        for each in there
        for last in (plays.get(each.match_id, []),)
        for back in range(1, len(last) + 1)
        for view in views
    )


def _load_last_plays(match_ids: Sequence[int]) -> dict[int, list[Played]]:
    lately = JournalEntry.objects.filter(
        match__in=match_ids, seq__gt=F("match__head") - PLIES_BACK * LINES_A_PLY, fact__fact="played"
    )
    found: dict[int, list[Played]] = defaultdict(list)
    for match_id, fact_json in lately.order_by("match", "seq").values_list("match", "fact"):
        fact: Any = facts.from_json(fact_json)
        found[match_id].append(fact)
    return {match_id: plays[-PLIES_BACK:] for match_id, plays in found.items()}


def _leads_to(board: Board, plays: Iterable[Played], to: Board) -> bool:
    try:
        for play in plays:
            board = board.moved(play.side, play.steps)
    except EngineError:
        return False
    return board == to
