"""Round robins: Berger tables, leagues, groups, and the stages after groups."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from draw.brackets.qualifiers import draw_crosswise
from draw.event import (
    Draw,
    Entrant,
    EntrantId,
    Key,
    Kind,
    LeaveTime,
    MatchRules,
    Pairing,
    Ranked,
    Result,
    Round,
    RoundRules,
    Stage,
    State,
)
from draw.formats import FORMATS
from draw.groups import count_rounds, deal_into_groups, name_groups
from draw.options import BadOption
from draw.random_stream import RandomStream
from draw.schedule import build_berger_table
from tests.draw.swissevents import entrants, field, ids, pairing, pairs, propose
from tests.engine.shared import Source, each_source

FOUR = entrants("A B C D")


def made(*texts: str) -> tuple[Round, ...]:
    """Rounds whose matches name their places: "r1.1:A>D"."""
    found = []
    for number, text in enumerate(texts, 1):
        words = [word.split(":") for word in text.split()]
        found.append(Round(number, tuple(pairing(match, key) for key, match in words)))
    return tuple(found)


def robin(players=FOUR, *texts: str, format_: str = "round-robin", **more):
    return field(format_, players, made(*texts), **more)


@each_source
def test_berger_s_tables_equal_the_vectors(source: Source) -> None:
    vectors = json.loads((source.trf / "vectors.json").read_text())["berger"]
    assert sorted(map(int, vectors)) == [4, 6, 8, 10, 12, 14, 16]
    for count, rounds in vectors.items():
        assert [
            [list(pair) for pair in made_round] for made_round in build_berger_table(int(count))
        ] == rounds


@pytest.mark.parametrize("count", range(2, 31))
def test_everybody_meets_everybody_once_and_sits_once_a_round(count):
    table = build_berger_table(count)
    assert len(table) == count - 1 + count % 2
    seen = [frozenset(pair) for row in table for pair in row]
    assert len(seen) == len(set(seen)) == count * (count - 1) // 2
    for row in table:
        busy = [one for pair in row for one in pair]
        assert len(busy) == len(set(busy))


def test_nobody_and_one_alone_have_nothing_to_play():
    assert build_berger_table(1) == ((),)
    assert build_berger_table(0) == ()
    assert propose(robin(())).finished
    assert propose(robin(FOUR[:1])).finished


def test_places_are_there_from_the_start_and_are_played_round_by_round():
    first = propose(robin())
    assert [(place.key, *place.entrants, place.state.value) for place in first.places] == [
        ("r1.1", "A", "D", "ready"),
        ("r1.2", "B", "C", "ready"),
        ("r2.1", "D", "C", "waiting"),
        ("r2.2", "A", "B", "waiting"),
        ("r3.1", "B", "D", "waiting"),
        ("r3.2", "C", "A", "waiting"),
    ]
    assert pairs(propose(robin(FOUR, "r1.1:A>D r1.2:B?C"))) == "B-C"
    assert pairs(propose(robin(FOUR, "r1.1:A>D r1.2:B>C"))) == "D-C A-B"


def test_a_league_may_be_played_in_any_order():
    assert len(propose(robin(format_="league")).pairs) == 6
    assert pairs(propose(robin(options={"at_once": True}))) == pairs(propose(robin(format_="league")))


def test_each_round_of_a_league_has_its_days():
    stage = Stage(
        "league", "league", rules=(RoundRules(MatchRules(days=14)), RoundRules(MatchRules(days=21), round=-1))
    )
    placed = propose(replace(robin(format_="league"), stage=replace(stage, format="league")))
    assert [place.rules.days for place in placed.places] == [14, 14, 14, 14, 21, 21]


def test_an_odd_number_lets_one_sit_out_each_round():
    proposal = propose(robin(FOUR[:3]))
    out = [(place.key, place.winner) for place in proposal.places if place.state is State.BYE]
    assert out == [("r1.bye", "A"), ("r2.bye", "C"), ("r3.bye", "B")]
    assert proposal.byes == ()


def test_twice_means_the_seats_change():
    proposal = propose(robin(FOUR, options={"times": 2}))
    assert len(proposal.places) == 12
    assert proposal.places[0].entrants == tuple(reversed(proposal.places[6].entrants))
    assert proposal.places[6].key == "r4.1"


def test_it_may_be_cut_short():
    proposal = propose(robin(FOUR, "r1.1:A>D r1.2:B>C", options={"rounds": 1}))
    assert proposal.finished
    assert len(proposal.places) == 2


def test_the_order_counts_who_did_not_come():
    proposal = propose(robin(FOUR, "r1.1:A>D r1.2:B>C", "r2.1:D>C r2.2:A+B", "r3.1:D>B r3.2:C>A"))
    assert proposal.finished
    # A and D have two points each; A beat D.
    assert [one.entrant for one in proposal.ranking] == ["A", "D", "B", "C"]


def test_a_late_entrant_takes_the_free_number():
    late = Entrant(EntrantId("Z"), arrived=2)
    before = propose(robin(FOUR[:3]))
    after = propose(robin((*FOUR[:3], late)))
    known = {place.key: place.entrants for place in before.places if place.state is not State.BYE}
    assert {
        key for key, who in known.items() if who not in [place.entrants for place in after.places]
    } == set()
    assert {place.key: place.entrants for place in after.places if place.key in known} == known
    assert len([place for place in after.places if "Z" in place.entrants]) == 3


def test_further_late_entrants_play_after_the_others():
    late = tuple(Entrant(EntrantId(name), arrived=2) for name in "YZ")
    before = propose(robin(FOUR))
    after = propose(robin((*FOUR, *late)))
    assert after.places[: len(before.places)] == before.places
    seen = [frozenset(place.entrants) for place in after.places if place.state is not State.BYE]
    assert len(seen) == len(set(seen)) == 15
    assert {place.round for place in after.places if "Z" in place.entrants} == {4, 5, 6, 7, 8}
    only = propose(robin(late))
    assert [place.entrants for place in only.places] == [("Y", "Z")]


def test_who_leaves_early_is_taken_out_who_leaves_late_forfeits_the_rest():
    early = tuple(replace(one, left=LeaveTime.NOW) if one.id == "D" else one for one in FOUR)
    proposal = propose(robin(early, "r1.1:A>D r1.2:B>C"))
    assert [one.code for one in proposal.why] == ["cancelled"]
    assert {one.entrant: dict(one.figures).get("points") for one in proposal.ranking} == {
        "A": 0,
        "B": 1,
        "C": 0,
        "D": None,
    }
    assert pairs(proposal) == "A-B"
    late = propose(robin(early, "r1.1:A>D r1.2:B>C", "r2.1:D>C r2.2:A>B"))
    assert late.why == ()
    assert {one.entrant: dict(one.figures)["points"] for one in late.ranking} == {
        "A": 2,
        "B": 2,
        "C": 0,
        "D": 1,
    }
    kept = propose(robin(early, "r1.1:A>D r1.2:B>C", options={"cancel_half": False}))
    assert {one.entrant: dict(one.figures)["points"] for one in kept.ranking} == {
        "A": 1,
        "B": 2,
        "C": 1,
        "D": 0,
    }
    two = tuple(replace(one, left=LeaveTime.NOW) if one.id in "BD" else one for one in FOUR)
    both = propose(robin(two, options={"cancel_half": False}))
    assert (
        next(place for place in both.places if place.entrants == ("B", "D")).result.kind
        is Kind.DOUBLE_FORFEIT
    )


def test_who_leaves_after_the_match_still_plays_it():
    leaving = tuple(replace(one, left=LeaveTime.AFTER) if one.id == "D" else one for one in FOUR)
    running = propose(robin(leaving, "r1.1:A?D r1.2:B?C"))
    assert pairs(running) == "A-D B-C"
    assert running.why == ()
    over = propose(robin(leaving, "r1.1:A>D r1.2:B?C"))
    assert [one.code for one in over.why] == ["cancelled"]
    assert pairs(over) == "B-C"
    second = propose(robin(leaving, "r1.1:A>D r1.2:B>C", "r2.1:D?C r2.2:A>B"))
    assert pairs(second) == "D-C"
    assert propose(robin(leaving, "r1.1:A>D r1.2:B>C", "r2.1:D>C r2.2:A>B")).why == ()
    # The opponent may leave as well, during this match or at once.
    other = tuple(replace(one, left=LeaveTime.AFTER) if one.id == "A" else one for one in leaving)
    assert pairs(propose(robin(other, "r1.1:A?D r1.2:B?C"))) == "A-D B-C"
    gone = tuple(replace(one, left=LeaveTime.NOW) if one.id == "A" else one for one in leaving)
    assert pairs(propose(robin(gone, "r1.1:A?D r1.2:B?C"))) == "B-C"


def test_who_leaves_a_league_after_the_match_has_no_current_one():
    leaving = tuple(replace(one, left=LeaveTime.AFTER) if one.id == "D" else one for one in FOUR)
    keys = " ".join(f"{place.key}:{'?'.join(place.entrants)}" for place in propose(robin()).places)
    league = propose(robin(leaving, keys, format_="league"))
    assert {one for pair in league.pairs for one in pair} == {"A", "B", "C"}


def test_who_is_away_is_waited_for_and_makes_up_for_it():
    away = propose(robin(FOUR, "r1.2:B>C", absent=frozenset(ids("D"))))
    assert [one.code for one in away.why] == ["postponed"] * 3
    assert pairs(away) == "A-B"
    back = propose(robin(FOUR, "r1.2:B>C", "r2.2:A>B"))
    assert pairs(back) == "A-D"
    assert propose(robin(absent=frozenset(ids("A B C D")))).pairs == ()


def test_matches_in_progress_are_due_before_others():
    # A late entrant, or a player who is back, does not stop the second round.
    assert pairs(propose(robin(FOUR, "r1.2:B>C", "r2.2:A?B"))) == "D-C A-B"
    # A reopened match of the first round stops only the matches of its players.
    six = entrants("A B C D E F")
    reopened = propose(robin(six, "r1.1:A?F r1.2:B>E r1.3:C>D", "r2.1:F?D r2.2:E?C r2.3:A?B"))
    assert pairs(reopened) == "A-F E-C"
    assert reopened.stale == ()
    assert pairs(propose(robin(FOUR, "r1.2:B>C", "r2.1:D>C r2.2:A>B"))) == "A-D"


def test_matches_keep_their_results_when_the_numbers_change():
    swapped = (FOUR[1], FOUR[0], *FOUR[2:])
    proposal = propose(robin(swapped, "r1.1:A>D r1.2:B>C"))
    assert {frozenset(place.entrants) for place in proposal.places if place.winner} == {
        frozenset("AD"),
        frozenset("BC"),
    }
    stale = propose(robin(FOUR[:3], "r1.1:A>D"))
    assert [one.pairing.key for one in stale.stale] == ["r1.1"]


def test_round_robins_follow_the_list_unless_drawn():
    drawn = {propose(robin(options={"order": "random"}, seed=str(seed))).pairs for seed in range(20)}
    assert len(drawn) > 5


# Groups


SIXTEEN = entrants(" ".join(f"p{number}" for number in range(1, 17)))


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("snake", ["1 8 9 16", "2 7 10 15", "3 6 11 14", "4 5 12 13"]),
        ("dealt", ["1 5 9 13", "2 6 10 14", "3 7 11 15", "4 8 12 16"]),
    ],
)
def test_sixteen_into_four(how, expected):
    proposal = propose(field("groups", SIXTEEN, options={"distribution": how}))
    groups: dict[str, set[str]] = {}
    for place in proposal.places:
        groups.setdefault(place.bracket, set()).update(one.removeprefix("p") for one in place.entrants)
    assert list(groups) == ["A", "B", "C", "D"]
    assert [" ".join(sorted(group, key=int)) for group in groups.values()] == expected
    assert proposal.places[0].key == "A/r1.1"


@pytest.mark.parametrize("players", range(4, 40))
@pytest.mark.parametrize("options", [{"size": 4}, {"size": 5}, {"groups": 3}, {"groups": 4}])
def test_a_round_of_groups_has_the_matches_of_each_group(players: int, options: dict[str, int]) -> None:
    entrants = [Entrant(EntrantId(f"p{number}")) for number in range(players)]
    groups = options.get("groups") or -(-players // options["size"])
    dealt = deal_into_groups(entrants, groups, "snake")
    assert count_rounds(options, players).matches == sum(len(group) // 2 for group in dealt)


def test_groups_are_ranked_together_winners_first():
    six = entrants("A B C D E F")
    # Group A: A, D, E; group B: B, C, F.
    texts = ("A/r1.1:D>E B/r1.1:C>F", "A/r2.1:A>D B/r2.1:B>C", "A/r3.1:E>A B/r3.1:B>F")
    options = {"groups": 2, "ties": ("points",)}
    first = propose(field("groups", six, options=options))
    assert [place.entrants for place in first.places if place.state is not State.BYE] == [
        ("D", "E"),
        ("A", "D"),
        ("E", "A"),
        ("C", "F"),
        ("B", "C"),
        ("F", "B"),
    ]
    proposal = propose(field("groups", six, made(*texts), options=options))
    assert proposal.finished
    assert [(one.entrant, one.group, one.rank, one.shared) for one in proposal.ranking] == [
        ("B", "B", 1, 1),
        ("A", "A", 2, 1),
        ("D", "A", 3, 2),
        ("C", "B", 3, 2),
        ("E", "A", 5, 1),
        ("F", "B", 6, 1),
    ]


def test_who_is_taken_out_ranks_behind_all_others():
    # Group A: A, D, E; group B: B, C, F. D leaves without playing, E and F lose their matches.
    six = tuple(replace(one, left=LeaveTime.NOW) if one.id == "D" else one for one in entrants("A B C D E F"))
    texts = ("B/r1.1:C>F", "B/r2.1:B>C", "A/r3.1:A>E B/r3.1:B>F")
    proposal = propose(field("groups", six, made(*texts), options={"groups": 2}))
    assert proposal.finished
    assert [(one.entrant, one.rank) for one in proposal.ranking] == [
        ("A", 1),
        ("B", 1),
        ("C", 3),
        ("E", 4),
        ("F", 5),
        ("D", 6),
    ]
    assert [one.decided_by for one in proposal.ranking if one.entrant == "D"] == [""]


def test_who_is_taken_out_of_a_round_robin_is_not_in_a_play_off():
    gone = tuple(replace(one, left=LeaveTime.NOW) if one.id == "D" else one for one in FOUR)
    options = {"playoff": True, "playoff_for": 3}
    proposal = propose(robin(gone, "r1.2:B>C", "r2.2:A>B", "r3.2:A>C", options=options))
    assert proposal.finished
    assert [(one.entrant, one.rank) for one in proposal.ranking] == [("A", 1), ("B", 2), ("C", 3), ("D", 4)]


def test_groups_take_late_entrants_where_there_are_fewest():
    late = Entrant(EntrantId("Z"), arrived=2)
    proposal = propose(field("groups", (*entrants("A B C D E"), late), options={"groups": 2}))
    assert {one.group for one in proposal.ranking if one.entrant == "Z"} == {"B"}


def test_a_later_one_moves_no_late_entrant():
    """The second has the better rating, and so the better number."""
    first, second = Entrant(EntrantId("Y"), rating=1500, arrived=2), Entrant(EntrantId("Z"), 1600, arrived=2)
    robins = [
        propose(robin((*FOUR[:3], *late), options={"order": "rating"}))
        for late in ((first,), (first, second))
    ]
    before, after = ({place.key: place.entrants for place in one.places} for one in robins)
    assert before.items() <= after.items()

    grouped = [
        propose(field("groups", (*FOUR, *late), options={"groups": 2}))
        for late in ((first,), (first, second))
    ]
    groups = [{one.entrant: one.group for one in proposal.ranking} for proposal in grouped]
    assert groups[0].items() <= groups[1].items()
    assert {groups[1]["Y"], groups[1]["Z"]} == {"A", "B"}
    # The first late entry is taken back: the second stays where a match is being played.
    match = next(place for place in grouped[1].places if "Z" in place.entrants)
    begun = (Round(1, (Pairing(match.key, *match.entrants),)),)
    alone = propose(field("groups", (*FOUR, second), begun, options={"groups": 2}))
    assert {one.entrant: one.group for one in alone.ranking}["Z"] == groups[1]["Z"] == "B"
    assert alone.stale == ()


def test_groups_stay_as_they_were_drawn() -> None:
    def split(draw: Draw | None, here: str = "A B C D E F") -> list[str]:
        proposal = propose(field("groups", entrants(here), options={"groups": 2}, draw=draw))
        return [
            "".join(sorted(one.entrant for one in proposal.ranking if one.group == name)) for name in "AB"
        ]

    drawn = Draw("main", ids("F E D C B A"), "rating")
    assert split(None) == ["ADE", "BCF"]
    assert split(drawn) == ["BCF", "ADE"]
    # One who came for another takes the number; a number without a player stays empty.
    assert split(drawn, "A B C D E Z") == ["BCZ", "ADE"]
    assert split(drawn, "A B C D E") == ["BC", "ADE"]
    # A file need not say how they were numbered.
    assert split(replace(drawn, method="by hand")) == ["BCF", "ADE"]
    # Earlier releases stored the list, however the players were numbered.
    assert split(replace(drawn, method="listed")) == ["ADE", "BCF"]


def test_the_number_of_groups_follows_their_size():
    assert {one.group for one in propose(field("groups", SIXTEEN, options={"size": 6})).ranking} == {
        "A",
        "B",
        "C",
    }
    assert propose(field("groups", ())).finished
    with pytest.raises(BadOption):
        propose(field("groups", FOUR, options={"groups": 5}))
    assert name_groups(28)[24:] == ("Y", "Z", "A2", "B2")


def qualified(groups: int, each: int) -> tuple[Ranked, ...]:
    letters = name_groups(groups)
    return tuple(
        Ranked(EntrantId(f"{letter}{place}"), rank * groups + at + 1, group=letter)
        for rank, place in enumerate(range(1, each + 1))
        for at, letter in enumerate(letters)
    )


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        (2, "A1-B2 B1-A2"),
        (4, "A1-B2 C1-D2 B1-A2 D1-C2"),
        (8, "A1-B2 C1-D2 E1-F2 G1-H2 B1-A2 D1-C2 F1-E2 H1-G2"),
    ],
)
def test_the_published_crossings(groups, expected):
    lines = draw_crosswise(qualified(groups, 2))
    assert " ".join(f"{a}-{b}" for a, b in zip(lines[::2], lines[1::2], strict=True)) == expected


@pytest.mark.parametrize(
    ("groups", "each"), [(3, 2), (5, 2), (6, 2), (7, 3), (3, 4), (1, 4), (4, 3), (8, 1), (9, 2)]
)
def test_other_crossings_keep_groups_apart_as_long_as_they_can(groups, each):
    lines = draw_crosswise(qualified(groups, each))
    size = len(lines)
    placed = [one for one in lines if one]
    assert len(placed) == len(set(placed)) == groups * each
    # No bye meets a bye, and byes go to the first ranked.
    assert all(pair != (None, None) for pair in zip(lines[::2], lines[1::2], strict=True))
    order = [one.entrant for one in qualified(groups, each)]
    byes = [lines[at ^ 1] for at, one in enumerate(lines) if one is None]
    assert set(byes) == set(order[: size - len(order)])
    halves = (lines[: size // 2], lines[size // 2 :])
    for letter in name_groups(groups):
        count = [
            sum(one is not None and one.rstrip("0123456789") == letter for one in half) for half in halves
        ]
        assert groups == 1 or max(count) - min(count) <= (each + 1) // 2


def test_two_of_one_group_meet_in_the_final_at_the_earliest():
    for groups in range(2, 17):
        lines = draw_crosswise(qualified(groups, 2))
        half = len(lines) // 2
        where = {one: at >= half for at, one in enumerate(lines) if one}
        assert all(
            where[EntrantId(f"{letter}1")] != where[EntrantId(f"{letter}2")] for letter in name_groups(groups)
        ), groups


def test_best_thirds_are_an_overall_rank():
    proposal = propose(field("groups", SIXTEEN))
    assert [one.rank for one in proposal.ranking] == [1] * 4 + [5] * 4 + [9] * 4 + [13] * 4
    assert dict(proposal.ranking[0].figures)["points"] == Fraction(0)
    assert Key("A/r1.1") in {place.key for place in proposal.ready}


def test_what_is_left_can_be_played_out_by_chance():
    better = lambda a, b, _: 1.0 if a < b else 0.0  # noqa: E731
    base = robin(FOUR, "r1.1:D>A r1.2:B>C")
    found = FORMATS["round-robin"].simulate(base, RandomStream("1"), 3, better)
    # A loses to D alone, and beats B: both have two points.
    assert found.ranks == {"A": {1: 3}, "B": {2: 3}, "C": {3: 3}, "D": {4: 3}}
    assert found.matches == {"A": 6, "B": 6, "C": 6, "D": 6}
    groups = field("groups", entrants("A B C D E F"), options={"groups": 2})
    found = FORMATS["groups"].simulate(groups, RandomStream("1"), 2, better)
    assert found.ranks["A"] == {1: 2}
    assert found.matches["F"] == 4


def circle(order: str, **details: dict[str, float]) -> tuple[Ranked, ...]:
    """A beats all; B, C and D beat each other in a circle: no measure separates these three."""
    four = entrants("A B C D")
    rated = tuple(replace(one, rating=details.get("ratings", {}).get(one.id)) for one in four)
    texts = ("A-B A-C A-D B-C C-D D-B",)
    wins = {frozenset(pair.split("-")): pair[0] for text in texts for pair in text.split()}
    options = {"groups": 1, "order": order}
    rounds: tuple[Round, ...] = ()
    while not (proposal := propose(field("groups", rated, rounds, options=options))).finished:
        ready = [place for place in proposal.places if place.state is State.READY]
        won = [
            Pairing(
                place.key,
                place.entrants[0],
                place.entrants[1],
                Result(Kind.PLAYED, EntrantId(wins[frozenset(place.entrants)])),
            )
            for place in ready
        ]
        rounds = (*rounds, Round(len(rounds) + 1, tuple(won)))
    return proposal.ranking


@pytest.mark.parametrize(
    ("order", "ratings", "names"),
    [
        ("rating", {}, {"lot"}),
        ("rating", {"B": 1500.0, "C": 1600.0, "D": 1400.0}, {"rating"}),
        ("rating", {"B": 1500.0, "C": 1600.0, "D": 1500.0}, {"rating", "lot"}),
        ("random", {}, {"lot"}),
        ("listed", {}, {"number"}),
    ],
)
def test_what_separates_the_last_of_a_group_is_told(
    order: str, ratings: dict[str, float], names: set[str]
) -> None:
    ranking = circle(order, ratings=ratings)
    assert ranking[0].entrant == "A"
    told = [set(dict(one.figures)) & {"rating", "lot", "number"} for one in ranking]
    assert told[0] == set()
    assert set().union(*told) == names
    if "lot" in names and not ratings:
        assert [dict(one.figures)["lot"] for one in ranking[1:]] == [1, 2, 3]
    if ratings:
        assert [one.entrant for one in ranking][1] == "C"
