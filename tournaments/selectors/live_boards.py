"""The boards of an event that are being played at, drawn small from their positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from draw.brackets.structure import FINAL, MAIN
from engine.side import Side
from engine.situation import Situation
from engine.svg_mini import svg_mini
from matches import journal, live
from matches.models import Match
from runtime import stream

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from runtime.stream import Watch
    from tournaments.selectors.event_view import EventView, MatchView
    from tournaments.selectors.picture import MatchLine

MOST: Final = 5


@dataclass(frozen=True, slots=True)
class Seat:
    """One of the two at a board."""

    name: str
    # As they are called where there is little room.
    short: str
    score: int
    is_white: bool
    pips: int
    # The board waits for them.
    acts: bool


@dataclass(frozen=True, slots=True)
class Tile:
    """A match that is being played at a board of ours."""

    key: str
    url: str
    label: str
    table: str
    length: int
    seats: tuple[Seat, Seat]
    head: int
    svg: SafeString

    @property
    def topic(self) -> str:
        """The stream that tells of every move."""
        return live.topic(self.key)

    @property
    def watch(self) -> Watch:
        """The same, from what is drawn here on."""
        return stream.Watch(((self.topic, self.head),))


def of(view: EventView) -> tuple[Tile, ...]:
    """Return the boards that everybody may see as they are, the match of the moment first.

    That is the one of the latest round of the main bracket, and of these the one that has gone furthest.
    """
    plays = {play.board: play for part in view.parts for play in part.plays if play.is_live and play.board}
    if not plays:
        return ()
    found = [
        row for row in Match.objects.filter(key__in=plays, is_private=False) if not row.terms.get("delay")
    ]
    found.sort(key=lambda row: (*_rank(view, plays[row.key]), -row.white_score - row.black_score, row.key))
    return tuple(tile(view, plays[row.key], row) for row in found[:MOST])


def without(lines: Sequence[MatchLine], tiles: Iterable[Tile]) -> tuple[MatchLine, ...]:
    """Return the lines of matches that have no tile."""
    shown = {tile.key for tile in tiles}
    return tuple(line for line in lines if line.play.board not in shown)


def _rank(view: EventView, play: MatchView) -> tuple[bool, int]:
    is_main = play.bracket in {"", MAIN, FINAL} and play.stage_id == view.parts[-1].stage.pk
    return not is_main, -play.round


def tile(view: EventView, play: MatchView, row: Match) -> Tile:
    """Return a match as its board stands, or stood at its end."""
    state = journal.load(row)
    situation = Situation.of(state.match)
    owing = state.owing
    people = {view.player_of.get(pk): pk for pk in (play.a_id, play.b_id) if pk in view.people}
    seats = tuple(
        Seat(
            name=view.people[pk].name if (pk := people.get(player)) else "",
            short=view.short_names[pk] if pk else "",
            score=state.match.score[side],
            is_white=side is Side.WHITE,
            pips=situation.board.pips(side),
            acts=side in owing,
        )
        for side, player in ((Side.WHITE, row.white_id), (Side.BLACK, row.black_id))
    )
    drawing = svg_mini(situation, table=static("img/mini.svg") + "#table")
    return Tile(
        key=row.key,
        url=reverse("matches:match", args=[row.key]),
        label=view.label(play),
        table=play.table,
        length=row.length,
        seats=(seats[0], seats[1]),
        head=state.head,
        svg=mark_safe(drawing),  # noqa: S308 - drawn by us, of numbers alone
    )
