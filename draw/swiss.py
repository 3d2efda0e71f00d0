"""Swiss: players with equal scores meet, without rematches if possible (P50 to P67).

Play-offs decide places that tie-breaks leave shared; one loss eliminates a player (P89).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from draw import new_round, ordering, playoff_matches, rounds
from draw.event import NOTHING, Entrant, Field, Key, Pairing, Proposal
from draw.format import Format, pgettext
from draw.history import PLAYOFF, History
from draw.new_round import NewRound
from draw.options import Prominence, index_options
from draw.random_stream import RandomStream
from draw.rounds import RoundsState


def list_due_playoffs(sheet: RoundsState, places: int) -> tuple[tuple[Pairing, ...], bool]:
    """List the play-off matches to be played now, for ties that begin within the first *places*.

    The second value is True if no such ties are left, even after players who are away come back.
    """
    history = sheet.history
    if "play-off" not in sheet.ties:
        return (), True
    # Those from before a round was added are over.
    last = max((made.number for made in history.rounds), default=0)
    made = [one for number, one in history.playoffs if number > last]
    lost = {one.loser for one in made}
    lost |= {
        who for one in made if one.result is not None and one.result.winner is None for who in (one.a, one.b)
    }
    played = [who for one in made for who in (one.a, one.b)]
    numbers = (one.key.removeprefix(PLAYOFF) for _, one in history.playoffs)
    # Those of a circle, such as "playoff.1.r1.1", have no number.
    given = max((int(number) for number in numbers if number.isdecimal()), default=0)
    found: list[Pairing] = []
    is_done = True
    for rank in range(1, places + 1):
        tied = [one.entrant for one in sheet.ranking if one.rank == rank and one.shared > 1]
        left = [one for one in tied if one not in lost and history.by_id[one].left is None]
        is_done = is_done and len(left) < 2
        # Of an odd number, the player with the most play-offs waits.
        here = sorted((one for one in left if one not in history.field.absent), key=played.count)
        for a, b in zip(here[::2], here[1::2], strict=False):
            found.append(Pairing(Key(f"{PLAYOFF}{given + len(found) + 1}"), a, b))
    return tuple(found), is_done


SENTENCES: Final = new_round.SENTENCES | {"play-off": playoff_matches.SENTENCE}


def propose(field: Field, rng: RandomStream) -> Proposal:
    return playoff_matches.propose_with_playoffs(field, rng, _propose_rounds)


def _propose_rounds(field: Field, rng: RandomStream) -> Proposal:
    options = field.options
    planned = rounds.ROUNDS.get(options)
    history = History(field, new_round.FORFEITS_COUNT.get(options))
    start = ordering.compute_mcmahon(field)
    sheet = rounds.RoundsState.build(history, rng, planned, start=start)
    number = history.next_number
    if history.is_open:
        return sheet.proposal()
    counted = history.count_round(number)
    if (planned and counted > planned) or len(history.staying) < 2:
        # Without play-offs among the tie-breaks, the stage is over.
        due, is_done = list_due_playoffs(sheet, rounds.PLAYOFF_FOR.get(options, 1))
        return sheet.proposal(due, why=playoff_matches.explain_playoffs(due), finished=is_done)
    if not history.list_present(number):
        return sheet.proposal()
    virtual = ordering.compute_baku(field, ordering.number_entrants(field, rng), counted, planned)
    score = {one: points + start[one] + virtual.get(one, NOTHING) for one, points in history.scores.items()}
    new = NewRound.pair(history, score, rng)
    points = new_round.BYE_POINTS.get(options)
    requested = history.list_asked_byes(number)
    why = (*new.why(points), *new_round.explain_asked_byes(requested))
    return sheet.proposal(new.pairings(), (*new.byes(points), *requested), why)


def find_first_round(field: Field, newcomer: Entrant) -> int:
    """Return the first round of a latecomer; 0 if all rounds have been paired."""
    planned = rounds.ROUNDS.get(field.options)
    counted = History(field).count_round(newcomer.arrived)
    return 0 if planned and counted > planned else newcomer.arrived


FORMAT = Format(
    propose=propose,
    label=pgettext("event format", "Swiss"),
    joins_from=find_first_round,
    options=index_options(replace(rounds.ROUNDS, first=5, help="", asked=Prominence.FIRST))
    | new_round.OPTIONS
    | ordering.OPTIONS
    | index_options(new_round.BYE_POINTS, new_round.FORFEITS_COUNT, rounds.TIES_OPTION, *rounds.TIE_OPTIONS),
    sentences=SENTENCES,
    ties=rounds.TIES,
    is_endless=True,
)
