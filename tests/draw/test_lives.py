"""Events with lives: by rounds, continuous, and their endings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from draw.event import Bye, EntrantId, Key, Kind, LeaveTime, Pairing, RequestedBye, Result, Round
from draw.options import BadOption
from tests.draw.swissevents import byes, entrants, field, ids, pairs, propose, rounds


def lives(players, *texts: str, **more):
    options = {"method": "slide", **more.pop("options", {})}
    return field("lives", players, rounds(*texts), options=options, **more)


def codes(proposal) -> list[str]:
    return [one.code for one in proposal.why]


EIGHT = entrants("A B C D E F G H")
THREE = {"options": {"lives": 1}}


def test_equal_losses_meet_and_who_has_lost_them_all_is_out():
    made = ["A>E B>F C>G D>H", "A>C B>D E>G F>H"]
    two = lives(EIGHT, *made, options={"lives": 2})
    # G and H are out; A and B have not lost, C to F once.
    assert pairs(propose(two)) == "A-B C-E D-F"
    three = propose(lives(EIGHT, *made))
    assert pairs(three) == "A-B C-E D-F G-H"
    assert codes(three) == ["level"] * 4
    assert dict(three.why[0].figures)["score"] == 3


def test_one_life_is_a_knock_out_without_a_sheet():
    made = ["A>E B>F C>G D>H", "A>C B>D", "A>B"]
    proposal = propose(lives(EIGHT, *made, **THREE))
    assert proposal.finished
    assert proposal.pairs == ()
    assert [(one.entrant, one.rank, one.shared) for one in proposal.ranking][:5] == [
        ("A", 1, 1),
        ("B", 2, 1),
        ("C", 3, 2),
        ("D", 3, 2),
        ("E", 5, 4),
    ]


def test_the_bye_is_drawn_and_nobody_has_two_before_all_had_one():
    five = entrants("A B C D E")
    drawn = {byes(propose(lives(five, seed=str(seed)))) for seed in range(40)}
    assert drawn == set("ABCDE")
    assert byes(propose(lives(entrants("A B C"), "A>B C", "C>A B"))) == "A"
    assert byes(propose(lives(five, options={"bye": "lowest"}))) == "E"


def test_a_round_asked_off_costs_no_life():
    players = tuple(
        replace(one, asked=(RequestedBye(1),)) if one.id == "D" else one for one in entrants("A B C D")
    )
    proposal = propose(lives(players))
    assert Bye(EntrantId("D"), asked=True, points=proposal.byes[-1].points) in proposal.byes
    assert len(proposal.byes) == 2


def test_the_last_two_meet_again_if_need_be():
    proposal = propose(lives(entrants("A B"), "A>B", "B>A", options={"lives": 2}))
    assert pairs(proposal) == "A-B"
    assert "again" in codes(proposal)
    assert propose(lives(entrants("A B"), "A>B", "A>B", options={"lives": 2})).finished


def test_a_double_forfeit_can_leave_nobody():
    proposal = propose(lives(entrants("A B"), "A-B", **THREE))
    assert proposal.finished
    assert [one.rank for one in proposal.ranking] == [1, 1]


def test_walls_fall_where_the_last_could_not_play_at_all():
    family = tuple(replace(one, family="Roth") for one in entrants("A B"))
    assert pairs(propose(lives(family))) == "A-B"


def test_it_stops_when_so_many_are_left():
    made = ["A>E B>F C>G D>H", "A>C B>D"]
    proposal = propose(lives(EIGHT, *made, options={"lives": 1, "until": 2}))
    assert proposal.finished
    assert codes(proposal) == ["few-left"]


def test_it_stops_after_so_many_rounds():
    assert propose(lives(EIGHT, "A>E B>F C>G D>H", options={"rounds": 1})).finished


def test_the_berlin_ending():
    three = entrants("A B C D")
    # D is out; of A, B and C one had a bye.
    one_bye = propose(lives(three, "A>D B", options={"lives": 1, "split": True}))
    assert one_bye.finished
    assert codes(one_bye) == ["split"]
    assert [(one.entrant, one.rank, one.shared) for one in one_bye.ranking] == [
        ("A", 1, 3),
        ("B", 1, 3),
        ("C", 1, 3),
        ("D", 4, 1),
    ]
    two_byes = propose(lives(three, "A>D B C", options={"lives": 1, "split": True}))
    assert not two_byes.finished
    assert not propose(lives(three, "A>D B", options={"lives": 1})).finished


def test_a_round_is_cut_short_when_the_lives_left_fill_a_bracket():
    # Eight players with two lives each: 16. A bracket of 13 needs three matches, the last three tables'.
    first = propose(lives(EIGHT, options={"lives": 2, "bracket": 13}))
    assert pairs(first) == "B-F C-G D-H"
    assert [place.key for place in first.ready] == ["r1.1", "r1.2", "r1.3"]
    assert first.byes == ()
    assert [one.about for one in first.why] == ["r1.1", "r1.2", "r1.3"]
    done = propose(lives(EIGHT, "B>F C>G D>H", options={"lives": 2, "bracket": 13}))
    assert done.finished
    assert codes(done) == ["bracket"]


def test_one_who_leaves_is_out_and_one_who_is_away_is_waited_for():
    left = tuple(replace(one, left=LeaveTime.AFTER) if one.id == "B" else one for one in entrants("A B"))
    assert propose(lives(left, "B>A")).finished
    away = propose(lives(entrants("A B"), absent=frozenset(ids("B"))))
    assert not away.finished
    assert away.places == ()


# Continuous


def running(players, *matches: str, **more):
    """Matches in the order they were made, each its own batch."""
    texts = rounds(*matches)
    named = tuple(Round(one.number, (replace(one.pairings[0], key=Key(f"m{one.number}")),)) for one in texts)
    return replace(
        lives(players, options={"mode": "continuous", **more.pop("options", {})}, **more), rounds=named
    )


def test_whoever_is_free_is_paired_at_once():
    first = propose(lives(EIGHT, options={"mode": "continuous"}))
    assert [place.key for place in first.ready] == ["m1", "m2", "m3", "m4"]
    # A and B have won, C has lost and may not meet A again.
    later = propose(running(entrants("A B C D E F"), "A>C", "B?D", "E>F"))
    assert pairs(later) == "B-D A-E C-F"
    assert [place.key for place in later.ready] == ["m2", "m4", "m5"]


def test_one_rather_waits_than_meets_somebody_again_or_far_away():
    waiting = propose(running(entrants("A B C D"), "A>B", "C?D"))
    assert pairs(waiting) == "C-D"
    assert [dict(one.figures)["entrant"] for one in waiting.why if one.code == "wait"] == ["A", "B"]
    far = running(
        entrants("A B C D E F"), "A>B", "C>B", "E>D", "F>D", "B>D", "A?E", "F?B", options={"lives": 4}
    )
    # C has lost nothing, D three times; with a gap of three they may meet, since they have not.
    assert pairs(propose(far)) == "A-E F-B"
    wide = replace(
        far,
        stage=replace(
            far.stage, options=lives((), options={"mode": "continuous", "gap": 3, "lives": 4}).stage.options
        ),
    )
    assert pairs(propose(wide)) == "A-E F-B C-D"


def test_when_nothing_is_being_played_anybody_meets_anybody():
    proposal = propose(running(entrants("A B"), "A>B"))
    assert pairs(proposal) == "A-B"
    family = tuple(replace(one, family="Roth") for one in entrants("A B"))
    assert pairs(propose(running(family))) == "A-B"
    assert propose(running(entrants("A B"), "A?B")).pairs == (("A", "B"),)


def test_the_one_who_waited_longest_is_paired_first():
    five = entrants("A B C D E")
    proposal = propose(running(five, "A>B", "C>D"))
    # E has not played yet.
    assert "E" in pairs(proposal)


def test_keys_are_never_given_twice():
    base = running(entrants("A B C D E F"), "A?B")
    odd = replace(base, rounds=(Round(1, (Pairing(Key("m7"), *ids("A B")),)),))
    assert [place.key for place in propose(odd).ready] == ["m7", "m8", "m9"]


def test_it_ends_in_the_middle_only_when_the_open_matches_are_over():
    options = {"lives": 1, "until": 2}
    open_one = propose(running(entrants("A B C"), "A>C", options=options))
    assert open_one.finished
    four = entrants("A B C D")
    pending = propose(running(four, "A>C", "B>D", "A?B", options={"lives": 1, "until": 2}))
    assert not pending.finished
    assert pairs(pending) == "A-B"


def test_a_bracket_is_reached_to_the_life_in_continuous_play_too():
    proposal = propose(lives(EIGHT, options={"mode": "continuous", "lives": 2, "bracket": 14}))
    assert len(proposal.pairs) == 2
    with pytest.raises(BadOption):
        propose(lives(EIGHT, options={"mode": "swinging"}))


def test_no_show_costs_a_life():
    match = Pairing(Key("r1.1"), *ids("A B"), Result(Kind.NO_SHOW, EntrantId("A")))
    base = replace(lives(entrants("A B"), **THREE), rounds=(Round(1, (match,)),))
    assert propose(base).finished
