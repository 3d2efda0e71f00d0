"""The reaction of a sheet to results and withdrawals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from draw import facts, lots, stages
from draw.event import (
    Clock,
    Draw,
    Entrant,
    EntrantId,
    Event,
    From,
    Key,
    Kind,
    LeaveTime,
    MatchRules,
    ReportingRule,
    Result,
    RoundRules,
    Stage,
    State,
    Take,
)
from draw.formats import FORMATS, format_reason
from draw.options import BadOption, Options, Prominence
from tests.draw import kit
from tests.draw.kit import by_key, favourite, play_out, record, won

KNOCKOUTS = sorted(name for name, form in FORMATS.items() if form.preview)


def listed(count: int, form: str = "single-elimination", **options: str | bool) -> Event:
    return kit.event(count, form, draw="listed", **options)


def ranks(event: Event) -> dict[str, tuple[int, int]]:
    return {ranked.entrant: (ranked.rank, ranked.shared) for ranked in stages.propose(event).ranking}


def list_reasons(event: Event, code: str) -> list[str]:
    return [format_reason(reason) for reason in stages.propose(event).why if reason.code == code]


@pytest.mark.parametrize("form", KNOCKOUTS)
@pytest.mark.parametrize("count", range(1, 20))
def test_every_knockout_ends_with_everybody_ranked(form: str, count: int) -> None:
    _, proposal, played = play_out(kit.event(count, form))
    assert len(proposal.ranking) == count
    matches = {"single-elimination": {count - 1}, "double-elimination": {2 * count - 2, 2 * count - 1}}
    if count > 1:
        assert played in matches.get(form, {played})


def test_the_order_of_a_consolation() -> None:
    _, proposal, _ = play_out(listed(8, "progressive-consolation"))
    assert {one.entrant: (one.rank, one.shared) for one in proposal.ranking} == {
        "p1": (1, 1),
        "p2": (2, 1),
        "p3": (3, 1),
        "p5": (4, 1),
        "p4": (5, 2),
        "p7": (5, 2),
        "p8": (7, 2),
        "p6": (7, 2),
    }


def test_the_order_of_third_place_and_last_chance() -> None:
    _, proposal, _ = play_out(listed(8, third_place=True))
    assert [one.rank for one in proposal.ranking] == [1, 2, 3, 4, 5, 5, 5, 5]
    _, proposal, _ = play_out(listed(16, "last-chance"))
    brackets = [dict(one.figures)["bracket"] for one in proposal.ranking]
    assert brackets == ["main"] * 2 + ["consolation"] * 2 + ["last-chance"] * 12


@pytest.mark.parametrize("form", KNOCKOUTS)
def test_a_match_for_third_place_is_offered_where_it_can_be_played(form: str) -> None:
    event = listed(8, form, third_place=True)
    if FORMATS[form].options["third_place"].asked is Prominence.NEVER:
        with pytest.raises(BadOption, match="would drop twice"):
            stages.propose(event)
    else:
        assert "third-place/1.1" in by_key(stages.propose(event))


@pytest.mark.parametrize("players", [3, 4])
def test_on_four_lines_the_consolation_is_the_match_for_third_place(players: int) -> None:
    _, proposal, _ = play_out(listed(players, "consolation", third_place=True))
    assert {place.bracket for place in proposal.places} == {"main", "consolation"}
    assert [one.rank for one in proposal.ranking] == [1, 2, 3, 4][:players]


def test_those_still_in_have_what_they_can_still_reach() -> None:
    event = record(listed(4), "main/1.1", "p1")
    assert ranks(event) == {"p1": (1, 2), "p2": (1, 4), "p3": (1, 4), "p4": (3, 2)}


def test_the_final_fixes_the_first_two_places_whatever_is_played_beside_it() -> None:
    event = listed(16, "last-chance")
    while not (proposal := stages.propose(event)).finished:
        event = facts.make_pairings(event, proposal)
        on = next((place for place in proposal.ready if place.bracket == "main"), None)
        if on is None:
            break
        event = facts.record_result(event, on.key, won(favourite(on)))
    assert ranks(event)["p1"] == (1, 1)
    assert ranks(event)["p2"] == (2, 1)
    assert {first for name, (first, _) in ranks(event).items() if name not in {"p1", "p2"}} == {3}


def played_in(event: Event, *brackets: str, but: str = "") -> Event:
    """Play all that can be played in these brackets, without the matches of one player."""
    while True:
        proposal = stages.propose(event)
        event = facts.make_pairings(event, proposal)
        todo = [one for one in proposal.ready if one.bracket in brackets and but not in one.entrants]
        if not todo:
            return event
        for place in todo:
            event = facts.record_result(event, place.key, won(favourite(place)))


@pytest.mark.parametrize("before_the_match", [True, False])
def test_who_leaves_the_consolation_keeps_what_the_last_result_was_worth(*, before_the_match: bool) -> None:
    """Out of the quarter-finals: third at best, thirteenth after losing all remaining matches."""
    event = played_in(listed(16, "last-chance"), "main")
    if not before_the_match:
        event = played_in(event, "consolation", but="p5")
    assert ranks(event)["p5"] == (3, 14)
    event = kit.with_entrant(event, "p5", left=LeaveTime.NOW)
    assert ranks(event)["p5"] == (13, 4)
    figures = next(dict(one.figures) for one in stages.propose(event).ranking if one.entrant == "p5")
    assert figures["bracket"] == "consolation"
    final = {one.entrant: (one.rank, one.shared) for one in play_out(event)[1].ranking}
    assert final["p5"] == (13, 4)


def test_the_second_final() -> None:
    def until_final(**options: bool) -> Event:
        event = listed(4, "double-elimination", **options)
        for key, winner in (
            ("main/1.1", "p1"),
            ("main/1.2", "p2"),
            ("main/2.1", "p1"),
            ("losers/1.1", "p3"),
            ("losers/2.1", "p2"),
        ):
            event = record(event, key, winner)
        return event

    kept = record(until_final(), "final/1.1", "p1")
    assert by_key(stages.propose(kept))["final/2.1"].state is State.VACANT
    assert stages.propose(kept).finished
    assert ranks(kept) == {"p1": (1, 1), "p2": (2, 1), "p3": (3, 1), "p4": (4, 1)}
    upset = record(until_final(), "final/1.1", "p2")
    assert stages.propose(upset).pairs == (("p1", "p2"),)
    assert list_reasons(upset, "again") == [
        "The challenger has won the first final, so each has lost once: one more match decides."
    ]
    assert ranks(record(upset, "final/2.1", "p2"))["p2"] == (1, 1)
    single = record(until_final(recharge=False), "final/1.1", "p2")
    assert stages.propose(single).finished
    nobody = record(until_final(), "final/1.1", "-", Kind.DOUBLE_FORFEIT)
    assert stages.propose(nobody).finished
    assert ranks(nobody)["p1"] == ranks(nobody)["p2"] == (1, 2)


def test_two_entrants_play_a_double_elimination() -> None:
    event = record(listed(2, "double-elimination"), "main/1.1", "p2")
    assert stages.propose(event).pairs == (("p2", "p1"),)
    assert stages.propose(record(event, "final/1.1", "p2")).finished
    assert not stages.propose(record(event, "final/1.1", "p1")).finished


@pytest.mark.parametrize(
    ("kind", "falls"),
    [
        (Kind.PLAYED, True),
        (Kind.WALKOVER, True),
        (Kind.FORFEIT, True),
        (Kind.NO_SHOW, False),
        (Kind.WITHDRAWAL, False),
    ],
)
def test_who_falls_into_the_consolation(kind: Kind, falls: bool) -> None:
    event = record(listed(8, "progressive-consolation"), "main/1.1", "p1", kind)
    seats = [
        seat.entrant
        for place in stages.propose(event).places
        if place.bracket != "main"
        for seat in (place.a, place.b)
    ]
    assert ("p8" in seats) is falls
    if not falls:
        # Out of the main draw he ranks as if he had lost his first match in the consolation.
        _, proposal, _ = play_out(event)
        assert next(one for one in proposal.ranking if one.entrant == "p8").rank >= 7


def test_a_no_show_may_fall_if_the_event_says_so() -> None:
    event = record(listed(8, "progressive-consolation", no_show_drops=True), "main/1.1", "p1", Kind.NO_SHOW)
    assert "p8" in by_key(stages.propose(event))["consolation/1.2"].entrants


def test_a_double_forfeit_lets_the_next_one_pass() -> None:
    event = record(listed(4, "double-elimination"), "main/1.1", "-", Kind.DOUBLE_FORFEIT)
    event = record(event, "main/1.2", "p2")
    proposal = stages.propose(event)
    places = by_key(proposal)
    assert places["main/2.1"].state is State.BYE
    assert places["losers/1.1"].winner == "p3"
    assert [bye.entrant for bye in proposal.byes] == ["p2", "p3"]
    assert places["losers/2.1"].state is State.BYE
    assert proposal.pairs == (("p2", "p3"),)
    assert list_reasons(event, "passes")[0] == "p2 goes on without playing: nobody comes from main/1.1."


def test_all_forfeit_everything() -> None:
    event = listed(8, "last-chance")
    for _ in range(20):
        proposal = stages.propose(event)
        event = facts.make_pairings(event, proposal)
        for place in proposal.ready:
            event = facts.record_result(event, place.key, Result(Kind.DOUBLE_FORFEIT))
    proposal = stages.propose(event)
    assert proposal.finished
    assert len(proposal.ranking) == 8


@pytest.mark.parametrize("kind", [Kind.VOID, Kind.DRAWN])
def test_what_decides_nothing_is_played_again(kind: Kind) -> None:
    event = record(listed(2), "main/1.1", "-", kind)
    assert stages.propose(event).pairs == (("p1", "p2"),)
    stranger = facts.record_result(event, Key("main/1.1"), kit.won("p9"))
    assert stages.propose(stranger).pairs == (("p1", "p2"),)


class TestLeaving:
    def test_now(self) -> None:
        event = facts.make_pairings(listed(4), stages.propose(listed(4)))
        gone = kit.with_entrant(event, "p1", left=LeaveTime.NOW)
        place = by_key(stages.propose(gone))["main/1.1"]
        assert place.winner == "p4"
        assert place.result == Result(Kind.WITHDRAWAL, EntrantId("p4"))
        assert list_reasons(gone, "left") == ["Decided without play, since an entrant has left."]
        back = kit.with_entrant(gone, "p1", left=None)
        assert stages.propose(back) == stages.propose(event)

    def test_after_the_match(self) -> None:
        event = facts.make_pairings(listed(4), stages.propose(listed(4)))
        going = kit.with_entrant(event, "p1", left=LeaveTime.AFTER)
        assert ("p1", "p4") in stages.propose(going).pairs
        won = record(record(going, "main/1.1", "p1"), "main/1.2", "p2")
        assert by_key(stages.propose(won))["main/2.1"].winner == "p2"
        assert stages.propose(won).finished
        assert ranks(won)["p1"] == (2, 1)

    def test_both(self) -> None:
        event = listed(4)
        for name in ("p1", "p4"):
            event = kit.with_entrant(event, name, left=LeaveTime.NOW)
        places = by_key(stages.propose(event))
        assert places["main/1.1"].result == Result(Kind.WITHDRAWAL)
        assert places["main/2.1"].state is State.WAITING

    def test_what_was_played_in_the_consolation_stands(self) -> None:
        event = listed(8, "progressive-consolation")
        for at, winner in enumerate(("p1", "p4", "p2", "p3"), start=1):
            event = record(event, f"main/1.{at}", winner)
        event = record(event, "consolation/1.1", "p5")
        later = kit.with_entrant(event, "p5", left=LeaveTime.NOW)
        assert by_key(stages.propose(later))["consolation/1.1"].winner == "p5"
        never = kit.with_entrant(event, "p8", left=LeaveTime.NOW)
        assert by_key(stages.propose(never))["consolation/1.2"].winner == "p7"


class TestFirstMatch:
    def event(self) -> Event:
        return listed(6, "first-match-losers")

    def test_a_bye_does_not_count_as_played(self) -> None:
        event = record(record(self.event(), "main/1.2", "p4"), "main/2.1", "p4")
        assert "p1" in by_key(stages.propose(event))["consolation/1.1"].entrants

    def test_one_who_won_before_is_out(self) -> None:
        event = record(record(self.event(), "main/1.2", "p4"), "main/2.1", "p1")
        place = by_key(stages.propose(event))["consolation/1.1"]
        assert place.a.origin is From.NOBODY
        assert ranks(event)["p4"][0] > ranks(event)["p2"][0]

    def test_a_walkover_does_not_count_either(self) -> None:
        event = record(listed(8, "first-match-losers"), "main/1.1", "p1", Kind.NO_SHOW)
        event = record(record(event, "main/1.2", "p4"), "main/2.1", "p4")
        assert "p1" in by_key(stages.propose(event))["consolation/1.1"].entrants

    def test_nor_two_of_them(self) -> None:
        event = listed(12, "first-match-losers")
        event = record(event, "main/1.2", "-", Kind.DOUBLE_FORFEIT)
        assert by_key(stages.propose(event))["main/2.1"].state is State.BYE
        event = record(record(event, "main/1.4", "p5"), "main/2.2", "p4")
        assert by_key(stages.propose(event))["consolation/1.1"].state is State.WAITING
        lost = by_key(stages.propose(record(event, "main/3.1", "p4")))["consolation/1.1"]
        assert lost.a.entrant == "p1"
        won = by_key(stages.propose(record(event, "main/3.1", "p1")))["consolation/1.1"]
        assert won.a.origin is From.NOBODY

    def test_but_the_finalist_does_not_fall(self) -> None:
        event = record(self.event(), "main/1.2", "-", Kind.DOUBLE_FORFEIT)
        event = record(record(event, "main/1.4", "p3"), "main/2.2", "p2")
        event = record(event, "main/3.1", "p2")
        assert "p1" not in by_key(stages.propose(event))["consolation/1.1"].entrants
        assert ranks(event)["p1"] == (2, 1)


def test_one_who_is_away_is_waited_for() -> None:
    event = replace(
        facts.make_pairings(listed(4), stages.propose(listed(4))), absent=frozenset({EntrantId("p1")})
    )
    assert stages.propose(event).pairs == (("p2", "p3"),)
    assert list_reasons(event, "away") == ["Waits for p1, who is away."]


def test_one_who_is_away_from_the_start_is_not_drawn() -> None:
    event = replace(listed(5), absent=frozenset({EntrantId("p1")}))
    assert stages.propose(event).pairs == (("p2", "p5"), ("p3", "p4"))
    made = facts.make_pairings(event, stages.propose(event))
    assert made.rounds[0].absent == ("p1",)
    back = replace(made, absent=frozenset())
    assert stages.propose(back).pairs == (("p2", "p5"), ("p3", "p4"))
    assert list_reasons(back, "no line") == ["p1 came late and found no free bye: the draw has 4 lines."]


@pytest.mark.parametrize("redraw", [False, True])
def test_a_qualifier_who_is_away_is_drawn_and_waited_for(*, redraw: bool) -> None:
    swiss = Stage("swiss", "swiss", Options.from_values(order="listed", rounds=1))
    cup = Stage("cup", "single-elimination", Options.from_values(redraw=redraw), takes=(Take("swiss", 1, 4),))
    event = Event((swiss, cup), tuple(Entrant(one) for one in kit.names(8)), seed="7")
    for place in stages.propose(event).ready:
        event = record(event, place.key, favourite(place))
    event = replace(event, absent=frozenset(map(EntrantId, ("p2", "p3"))))

    drawn = lots.draw_stage(event, "cup")

    assert drawn.lines == ("p1", "p4", "p2", "p3")
    event = replace(event, draws=(Draw("cup", drawn.lines, drawn.method),))
    assert stages.propose(event).pairs == (("p1", "p4"),)
    assert ("p2", "p3") in [place.entrants for place in kit.waiting(stages.propose(event))]
    back = replace(event, absent=frozenset())
    assert stages.propose(back).pairs == (("p1", "p4"), ("p2", "p3"))


def test_match_rules_by_bracket_and_round() -> None:
    rules = (
        RoundRules(MatchRules(7)),
        RoundRules(MatchRules(9, Clock(), reporting=ReportingRule.BOTH), "main"),
        RoundRules(MatchRules(13), "main", -1),
        RoundRules(MatchRules(5), "consolation", 2),
    )
    event = listed(8, "progressive-consolation")
    event = replace(event, stages=(replace(event.stages[0], rules=rules),))
    lengths = {key: place.rules.length for key, place in by_key(stages.propose(event)).items()}
    assert [
        lengths[key] for key in ("main/1.1", "main/2.1", "main/3.1", "consolation/1.1", "consolation/3.1")
    ] == [
        9,
        9,
        13,
        7,
        5,
    ]
    assert by_key(stages.propose(listed(2)))["main/1.1"].rules == MatchRules()


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"routing": "best"}, "routing: is one of auto, slots, masks, natural"),
        ({"sides": ("A.B.",)}, "sides: 'A.B.' is not of the form name: notation"),
        ({"sides": ("c: A.B.",)}, "sides: A.B.: 2 are left"),
        ({"sides": "c"}, "sides: is a list"),
        ({"third_place": 1}, "third_place: is yes or no"),
        ({"consolation": 1}, "consolation: is a text"),
        ({"lives": 3}, "lives: is not an option"),
        ({"seeds": -1, "draw": "rating"}, "seeds: is a whole number from 0"),
    ],
)
def test_options_that_cannot_be_used_are_refused(options: dict[str, object], problem: str) -> None:
    event = kit.event(8, "single-elimination", **options)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match=problem):
        stages.propose(event)


def test_a_structure_of_ones_own() -> None:
    event = kit.event(16, "single-elimination", draw="listed", sides=("consolation: AB.C.|.|.",))
    _, proposal, played = play_out(event)
    assert played == 28
    assert {place.bracket for place in proposal.places} == {"main", "consolation"}


def test_a_preview_is_that_of_the_page() -> None:
    preview = FORMATS["progressive-consolation"].preview
    assert preview is not None
    rows = [(row.letter, row.slot, row.drops, row.survivors, row.matches) for row in preview(Options(), 16)]
    assert rows == [
        ("A", 1, "", 0, 8),
        ("B", 2, "", 0, 4),
        ("C", 3, "", 0, 2),
        ("D", 4, "", 0, 1),
        ("E", 2, "A", 0, 4),
        ("F", 3, "B", 4, 4),
        ("G", 4, "", 4, 2),
        ("H", 5, "C", 2, 2),
        ("I", 6, "", 2, 1),
    ]
    assert [row.byes for row in preview(Options(), 13)] == [3, 0, 0, 0, 3, 0, 0, 0, 0]
    assert preview(Options(), 1) == ()


def test_rounds_beyond_the_alphabet_have_no_letter() -> None:
    preview = FORMATS["last-chance"].preview
    assert preview is not None
    sides = tuple(f"chance {at}: full" for at in range(3, 9))
    rows = preview(Options.from_values(sides=sides), 32)
    assert len(rows) == 53
    assert rows[50].letter == "z"
    assert [row.letter for row in rows[51:]] == ["", ""]
