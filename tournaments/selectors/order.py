"""The order as it stands, with what each tie-break says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from tournaments.models import Tournament
from tournaments.pairing import stages as rules
from tournaments.selectors import labels, plays, standings
from tournaments.selectors.page import MEDALS
from tournaments.status import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tournaments.pairing.event import Figure, Ranked
    from tournaments.selectors.courses import Course, Who

HALVES: Final = {Fraction(1, 2): "½"}


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the order."""

    who: Who
    place: str  # "3" or "3-4"
    rank: int
    shared: int
    group: str
    figures: tuple[str, ...]
    medal: str


@dataclass(frozen=True, slots=True)
class Table:
    """The order of an event, or of one of its groups."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Standing, ...]
    # The one column says how far somebody came, in words.
    is_reached: bool = False


def ranking(course: Course, stages: int = 0) -> tuple[Ranked, ...]:
    """Return the order of an event as it stands, or as of its first so many stages; none before the draw."""
    if not any(part.draw is not None and part.draw.published_at is not None for part in course.parts):
        return ()
    event = course.event
    if not stages or stages >= len(course.parts):
        return standings.table(event)
    return _after(event.key, event.stamp or str(event.version), stages)


@lru_cache(maxsize=128)
def _after(key: str, _stamp: str, stages: int) -> tuple[Ranked, ...]:
    said = plays.event_of(plays.load(Tournament.objects.get(key=key)))
    return rules.propose(replace(said, stages=said.stages[:stages])).ranking


def tables(course: Course) -> tuple[Table, ...]:
    """Return the order: one table, or one for each group as long as nothing follows the groups."""
    ranked = ranking(course)
    is_grouped = len(course.parts) == 1 and any(one.group for one in ranked)
    if not is_grouped:
        return (_table(course, "", ranked),) if ranked else ()
    groups = sorted({one.group for one in ranked})
    return tuple(
        _table(course, labels.bracket(name), [one for one in ranked if one.group == name]) for name in groups
    )


def _table(course: Course, title: str, ranked: Iterable[Ranked]) -> Table:
    found = list(ranked)
    names = list(dict.fromkeys(name for one in found for name, _figure in one.figures))
    is_reached = names[:2] == ["bracket", "round"]
    is_over = course.event.status == Status.FINISHED
    rows: list[Standing] = []
    above = 0
    for at, one in enumerate(found, 1):
        who = course.by_number.get(int(one.entrant))
        if who is None:
            continue
        # Inside a group places are counted anew.
        rank = (at if not rows or one.rank != above else rows[-1].rank) if title else one.rank
        above = one.rank
        figures = dict(one.figures)
        rows.append(
            Standing(
                who=who,
                place=str(rank) if title or one.shared < 2 else f"{rank}–{rank + one.shared - 1}",  # noqa: RUF001
                rank=rank,
                shared=one.shared,
                group="" if title else labels.bracket(one.group) if one.group else "",
                figures=(_reached(course, figures),)
                if is_reached
                else tuple(number(figures.get(name)) for name in names),
                medal=MEDALS.get(rank, "") if is_over else "",
            )
        )
    columns = (_("Last match"),) if is_reached else tuple(str(labels.TIES.get(name, name)) for name in names)
    return Table(title, columns, tuple(rows), is_reached)


def _reached(course: Course, figures: Mapping[str, Figure]) -> str:
    """Return how far somebody has come: the round of the last match, and whether it was won."""
    name, at = str(figures.get("bracket", "")), figures.get("round")
    part = next((part for part in reversed(course.parts) if name in part.last), None)
    if part is None or not isinstance(at, int):
        return ""
    play = next(iter(part.rounds.get((name, at), ())), None)
    said = part.label_of(play) if play is not None else ""
    return _("%(round)s, won") % {"round": said} if figures.get("won") else said


def number(figure: Figure) -> str:
    """Return a figure as people write it: 3½, 12, 1548.

    >>> number(Fraction(7, 2)), number(Fraction(1, 2)), number(4), number(None)
    ('3½', '½', '4', '')
    """
    if figure is None:
        return ""
    if isinstance(figure, Fraction):
        whole, rest = divmod(abs(figure), 1)
        sign = "-" if figure < 0 else ""
        if rest == 0:
            return f"{sign}{whole}"
        if rest in HALVES:
            return f"{sign}{whole or ''}{HALVES[rest]}"
        return f"{float(figure):.2f}"
    return f"{figure:g}" if isinstance(figure, float) else str(figure)
