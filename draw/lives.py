"""Lives: a Swiss by number of losses, in which a player is out after so many of them (P70 to P76)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from draw import new_round, playoff_matches, rounds
from draw.event import WIN, EntrantId, Field, Pairing, Proposal, Reason
from draw.format import Format, pgettext
from draw.history import History
from draw.new_round import NewRound
from draw.options import (
    Choice,
    Flag,
    OptionHeading,
    Options,
    Prominence,
    WholeNumber,
    gettext_noop,
    index_options,
)
from draw.random_stream import RandomStream
from draw.wishes import ByeTo

TIES: Final = ("lives", "points")
LIVES: Final = WholeNumber(
    "lives", 3, gettext_noop("Lives"), first=3, least=1, most=9, asked=Prominence.FIRST
)
MODE: Final = Choice(
    "mode",
    "rounds",
    gettext_noop("Paired"),
    choices={
        "rounds": gettext_noop("Round by round"),
        "continuous": gettext_noop("Free players, at any time"),
    },
    heading=OptionHeading.PAIRING,
)
BATCH_MINUTES: Final = WholeNumber(
    "batch_minutes",
    0,
    gettext_noop("Minutes between pairings"),
    gettext_noop("Applies when free players are paired at any time. Leave empty to pair them at once."),
    most=120,
    heading=OptionHeading.PAIRING,
)
GAP: Final = WholeNumber(
    "gap",
    1,
    gettext_noop("Largest difference in lives"),
    gettext_noop("Applies when free players are paired while others are still playing."),
    most=9,
    heading=OptionHeading.PAIRING,
)
UNTIL: Final = WholeNumber(
    "until",
    1,
    gettext_noop("Ends when this many players are left"),
    gettext_noop("They can play on in the next stage."),
    least=1,
    heading=OptionHeading.LENGTH,
)
SPLIT: Final = Flag(
    "split",
    False,
    gettext_noop("The last three share first place"),
    gettext_noop("If each has one life left and no two of them have had byes."),
    heading=OptionHeading.LENGTH,
)
BRACKET: Final = WholeNumber(
    "bracket",
    0,
    gettext_noop("Ends when this many lives are left"),
    gettext_noop(
        "All players together: as many as the following knock-out has lines. Leave empty to play to the end."
    ),
    most=512,
    heading=OptionHeading.LENGTH,
)
SENTENCES: Final = new_round.SENTENCES | {
    "level": "{a} and {b} meet with {score} lives each ({method} in a group of {group}).",
    "across": "{a} ({score} lives) meets {b} ({other_score}), because no opponent with the same score is free.",
    "bye": "{entrant} sits out, because the number is odd. Byes before: {byes}.",
    "wait": "{entrant} waits, because no suitable opponent is free.",
    "split": "Three are left with one life each and share the place; {byes} of them had a bye.",
    "play-off": playoff_matches.SENTENCE,
    "few-left": "{left} are left, and the stage ends at {until}.",
    "bracket": "{left} are left with {lives} lives between them, enough for a knock-out of {bracket}.",
}


def propose(field: Field, rng: RandomStream) -> Proposal:
    return playoff_matches.propose_with_playoffs(field, rng, _propose_rounds)


def _propose_rounds(field: Field, rng: RandomStream) -> Proposal:
    options = field.options
    lives = LIVES.get(options)
    planned = rounds.ROUNDS.get(options)
    history = History(field, new_round.FORFEITS_COUNT.get(options))
    sheet = rounds.RoundsState.build(history, rng, planned, lives=lives, ties=TIES)
    is_continuous = MODE.get(options) == "continuous"
    if history.is_open and not is_continuous:
        return sheet.proposal()
    left = {
        one.id: lives - history.losses[one.id] for one in history.staying if history.losses[one.id] < lives
    }
    ending = _explain_ending(history, left, field)
    counted = history.count_round(history.next_number)
    if ending is not None or (planned and counted > planned):
        if ending and ending[0].code == "split":
            order = (
                replace(one, rank=1, shared=len(left)) if one.entrant in left else one
                for one in sheet.ranking
            )
            sheet = replace(sheet, ranking=tuple(order))
        return sheet.proposal(why=ending or (), finished=not history.is_open)
    if is_continuous:
        return _propose_continuous(sheet, left, rng)
    if sum(one.id in left for one in history.list_present(history.next_number)) < 2:
        return sheet.proposal()  # players who are away may come back; the director decides
    points = new_round.BYE_POINTS.get(options)
    requested = tuple(bye for bye in history.list_asked_byes(history.next_number) if bye.entrant in left)
    new = NewRound.pair(history, _convert_lives(left), rng, bye_to=ByeTo.RANDOM, must_play=True).only(
        _limit_matches(field, left, ())
    )
    why = (*new.why(points), *new_round.explain_asked_byes(requested))
    return sheet.proposal(new.pairings(), (*new.byes(points), *requested), why)


def _convert_lives(left: dict[EntrantId, int]) -> dict[EntrantId, Fraction]:
    return {one: Fraction(lives) for one, lives in left.items()}


def _explain_ending(history: History, left: dict[EntrantId, int], field: Field) -> tuple[Reason, ...] | None:
    until = UNTIL.get(field.options)
    bracket = BRACKET.get(field.options)
    together = sum(left.values())
    about = field.stage.name
    if len(left) <= until:
        return (Reason("few-left", about, (("left", len(left)), ("until", until))),)
    if bracket and together <= bracket:
        figures = (("left", len(left)), ("lives", together), ("bracket", bracket))
        return (Reason("bracket", about, figures),)
    if SPLIT.get(field.options) and list(left.values()) == [1, 1, 1] and not history.is_open:
        byes = sum(history.byes[one] > 0 for one in left)
        # P74: with two byes among them, the third has earned the chance to win it alone.
        if byes < 2:
            return (Reason("split", about, (("byes", byes),)),)
    return None


def _limit_matches(field: Field, left: dict[EntrantId, int], open_matches: Sequence[Pairing]) -> int | None:
    """Return the maximum number of new matches; None: no limit.

    After these the remaining lives fit the bracket (P75).
    """
    bracket = BRACKET.get(field.options)
    return max(0, sum(left.values()) - bracket - len(open_matches)) if bracket else None


def _propose_continuous(sheet: rounds.RoundsState, left: dict[EntrantId, int], rng: RandomStream) -> Proposal:
    """Pair the free players. A player without a suitable opponent waits (P72)."""
    history, field = sheet.history, sheet.field
    every = [one for made in history.rounds for one in made.pairings]
    open_matches = [one for one in every if one.result is None]
    busy = {who for one in open_matches for who in (one.a, one.b)}
    free = {one: lives for one, lives in left.items() if one not in busy}
    if not free:
        return sheet.proposal()
    # Matches begun since each player's last: the longest wait is paired first.
    last = {who: number for number, one in enumerate(every, 1) for who in (one.a, one.b)}
    new = NewRound.pair(
        history,
        _convert_lives(free),
        rng,
        bye_to=ByeTo.RANDOM,
        waiting={one: len(every) - last.get(one, 0) for one in free},
        patience=GAP.get(field.options) if open_matches else None,
        must_play=not open_matches,
    )
    waits = tuple(Reason("wait", bye.entrant, (("entrant", bye.entrant),)) for bye in new.byes(WIN))
    keys = [one.key for batch in field.rounds for one in batch.pairings]
    given = max((int(key[1:]) for key in keys if key[0] == "m" and key[1:].isdigit()), default=0)
    new = replace(new.only(_limit_matches(field, left, open_matches)), keys=("m", given))
    matches = tuple(reason for reason in new.why(WIN) if reason.code not in new_round.BYE_CODES)
    return sheet.proposal(new.pairings(), why=(*matches, *waits))


def get_batch_minutes(options: Options) -> int:
    """Return the minutes between pairings of free players; 0 if paired at once or by rounds (P72)."""
    return BATCH_MINUTES.get(options) if MODE.get(options) == "continuous" else 0


FORMAT = Format(
    propose=propose,
    label=pgettext("event format", "Lives"),
    options=index_options(rounds.ROUNDS, LIVES, MODE, BATCH_MINUTES, GAP, UNTIL, SPLIT, BRACKET)
    | new_round.OPTIONS
    | index_options(
        replace(new_round.BYE_POINTS, asked=Prominence.NEVER),  # points only count after lives
        new_round.FORFEITS_COUNT,
        replace(rounds.TIES_OPTION, default=TIES),
        *rounds.TIE_OPTIONS,
    ),
    sentences=SENTENCES,
    count=lambda options, entrants: None,
    # Each match costs a life.
    most_places=lambda options, entrants: LIVES.get(options) * entrants,
    ties=TIES,
    counts_in="lives",
    batch_minutes=get_batch_minutes,
)
