"""Standings against FIDE's own tie-break server, against counting by hand, and by a worked example."""

from __future__ import annotations

from fractions import Fraction

import pytest

from draw.standings.cards import Card, Table, Turn
from draw.standings.ranking import rank_players
from draw.standings.registry import TIE_BREAKS
from tests.engine.shared import Source, each_source
from tests.tournaments import oracle

HALF, ONE, ZERO = Fraction(1, 2), Fraction(1), Fraction(0)


def turn(cell: oracle.Cell) -> Turn:
    opponent = str(cell.opponent) if cell.opponent else None
    match cell.result:
        case "1" | "0":
            return Turn(Fraction(int(cell.result)), opponent, played=True)
        case "+":
            return Turn(ONE, opponent)
        case "U":
            return Turn(ONE)
        case "-":
            return Turn(ZERO, opponent, voluntary=True)
        case "H":
            return Turn(HALF, voluntary=True)
        case "Z":
            return Turn(ZERO, voluntary=True)
        case other:
            raise AssertionError(other)


def table(report: oracle.Report) -> Table:
    return Table(
        tuple(
            Card(str(number), tuple(turn(cell) for cell in cells), report.rating[number])
            for number, cells in report.cells.items()
        )
    )


COLUMNS = {
    "PTS": "points",
    "BH": "buchholz",
    "BH/C1": "buchholz-cut-1",
    "BH/M1": "median",
    "SB": "sonneborn-berger",
    "PS": "cumulative",
    "WIN": "wins",
    "WON": "wins-at-the-board",
    "REP": "rounds-met",
    "ARO": "opponents-rating",
}


@each_source
def test_every_tie_break_equals_the_oracle(source: Source) -> None:
    wrong = []
    for name in oracle.names(source):
        report = oracle.report(source, name)
        cards = table(report)
        assert len(report.ties) in (0, len(cards.cards))
        for number, row in report.ties.items():
            for column, tie_break in COLUMNS.items():
                measured = TIE_BREAKS[tie_break].measure(cards, (str(number),))
                if measured is None or measured[str(number)] != Fraction(row[column]):
                    wrong.append((name, number, column, row[column], measured))
    assert not wrong


@each_source
def test_direct_encounter_and_the_order_equal_the_oracle(source: Source) -> None:
    for name in oracle.names(source):
        report = oracle.report(source, name)
        cards = table(report)
        after = {one.entrant: one for one in rank_players(cards, ["points", "direct-encounter"])}
        before = {one.entrant: one.rank for one in rank_players(cards, ["points"])}
        for number, row in report.ties.items():
            one = after[str(number)]
            place = one.rank - before[str(number)] + 1
            tied = [other for other in after.values() if before[other.entrant] == before[str(number)]]
            is_split = len({other.rank for other in tied}) > 1
            assert int(row["DE"]) == (place if is_split else 0), (name, number)


# The worked example of docs/pairing-rounds.md: eight players, four rounds, the first named won.
EXAMPLE = ("AE BF CG DH", "AB CD EF GH", "CA BE DG FH", "BC AD EH FG")


def example() -> Table:
    turns: dict[str, list[Turn]] = {player: [] for player in "ABCDEFGH"}
    for pairs in EXAMPLE:
        for winner, loser in pairs.split():
            turns[winner].append(Turn(ONE, loser, played=True, margin=2))
            turns[loser].append(Turn(ZERO, winner, played=True, margin=-2))
    return Table(tuple(Card(player, tuple(row)) for player, row in turns.items()))


@pytest.mark.parametrize(
    ("tie_break", "expected"),
    [
        ("points", "3 3 3 2 2 2 1 0"),
        ("wins", "3 3 3 2 2 2 1 0"),
        ("buchholz", "10 10 9 7 8 6 7 7"),
        ("buchholz-cut-1", "8 8 8 7 8 6 7 6"),
        ("median", "5 5 5 4 5 3 4 4"),
        ("sonneborn-berger", "7 7 6 1 2 1 0 0"),
        ("cumulative", "8 7 9 6 4 3 3 0"),
        ("point-difference", "4 4 4 0 0 0 -4 -8"),
    ],
)
def test_the_worked_example_to_the_digit(tie_break, expected):
    measured = TIE_BREAKS[tie_break].measure(example(), tuple("ABCDEFGH"))
    assert [measured[player] for player in "ABCDEFGH"] == [int(value) for value in expected.split()]


def order(*ties: str, **more) -> str:
    base = example()
    standings = rank_players(Table(base.cards, **more), ties)
    groups: dict[int, str] = {}
    for one in standings:
        groups[one.rank] = groups.get(one.rank, "") + one.entrant
    assert all(one.shared == len(groups[one.rank]) for one in standings)
    return " ".join(groups.values())


@pytest.mark.parametrize(
    ("ties", "expected"),
    [
        (["points"], "ABC DEF G H"),
        (["points", "head-to-head"], "ABC DEF G H"),  # a circle; and D has met neither E nor F
        (["points", "buchholz"], "AB C E D F G H"),
        (["points", "buchholz", "head-to-head"], "A B C E D F G H"),
        (["points", "cumulative"], "C A B D E F G H"),
        (["points", "buchholz-cut-1"], "ABC E D F G H"),
        (["points", "direct-encounter"], "ABC DEF G H"),
        (["points", "shared", "cumulative"], "ABC DEF G H"),
    ],
)
def test_lists_of_tie_breaks(ties, expected):
    assert order(*ties) == expected


