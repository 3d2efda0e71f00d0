"""The Swiss rules: one test for each rule of docs/pairing-rounds.md."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from draw.event import (
    Bye,
    Entrant,
    EntrantId,
    Key,
    Kind,
    LeaveTime,
    MatchRules,
    Pairing,
    PairingExclusion,
    RequestedBye,
    Result,
    Round,
    RoundRules,
    State,
)
from draw.formats import format_reason
from draw.history import History
from draw.options import BadOption
from tests.draw.swissevents import byes, entrants, field, ids, pairs, propose, rounds

EIGHT = entrants("A B C D E F G H")
FIRST = "A>E B>F C>G D>H"


def swiss(players=EIGHT, *texts: str, **more):
    return field("swiss", players, rounds(*texts), **more)


def changed(players, name: str, **more):
    return tuple(replace(one, **more) if one.id == name else one for one in players)


@pytest.mark.parametrize(
    ("method", "first", "second"),
    [
        ("slide", "A-E B-F C-G D-H", "A-C B-D E-G F-H"),
        ("fold", "A-H B-G C-F D-E", "A-D B-C E-H F-G"),
        ("monrad", "A-B C-D E-F G-H", "A-B C-D E-F G-H"),
    ],
)
def test_the_worked_example_of_each_method(method, first, second):
    options = {"method": method}
    assert pairs(propose(swiss(options=options))) == first
    assert pairs(propose(swiss(EIGHT, FIRST, options=options))) == second


def test_random_pairs_depend_on_the_seed_alone():
    options = {"method": "random"}
    one = pairs(propose(swiss(options=options, seed="one")))
    assert one == pairs(propose(swiss(options=options, seed="one")))
    assert len({pairs(propose(swiss(options=options, seed=str(seed)))) for seed in range(20)}) > 10


def test_equal_scores_meet_and_nobody_meets_twice():
    made = [FIRST, "A>C B>D E>G F>H", "A>B C>D E>F G>H"]
    proposal = propose(swiss(EIGHT, *made))
    met = {frozenset(pair) for text in made for pair in (word.split(">") for word in text.split())}
    assert not met & {frozenset(pair) for pair in proposal.pairs}
    assert len(proposal.pairs) == 4


def test_only_made_rounds_are_places_and_a_key_says_where():
    proposal = propose(swiss(EIGHT, FIRST))
    assert [place.key for place in proposal.places][:5] == ["r1.1", "r1.2", "r1.3", "r1.4", "r2.1"]
    assert [place.state for place in proposal.places] == [State.DECIDED] * 4 + [State.READY] * 4
    assert proposal.places[0].winner == "A"
    assert proposal.places[0].loser == "E"


def test_an_open_match_holds_up_the_next_round():
    proposal = propose(swiss(EIGHT, "A>E B?F C>G D>H"))
    assert pairs(proposal) == "B-F"
    assert [one.entrant for one in proposal.ranking][:3] == ["A", "C", "D"]


def test_an_odd_number_gives_the_lowest_a_bye_and_nobody_two():
    seven = entrants("A B C D E F G")
    first = propose(swiss(seven))
    assert byes(first) == "G"
    assert first.byes == (Bye(EntrantId("G")),)
    assert next(place for place in first.places if place.state is State.BYE).key == "r1.bye"
    second = propose(swiss(seven, "A>D B>E C>F G"))
    assert byes(second) == "F"
    assert "F sits out" in " ".join(format_reason(replace(one, format="swiss")) for one in second.why)


def test_a_win_without_a_match_bars_the_bye_unless_the_event_says_otherwise():
    # Of those who never sat out, D has the fewest points; but the one he has came without a match.
    made = ["A>B C>D E", "A>D B>C", "D+E B>A C"]
    assert byes(propose(swiss(entrants("A B C D E"), *made))) == "B"
    assert byes(propose(swiss(entrants("A B C D E"), *made, options={"gifts_bar_bye": False}))) == "D"
    assert byes(propose(swiss(entrants("A B C D E"), *made, options={"bye_cap": 2}))) == "D"


@pytest.mark.parametrize(("to", "who"), [("lowest", "E"), ("highest", "A")])
def test_the_bye_may_go_elsewhere(to, who):
    assert byes(propose(swiss(entrants("A B C D E"), options={"bye": to}))) == who


def test_the_bye_may_be_drawn():
    five = entrants("A B C D E")
    drawn = {byes(propose(swiss(five, options={"bye": "random"}, seed=str(seed)))) for seed in range(40)}
    assert drawn == set("ABCDE")


def test_a_bye_may_be_worth_half():
    half = propose(swiss(entrants("A B C"), options={"bye_points": "1/2"}))
    assert half.byes[0].points == Fraction(1, 2)
    assert propose(swiss(entrants("A B C"), options={"bye_points": 0.5})).byes == half.byes
    for wrong in ("much", -1, True, "1e1"):
        with pytest.raises(BadOption):
            propose(swiss(entrants("A B C"), options={"bye_points": wrong}))


def test_a_match_nobody_played_is_no_meeting_unless_the_event_says_so():
    four = entrants("A B C D")
    made = ["A+D B>C", "A>B C>D", "A>C B>D"]
    assert "A-D" in pairs(propose(swiss(four, *made)))
    proposal = propose(swiss(four, *made, options={"forfeits_count_as_met": True}))
    assert any(one.code == "again" for one in proposal.why)


def test_when_everybody_has_met_the_oldest_meeting_comes_again():
    four = entrants("A B C D")
    proposal = propose(swiss(four, "A>D B>C", "A>B C>D", "A>C B>D"))
    assert pairs(proposal) == "A-D B-C"
    again = [dict(one.figures) for one in proposal.why if one.code == "again"]
    assert [(one["times"], one["last"]) for one in again] == [(1, 1), (1, 1)]


def test_a_void_match_was_never_played():
    made = swiss(entrants("A B"), "A>B").rounds[0]
    void = replace(made, pairings=(Pairing(Key("r1.1"), *ids("A B"), Result(Kind.VOID)),))
    proposal = propose(replace(swiss(entrants("A B")), rounds=(void,)))
    assert pairs(proposal) == "A-B"
    assert not any(one.code == "again" for one in proposal.why)


def test_clubs_are_a_wish_families_a_wall():
    players = entrants("A B C D", club="Bern")
    # Four of one club still play.
    assert pairs(propose(swiss(players))) == "A-C B-D"
    two = changed(changed(entrants("A B C D"), "A", club="Bern"), "C", club="Bern")
    assert pairs(propose(swiss(two))) == "A-D B-C"
    assert pairs(propose(swiss(two, options={"clubs": "off"}))) == "A-C B-D"
    family = changed(changed(entrants("A B"), "A", family="Roth"), "B", family="Roth")
    proposal = propose(swiss(family))
    assert pairs(proposal) == ""
    assert byes(proposal) == "A B"
    assert [one.code for one in proposal.why] == ["bye-stranded", "bye-stranded"]
    assert [place.key for place in proposal.places] == ["r1.bye", "r1.bye2"]
    assert pairs(propose(swiss(family, options={"families": "soft"}))) == "A-B"


def test_a_wall_for_the_first_rounds_only():
    family = changed(changed(entrants("A B C D"), "A", club="Roth"), "C", club="Roth")
    options = {"apart_rounds": 1, "clubs": "hard"}
    assert pairs(propose(swiss(family, options=options))) == "A-D B-C"
    assert pairs(propose(swiss(family, "A>D C>B", options=options))) == "A-C B-D"


def test_clubs_may_count_more_than_scores():
    four = changed(changed(entrants("A B C D"), "A", club="Bern"), "B", club="Bern")
    made = "A>D B>C"
    kept = propose(swiss(four, made))
    assert pairs(kept) == "A-B C-D"
    assert [one.code for one in kept.why] == ["level", "apart", "level"]
    assert pairs(propose(swiss(four, made, options={"apart_first": True}))) == "A-C B-D"


def test_the_director_keeps_two_apart():
    apart = (PairingExclusion(frozenset(ids("A C"))), PairingExclusion(frozenset(ids("B D")), hard=False))
    assert pairs(propose(swiss(entrants("A B C D"), apart=apart))) == "A-D B-C"


def test_one_who_comes_late_plays_from_then_on():
    late = Entrant(EntrantId("Z"), arrived=2, head_start=Fraction(1, 2))
    players = (*entrants("A B C"), late)
    assert byes(propose(swiss(players))) == "C"
    proposal = propose(swiss(players, "A>B C"))
    assert pairs(proposal) == "A-C Z-B"
    assert {one.entrant: dict(one.figures)["points"] for one in proposal.ranking}["Z"] == Fraction(1, 2)


def test_a_round_asked_off_is_paid_as_agreed_and_does_not_count_as_a_bye():
    players = changed(entrants("A B C"), "C", asked=(RequestedBye(1, Fraction(1, 2)),))
    proposal = propose(swiss(players))
    assert pairs(proposal) == "A-B"
    assert proposal.byes == (Bye(EntrantId("C"), Fraction(1, 2), asked=True),)
    made = replace(rounds("A>B")[0], byes=proposal.byes)
    second = propose(replace(swiss(players), rounds=(made,)))
    assert {one.entrant: dict(one.figures)["points"] for one in second.ranking}["C"] == Fraction(1, 2)
    assert byes(second) == "B"
    # It counts even if it is not recorded.
    forgotten = propose(swiss(players, "A>B"))
    assert forgotten.ranking == second.ranking
    five = changed(entrants("A B C D E"), "E", asked=(RequestedBye(1, Fraction(1, 2)),))
    assert byes(propose(swiss(five, "A>C B>D", "A>B C>E D"))) == "E"


def points(proposal):
    return {one.entrant: dict(one.figures)["points"] for one in proposal.ranking}


@pytest.mark.parametrize("form", ["swiss", "lives"])
def test_a_bye_counts_when_its_round_is_over(form):
    players = entrants("A B C D E")
    open_ = propose(field(form, players, rounds("A>B C?D E")))
    assert points(open_) == {"A": 1, "B": 0, "C": 0, "D": 0, "E": 0}
    closed = propose(field(form, players, rounds("A>B C>D E")))
    assert points(closed) == {"A": 1, "B": 0, "C": 1, "D": 0, "E": 1}


def test_a_bye_does_not_lift_who_lost_the_only_match_to_the_first_place():
    proposal = propose(swiss(entrants("A B C D E"), "A>B C>D E", "A?C E?B D"))
    assert points(proposal) == {"A": 1, "B": 0, "C": 1, "D": 0, "E": 1}
    # The round before stays closed: what is corrected there does not take its bye away.
    assert points(propose(swiss(entrants("A B C"), "A?B C", "A>C B")))["C"] == 1


def test_a_round_that_is_only_paired_changes_no_standings():
    """G has gone home. In an event that is ended early the next round is often there already."""
    players = changed(EIGHT, "G", left=LeaveTime.NOW)
    made = (FIRST, "A>B C>D E>F G>H", "C>A B>E D>H F")
    before, after = (propose(swiss(players, *texts)) for texts in (made, (*made, "C?B A?D E?F H")))
    assert pairs(after) == "C-B A-D E-F"
    assert after.ranking == before.ranking
    begun = propose(swiss(players, *made, "C>B A?D E?F H"))
    assert begun.ranking != before.ranking


def test_a_bye_that_was_asked_for_counts_when_its_round_is_over_too():
    players = changed(entrants("A B C D E"), "E", asked=(RequestedBye(1, Fraction(1, 2)),))
    assert points(propose(swiss(players, "A>B C?D")))["E"] == 0
    assert points(propose(swiss(players, "A>B C>D")))["E"] == Fraction(1, 2)


def test_points_from_before_and_from_outside_do_not_wait_for_the_round():
    players = changed(entrants("A B C"), "C", head_start=Fraction(2))
    assert points(propose(swiss(players, "A?B C")))["C"] == 2
    given = replace(swiss(players, "A?B C"), scores={EntrantId("C"): Fraction(5)})
    assert points(propose(given))["C"] == 5


def test_a_round_missed_without_a_word_scores_nothing():
    players = changed(entrants("A B C"), "C", asked=(RequestedBye(2, Fraction(1, 2)),))
    proposal = propose(swiss(players, "A>B"))
    assert {one.entrant: dict(one.figures)["points"] for one in proposal.ranking}["C"] == 0


def test_who_is_away_is_not_paired_and_scores_nothing():
    proposal = propose(swiss(EIGHT, absent=frozenset(ids("H G"))))
    assert pairs(proposal) == "A-D B-E C-F"
    assert propose(swiss(EIGHT, absent=frozenset(ids("A B C D E F G H")))).pairs == ()
    assert byes(propose(swiss(EIGHT, absent=frozenset(ids("A B C D E F G"))))) == "H"


def test_one_who_leaves_loses_an_open_match_and_is_not_paired_again():
    players = changed(EIGHT, "E", left=LeaveTime.NOW)
    proposal = propose(swiss(players, "A?E B>F C>G D>H"))
    assert proposal.places[0].result == Result(Kind.WITHDRAWAL, EntrantId("A"))
    assert "E" not in pairs(proposal)
    stays = changed(EIGHT, "E", left=LeaveTime.AFTER)
    assert pairs(propose(swiss(stays, "A?E B>F C>G D>H"))) == "A-E"
    both = changed(players, "A", left=LeaveTime.NOW)
    assert propose(swiss(both, "A?E B>F C>G D>H")).places[0].result == Result(Kind.DOUBLE_FORFEIT)
    other = changed(EIGHT, "A", left=LeaveTime.NOW)
    assert propose(swiss(other, "A?E B>F C>G D>H")).places[0].winner == "E"


def test_baku_puts_the_upper_half_ahead_then_half_then_nothing():
    eight = {"acceleration": "baku", "rounds": 5}
    first = propose(swiss(options=eight))
    # Of eight the upper four play each other as if a point ahead.
    assert pairs(first) == "A-C B-D E-G F-H"
    accelerated = [dict(one.figures)["score"] for one in first.why]
    assert accelerated == [1, 1, 0, 0]
    third = propose(swiss(EIGHT, "A>C B>D E>G F>H", "A>B C>D E>F G>H", options=eight))
    assert {figure for one in third.why for name, figure in one.figures if name == "score"} >= {
        Fraction(5, 2)
    }
    fourth = propose(swiss(EIGHT, "A>C B>D E>G F>H", "A>B C>E D>F G>H", "A>E B>C D>G F>H", options=eight))
    assert dict(fourth.why[0].figures)["score"] == 3
    with pytest.raises(BadOption):
        propose(swiss(options={"acceleration": "baku"}))


def test_mcmahon_starts_by_rating():
    options = {"mcmahon": (1994, 1996), "rounds": 3}
    proposal = propose(swiss(options=options))
    # 2000 to 1996 begin with two points, 1995 and 1994 with one, 1993 with none.
    assert pairs(proposal) == "A-C B-D E-F G-H"
    points = {one.entrant: dict(one.figures)["points"] for one in proposal.ranking}
    assert points == dict(zip(ids("A B C D E F G H"), (2, 2, 2, 2, 2, 1, 1, 0), strict=True))
    with pytest.raises(BadOption):
        propose(swiss(options={"mcmahon": ("high",)}))


def test_points_to_begin_with_count_in_floats():
    six = tuple(Entrant(name, rating=1600) for name in ids("A B C D E F"))
    four = tuple(Entrant(name, rating=1400) for name in ids("G H I J"))
    options = {"order": "listed", "mcmahon": (1500,), "clubs": "off"}
    made = ("A>D E>B F>C G>I H>J", "E>A B>F C>G D>H I>J")
    third = swiss((*six, *four), *made, options=options)
    # C met G and D met H with a point each: C has not gone down, and can do so now.
    floats = History(third).floats
    assert [floats[one] for one in ids("C G D H")] == [[0, 0]] * 4
    assert pairs(propose(third)) == "E-C A-F B-D G-J H-I"
    # In the first round a player who begins with a point meets one who does not.
    across = History(swiss((*six[:1], *four[:1]), "A>G", options=options))
    assert across.floats == {"A": [-1], "G": [1]}


def test_scores_from_outside_replace_the_sum():
    scores = {EntrantId("H"): Fraction(5), EntrantId("A"): Fraction(5)}
    proposal = propose(swiss(EIGHT, FIRST, scores=scores))
    assert proposal.pairs[0] == ("A", "H")
    assert {one.entrant: dict(one.figures)["points"] for one in proposal.ranking}["H"] == 5


def test_the_order_may_be_the_list_or_drawn():
    listed = tuple(Entrant(name, rating=1000 + place) for place, name in enumerate(ids("A B C D")))
    assert pairs(propose(swiss(listed))) == "D-B C-A"
    assert pairs(propose(swiss(listed, options={"order": "listed"}))) == "A-C B-D"
    assert (
        len({pairs(propose(swiss(listed, options={"order": "random"}, seed=str(one)))) for one in range(20)})
        > 5
    )


def test_it_ends_with_the_rounds_and_winners_may_be_joint():
    four = entrants("A B C D")
    proposal = propose(swiss(four, "A>C B>D", "A=B C=D", options={"rounds": 2, "ties": ("points",)}))
    assert proposal.finished
    assert [(one.entrant, one.rank, one.shared) for one in proposal.ranking] == [
        ("A", 1, 2),
        ("B", 1, 2),
        ("C", 3, 2),
        ("D", 3, 2),
    ]
    assert not propose(swiss(four, "A>C B>D", options={"rounds": 2})).finished
    left = tuple(replace(one, left=LeaveTime.NOW) for one in four[1:])
    assert propose(swiss((four[0], *left), "A>C B>D")).finished
    with pytest.raises(BadOption):
        propose(swiss(four, options={"ties": ("coin",)}))


def test_a_play_off_is_proposed_played_and_counted():
    four = entrants("A B C D")
    options = {"rounds": 2, "ties": ("points", "play-off")}
    base = swiss(four, "A>C B>D", "A=B C=D", options=options)
    due = propose(base)
    assert [(place.key, place.bracket, place.round) for place in due.ready] == [("playoff.1", "play-off", 3)]
    assert not due.finished

    def played(result: Result | None):
        match = Pairing(Key("playoff.1"), *ids("A B"), result)
        return propose(
            replace(
                base, rounds=(*base.rounds, replace(base.rounds[0], number=3, pairings=(match,), byes=()))
            )
        )

    assert pairs(played(None)) == "A-B"
    done = played(Result(Kind.PLAYED, EntrantId("B")))
    assert done.finished
    assert [one.entrant for one in done.ranking] == ["B", "A", "C", "D"]
    neither = played(Result(Kind.DOUBLE_FORFEIT))
    assert neither.finished
    assert neither.ranking[0].shared == 2


def test_three_who_share_play_off_with_a_wait():
    base = swiss(
        entrants("A B C"), "A>B C", "C>A B", "B>C A", options={"ties": ("points", "play-off"), "rounds": 3}
    )
    assert pairs(propose(base)) == "A-B"
    first = Pairing(Key("playoff.1"), *ids("A B"), Result(Kind.PLAYED, EntrantId("A")))
    after = replace(
        base, rounds=(*base.rounds, replace(base.rounds[0], number=4, pairings=(first,), byes=()))
    )
    assert pairs(propose(after)) == "C-A"


def test_a_play_off_is_no_round_that_the_others_have_missed():
    options = {"rounds": 4, "ties": ("points", "buchholz-cut-1", "play-off")}
    base = swiss(EIGHT, FIRST, "A>B C>D E>F G>H", "C>A B>E D>G F>H", "B>C A>D E>H F>G", options=options)
    before = propose(base)
    assert [(one.entrant, one.shared) for one in before.ranking[:3]] == [("A", 3), ("B", 3), ("C", 3)]
    first = Pairing(Key("playoff.1"), *ids("A B"), Result(Kind.PLAYED, EntrantId("A")))
    second = Pairing(Key("playoff.2"), *ids("C A"), Result(Kind.PLAYED, EntrantId("C")))

    after = propose(replace(base, rounds=(*base.rounds, Round(5, (first,)), Round(6, (second,)))))

    assert after.finished
    assert after.ranking[0].entrant == "C"
    assert [one.entrant for one in after.ranking[3:]] == [one.entrant for one in before.ranking[3:]]
    assert {one.entrant: one.figures[:2] for one in after.ranking} == {
        one.entrant: one.figures[:2] for one in before.ranking
    }


def test_a_round_that_is_added_is_played_after_a_play_off():
    four = changed(entrants("A B C D"), "C", head_start=Fraction(1, 2))
    options = {"rounds": 2, "ties": ("points", "play-off")}
    first = Pairing(Key("playoff.1"), *ids("A B"), Result(Kind.PLAYED, EntrantId("A")))
    made = (*rounds("A>C B>D"), Round(2, (first,)))
    second = propose(field("swiss", four, made, options=options))
    assert [place.key for place in second.ready] == ["r3.1", "r3.2"]

    last = rounds("", "", "C>A B=D")[-1]
    after = propose(field("swiss", four, (*made, last), options=options))

    # B lost to A, who is no longer in the tie.
    assert [(place.key, place.entrants) for place in after.ready] == [("playoff.2", ("B", "C"))]


@pytest.mark.parametrize(
    ("form", "options", "length"),
    [("swiss", {}, 5), ("lives", {}, 5), ("swiss", {"rounds": 1}, 11), ("lives", {"rounds": 1}, 11)],
)
def test_the_rules_of_the_last_round_need_a_number_of_rounds(form, options, length):
    base = field(form, EIGHT, options=options)
    rules = (RoundRules(MatchRules(11), round=-1),)
    proposal = propose(replace(base, stage=replace(base.stage, rules=rules)))
    assert {place.rules.length for place in proposal.places} == {length}


def test_lots_end_a_list_and_are_drawn_once():
    base = swiss(entrants("A B C D"), options={"ties": ("points", "lot"), "rounds": 1})
    orders = {
        tuple(one.entrant for one in propose(replace(base, seed=str(seed))).ranking) for seed in range(30)
    }
    assert len(orders) > 10
    assert all(one.shared == 1 for one in propose(base).ranking)


def test_a_stranger_s_match_is_stale():
    proposal = propose(swiss(entrants("A B C"), "A>B C", "A>Z C>B Y"))
    assert [(one.pairing.b, one.now) for one in proposal.stale] == [("Z", ("A",))]
    assert {one.entrant: dict(one.figures)["points"] for one in proposal.ranking}["A"] == 1


def test_point_difference_comes_from_the_scores_of_the_matches():
    made = swiss(entrants("A B"), "A>B").rounds[0]
    match = Pairing(Key("r1.1"), *ids("B A"), Result(Kind.PLAYED, EntrantId("A"), (3, 5)))
    base = swiss(entrants("A B"), options={"rounds": 1, "ties": ("points", "point-difference")})
    ranking = propose(replace(base, rounds=(replace(made, pairings=(match,)),))).ranking
    assert [dict(one.figures)["point-difference"] for one in ranking] == [2, -2]
