"""Groups that play round robins (P81)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from string import ascii_uppercase
from typing import Final, TypeAlias, TypeVar

from draw import ordering, playoff_matches, round_robin, rounds, seeding
from draw.circle_play import CirclePlayout, OpenCircle, Outcome
from draw.event import Entrant, EntrantId, Field, Pairing, Proposal, Ranked
from draw.format import MOST_PLAYERS, Format, FormatKind, Odds, RoundCount, pgettext
from draw.history import PLAYOFF_BRACKET
from draw.league import TIES, TIMES, League
from draw.options import (
    BadOption,
    Choice,
    OptionHeading,
    Options,
    Prominence,
    WholeNumber,
    gettext_noop,
    index_options,
)
from draw.random_stream import RandomStream
from draw.standings.cards import Card

_One = TypeVar("_One")
# Points and margin per match.
_Average: TypeAlias = tuple[Fraction, Fraction]

# Default: as many as needed.
GROUPS: Final = WholeNumber(
    "groups",
    0,
    gettext_noop("Number of groups"),
    gettext_noop("Leave empty for as many groups as this size needs."),
    most=64,
    heading=OptionHeading.DRAW,
)
SIZE: Final = WholeNumber(
    "size", 4, gettext_noop("Players in a group"), first=4, least=2, most=16, asked=Prominence.FIRST
)
DISTRIBUTION: Final = Choice(
    "distribution",
    "snake",
    gettext_noop("How players are spread over the groups"),
    choices={
        "snake": gettext_noop("Back and forth: 1 and 8 meet, 2 and 7, of four groups"),
        "dealt": gettext_noop("Always from the first group on: 1 and 5 meet, 2 and 6"),
    },
    heading=OptionHeading.DRAW,
)


def name_groups(count: int) -> tuple[str, ...]:
    """Name groups A, B, ... Z, A2, B2, ..."""
    letters = len(ascii_uppercase)
    return tuple(
        ascii_uppercase[number % letters] + (str(number // letters + 1) if number >= letters else "")
        for number in range(count)
    )


def make_draw(field: Field, rng: RandomStream) -> seeding.DrawnLines:
    """Number the entrants for good: by these numbers they are dealt into groups."""
    order = ordering.number_entrants(field, rng)
    return seeding.DrawnLines(
        tuple(one.id for one in order if one.arrived <= 1), ordering.get_order(field), fixed=None
    )


def _order_drawn(field: Field, here: Sequence[Entrant]) -> tuple[Entrant | None, ...]:
    """Order entrants as drawn; a new one takes the number of one who is gone; None is a number without a player.

    Draws of earlier releases list players as entered, however they were numbered: these do not count.
    """
    draw = field.draw
    if draw is None or (draw.method == "listed" and ordering.get_order(field) != "listed"):
        return tuple(here)
    by_id = {one.id: one for one in here}
    numbered = [None if line is None else by_id.pop(line, None) for line in draw.lines]
    new = iter(by_id.values())
    return (*(next(new, None) if one is None else one for one in numbered), *new)


def deal_into_groups(entrants: Sequence[_One], count: int, how: str) -> tuple[tuple[_One, ...], ...]:
    """Deal entrants into groups: the best of each, then the second best, ... "snake" reverses each row.

    >>> from draw.event import Entrant, EntrantId
    >>> eight = [Entrant(EntrantId(str(number))) for number in range(1, 9)]
    >>> [[one.id for one in group] for group in deal_into_groups(eight, 4, "snake")]
    [['1', '8'], ['2', '7'], ['3', '6'], ['4', '5']]
    """
    groups: list[list[_One]] = [[] for _ in range(count)]
    for place, one in enumerate(entrants):
        row, at = divmod(place, count)
        groups[count - 1 - at if how == "snake" and row % 2 else at].append(one)
    return tuple(tuple(group) for group in groups)


def build_leagues(field: Field, rng: RandomStream) -> tuple[League, ...]:
    """Build the groups of a stage; late entrants join the smallest group, in the order of the list (P78)."""
    order = ordering.number_entrants(field, rng)
    # Only entrants present from the start are dealt: a late entrant must not change the groups.
    here = _order_drawn(field, [one for one in order if one.arrived <= 1])
    count = _count_groups(field.options, len(here))
    if count > max(1, len(here)):
        raise BadOption("groups", "are more than there are entrants")
    field = playoff_matches.cut_groups(field, count)
    how = DISTRIBUTION.get(field.options)
    grouped = {
        name: [one for one in group if one is not None]
        for name, group in zip(name_groups(count), deal_into_groups(here, count, how), strict=True)
    }
    facts: dict[str, list[Pairing]] = {}
    for made in field.rounds:
        for pairing in made.pairings:
            facts.setdefault(pairing.key.partition("/")[0], []).append(pairing)
    # A player with a match in a group stays in it, also if another late entry is taken back.
    playing_in = {one: name for name, own in facts.items() for each in own for one in (each.a, each.b)}
    for late in (one for one in field.entrants if one.arrived > 1):
        smallest = min(grouped.values(), key=len)
        grouped.get(playing_in.get(late.id, ""), smallest).append(late)
    return tuple(
        League.build(field, tuple(group), tuple(facts.get(name, ())), rng.child(name), name)
        for name, group in grouped.items()
    )


def propose(field: Field, rng: RandomStream) -> Proposal:
    leagues = build_leagues(field, rng)
    at_once = round_robin.AT_ONCE.get(field.options)
    return Proposal(
        places=tuple(place for league in leagues for place in league.places(at_once=at_once)),
        ranking=_rank_all(leagues),
        finished=all(league.is_settled for league in leagues),
        why=tuple(reason for league in leagues for reason in league.why()),
        stale=tuple(
            stale
            for league in leagues
            for stale in (*league.stale, *league.list_put_off(at_once=at_once), *league.playoffs.stale)
        ),
    )


def build_playout(field: Field, rng: RandomStream, odds: Odds) -> CirclePlayout:
    circles = [OpenCircle(league, odds) for league in build_leagues(field, rng)]
    averages = [_Averages(circle) for circle in circles]

    def overall(rankings: Sequence[Sequence[Ranked]], outcomes: Sequence[Outcome]) -> tuple[Ranked, ...]:
        return _rank_together(
            (_count_place(known.circle.league, place, one), known.after(outcome, one.entrant), one)
            for ranking, outcome, known in zip(rankings, outcomes, averages, strict=True)
            for place, one in enumerate(ranking, 1)
        )

    def best(leaders: Sequence[Sequence[EntrantId]], outcomes: Sequence[Outcome]) -> list[EntrantId]:
        # Each group has one winner: if nothing separates several, the number decides (P81).
        winners = [
            ((leading[0] not in known.circle.league.cancelled, known.after(outcome, leading[0])), leading[0])
            for leading, outcome, known in zip(leaders, outcomes, averages, strict=True)
        ]
        highest = max(score for score, _ in winners)
        return [one for score, one in winners if score == highest]

    return CirclePlayout(circles, overall=overall, best=best)


class _Averages:
    """Each player's points and margin per match, after any outcome of the open matches."""

    def __init__(self, circle: OpenCircle) -> None:
        self.circle = circle
        first = circle.table((True,) * len(circle.open))
        self._margins = {card.player: _compute_average(card)[1] for card in first.cards}
        self._matches = {card.player: _count_matches(card) for card in first.cards}
        self._averages: dict[tuple[EntrantId, int], _Average] = {}

    def after(self, outcome: Outcome, one: EntrantId) -> _Average:
        points = self.circle.points(outcome)[self.circle.number[one]]
        found = self._averages.get((one, points))
        if found is None:
            score = Fraction(points, self.circle.scale * self._matches[one])
            found = self._averages[one, points] = score, self._margins[one]
        return found


