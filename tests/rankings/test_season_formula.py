"""A season's table: which events count, what is shared, and that anybody can make it again."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankings.__main__ import main
from rankings.formulas.season import (
    Night,
    SeasonRules,
    round_points,
    season_rules,
    season_table,
    split_points,
)
from rankings.formulas.season_files import compute_table
from rankings.formulas.values import BadMatches

pytestmark = pytest.mark.pure


def points(
    rules: SeasonRules, *places: Mapping[str, int | None], months: tuple[int, ...] = ()
) -> dict[str, str]:
    nights = [Night(number, months[number] if months else 0, each) for number, each in enumerate(places)]
    return {row.player: str(row.points) for row in season_table(rules, nights)}


FIELD = {"Ann": 1, "Bob": 2, "Cyd": 3, "Dan": 3, "Eve": 5, "Fay": None}


@pytest.mark.parametrize(
    ("rules", "due"),
    [
        # Third and fourth give 5 and 3: each gets 4; players without a place get the points for attendance.
        (SeasonRules(), {"Ann": "11", "Bob": "8", "Cyd": "5", "Dan": "5", "Eve": "1", "Fay": "1"}),
        (
            SeasonRules(sharing="highest"),
            {"Ann": "11", "Bob": "8", "Cyd": "6", "Dan": "6", "Eve": "1", "Fay": "1"},
        ),
        # Brass City: one for coming, and N, N/2, N/4 for the first three.
        (
            season_rules({"places": ["1", "0.5", "0.25"], "attendance": "1", "by_field": True}),
            {"Ann": "7", "Bob": "4", "Cyd": "7/4", "Dan": "7/4", "Eve": "1", "Fay": "1"},
        ),
        (
            SeasonRules(places=(), attendance=Fraction(5, 2)),
            dict.fromkeys(("Ann", "Bob", "Cyd", "Dan", "Eve", "Fay"), "5/2"),
        ),
    ],
)
def test_what_an_event_gives(rules: SeasonRules, due: dict[str, str]) -> None:
    assert points(rules, FIELD) == due


def test_a_season_counts_abt_points() -> None:
    """19 players of a division, split 40, 20, 20, 10 and 10 per cent, as published for Florida 2013."""
    rules = season_rules({"places": ["0.4", "0.2", "0.2", "0.1", "0.1"], "attendance": "0", "by_field": True})
    field: dict[str, int | None] = {f"p{place}": place for place in range(1, 20)}
    due = [float(share) for share in split_points(19, [40, 20, 20, 10, 10])]
    found = [float(Fraction(points(rules, field)[f"p{place}"])) for place in range(1, 7)]
    assert found == [*due, 0] == [7.6, 3.8, 3.8, 1.9, 1.9, 0]
    # In a division that counts half the figures are halved.
    half = season_rules(
        {"places": ["0.2", "0.1", "0.1", "0.05", "0.05"], "attendance": "0", "by_field": True}
    )
    assert points(half, field)["p1"] == "19/5"


def test_the_best_events_count_and_of_equal_ones_the_later() -> None:
    rules = SeasonRules(places=(10, 7, 5), attendance=0, best=2)
    nights = [
        Night("a", 0, {"Ann": 3}),
        Night("b", 0, {"Ann": 2}),
        Night("c", 0, {"Ann": 1}),
        Night("d", 0, {"Ann": 2}),
    ]
    (row,) = season_table(rules, nights)
    assert row.points == 17
    assert [(one.event, one.counts) for one in row.results] == [
        ("a", False), ("b", False), ("c", True), ("d", True)
    ]  # fmt: skip


def test_points_lose_with_each_month_up_to_the_last_event() -> None:
    rules = SeasonRules(places=(10,), attendance=0, decay=50)
    assert points(rules, {"Ann": 1}, {"Bob": 1}, {"Cyd": 1}, months=(0, 1, 3)) == {
        "Ann": "5/4", "Bob": "5/2", "Cyd": "10"
    }  # fmt: skip
    # What is old may be worth less than a new event of a lower place.
    best = SeasonRules(places=(10, 4), attendance=0, decay=90, best=1)
    assert points(best, {"Ann": 1}, {"Ann": 2, "Bob": 1}, months=(0, 1))["Ann"] == "4"


def test_who_has_the_same_points_shares_the_place() -> None:
    rows = season_table(SeasonRules(), [Night(1, 0, FIELD)])
    assert [(row.place, row.player) for row in rows] == [
        (1, "Ann"), (2, "Bob"), (3, "Cyd"), (3, "Dan"), (5, "Eve"), (5, "Fay")
    ]  # fmt: skip


@st.composite
def seasons(draw: st.DrawFn) -> list[Night]:
    found = []
    for number in range(draw(st.integers(0, 6))):
        who = draw(st.lists(st.sampled_from("abcdef"), unique=True))
        scores = {player: draw(st.none() | st.integers(0, 3)) for player in who}
        played = [score for score in scores.values() if score is not None]
        places = {
            player: None if score is None else 1 + sum(other > score for other in played)
            for player, score in scores.items()
        }
        found.append(Night(number, draw(st.integers(0, 5)), places))
    return found


@pytest.mark.long
@given(
    nights=seasons(),
    best=st.integers(0, 4),
    decay=st.integers(0, 100),
    sharing=st.sampled_from(["average", "highest"]),
)
def test_what_holds_of_every_table(nights: list[Night], best: int, decay: int, sharing: str) -> None:
    rules = SeasonRules(places=(10, 7, 5, 3), best=best, decay=decay, sharing=sharing)
    table = season_table(rules, nights)
    assert [row.points for row in table] == sorted((row.points for row in table), reverse=True)
    for row in table:
        assert row.place == 1 + sum(other.points > row.points for other in table)
        assert [one.event for one in row.results] == [each.id for each in nights if row.player in each.places]
        counted = [one.points for one in row.results if one.counts]
        assert len(counted) == (min(best, len(row.results)) if best else len(row.results))
        assert row.points == sum(counted)
        assert all(one.points >= other.points for one in row.results if one.counts
                   for other in row.results if not other.counts)  # fmt: skip
        assert all(round_points(one.points) == one.points <= one.earned for one in row.results)


@pytest.mark.long
@given(nights=seasons())
def test_shared_places_give_in_all_what_the_places_give(nights: list[Night]) -> None:
    rules = SeasonRules(places=(12, 6), attendance=0)
    for night in nights:
        placed = sorted(place for place in night.places.values() if place is not None)
        given_out = sum(row.points for row in season_table(rules, [night]))
        due = sum(rules.places[: len(placed)])
        # Thirds of a point are rounded: at most half a hundredth for each.
        assert abs(given_out - due) <= Fraction(len(placed), 200)


@pytest.mark.parametrize(
    ("given_rules", "sentence"),
    [
        ({"bonus": 1}, "rules.bonus: a season knows only"),
        ({"places": "10 7"}, "rules.places: a list of at most 64 figures"),
        ({"places": [7, 10]}, "rules.places: a lower place cannot give more"),
        ({"places": ["1e9"]}, "rules.places[0]: points with at most two decimals"),
        ({"places": ["1/3"]}, "rules.places[0]: points with at most two decimals"),
        ({"attendance": -1}, "rules.attendance: points with at most two decimals"),
        ({"attendance": True}, "rules.attendance: points with at most two decimals"),
        ({"sharing": "none"}, "rules.sharing: average or highest is expected"),
        ({"by_field": 1}, "rules.by_field: true or false is expected"),
        ({"best": 1.5}, "rules.best: a whole number from 0 to 366"),
        ({"decay": 101}, "rules.decay: a whole number from 0 to 100"),
    ],
)
def test_rules_that_make_no_season_are_refused(given_rules: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadMatches) as refused:
        season_rules(given_rules)
    assert str(refused.value).startswith(sentence)


def run_command(
    given_file: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(given_file)))
    status = main(["season", "-"])
    out, err = capsys.readouterr()
    return json.loads(out) if status == 0 else err


def test_the_command_counts_a_season(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    events = [
        {"id": "k1", "at": "2026-01-08", "places": {"Ann": 1, "Bob": 2}},
        {"id": "k2", "at": "2026-02-05T19:00:00Z", "places": {"Ann": 2, "Bob": 1, "Cyd": None}},
    ]
    told = run_command({"rules": {"best": 1}, "events": events}, monkeypatch, capsys)["players"]
    assert [(row["place"], row["player"], row["points"]) for row in told] == [
        (1, "Ann", "11.00"), (1, "Bob", "11.00"), (3, "Cyd", "1.00")
    ]  # fmt: skip
    assert told[0]["results"][1] == {
        "event": "k2", "place": 2, "earned": "8.00", "points": "8.00", "counts": False
    }  # fmt: skip
    for wrong, sentence in (
        ([], "the file: an object with a list of events"),
        ({"events": [{"id": 1, "at": "soon", "places": {}}]}, "events[0].at: a day such as"),
        ({"events": [{"id": 1, "at": "2026-01-01", "places": {"Ann": 0}}]}, "events[0].places.Ann: a place"),
        ({"events": [events[0], events[0]]}, "events: an id is there twice"),
    ):
        assert run_command(wrong, monkeypatch, capsys).startswith(sentence)


MASTERS = season_rules({"scheme": "master", "attendance": "0"})


def test_a_season_counts_master_points() -> None:
    """The winner of 48 has 3.3510, and an 11-point match won gives 1.1055: here in hundredths."""
    field: dict[str, int | None] = {f"p{place}": place for place in range(1, 49)}
    assert points(MASTERS, field)["p1"] == "67/20"
    night = Night(1, 0, {"Ann": None, "Bob": None}, {"Ann": [11], "Bob": [11, 7]})
    assert {row.player: str(row.points) for row in season_table(MASTERS, [night])} == {
        "Ann": "111/100",
        "Bob": "199/100",
    }
    # Third and fourth of sixteen: 0.6 x 4 x the average of 1/2 and 1/3.
    sixteen: dict[str, int | None] = {f"p{number}": min(number, 3) for number in range(1, 5)}
    sixteen |= {f"p{number}": None for number in range(5, 17)}
    assert points(MASTERS, sixteen)["p3"] == points(MASTERS, sixteen)["p4"] == "1"


@given(st.dictionaries(st.sampled_from("abcdef"), st.lists(st.integers(1, 25), max_size=5)))
def test_winning_more_or_longer_never_gives_less(won: dict[str, list[int]]) -> None:
    places = dict.fromkeys("abcdef")
    before = {row.player: row.points for row in season_table(MASTERS, [Night(1, 0, places, won)])}
    more = {player: [*lengths, 1] for player, lengths in won.items()}
    longer = {player: [length + 1 for length in lengths] for player, lengths in won.items()}
    for other in (more, longer):
        after = {row.player: row.points for row in season_table(MASTERS, [Night(1, 0, places, other)])}
        assert all(after[player] >= before[player] for player in places)
    # By a table of places, what was won inside an event is nothing.
    tabled = season_table(SeasonRules(), [Night(1, 0, places, won)])
    assert {row.points for row in tabled} == {Fraction(1)}


def test_a_file_says_what_was_won() -> None:
    night = {"id": 1, "at": "2026-11-22", "places": {"Ann": None}}
    rules = {"scheme": "master", "attendance": "0"}
    told: Any = compute_table({"rules": rules, "events": [{**night, "won": {"Ann": [11]}}]})
    assert told["players"][0]["points"] == "1.11"
    for odd in ([], {"Ann": 11}, {"Ann": [0]}, {"Ann": [True]}):
        with pytest.raises(BadMatches, match="won"):
            compute_table({"rules": rules, "events": [{**night, "won": odd}]})
    with pytest.raises(BadMatches, match=r"rules\.scheme: table or master"):
        season_rules({"scheme": "other"})
