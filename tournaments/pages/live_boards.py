"""Live boards of an event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from draw.brackets.structure import FINAL, MAIN
from matches.play import boards, listing
from matches.play.boards import Called, Tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matches.models import Match
    from tournaments.base.event_view import EventView, MatchView
    from tournaments.pages.picture import MatchLine

MOST: Final = 5


def list_live_boards(view: EventView) -> tuple[Tile, ...]:
    """List the public live boards, the most important match first: main bracket, latest round, most points
    played.
    """
    plays = {play.board: play for part in view.parts for play in part.plays if play.is_live and play.board}
    if not plays:
        return ()
    found = list(listing.seen_by_all().filter(key__in=plays))
    found.sort(key=lambda row: (*_rank(view, plays[row.key]), -row.white_score - row.black_score, row.key))
    return tuple(draw_tile(view, plays[row.key], row) for row in found[:MOST])


def list_without_tile(lines: Sequence[MatchLine], tiles: Iterable[Tile]) -> tuple[MatchLine, ...]:
    """List the lines of matches that have no tile."""
    shown = {tile.key for tile in tiles}
    return tuple(line for line in lines if line.play.board not in shown)


def _rank(view: EventView, play: MatchView) -> tuple[bool, int]:
    is_main = play.bracket in {"", MAIN, FINAL} and play.stage_id == view.parts[-1].stage.pk
    return not is_main, -play.round


def draw_tile(view: EventView, play: MatchView, row: Match) -> Tile:
    """Return the tile of a match, live or at its end."""
    people = {
        player: Called(view.people[pk].name, view.short_names[pk])
        for pk in (play.a_id, play.b_id)
        if pk in view.people and (player := view.player_of.get(pk)) is not None
    }
    return boards.draw_tile(row, people, label=view.label(play), table=play.table)