def _rank_all(leagues: Sequence[League]) -> tuple[Ranked, ...]:
    """Rank all groups together: winners before seconds, equals by their score per match (P81)."""
    rows: list[tuple[int, _Average, Ranked]] = []
    for league in leagues:
        cards = {card.player: card for card in league.history_of(league.matches).cards({})}
        for place, ranked in enumerate(_break_ties(league, league.playoffs.ranking), 1):
            average = _compute_average(cards[ranked.entrant])
            rows.append((_count_place(league, place, ranked), average, ranked))
    found = _rank_together(rows)
    if not leagues or not all(league.is_settled for league in leagues):
        return found
    return tuple(playoff_matches.separate_placed_ties(leagues[0].field.options, found))


def _count_place(league: League, place: int, one: Ranked) -> int:
    """Return the place in the group; a player whose results are cancelled is behind all groups (P79)."""
    return place + (len(league.field.entrants) if one.entrant in league.cancelled else 0)


def _rank_together(rows: Iterable[tuple[int, _Average, Ranked]]) -> tuple[Ranked, ...]:
    ordered = sorted(rows, key=lambda row: (row[0], -row[1][0], -row[1][1]))
    found: list[Ranked] = []
    for _, same in groupby(ordered, key=lambda row: row[:2]):
        tied = [row[2] for row in same]
        found += [replace(one, rank=len(found) + 1, shared=len(tied)) for one in tied]
    return tuple(found)


