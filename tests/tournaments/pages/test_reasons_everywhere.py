"""Random nights in every format: every reason has a sentence in both languages and names no other player."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from django.utils import translation
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from draw import facts, fixpoint
from draw.event import Entrant, EntrantId, Event, Kind, LeaveTime, Reason, Result, Stage
from draw.options import Options, Value
from draw.standings import separations as separations
from tournaments.pages import reasons

NIGHTS: list[tuple[str, dict[str, Value]]] = [
    ("swiss", {"rounds": 4}),
    ("swiss", {"rounds": 3, "ties": ("points", "buchholz", "lot"), "playoff": True}),
    ("lives", {"lives": 2}),
    ("lives", {"lives": 2, "mode": "continuous"}),
    ("single-elimination", {"draw": "rating", "seeds": 2}),
    ("single-elimination", {"redraw": True}),
    ("last-chance", {}),
    ("double-elimination", {"draw": "random"}),
    ("round-robin", {"playoff": True}),
    ("groups", {"groups": 2, "order": "random"}),
]
KINDS = [Kind.PLAYED, Kind.PLAYED, Kind.PLAYED, Kind.FORFEIT, Kind.NO_SHOW, Kind.DOUBLE_FORFEIT]


def a_night(form: str, options: dict[str, Value], count: int, chance: Random) -> Iterator[Reason]:
    """Play a night, with people who leave and who are away, and yield every reason that is given on the way."""
    clubs = ["", "Here", "There"]
    entrants = tuple(
        Entrant(EntrantId(str(number)), rating=chance.choice([None, 1500, 1600]), club=chance.choice(clubs))
        for number in range(1, count + 1)
    )
    now = Event((Stage("", form, Options.from_values(**options)),), entrants, seed=str(chance.random()))
    for _ in range(60):
        settled = fixpoint.settle_event(now)
        yield from settled.proposal.why
        yield from (one for found in settled.why.values() for one in found)
        for one in separations.explain_separations(settled.proposal.ranking):
            yield replace(one, format=form)
        now = settled.event
        todo = [one for batch in now.rounds for one in batch.pairings if one.result is None]
        if not todo:
            return
        match = chance.choice(todo)
        kind = chance.choice(KINDS)
        winner = None if kind is Kind.DOUBLE_FORFEIT else chance.choice([match.a, match.b])
        now = facts.record_result(now, match.key, Result(kind, winner))
        if chance.random() < 0.1:
            now = _gone(now, chance)
        now = replace(now, absent=frozenset(one.id for one in now.entrants if chance.random() < 0.05))


def _gone(now: Event, chance: Random) -> Event:
    at = chance.randrange(len(now.entrants))
    row = replace(now.entrants[at], left=LeaveTime.NOW, left_as=at + 1)
    return replace(now, entrants=(*now.entrants[:at], row, *now.entrants[at + 1 :]))


@pytest.mark.long
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    night=st.sampled_from(NIGHTS),
    count=st.integers(3, 9),
    seed=st.integers(0, 10_000),
    language=st.sampled_from(["en", "de"]),
)
def test_every_reason_of_a_night_can_be_told(
    night: tuple[str, dict[str, Value]], count: int, seed: int, language: str
) -> None:
    form, options = night
    there = {number: f"<Player {number}>" for number in range(1, count + 1)}
    with translation.override(language):
        for reason in a_night(form, options, count, Random(seed)):
            told = reasons.translate_reason(reason, there.__getitem__)
            assert told.sentence
            assert "%(" not in told.sentence
            assert "None" not in told.sentence
            assert set(told.entries.values()) <= there.keys()
            # Stored reasons give the same words.
            again = Reason.from_json(reason.to_json(), reason.about, reason.format)
            assert reasons.translate_reason(again, there.__getitem__).sentence == told.sentence
