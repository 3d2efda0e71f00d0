"""Stages in sequence, and a format that is added at run time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from draw import facts, fixpoint, stages
from draw.event import (
    WIN,
    Draw,
    Entrant,
    EntrantId,
    Event,
    Field,
    From,
    Key,
    Kind,
    LeaveTime,
    Place,
    Proposal,
    Ranked,
    Reason,
    RequestedBye,
    Seat,
    Stage,
    State,
    Take,
)
from draw.format import Format
from draw.formats import FORMATS, format_reason
from draw.options import BadOption, Options
from draw.random_stream import RandomStream
from tests.draw import kit
from tests.draw.kit import play_out


def toy(field: Field, rng: RandomStream) -> Proposal:
    """Neighbours meet once; winners and losers are two groups."""
    made = {pairing.key: pairing for batch in field.rounds for pairing in batch.pairings}
    ids = [entrant.id for entrant in field.entrants]
    places, ranking = [], []
    for at, (a, b) in enumerate(zip(ids[::2], ids[1::2], strict=False), start=1):
        key = Key(f"r1.{at}")
        result = made[key].result if key in made else None
        winner = result.winner if result else None
        loser = None if winner is None else b if winner == a else a
        state = State.DECIDED if winner else State.READY
        seats = Seat(From.PAIRED, entrant=a), Seat(From.PAIRED, entrant=b)
        places.append(Place(key, *seats, state, 1, at, winner=winner, loser=loser, result=result))
        ranking += [
            Ranked(one, rank, group=group)
            for one, rank, group in ((winner or a, at, "W"), (loser or b, at, "L"))
        ]
    finished = all(place.state is State.DECIDED for place in places)
    why = tuple(
        Reason("neighbours", place.key, (("lot", rng.below(1)), ("who", place.a.entrant))) for place in places
    )
    return Proposal(tuple(places), (), tuple(ranking), finished, (*why, Reason("nameless", ids[0])))


TOY = Format(toy, sentences={"neighbours": "{who} sat next to somebody (lot {lot}) at {about}."})


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMATS, "toy", TOY)


def event(*parts: Stage, count: int = 8) -> Event:
    return Event(stages=parts, entrants=tuple(Entrant(one) for one in kit.names(count)), seed="7")


@pytest.mark.usefixtures("toys")
def test_a_new_format_is_one_module_and_one_line() -> None:
    plain = kit.event(4, "toy")
    _, proposal, played = play_out(plain)
    assert played == 2
    assert [ranked.entrant for ranked in proposal.ranking] == ["p1", "p2", "p3", "p4"]
    reasons = stages.propose(plain).why
    assert format_reason(reasons[0], {"p1": "Ann"}) == "Ann sat next to somebody (lot 0) at r1.1."
    assert format_reason(reasons[-1]) == "nameless"
    assert format_reason(replace(reasons[0], format="gone")) == "neighbours: lot 0, who p1"


@pytest.mark.usefixtures("toys")
def test_groups_hand_over_winners_then_seconds() -> None:
    qualifying = Stage("toys", "toy")
    cup = Stage("cup", "single-elimination", takes=(Take("toys", 1, 2, each_group=True),))
    played, proposal, _ = play_out(event(qualifying, cup))
    first = [place for place in proposal.places if place.key.startswith("cup/main/1")]
    # Group L before group W by name: p2 and p1 lead them, p4 and p3 come second.
    assert [place.entrants for place in first] == [("p2", "p3"), ("p1", "p4")]
    assert [place.stage for place in first] == ["cup", "cup"]
    assert first[0].a.origin is From.DRAW
    assert {batch.stage for batch in played.rounds} == {"toys", "cup"}
    assert proposal.finished
    ranks = {one.entrant: (one.rank, one.shared) for one in proposal.ranking}
    assert [one.entrant for one in proposal.ranking][:2] == ["p1", "p2"]
    assert ranks["p5"] == ranks["p6"] == (5, 2)
    assert ranks["p7"] == ranks["p8"] == (7, 2)


def test_a_stage_waits_for_those_before() -> None:
    first = Stage("swim", "single-elimination", Options.from_values(draw="listed"))
    second = Stage("cup", "double-elimination", takes=(Take("swim", 1, 4),))
    both = event(first, second)
    proposal = stages.propose(both)
    assert {place.stage for place in proposal.places} == {"swim"}
    assert not proposal.finished
    assert proposal.places[-1].a.key == "swim/main/2.1"
    _, proposal, _ = play_out(both)
    assert {place.stage for place in proposal.places} == {"swim", "cup"}
    assert [one.entrant for one in proposal.ranking[:4]] == ["p1", "p2", "p3", "p4"]
    assert [one.rank for one in proposal.ranking] == [1, 2, 3, 4, 5, 5, 5, 5]


def test_two_stages_may_follow_one() -> None:
    first = Stage("groups", "single-elimination", Options.from_values(draw="listed"))
    parts = (
        first,
        Stage("gold", "single-elimination", takes=(Take("groups", 1, 4),)),
        Stage("silver", "single-elimination", takes=(Take("groups", 5),)),
    )
    _, proposal, played = play_out(event(*parts))
    assert played == 7 + 3 + 3
    assert [one.rank for one in proposal.ranking] == [1, 2, 3, 3, 5, 6, 7, 7]


def test_what_falls_is_named_with_its_address() -> None:
    first = Stage("one", "single-elimination", Options.from_values(draw="listed"))
    second = Stage("two", "single-elimination", takes=(Take("one", 1, 2),))
    played, before, _ = play_out(event(first, second, count=4))
    corrected = facts.record_result(played, Key("one/main/2.1"), None)
    assert stages.propose(corrected).stale == ()
    corrected = facts.record_result(played, Key("one/main/1.1"), kit.won("p4"))
    assert [(one.stage, one.pairing.key) for one in stages.propose(corrected).stale] == [
        ("one", "one/main/2.1")
    ]
    assert stages.propose(facts.record_result(corrected, Key("one/main/1.1"), kit.won("p1"))) == before


def test_a_published_draw_belongs_to_its_stage() -> None:
    lines = tuple(EntrantId(name) for name in ("p3", "p1", "p2", "p4"))
    first = Stage("one", "single-elimination")
    second = Stage("two", "single-elimination", takes=(Take("one"),))
    both = replace(event(first, second, count=4), draws=(Draw("one", lines, "by hand"),))
    assert stages.propose(both).pairs == (("p3", "p1"), ("p2", "p4"))


def test_who_leaves_a_later_stage_has_not_left_the_earlier_one() -> None:
    """In the round robin p1 plays one match of three, so the results would be cancelled otherwise."""
    first = Stage("one", "round-robin", Options.from_values(lots="lot"))
    second = Stage("two", "single-elimination", takes=(Take("one", 1, 2),))
    both = event(first, second, count=4)
    settled = fixpoint.settle_event(both, held={"two"}, automatic=["two"])
    while not settled.event.draws:
        place = settled.proposal.ready[0]
        kind = Kind.FORFEIT if set(place.entrants) in ({"p1", "p3"}, {"p1", "p4"}) else Kind.PLAYED
        played = facts.record_result(settled.event, place.key, kit.won(min(place.entrants), kind))
        settled = fixpoint.settle_event(played, held={"two"}, automatic=["two"])
    gone = kit.with_entrant(settled.event, "p1", left=LeaveTime.NOW, left_as=1, left_after_draws=("two",))

    after = fixpoint.settle_event(gone, automatic=["two"])

    assert after.fallen == frozenset()
    assert [one.entrant for one in after.proposal.ranking] == ["p2", "p1", "p3", "p4"]
    # Drawn again, the stage is without those who have left.
    key = next(place.key for place in after.proposal.places if place.entrants == ("p2", "p3"))
    corrected = facts.record_result(after.event, key, kit.won("p3"))
    again = fixpoint.settle_event(corrected, automatic=["two"])
    assert again.fallen == {"two"}
    assert again.proposal.pairs == (("p3", "p2"),)
    assert fixpoint.settle_event(again.event, automatic=["two"]).event == again.event


@pytest.mark.parametrize(
    ("form", "options"),
    [
        ("groups", {"groups": 2}),
        ("swiss", {"rounds": 3}),
        ("lives", {"lives": 2, "until": 4}),
        ("round-robin", {}),
        ("double-elimination", {}),
    ],
)
@pytest.mark.parametrize("again", ["single-elimination", "groups"])
def test_for_a_player_who_left_before_the_next_stage_the_next_in_rank_goes_on(
    form: str, options: dict[str, object], again: str
) -> None:
    groups = form == "groups"
    # A knock-out has no ties to leave to the lot.
    lots = {} if form == "double-elimination" else {"lots": "lot"}
    first = Stage("one", form, Options.from_values(**lots, **options))
    second = Stage("two", again, takes=(Take("one", 1, 2 if groups else 4, each_group=groups),))
    settled = fixpoint.settle_event(event(first, second), held={"two"})
    while ready := [place for place in settled.proposal.ready if place.stage == "one"]:
        played = facts.record_result(settled.event, ready[0].key, kit.won(min(ready[0].entrants)))
        settled = fixpoint.settle_event(played, held={"two"})
    ranking = stages.propose_stages(settled.event)["one"].ranking
    same = [one.entrant for one in ranking if not groups or one.group == ranking[0].group]
    best, follower = same[0], same[2 if groups else 4]

    gone = kit.with_entrant(settled.event, best, left=LeaveTime.NOW, left_as=1)
    after = fixpoint.settle_event(gone, held={"two"}, automatic=["two"])

    def paired(settled: fixpoint.SettledEvent) -> set[str]:
        return {one for place in settled.proposal.ready for one in place.entrants}

    assert len(paired(after)) == 4
    assert best not in paired(after)
    assert follower in paired(after)
    # A player who was drawn and leaves then is not replaced.
    later = kit.with_entrant(after.event, follower, left=LeaveTime.NOW, left_as=2)
    assert fixpoint.settle_event(later).fallen == frozenset()
    assert paired(fixpoint.settle_event(later)) < paired(after)


def test_a_stage_without_lines_does_not_change_its_players() -> None:
    """Its draw does not name the players who were present."""
    first = Stage("one", "swiss", Options.from_values(rounds=1, lots="lot"))
    second = Stage("two", "round-robin", takes=(Take("one", 1, 4),))
    both = event(first, second)
    for place in stages.propose(both).ready:
        both = facts.record_result(
            facts.make_pairings(both, stages.propose(both)), place.key, kit.won(min(place.entrants))
        )
    field = stages.build_field(both, second, stages.propose_stages(both))

    gone = kit.with_entrant(both, field.entrants[0].id, left=LeaveTime.NOW, left_as=1)

    again = stages.build_field(gone, second, stages.propose_stages(gone))
    assert {one.id for one in again.entrants} == {one.id for one in field.entrants}


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(BadOption, match="'chess' is none of"):
        stages.propose(kit.event(4, "chess"))


def test_late_ones_count_as_there_in_the_next_stage() -> None:
    first = Stage("one", "single-elimination", Options.from_values(draw="listed"))
    second = Stage("two", "single-elimination", takes=(Take("one", 1, 2),))
    late = event(first, second, count=3)
    late = replace(late, entrants=(*late.entrants, Entrant(EntrantId("p0"), arrived=2)))
    _, proposal, _ = play_out(late)
    assert [one.entrant for one in proposal.ranking[:2]] == ["p0", "p2"]


def test_head_starts_and_byes_of_an_earlier_stage_do_not_count_again() -> None:
    first = Stage("one", "swiss", Options.from_values(rounds=2, lots="lot"))
    second = Stage("two", "swiss", Options.from_values(rounds=3), takes=(Take("one", 1, 4),))
    asked = (RequestedBye(1, WIN), RequestedBye(3))
    both = kit.with_entrant(event(first, second, count=6), "p2", head_start=WIN, asked=asked)

    played, proposal, _ = play_out(both)

    byes = {place.key for place in proposal.places if place.state is State.BYE}
    assert {key for key in byes if key.startswith("one/")} == {"one/r1.bye", "one/r1.bye2"}
    assert {key for key in byes if key.startswith("two/")} == {"two/r3.bye", "two/r3.bye2"}
    ranking = stages.propose_stages(played)["two"].ranking
    points = {one.entrant: dict(one.figures)["points"] for one in ranking}
    assert sum(points.values()) == 2 + 2 + 2, "two matches a round, and one match and one bye"
