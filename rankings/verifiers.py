"""Invariants: each ledger follows from its matches, each season from its events."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from itertools import zip_longest

from rankings.formulas.systems import system
from rankings.formulas.values import Outcome
from rankings.ledger import entries, ledger, opening_ratings, rated_matches
from rankings.ledger.entries import Line
from rankings.ledger.rated_matches import RateableMatch
from rankings.models import PlayerRating, RatingList, Season
from rankings.seasons import divisions, seasons


def verify_ledgers() -> Iterator[str]:
    """Recompute every list without pending updates; yield the differences."""
    for each in RatingList.objects.order_by("pk"):
        if not ledger.is_behind(each):
            yield from find_problems(each)


def verify_seasons() -> Iterator[str]:
    """Recompute every season without pending updates; yield the differences."""
    for each in Season.objects.select_related("club").order_by("pk"):
        if not seasons.is_behind(each):
            yield from seasons.find_problems(each)
        yield from divisions.find_problems(each)


def find_problems(rating_list: RatingList) -> Iterator[str]:
    """Recompute a list; yield the first differing entry, or else the current ratings that are out of date.

    Entries after the first difference differ as well and are not reported. Only one entry of each side is in
    memory at a time. A list whose ratings leave the range of numbers has no
    difference: some of its events are not rated (`ledger.update_lists`).
    """
    stored = (line for _, line in entries.list_lines(rating_list))
    lines = recompute_lines(rating_list)
    with suppress(ArithmeticError):
        for due, there in zip_longest(lines, stored):
            if due is None or there is None or due != there:
                deque(lines, maxlen=0)  # fails if a later rating is out of range
                yield _describe_difference(rating_list, due, there)
                return
    yield from _find_rating_problems(rating_list)


def recompute_lines(rating_list: RatingList) -> Iterator[Line]:
    """Yield the entries that follow from the list's matches, in order, unsaved."""
    waiting: deque[RateableMatch] = deque()

    def outcomes() -> Iterator[Outcome]:
        for match in rated_matches.list_matches(rating_list):
            waiting.append(match)
            yield match.outcome

    players = opening_ratings.load_standings(rating_list)
    for number, step in enumerate(system(rating_list.system, rating_list.params).steps(outcomes(), players)):
        is_a = number % 2 == 0
        yield entries.build_line(waiting[0] if is_a else waiting.popleft(), step)


def _describe_difference(rating_list: RatingList, due: Line | None, there: Line | None) -> str:
    where = f"rating list {rating_list.key}"
    if there is None:
        assert due is not None  # noqa: S101 - one of the two is there
        return (
            f"{where}: match {due.match} of {due.at:%Y-%m-%d %H:%M} is to be rated and is not in the ledger"
        )
    if due is None:
        return (
            f"{where}: match {there.match} of {there.at:%Y-%m-%d %H:%M} is in the ledger and not to be rated"
        )
    return (
        f"{where}: from match {there.match} of {there.at:%Y-%m-%d %H:%M} on the ledger is another:"
        f" player {there.player_id} has {there.after!r}, recomputed player {due.player_id} has {due.after!r}"
    )


def _find_rating_problems(rating_list: RatingList) -> Iterator[str]:
    rows = PlayerRating.objects.filter(list=rating_list).values_list("player", *entries.SHOWN)
    shown = {player: tuple(rest) for player, *rest in rows}
    due: dict[int, tuple[int, float, int, int, datetime]] = {}
    for pk, line in entries.list_lines(rating_list):
        matches = due[line.player_id][2] if line.player_id in due else 0
        due[line.player_id] = (pk, line.after, matches + 1, line.experience, line.at)
    for player in sorted(shown.keys() | due.keys()):
        if shown.get(player) != due.get(player):
            yield f"rating list {rating_list.key}: player {player} is shown elsewhere than their last entry says"
