"""Places shown at any moment of an evening: they include the final order, and can all be reached.

An evening is played to a random moment with all kinds of incidents, then to its end: by chance, then with one player
winning everything, then with the same player losing everything. The places shown before must hold each time.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from draw import facts, openings, stages
from draw.event import Entrant, EntrantId, Event, Kind, LeaveTime, Place, Proposal, Ranked, Result, State
from draw.options import Value
from tests.draw import kit
from tests.draw.test_machine import CHAINS, SIZES

pytestmark = pytest.mark.pure

SHEETS: list[tuple[str, dict[str, Value]]] = [
    ("single-elimination", {}),
    ("single-elimination", {"third_place": True}),
    ("single-elimination", {"redraw": True}),
    ("consolation", {}),
    ("progressive-consolation", {}),
    ("progressive-consolation", {"no_show_drops": True}),
    ("last-chance", {}),
    ("last-chance", {"consolation": "AB.C.|.|.", "last_chance": "full"}),
    ("feed-in", {}),
    ("first-match-losers", {}),
    ("double-elimination", {}),
    ("double-elimination", {"recharge": False}),
    *((chain, {}) for chain in CHAINS),
]
WITHOUT_PLAY = (Kind.WALKOVER, Kind.FORFEIT, Kind.NO_SHOW, Kind.WITHDRAWAL, Kind.DOUBLE_FORFEIT)
# Where byes or first losses lead elsewhere, neither winning nor losing everything need be the way to the ends.
TRIES = 30


def announced(form: str, options: dict[str, Value], rng: random.Random) -> Event:
    least, most = SIZES.get(form, (2, 17)) if options or form in CHAINS else (2, 17)
    if form == "last-chance" and options:
        least, most = SIZES[form]
    event = kit.event(rng.randint(least, most), form, **options)
    return replace(event, stages=CHAINS.get(form, event.stages))


def played(event: Event, rng: random.Random, results: int, *, leavers: bool = False) -> Event:
    """Play so many matches in any order, with all kinds of incidents.

    With *leavers*, more players leave, also after their current match, and the order of leaving is recorded.
    """
    for turn in range(results):
        proposal = stages.propose(event)
        if proposal.finished:
            break
        event = kit.publish_draw(facts.make_pairings(event, proposal), proposal)
        place = rng.choice(proposal.ready)
        kind = rng.choice(WITHOUT_PLAY) if rng.random() < 0.15 else Kind.PLAYED
        winner = None if kind is Kind.DOUBLE_FORFEIT else rng.choice(place.entrants)
        event = facts.record_result(event, place.key, Result(kind, winner))
        if rng.random() < 0.08:
            who = rng.choice(event.entrants)
            event = kit.with_entrant(event, who.id, left=LeaveTime.NOW, left_as=turn if leavers else 0)
        if leavers and rng.random() < 0.08:
            who = rng.choice([one for one in event.entrants if one.left is None] or event.entrants)
            event = kit.with_entrant(event, who.id, left=who.left or LeaveTime.AFTER, left_as=turn)
        if rng.random() < 0.05:
            event = with_latecomer(event, rng)
    return event


def with_latecomer(event: Event, rng: random.Random) -> Event:
    """Add a late entrant if there is a place, in the main draw or beside it."""
    late = Entrant(
        EntrantId(f"p{100 + len(event.entrants)}"), arrived=max(one.number for one in event.rounds) + 1
    )
    found = openings.find_openings(event, late)
    if not found:
        return event
    way = rng.choice(found)
    return replace(event, entrants=(*event.entrants, replace(late, joins=way.place if way.is_side else "")))


def crowded(form: str, options: dict[str, Value], lot: int) -> Iterator[tuple[Event, Proposal]]:
    """Yield every moment of an evening with many withdrawals and late entries."""
    rng = random.Random(f"{form} {options} {lot} crowded")
    event = announced(form, options, rng)
    for turn in range(1, 41):
        proposal = stages.propose(event)
        event = kit.publish_draw(facts.make_pairings(event, proposal), proposal)
        yield event, proposal
        what = rng.random()
        if what < 0.3:
            who = rng.choice(event.entrants)
            how = who.left or rng.choice((LeaveTime.NOW, LeaveTime.AFTER))
            event = kit.with_entrant(event, who.id, left=how, left_as=who.left_as or turn)
        elif what < 0.5:
            event = with_latecomer(event, rng)
        elif proposal.ready:
            place = rng.choice(proposal.ready)
            kind = rng.choice((Kind.PLAYED, *WITHOUT_PLAY))
            winner = None if kind is Kind.DOUBLE_FORFEIT else rng.choice(place.entrants)
            event = facts.record_result(event, place.key, Result(kind, winner))


def hold_crowded(form: str, options: dict[str, Value], lot: int) -> None:
    """Check at every moment of such an evening that the places are consistent, and that latecomers keep their seats."""
    seated: set[EntrantId] = set()
    for event, proposal in crowded(form, options, lot):
        kit.check_places(proposal)
        there = {one.entrant for one in proposal.ranking}
        assert seated <= there
        seated = {one.id for one in event.entrants if one.joins} & there


def ended(
    event: Event, rng: random.Random, *, hero: EntrantId | None = None, wins: bool | None = None
) -> Proposal:
    def choose(place: Place) -> EntrantId:
        if wins is None or hero not in place.entrants:
            return rng.choice(place.entrants)
        return next(one for one in place.entrants if (one == hero) is wins)

    return kit.play_out(event, choose)[1]


def by_entrant(proposal: Proposal) -> dict[EntrantId, Ranked]:
    return {one.entrant: one for one in proposal.ranking}


def covers(shown: Proposal, end: Proposal) -> list[tuple[str, str, str]]:
    """Entrants whose final places are outside those shown."""
    final = by_entrant(end)
    return [
        (one.entrant, one.places, final[one.entrant].places)
        for one in shown.ranking
        if not one.rank <= final[one.entrant].rank <= final[one.entrant].last <= one.last
    ]


def is_current(event: Event, shown: Proposal) -> bool:
    """True if a stage in progress ranks by the current score, as in a Swiss."""
    drawn = {place.stage for place in shown.places if place.state in (State.READY, State.WAITING)}
    return any(stage.name in drawn and stage.format in {"swiss", "groups"} for stage in event.stages)


def hold(form: str, options: dict[str, Value], lot: int, *, leavers: bool = False) -> None:
    rng = random.Random(f"{form} {options} {lot}{' leavers' * leavers}")
    event = played(announced(form, options, rng), rng, rng.randint(0, 40), leavers=leavers)
    shown = stages.propose(event)
    event = kit.publish_draw(event, shown)
    kit.check(event, shown)
    if is_current(event, shown):
        return
    open_places = [place for place in shown.places if place.state in (State.READY, State.WAITING)]
    seated = {one for place in open_places for one in place.entrants}
    playing = {one for place in open_places if place.state is State.READY for one in place.entrants}
    gone = {
        one.id
        for one in event.entrants
        if one.left is LeaveTime.NOW or (one.left is LeaveTime.AFTER and one.id not in playing)
    }
    still_in = {one.entrant for one in shown.ranking if one.is_open}
    # If every round is drawn separately, advanced players have no seat yet.
    assert seated - gone <= still_in if options.get("redraw") else seated - gone == still_in
    assert not covers(shown, ended(event, rng))
    if seated - gone:
        reaches(event, by_entrant(shown)[rng.choice(sorted(seated - gone))], rng)


def reaches(event: Event, hero: Ranked, rng: random.Random) -> None:
    """Check that the best and the worst of the places shown can be reached."""
    best, worst = hero.last, hero.rank
    for wins in (True, False, None) * TRIES:
        there = by_entrant(ended(event, rng, hero=hero.entrant, wins=wins))[hero.entrant]
        best, worst = min(best, there.rank), max(worst, there.last)
        if (best, worst) == (hero.rank, hero.last):
            return
    assert (best, worst) == (hero.rank, hero.last), hero


@pytest.mark.long
@pytest.mark.parametrize(("form", "options"), SHEETS)
@pytest.mark.parametrize("lot", range(4))
def test_what_is_shown_covers_the_end_and_can_be_reached(
    form: str, options: dict[str, Value], lot: int
) -> None:
    hold(form, options, lot)
    if lot % 2:
        hold(form, options, lot, leavers=True)


def test_who_has_left_stays_where_they_are_when_others_leave_later() -> None:
    """The last to leave drops to where earlier leavers gave a bye (P33)."""
    event = kit.event(4, "progressive-consolation", draw="listed")
    event = facts.make_pairings(event, stages.propose(event))
    event = kit.with_entrant(event, "p2", left=LeaveTime.NOW, left_as=1)
    event = facts.record_result(event, "main/1.1", Result(Kind.PLAYED, EntrantId("p4")))
    before = by_entrant(stages.propose(event))

    after = by_entrant(stages.propose(kit.with_entrant(event, "p1", left=LeaveTime.NOW, left_as=2)))

    places = {name: one.places for name, one in after.items()}
    assert places["p2"] == before[EntrantId("p2")].places == "4"
    assert places["p1"] == "3"


@pytest.mark.parametrize(
    ("form", "options", "lot"),
    [
        # An eliminated player drops to a seat that a latecomer holds.
        ("last-chance", {}, 123),
        ("last-chance", {}, 337),
        # One of two who meet drops for a first loss, and never both.
        ("first-match-losers", {}, 124),
        # Two eliminated players drop to a place without other players.
        ("first-match-losers", {}, 295),
        # Too few for a losers' bracket.
        ("double-elimination", {"recharge": False}, 117),
    ],
)
def test_nights_that_were_told_wrong_once(form: str, options: dict[str, Value], lot: int) -> None:
    hold(form, options, lot)


LAST_CHANCE_FOR_ALL: dict[str, Value] = {"consolation": "AB.C.|.|.", "last_chance": "full"}


@pytest.mark.parametrize(
    ("form", "options", "lot"),
    [
        # A player leaves after an open match, and others may get byes because of it.
        *(("last-chance", LAST_CHANCE_FOR_ALL, lot) for lot in (2, 139, 161, 207)),
        ("first-match-losers", {}, 86),
        ("double-elimination", {}, 305),
        ("single-elimination", {}, 1199),
        # A withdrawn player drops from the first lost match, which may not be the one they wait for (P25).
        ("first-match-losers", {}, 255),
        ("first-match-losers", {}, 340),
    ],
)
def test_nights_of_leavers_that_were_told_wrong_once(form: str, options: dict[str, Value], lot: int) -> None:
    hold(form, options, lot, leavers=True)


@pytest.mark.parametrize(
    ("form", "options", "size", "gone", "leaves"),
    [
        ("progressive-consolation", {}, 6, "p1", "p3"),
        ("progressive-consolation", {"consolation": "AB.C.|.|."}, 9, "", "p8"),
        ("last-chance", {"consolation": "AB.C.|.|.", "last_chance": "full"}, 9, "", "p8"),
        ("double-elimination", {}, 6, "p1", "p3"),
    ],
)
def test_who_leaves_after_a_match_may_end_higher_by_losing_it(
    form: str, options: dict[str, Value], size: int, gone: str, leaves: str
) -> None:
    """The loser drops to a level with fewer players; the places shown still run from best to worst."""
    event = kit.event(size, form, draw="listed", **options)
    event = facts.make_pairings(event, stages.propose(event))
    if gone:
        event = kit.with_entrant(event, gone, left=LeaveTime.NOW, left_as=1)
    event = kit.with_entrant(event, leaves, left=LeaveTime.AFTER, left_as=2)

    shown = stages.propose(event)

    kit.check(event, shown)
    assert by_entrant(shown)[EntrantId(leaves)].is_open


@pytest.mark.parametrize(
    ("options", "lot"),
    [
        # One latecomer took the seat of another.
        ({}, 4),
        ({}, 18),
        (LAST_CHANCE_FOR_ALL, 10),
        # Two players had one place, and a range of places was reversed.
        (LAST_CHANCE_FOR_ALL, 30),
        (LAST_CHANCE_FOR_ALL, 31),
    ],
)
def test_places_fit_on_nights_on_which_many_leave_and_come_late(options: dict[str, Value], lot: int) -> None:
    hold_crowded("last-chance", options, lot)


@pytest.mark.slow
@pytest.mark.parametrize(("form", "options"), SHEETS)
def test_they_fit_on_many_such_nights(form: str, options: dict[str, Value]) -> None:
    for lot in range(100, 200):
        hold_crowded(form, options, lot)


@pytest.mark.slow
@pytest.mark.parametrize(("form", "options"), SHEETS)
def test_the_same_on_many_nights(form: str, options: dict[str, Value]) -> None:
    for lot in range(100, 400):
        hold(form, options, lot)
