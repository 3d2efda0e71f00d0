"""The largest number of players that a format, and a whole plan of stages, can handle (P41)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from draw.event import Event, Stage, Take
from draw.format import LARGEST_CIRCLE, FormatKind
from draw.options import BadOption
from draw.stages import get_format

# All stages of an event together.
MOST_PLACES: Final = 5_120
MOST_STAGES: Final = 8
# Entries of match rules in one stage.
MOST_RULES: Final = 64
# Letters of an option that is a text, and members of one that is a list.
LONGEST_TEXT: Final = 2_000
LONGEST_LIST: Final = 1_024


class TooManyEntrants(ValueError):
    """More entrants than the plan can handle; *most* is below two if the plan itself is too large."""

    def __init__(self, most: int, entrants: int) -> None:
        super().__init__(f"{entrants} entrants are too many: at most {most} can play this")
        self.most = most
        self.entrants = entrants

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.most, self.entrants)


def require_size(event: Event) -> None:
    """Refuse an event that takes too long to compute.

    :raises TooManyEntrants: the event is too large.
    :raises BadOption: a stage is not valid for its format.
    """
    if len(event.entrants) > (most := find_most_entrants(event.stages)):
        raise TooManyEntrants(most, len(event.entrants))


@lru_cache(maxsize=256)
def find_most_entrants(stages: tuple[Stage, ...]) -> int:
    """Find the largest number of entrants for a plan; below two, the plan itself is too large.

    :raises BadOption: a stage has an option that its format does not know, or cannot use.
    """
    for stage in stages:
        _require_shape(stage)
    if len(stages) > MOST_STAGES:
        return 0
    most = max((get_format(stage).most_players for stage in stages), default=0)
    # More entrants never make less work.
    return bisect_left(range(1, most + 1), True, key=lambda count: not _is_within_limits(stages, count))


def _require_shape(stage: Stage) -> None:
    stage.options.check(get_format(stage).options)
    for name, value in stage.options.items:
        if isinstance(value, str) and len(value) > LONGEST_TEXT:
            raise BadOption(name, f"has at most {LONGEST_TEXT} letters")
        if isinstance(value, tuple) and len(value) > LONGEST_LIST:
            raise BadOption(name, f"lists at most {LONGEST_LIST}")
    if len(stage.rules) > MOST_RULES:
        raise BadOption("rules", f"has at most {MOST_RULES} entries")


def _is_within_limits(stages: Sequence[Stage], entrants: int) -> bool:
    known: dict[str, tuple[Stage, int]] = {}
    places = 0
    for stage in stages:
        players = sum(_count_taken(take, known) for take in stage.takes) if stage.takes else entrants
        form = get_format(stage)
        if (
            players > form.most_players
            or min(players, form.group_size(stage.options, players)) > LARGEST_CIRCLE
        ):
            return False
        places += count_places(stage, players)
        known[stage.name] = stage, players
    return places <= MOST_PLACES


def _count_taken(take: Take, known: dict[str, tuple[Stage, int]]) -> int:
    """Count the entrants that a stage takes from another, at most."""
    if take.stage not in known:
        return 0
    source, players = known[take.stage]
    last = players if take.last is None else min(take.last, players)
    each = max(0, last - take.first + 1)
    size = get_format(source).group_size(source.options, players)
    if take.each_group and size:
        return min(players, each * -(-players // size))
    return each


def count_places(stage: Stage, players: int) -> int:
    """Count the places that a stage makes for so many players, at most."""
    form = get_format(stage)
    if form.most_places is not None:
        return form.most_places(stage.options, players)
    if form.is_elimination:
        lines = 1 << max(0, players - 1).bit_length()
        return 4 * lines  # losers drop into a side bracket, and from that into another
    if form.kind is FormatKind.ROUNDS and not stage.options.get("rounds"):
        return players  # open-ended, so an estimate
    rounds = form.count(stage.options, players)
    return players if rounds is None else rounds.rounds * (rounds.matches + rounds.byes)
