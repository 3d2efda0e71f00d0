"""Each kind of damage is found by what `bench.weekend` compares at the end."""

from __future__ import annotations

from typing import Any

import pytest

from bench import weekend_check, weekend_clocks, weekend_tables

RESULT = {"act": "result", "key": "main/1.1", "score": [3, 1]}
ROW = {
    "uid": "1", "key": "main/1.1", "kind": "played", "state": "done", "score": [3, 1], "winner": 1, "bracket": "main", "round": 1,
    "a": {"entry": 1}, "b": {"entry": 2},
}  # fmt: skip


def find_lost(*bodies: dict[str, Any], rows: list[dict[str, Any]]) -> list[str]:
    return list(weekend_check.find_lost([("night", body, {}) for body in bodies], {"night": rows}))


def test_what_is_there_is_not_lost() -> None:
    assert find_lost(RESULT, rows=[ROW]) == []
    walkover = {"act": "walkover", "key": "main/1.1", "loser": 2}
    assert find_lost(walkover, rows=[{**ROW, "kind": "walkover", "score": None}]) == []


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [{**ROW, "kind": "", "score": None}],
        [{**ROW, "score": [1, 3]}],
        [{**ROW, "kind": "forfeit", "score": None}],
        [{**ROW, "key": "main/1.2"}],
    ],
)
def test_a_lost_result_is_found(rows: list[dict[str, Any]]) -> None:
    assert len(find_lost(RESULT, rows=rows)) == 1


def test_of_several_acts_the_last_counts() -> None:
    walkover = {"act": "walkover", "key": "main/1.1", "loser": 2}
    assert len(find_lost(RESULT, walkover, rows=[ROW])) == 1


@pytest.mark.parametrize(("logged", "problems"), [(0, 1), (1, 0), (2, 1)])
def test_an_act_that_was_done_twice_is_found(logged: int, problems: int) -> None:
    rulings = {"night": [{"act": "ENTERED_RESULT"}] * logged}
    assert len(list(weekend_check.find_doubled([("night", RESULT, {})], rulings))) == problems


@pytest.mark.parametrize(("first", "second", "problems"), [(1, 2, 0), (2, 1, 2)])
def test_wrong_places_are_found(first: int, second: int, problems: int) -> None:
    ranks = [{"entry": 1, "rank": first}, {"entry": 2, "rank": second}]
    found = weekend_check.find_wrong_places("night", "single-elimination", {}, [], [ROW], ranks)
    assert len(list(found)) == problems


def test_a_match_won_by_a_third_is_found() -> None:
    ranks = [{"entry": number, "rank": number} for number in (1, 2, 3)]
    found = weekend_check.find_wrong_places("night", "lives", {}, [], [{**ROW, "winner": 3}], ranks)
    assert next(iter(found)).endswith("won by somebody else")


def make_entries(*matches: tuple[str, str, str, int]) -> list[dict[str, Any]]:
    """Return the ledger of a list by FIBS for matches, each with its winner first, as the product writes it."""
    from rankings.formulas.fibs import Fibs
    from rankings.formulas.values import Outcome, Standing

    players: dict[str, Standing] = {}
    outcomes = [
        Outcome(id=uid, at=float(number), a=winner, b=loser, a_won=True, length=length, period=0)
        for number, (uid, winner, loser, length) in enumerate(matches)
    ]
    return [
        {
            "match": step.match,
            "player": step.player,
            "won": step.won,
            "length": length,
            "after": step.after.rating,
        }
        for outcome in outcomes
        for step in Fibs().steps([outcome], players)
        for length in [outcome.length]
    ]


def find_wrong_ratings(entries: list[dict[str, Any]], rows: list[dict[str, Any]]) -> list[str]:
    return list(weekend_check.find_wrong_ratings(entries, rows))


RATED = [{**ROW, "uid": "m1"}, {**ROW, "uid": "m2"}, {**ROW, "uid": "m3", "kind": "walkover"}]


def test_right_ratings_are_right() -> None:
    entries = make_entries(("m1", "ann", "bob", 7), ("m2", "bob", "cem", 3))
    assert find_wrong_ratings(entries, RATED) == []


@pytest.mark.parametrize(
    "damage",
    [
        lambda entries: entries[2].update(after=entries[2]["after"] + 0.01),
        lambda entries: entries[0].update(won=False),
        lambda entries: entries[0].update(match="m9"),
        lambda entries: entries.__delitem__(slice(2, 4)),
        lambda entries: entries.extend(entries[2:4]),
        lambda entries: entries.extend(make_entries(("m3", "dee", "eve", 1))),
    ],
    ids=["changed", "both-lost", "not-a-pair", "missing", "twice", "a-walkover"],
)
def test_damaged_ratings_are_found(damage: Any) -> None:
    entries = make_entries(("m1", "ann", "bob", 7), ("m2", "bob", "cem", 3))
    damage(entries)
    assert find_wrong_ratings(entries, RATED)


TERMS = weekend_check.MoneyTerms(added=1000, rake_percent=10, prizes=(100,))
ENTRIES = [{"number": 1, "place": 1, "name": "Ann"}, {"number": 2, "place": 2, "name": "Bob"}]
LINES = [
    {"number": 1, "kind": "fee", "entrant": 1, "amount": 2000},
    {"number": 2, "kind": "registration", "entrant": 1, "amount": 300},
    {"number": 3, "kind": "fee", "entrant": 2, "amount": 2000},
    {"number": 4, "kind": "expense", "entrant": None, "amount": -500},
    {"number": 5, "kind": "payout", "entrant": 1, "amount": -4400},
]
# 4,000 of fees less 400 of rake and 200 that registration did not cover, and 1,000 added.
MONEY = {
    "sums": {
        "fees": 4000, "registration": 300, "added": 1000, "stakes": 0, "payouts": 4400, "rake": 400, "expenses": 200, "carried": 0,
    },
    "due": [{"entrant": 1, "amount": 4400}],
}  # fmt: skip