def _break_ties(league: League, ranking: Sequence[Ranked]) -> Iterator[Ranked]:
    """Yield the order of a finished group with what decides between players who are still tied (P81)."""
    for _, same in groupby(ranking, key=lambda one: one.rank):
        tied = list(same)
        is_open = len(tied) < 2 or not league.is_settled
        yield from (
            tied
            if is_open
            else rounds.apply_placed_order(league.field.options, tied) or _break_by_number(league, tied)
        )


def _break_by_number(league: League, tied: Sequence[Ranked]) -> Iterator[Ranked]:
    """Yield tied players by their numbers, which were assigned by rating, lot or list before play (P56)."""
    by_id = {one.id: one for one in league.entrants}
    how = ordering.get_order(league.field)
    rated = [by_id[one.entrant].rating or float("-inf") for one in tied]
    # Later entrants have the last numbers; entries exchanged after the draw keep theirs.
    by_list = how == "listed" or any(by_id[one.entrant].arrived > 1 for one in tied)
    by_list = by_list or (how == "rating" and rated != sorted(rated, reverse=True))
    ratings = Counter(by_id[one.entrant].rating for one in tied)
    above: float | None = None
    for number, one in enumerate(tied, 1):
        rating, figures, decided_by = by_id[one.entrant].rating, one.figures, one.decided_by
        if by_list:
            figures = (*figures, ("number", number))
            decided_by = decided_by if number == 1 else "number"
        else:
            if how == "rating" and len(ratings) > 1:
                figures = (*figures, ("rating", rating))
            if how == "random" or ratings[rating] > 1:
                figures = (*figures, ("lot", number))
            if number > 1:
                decided_by = "rating" if how == "rating" and rating != above else "lot"
        yield replace(one, figures=figures, decided_by=decided_by)
        above = rating


def _count_matches(card: Card) -> int:
    return max(1, sum(turn.opponent is not None for turn in card.turns))


def _compute_average(card: Card) -> _Average:
    matches = _count_matches(card)
    margin = sum(turn.margin for turn in card.turns)
    return card.points / matches, Fraction(margin, matches)


def _count_groups(options: Options, entrants: int) -> int:
    return GROUPS.get(options) or max(1, -(-entrants // SIZE.get(options)))


def get_group_size(options: Options, entrants: int) -> int:
    """Return the size of the largest group."""
    return -(-entrants // GROUPS.get(options)) if GROUPS.get(options) else SIZE.get(options)


def count_rounds(options: Options, entrants: int) -> RoundCount:
    """Count the rounds of the largest group, and the matches of all groups in each round."""
    size = get_group_size(options, entrants)
    groups = _count_groups(options, entrants)
    smaller, larger_groups = divmod(entrants, groups)
    played = round_robin.count_rounds(options, size)
    matches = larger_groups * ((smaller + 1) // 2) + (groups - larger_groups) * (smaller // 2)
    return RoundCount(played.rounds, matches, 0)


def count_most_places(options: Options, entrants: int) -> int:
    size = min(entrants, get_group_size(options, entrants))
    return _count_groups(options, entrants) * round_robin.count_most_places(options, size) if size else 0


FORMAT = Format(
    propose=propose,
    label=pgettext("event format", "Groups"),
    kind=FormatKind.CIRCLES,
    options=index_options(SIZE, GROUPS, DISTRIBUTION)
    | round_robin.OPTIONS
    | index_options(replace(TIMES, asked=Prominence.IF_WANTED)),
    sentences=round_robin.SENTENCES,
    fixed=True,
    playout=build_playout,
    ties=TIES,
    list_brackets=lambda options: (*name_groups(GROUPS.get(options) or MOST_PLAYERS // 2), PLAYOFF_BRACKET),
    group_size=get_group_size,
    count=count_rounds,
    most_places=count_most_places,
)
