"""The table of tie-breaks: each is a measure in a module and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from draw.options import gettext_noop
from draw.standings import meetings, opponents, scores
from draw.standings.values import Figure, TieBreak

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draw.standings.cards import Table


def _measure_playoff(table: Table, tied: tuple[str, ...]) -> dict[str, Figure] | None:
    among = set(tied)
    won = dict.fromkeys(tied, 0)
    lost = dict.fromkeys(tied, 0)
    for winner, loser in table.playoffs:
        if winner in among and loser in among:
            won[winner] += 1
            lost[loser] += 1
    if not any(won.values()):
        return None
    # Unbeaten players first; the others by defeats, then by wins.
    return {
        player: Figure(Fraction(won[player] - lost[player] * (len(tied) + 1) if lost[player] else 0))
        for player in tied
    }


def _measure_lot(table: Table, tied: tuple[str, ...]) -> dict[str, Figure] | None:
    return {player: Figure(Fraction(-table.lots.get(player, 0))) for player in tied}


def _measure_nothing(table: Table, tied: tuple[str, ...]) -> None:
    return None


PLAYOFF = TieBreak(
    gettext_noop("Play-off"),
    gettext_noop("Tied players play it off; until then they share the place."),
    _measure_playoff,
    ends=True,
)
SHARED = TieBreak(
    gettext_noop("Shared"),
    gettext_noop("Players who are still tied share the place and its prize."),
    _measure_nothing,
    ends=True,
)
LOT = TieBreak(
    gettext_noop("Lot"),
    gettext_noop("Drawn by lot from the seed of the event; 1 was drawn first."),
    _measure_lot,
)


TIE_BREAKS: Final[dict[str, TieBreak]] = {
    "points": scores.POINTS,
    "lives": scores.LIVES,
    "head-to-head": meetings.HEAD_TO_HEAD,
    "direct-encounter": meetings.DIRECT_ENCOUNTER,
    "buchholz": opponents.BUCHHOLZ,
    "buchholz-cut-1": opponents.BUCHHOLZ_CUT_1,
    "buchholz-cut-2": opponents.BUCHHOLZ_CUT_2,
    "median": opponents.MEDIAN,
    "sonneborn-berger": opponents.SONNEBORN_BERGER,
    "cumulative": scores.CUMULATIVE,
    "wins": scores.WINS,
    "wins-at-the-board": scores.WINS_PLAYED,
    "rounds-met": scores.ROUNDS,
    "opponents-rating": opponents.OPPONENTS_RATING,
    "point-difference": scores.POINT_DIFFERENCE,
    "rating": scores.RATING,
    "play-off": PLAYOFF,
    "shared": SHARED,
    "lot": LOT,
}


class _Titles(Mapping[str, str]):
    """Titles of tie-breaks; reads the table on access, so that later additions count."""

    def __getitem__(self, name: str) -> str:
        return TIE_BREAKS[name].title

    def __iter__(self) -> Iterator[str]:
        return iter(TIE_BREAKS)

    def __len__(self) -> int:
        return len(TIE_BREAKS)


TITLES: Final = _Titles()
