"""Played matches stay played when players arrive late, stay away or leave. Only a correction changes them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from draw.event import Kind
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base.errors import TournamentError
from tournaments.models import Entry, Leaving, Pairing, PairingState
from tournaments.play import arrivals, departures, incidents, results
from tournaments.status import Status

pytestmark = pytest.mark.django_db

FORMS: dict[str, dict[str, Any]] = {
    "double-elimination": {},
    "last-chance": {},
    "progressive-consolation": {},
    "feed-in": {},
    "swiss": {"rounds": 4},
    "lives": {},
}


@pytest.fixture
def desk(db: None, now: Any, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A desk that is not inspected after each act: here something else is looked at."""
    monkeypatch.undo()
    return Desk(now)


@pytest.mark.long
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", [5, 22])
def test_who_leaves_takes_no_played_result_along(desk: Desk, form: str, seed: int) -> None:
    desk.start(a_plan(form, **FORMS[form]), 14)
    rng = random.Random(f"{form} {seed}")

    while desk.fresh().status == Status.RUNNING:
        before = played(desk)
        try:
            act_at_random(desk, rng)()
        except TournamentError:
            continue
        lost = before.items() - played(desk).items()
        assert not lost, desk.ruling()


def played(desk: Desk) -> dict[str, tuple[int | None, int | None, int | None]]:
    rows = Pairing.objects.filter(tournament=desk.event, state=PairingState.DECIDED, kind=Kind.PLAYED.value)
    return {key: tuple(sides) for key, *sides in rows.values_list("key", "a_id", "b_id", "winner_id")}  # type: ignore[misc]


def act_at_random(desk: Desk, rng: random.Random) -> Callable[[], Any]:
    row = rng.choice(desk.open())
    chosen = rng.random()
    if chosen < 0.6:
        score = rng.choice([(row.length, 0), (0, row.length)])
        return lambda: desk.do(results.enter_result, key=row.key, score=score)
    if chosen < 0.7:
        loser = row.a.number
        return lambda: desk.do(incidents.record_no_show, key=row.key, loser=loser, reason="never came")
    here = list(Entry.objects.filter(tournament=desk.event, left="").values_list("number", flat=True))
    who = rng.choice(here)
    if chosen < 0.9:
        return lambda: desk.do(departures.withdraw_entry, entry=who, after=chosen < 0.8)
    if chosen < 0.95:
        return lambda: desk.do(departures.disqualify_entry, entry=who, reason="threw a checker")
    return lambda: desk.do(arrivals.enter_latecomer, name=f"Late {rng.randrange(1000)}")


@pytest.mark.parametrize("form", ["double-elimination", "swiss", "lives"])
def test_a_walkover_stands_when_its_winner_leaves_too(desk: Desk, form: str) -> None:
    desk.start(a_plan(form), 4)
    key, (first, second) = next(iter(desk.pairs().items()))
    desk.do(departures.withdraw_entry, entry=first)

    desk.do(departures.withdraw_entry, entry=second)

    assert desk.row(key).winner == desk.entry(second)


def test_who_left_after_his_match_and_is_sent_away_as_well_keeps_what_he_won(desk: Desk) -> None:
    desk.start(a_plan("double-elimination"), 4)
    key, (first, second) = next(iter(desk.pairs().items()))
    desk.do(departures.withdraw_entry, entry=first, after=True)
    desk.do(departures.withdraw_entry, entry=second)

    desk.do(departures.disqualify_entry, entry=first, reason="threw a checker on his way out")

    assert desk.row(key).winner == desk.entry(first)
    assert desk.entry(first).is_disqualified
    assert desk.entry(first).left == Leaving.AFTER