def test_an_order_says_what_decided():
    standings = rank_players(example(), ["points", "buchholz", "head-to-head"])
    assert [one.decided_by for one in standings] == [
        "",
        "head-to-head",
        "buchholz",
        "points",
        "buchholz",
        "buchholz",
        "points",
        "points",
    ]
    assert standings[0].figures[:2] == (("points", 3), ("buchholz", 2 + 3 + 3 + 2))
    assert ["head-to-head" in dict(one.figures) for one in standings[:3]] == [True, True, False]


def test_the_median_cuts_the_lowest_and_the_highest():
    # Of 2, 1, 2 and 2.
    assert TIE_BREAKS["median"].measure(example(), ("H",)) == {"H": 2 + 2}


def test_a_play_off_ends_the_list_and_waits_until_it_is_played():
    ties = ["points", "play-off", "lot"]
    assert order(*ties) == "ABC DEF G H"
    # A had a bye in the play-off of three, and won only once.
    assert order(*ties, playoffs=(("B", "C"), ("A", "B"))) == "A B C DEF G H"


def test_lots_separate_whoever_is_left():
    lots = {player: number for number, player in enumerate("FBDCAEHG")}
    assert order("points", "lot", lots=lots) == "B C A F D E G H"


def test_a_list_with_an_unknown_name_is_refused():
    with pytest.raises(KeyError, match="coin"):
        rank_players(example(), ["points", "coin"])
    assert rank_players(Table(()), ["points"]) == ()


def test_every_tie_break_explains_itself():
    for tie_break in TIE_BREAKS.values():
        assert tie_break.title
        assert tie_break.explanation.endswith(".")


def both(one: str, points: str, other: str) -> tuple[Turn, Turn]:
    won = Fraction(points)
    return Turn(won, other, played=True), Turn(1 - won, one, played=True)


def test_direct_encounter_names_whoever_cannot_be_overtaken():
    # Three tied; A beat both others, who have not met.
    ab, ba = both("A", "1", "B")
    ac, ca = both("A", "1", "C")
    absent = Turn(ONE)
    cards = Table(
        (
            Card("A", (ab, ac, Turn())),
            Card("B", (ba, absent, absent)),
            Card("C", (absent, ca, absent)),
        )
    )
    standings = rank_players(cards, ["points", "direct-encounter"])
    assert [(one.entrant, one.rank) for one in standings] == [("A", 1), ("B", 2), ("C", 2)]
    assert [one.rank for one in rank_players(cards, ["points", "head-to-head"])] == [1, 1, 1]


def test_meeting_twice_counts_as_the_average():
    first, other_first = both("A", "1", "B")
    second, other_second = both("A", "0", "B")
    third, other_third = both("A", "1", "B")
    cards = Table(
        (
            Card("A", (first, second, third, Turn())),
            Card("B", (other_first, other_second, other_third, Turn(ONE))),
        )
    )
    assert TIE_BREAKS["head-to-head"].measure(cards, ("A", "B")) == {"A": Fraction(2, 3), "B": Fraction(1, 3)}


def test_in_a_round_robin_who_did_not_come_is_still_an_opponent():
    won = Turn(ONE, "B")
    lost = Turn(ZERO, "A", voluntary=True)
    beat = Turn(ONE, "C", played=True)
    cards = (
        Card("A", (won, Turn(voluntary=True)), rating=None),
        Card("B", (lost, beat), rating=1500),
        Card("C", (Turn(voluntary=True), Turn(ZERO, "B", played=True))),
    )
    swiss, league = Table(cards), Table(cards, is_round_robin=True)
    assert TIE_BREAKS["buchholz"].measure(league, ("A",))["A"] == 1
    assert TIE_BREAKS["buchholz"].measure(swiss, ("A",))["A"] == 2
    assert TIE_BREAKS["head-to-head"].measure(league, ("A", "B"))["A"] == 1
    assert TIE_BREAKS["head-to-head"].measure(swiss, ("A", "B")) is None
    assert TIE_BREAKS["opponents-rating"].measure(swiss, ("A", "B", "C")) is not None
    assert [TIE_BREAKS["opponents-rating"].measure(swiss, ("A", "B", "C"))[one] for one in "ABC"] == [
        0,
        0,
        1500,
    ]


def test_ratings_and_lives_can_separate():
    cards = Table((Card("A", rating=1500, lives=0), Card("B", lives=2), Card("C", rating=1600, lives=0)))
    assert [one.entrant for one in rank_players(cards, ["rating"])] == ["C", "A", "B"]
    assert [(one.entrant, one.rank) for one in rank_players(cards, ["lives"])] == [
        ("B", 1),
        ("A", 2),
        ("C", 2),
    ]


def test_of_two_cuts_the_missed_round_goes_first():
    beat = Turn(ONE, "B", played=True)
    cards = Table(
        (Card("A", (beat, Turn(HALF, voluntary=True), Turn(ONE))), Card("B", (Turn(ZERO, "A", played=True),)))
    )
    # Of 1, 3/2 and 3/2.
    assert TIE_BREAKS["buchholz-cut-2"].measure(cards, ("A",)) == {"A": Fraction(3, 2)}
