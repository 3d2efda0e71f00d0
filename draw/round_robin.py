"""Round robins and leagues: all players meet each other, once or more (P77 to P80)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from draw import ordering, playoff_matches, rounds
from draw.circle_play import CirclePlayout, OpenCircle
from draw.event import Field, Proposal
from draw.format import LARGEST_CIRCLE, DueFrom, Format, FormatKind, Odds, RoundCount, pgettext
from draw.history import PLAYOFF_BRACKET
from draw.league import CANCEL_HALF, TIES, TIMES, League
from draw.options import Flag, OptionHeading, Options, gettext_noop, index_options
from draw.random_stream import RandomStream

AT_ONCE: Final = Flag(
    "at_once", False, gettext_noop("All matches may be played at any time"), heading=OptionHeading.LENGTH
)
LEAGUE_AT_ONCE: Final = replace(AT_ONCE, default=True)
OPTIONS: Final = index_options(
    rounds.ROUNDS,
    TIMES,
    ordering.ORDER,
    AT_ONCE,
    CANCEL_HALF,
    replace(rounds.TIES_OPTION, default=TIES),
    *rounds.TIE_OPTIONS,
)
WEEK: Final = 7
SENTENCES: Final = {
    "cancelled": "{entrant} left before half of the matches were played: none of them counts.",
    "postponed": "{a} and {b} play later: one of them is away.",
    "play-off": playoff_matches.SENTENCE,
}


def propose(field: Field, rng: RandomStream, option: Flag = AT_ONCE) -> Proposal:
    league, at_once = build_league(field, rng), option.get(field.options)
    return Proposal(
        places=tuple(league.places(at_once=at_once)),
        ranking=league.playoffs.ranking,
        finished=league.is_settled,
        why=tuple(league.why()),
        stale=(*league.stale, *league.list_put_off(at_once=at_once), *league.playoffs.stale),
    )


def build_league(field: Field, rng: RandomStream) -> League:
    facts = tuple(pairing for made in field.rounds for pairing in made.pairings)
    return League.build(field, ordering.number_entrants(field, rng, "listed"), facts, rng)


def build_playout(field: Field, rng: RandomStream, odds: Odds) -> CirclePlayout:
    circle = OpenCircle(build_league(field, rng), odds)
    return CirclePlayout(
        [circle], overall=lambda rankings, _: rankings[0], best=lambda leaders, _: leaders[0]
    )


def count_rounds(options: Options, entrants: int) -> RoundCount:
    """Count the rounds until all have met, unless fewer are announced."""
    turns = TIMES.get(options) * (entrants if entrants % 2 else max(0, entrants - 1))
    announced = rounds.ROUNDS.get(options)
    return RoundCount(min(announced, turns) if announced else turns, entrants // 2, entrants % 2)


def count_most_places(options: Options, entrants: int) -> int:
    """Count the places of one circle, at most: matches and byes.

    Late entrants meet all others, even if fewer rounds are announced.
    """
    return TIMES.get(options) * entrants * (entrants + 1) // 2


FORMAT = Format(
    propose=propose,
    label=pgettext("event format", "Round robin"),
    kind=FormatKind.CIRCLES,
    options=OPTIONS,
    sentences=SENTENCES,
    fixed=True,
    playout=build_playout,
    count=count_rounds,
    ties=TIES,
    list_brackets=lambda _options: (PLAYOFF_BRACKET,),
    most_players=LARGEST_CIRCLE,
    most_places=count_most_places,
)
LEAGUE = replace(
    FORMAT,
    # Matches can be played at any time before their deadlines.
    propose=partial(propose, option=LEAGUE_AT_ONCE),
    label=pgettext("event format", "League"),
    options=OPTIONS | index_options(LEAGUE_AT_ONCE),
    due_from=DueFrom.PUBLISHED,
)
