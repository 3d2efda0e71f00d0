"""Stored rounds: another process, machine or Python must draw the same."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from draw import facts, stages
from draw.event import Entrant, EntrantId
from draw.matchmaking import make_round
from tests.draw import kit
from tests.draw.swissevents import byes, field, pairs, propose
from tests.draw.test_matchmaking import random_event

GOLDEN = json.loads((Path(__file__).parent / "golden_rounds.json").read_text("utf-8"))


@pytest.mark.parametrize("drawn", GOLDEN, ids=lambda drawn: f"{drawn['format']} {drawn['seed']}")
def test_the_same_seed_gives_the_same_rounds(drawn):
    event = kit.event(11, drawn["format"], **{**drawn["options"], "ties": tuple(drawn["options"]["ties"])})
    event = replace(event, seed=drawn["seed"])
    for wanted in drawn["rounds"]:
        proposal = stages.propose(event)
        assert [" ".join(f"{a}-{b}" for a, b in proposal.pairs), byes(proposal)] == wanted
        event = facts.make_pairings(event, proposal)
        for place in proposal.ready:
            event = facts.record_result(event, place.key, kit.won(kit.favourite(place)))
    assert " ".join(one.entrant for one in stages.propose(event).ranking) == drawn["order"]


@pytest.mark.parametrize("seed", range(20))
def test_names_do_not_matter(seed):
    names = [f"p{number}" for number in range(9)]
    rng = random.Random(seed)
    other = [f"{rng.getrandbits(32):x}" for _ in names]
    one, two = (
        field(
            "swiss",
            tuple(Entrant(EntrantId(name)) for name in called),
            seed=str(seed),
            options={"method": "random"},
        )
        for called in (names, other)
    )
    renamed = dict(zip(other, names, strict=True))
    assert [(renamed[a], renamed[b]) for a, b in propose(two).pairs] == list(propose(one).pairs)
    assert pairs(propose(one))


def test_a_round_is_made_of_its_players_alone():
    players, wishes = random_event(7, largest=30)
    assert make_round(players, wishes) == make_round(tuple(players), replace(wishes))
