"""Small drawings of boards in play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from engine.side import Side
from engine.situation import Situation
from engine.svg_mini import render_mini_board
from matches.journal import journal, live
from matches.models import Match
from matches.state import rule_words
from players.names import shorten_names
from runtime.stream import TopicPositions


class DisplayName(NamedTuple):
    name: str
    short: str


@dataclass(frozen=True, slots=True)
class TileSeat:
    name: str
    short: str
    score: int
    is_white: bool
    pips: int
    # True if the player has to act.
    acts: bool


@dataclass(frozen=True, slots=True)
class Tile:
    key: str
    url: str
    label: str
    table: str
    length: int
    seats: tuple[TileSeat, TileSeat]
    head: int
    svg: SafeString

    @property
    def topic(self) -> str:
        return live.get_topic(self.key)

    @property
    def watch(self) -> TopicPositions:
        return TopicPositions(((self.topic, self.head),))


def draw_tiles(rows: Iterable[Match]) -> tuple[Tile, ...]:
    rows = tuple(rows)
    players = {player.pk: player.public_name for row in rows for player in (row.white, row.black)}
    short = shorten_names(list(players.values()))
    people = {pk: DisplayName(name, brief) for (pk, name), brief in zip(players.items(), short, strict=True)}
    plain = _("Match")
    return tuple(draw_tile(row, people, label=row.club.name if row.club else plain) for row in rows)


def draw_mini_board(situation: Situation) -> SafeString:
    drawing = render_mini_board(situation, table=f"{static('img/mini.svg')}#table")
    return mark_safe(drawing)  # noqa: S308 - drawn by us, of numbers alone


def draw_tile(row: Match, people: Mapping[int, DisplayName], *, label: str, table: str = "") -> Tile:
    """Draw a board; players missing in *people* are left unnamed."""
    state = journal.load(row)
    situation = Situation.from_match(state.match)
    owing = state.owing
    score = rule_words.cap_score(state.match.score, row.length)
    nobody = DisplayName("", "")
    seats = tuple(
        TileSeat(
            *people.get(player, nobody),
            score=score[side],
            is_white=side is Side.WHITE,
            pips=situation.board.pips(side),
            acts=side in owing,
        )
        for side, player in ((Side.WHITE, row.white_id), (Side.BLACK, row.black_id))
    )
    return Tile(
        key=row.key,
        url=reverse("matches:match", args=[row.key]),
        label=label,
        table=table,
        length=row.length,
        seats=(seats[0], seats[1]),
        head=state.head,
        svg=draw_mini_board(situation),
    )