def find_wrong_money(lines: list[dict[str, Any]], **sums: int) -> list[str]:
    money = {**MONEY, "sums": MONEY["sums"] | sums}  # type: ignore[operator]
    return list(weekend_check.find_wrong_money(money, lines, LINES, TERMS, ENTRIES))


def test_money_that_adds_up_is_right() -> None:
    assert find_wrong_money(LINES) == []


@pytest.mark.parametrize(
    "lines",
    [
        LINES[:-1],
        [*LINES, {**LINES[2], "number": 6}],
        [{**LINES[0], "amount": 1000}, *LINES[1:]],
        [*LINES, {**LINES[4], "number": 6}],
    ],
    ids=["lost", "nobody-wrote-it", "changed", "paid-twice"],
)
def test_a_damaged_ledger_is_found(lines: list[dict[str, Any]]) -> None:
    assert find_wrong_money(lines)


def test_a_prize_for_another_place_is_found() -> None:
    money = {**MONEY, "due": [{"entrant": 2, "amount": 4400}]}
    lines = [*LINES[:-1], {**LINES[-1], "entrant": 2}]
    (problem,) = weekend_check.find_wrong_money(money, lines, lines, TERMS, ENTRIES)
    assert problem == "{2: 4400} is due, by their places it is {1: 4400}"


@pytest.mark.parametrize(("winner", "is_right"), [(1, True), (2, True), (3, False)])
def test_beside_a_consolation_a_pool_goes_to_one_of_those_who_paid_into_it(
    winner: int, is_right: bool
) -> None:
    stakes = [{"number": 6 + at, "kind": "stake", "entrant": at, "amount": 500} for at in (1, 2)]
    due = [{"entrant": 1, "amount": 4400}, {"entrant": winner, "amount": 1000}]
    due = [{"entrant": 1, "amount": 5400}] if winner == 1 else due
    lines = [
        *LINES[:-1],
        *stakes,
        *(
            {"number": 9 + at, "kind": "payout", **row, "amount": -row["amount"]}
            for at, row in enumerate(due)
        ),  # type: ignore[operator]
    ]
    money = {"sums": {**MONEY["sums"], "stakes": 1000, "payouts": 5400}, "due": due}  # type: ignore[dict-item]
    found = list(weekend_check.find_wrong_money(money, lines, lines, TERMS, ENTRIES, has_one_order=False))
    assert (found == []) == is_right


@pytest.mark.parametrize(
    ("amount", "shares", "parts"),
    [
        (10, (50, 30, 20), [5, 3, 2]),
        (101, (50, 30, 20), [51, 30, 20]),
        (1, (50, 50), [1, 0]),
        (7, (40, 40, 20), [3, 3, 1]),
    ],
)
def test_prizes_are_whole_units(amount: int, shares: tuple[int, ...], parts: list[int]) -> None:
    assert weekend_check.divide(amount, shares) == parts


def test_who_share_a_place_share_its_prizes() -> None:
    people = [("Cem", 2), ("Bob", 2), ("Ann", 1), ("Dee", 4), ("Eve", None)]
    entries = [{"number": at, "place": place, "name": name} for at, (name, place) in enumerate(people, 1)]
    assert weekend_check.share_out(entries, [60, 30, 11]) == {3: 60, 2: 21, 1: 20, 4: 0}


@pytest.mark.parametrize("name", [*MONEY["sums"]])
def test_a_wrong_sum_is_found(name: str) -> None:
    assert find_wrong_money(LINES, **{name: MONEY["sums"][name] + 1})  # type: ignore[index, call-overload]


def test_a_match_at_two_tables_is_found() -> None:
    one = {"event": "night", "match": "main/1.1", "table": "t1"}
    other = {"event": "night", "match": "main/1.2", "table": "t2"}
    assert list(weekend_tables.find_double_calls([one, other])) == []
    assert len(list(weekend_tables.find_double_calls([one, {**one, "table": "t2"}]))) == 1
    assert len(list(weekend_tables.find_double_calls([one, {**other, "table": "t1"}]))) == 1


def test_the_first_line_after_those_played_ends_a_match_that_was_left() -> None:
    heard = [("one", 7, 99.0), ("one", 9, 104.0), ("one", 8, 102.5), ("two", 3, 50.0)]
    assert weekend_clocks.compute_lateness({"one": (7, 100_000), "two": (3, 60_000)}, heard) == {"one": 2.5}


@pytest.mark.parametrize(("late", "problems"), [(0.0, 0), (5.0, 0), (5.1, 1), (-0.1, 1)])
def test_a_match_lost_too_late_or_too_early_is_found(late: float, problems: int) -> None:
    assert len(list(weekend_clocks.find_late([2.0, late]))) == problems


@pytest.mark.parametrize(
    ("outcome", "problems"),
    [({"winner": "white", "how": "flag"}, 0), ({"winner": "white", "how": "resignation"}, 1), (None, 1)],
)
def test_a_match_that_was_not_lost_on_time_is_found(outcome: dict[str, Any] | None, problems: int) -> None:
    assert len(list(weekend_clocks.find_not_lost("one", outcome))) == problems
