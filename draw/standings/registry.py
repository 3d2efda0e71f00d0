"""The table of tie-breaks: each is a measure in a module and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from draw.standings import endings, meetings, opponents, scores

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draw.standings.values import TieBreak

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
    "play-off": endings.PLAYOFF,
    "shared": endings.SHARED,
    "lot": endings.LOT,
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
