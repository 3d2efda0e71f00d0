from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from draw.brackets import notation
from draw.brackets.notation import LETTERS, BadNotation, Drop, compute_sizes, compute_slots, parse_notation

EIGHT = {"A": 4, "B": 2, "C": 1}
SIXTEEN = {"A": 8, "B": 4, "C": 2, "D": 1}
TWENTY_FOUR = {"A": 8, "B": 8, "C": 4, "D": 2, "E": 1}


def halved(rounds: int, first: int = 0) -> dict[str, int]:
    return {LETTERS[first + at]: 1 << (rounds - 1 - at) for at in range(rounds)}


def times(rounds: int) -> dict[str, int]:
    return {LETTERS[at]: at + 1 for at in range(rounds)}


def counted(text: str, losers: dict[str, int]) -> list[int]:
    return [size.matches for size in compute_sizes(parse_notation(text), losers)]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("A.B.|.C.|.", "A.B.|.C.|."),
        ("A.B.|.C.|", "A.B.|.C.|."),
        (" A B . C . | . | ", "AB.C.|.|."),
        ("A.B.|.C.X", "A.B.|.C.X"),
        ("A.B.|.C.X.", "A.B.|.C.X"),
        ("AX", "AX"),
        ("A*.|.|.", "A*.|.|."),
        ("FG4.G2H.I.|.|.", "FG4.G2H.I.|.|."),
    ],
)
def test_what_is_written_is_read(written: str, read: str) -> None:
    assert str(parse_notation(written)) == read
    assert parse_notation(read) == parse_notation(written)


@pytest.mark.parametrize("bad", ["", ".", "A..B.", "A.?.", "|.A.", "AX.B.", "X", "A.|B.", "X.A."])
def test_what_is_no_notation_is_refused(bad: str) -> None:
    with pytest.raises(BadNotation):
        parse_notation(bad)


def test_sixteen_is_counted_as_on_the_page() -> None:
    rounds = compute_sizes(parse_notation("A.B.|.C.|."), SIXTEEN)
    table = [(size.survivors, sum(count for _, count in size.drops), size.matches) for size in rounds]
    assert table == [(0, 8, 4), (4, 4, 4), (4, 0, 2), (2, 2, 2), (2, 0, 1)]


def test_twenty_four_are_counted_as_published() -> None:
    assert counted("AB.C.D.|.|.", TWENTY_FOUR) == [8, 6, 4, 2, 1]
    last_chance = {"F": 8, "G": 6, "H": 4, "I": 2}
    assert sum(last_chance.values()) == 20
    rounds = compute_sizes(parse_notation("FG.GH.I.|.|."), last_chance)
    assert [[(drop.letter, count) for drop, count in size.drops] for size in rounds[:3]] == [
        [("F", 8), ("G", 4)],
        [("G", 2), ("H", 4)],
        [("I", 2)],
    ]
    assert counted("FG.GH.I.|.|.", last_chance) == [6, 6, 4, 2, 1]
    assert counted("FG4.G2H.I.|.|.", last_chance) == [6, 6, 4, 2, 1]
    # What the event in fact ran, without fourteen of them.
    assert counted("H.I.|.", last_chance) == [2, 2, 1]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("A.B.", "2 are left in the end"),
        ("A.C.|.", "round 3 would hold 3 players"),
        ("A.Q.", "there is no round Q"),
        ("A.B.|.|.|.", "round 4 would hold 1 players"),
        ("A3.A.|.", "round 1 would hold 3 players"),
        ("A2.A2.A.|.", "parts of a split letter"),
    ],
)
def test_what_does_not_come_out_is_refused(text: str, problem: str) -> None:
    losers = SIXTEEN if "C" in text else EIGHT
    with pytest.raises(BadNotation, match=problem):
        compute_sizes(parse_notation(text), losers)


def test_large_splits_have_to_be_written() -> None:
    with pytest.raises(BadNotation):
        compute_sizes(parse_notation("A.A.|.|.|.|.|.|."), {"A": 128})
    with pytest.raises(BadNotation):
        compute_sizes(parse_notation("A9.A9.A."), {"A": 8})


def test_when_rounds_are_played() -> None:
    assert compute_slots(parse_notation("A.B.|.C.|."), times(4)) == (2, 3, 4, 5, 6)
    assert compute_slots(parse_notation("AB.C.|.|."), times(4)) == (3, 4, 5, 6)
    assert compute_slots(parse_notation("A.B.C.D.|.|."), times(5)) == (2, 3, 4, 5, 6, 7)
    assert compute_slots(parse_notation("AB.C.|.|.D.|."), times(5)) == (3, 4, 5, 6, 7, 8)
    assert compute_slots(parse_notation("A.B.CD.E.|.|.|."), times(6))[-1] == 9
    assert compute_slots(parse_notation("AB.C.|.D.E.|.|."), times(6))[-1] == 9
    assert compute_slots(parse_notation("AB.C.D.E.|.F.|.|."), times(7))[-1] == 10


def structures(losers: Mapping[str, int]) -> Iterator[notation.Notation]:
    """Yield all ways without byes in which these rounds can drop in order into one bracket with one winner."""
    letters = sorted(losers, key=LETTERS.index)

    def extend(at: int, survivors: int, rounds: tuple[tuple[Drop, ...], ...]) -> Iterator[notation.Notation]:
        if at == len(letters) and survivors == 1:
            yield notation.Notation(rounds)
            return
        for until in range(at, len(letters) + 1):
            if until == at and survivors < 2:
                continue
            together = survivors + sum(losers[letter] for letter in letters[at:until])
            if together % 2 == 0:
                drops = tuple(Drop(letter) for letter in letters[at:until])
                yield from extend(until, together // 2, (*rounds, drops))

    yield from extend(0, 0, ())


def test_all_structures_without_a_bye_are_found() -> None:
    def all_of(rounds: int) -> set[str]:
        main = halved(rounds)
        main.popitem()
        return {str(one) for one in structures(main)}

    assert {"A.B.|.C.|.", "AB.C.|.|."} <= all_of(4)
    assert {"A.B.|.C.|.D.|.", "A.B.C.D.|.|.", "AB.C.|.|.D.|.", "ABC.D.|.|.|."} <= all_of(5)
    assert {"A.B.CD.E.|.|.|.", "AB.C.|.D.E.|.|."} <= all_of(6)
    assert {"A.BC.D.E.F.|.|.|.", "AB.C.D.E.|.F.|.|."} <= all_of(7)
    assert len(all_of(7)) == 63  # as enumerated elsewhere
    for text in all_of(6):
        assert counted(text, halved(6))[-1] == 1


@pytest.mark.parametrize(
    ("rounds", "progressive", "double"),
    [
        (1, None, "AX"),
        (2, "A.", "A.B.X"),
        (3, "A.B.|.", "A.B.|.C.X"),
        (4, "A.B.|.C.|.", "A.B.|.C.|.D.X"),
        (6, "A.B.|.C.|.D.|.E.|.", "A.B.|.C.|.D.|.E.|.F.X"),
    ],
)
def test_the_usual_structures(rounds: int, progressive: str | None, double: str) -> None:
    main = halved(rounds)
    assert str(notation.build_standard(main, rejoins=True)) == double
    main.popitem()
    if progressive is not None:
        assert str(notation.build_standard(main)) == progressive


def test_the_shortest_last_chance() -> None:
    assert (
        str(notation.find_shortest({"E": 4, "F": 4, "G": 2, "H": 2}, {"E": 2, "F": 3, "G": 4, "H": 5}))
        == "EF.GH.|.|."
    )
    # Twelve losers of 6, 4 and 2: nothing comes out even unless F is split.
    assert str(notation.find_shortest({"E": 6, "F": 4, "G": 2}, {"E": 3, "F": 4, "G": 5})) == "EF2.F2G.|.|."
    assert str(notation.find_shortest({"E": 3}, {"E": 1})) == "E2.E1."
    assert notation.find_shortest({"E": 1}, {"E": 1}) is None


def test_letters_leave_out_the_x() -> None:
    assert "X" not in LETTERS
    assert str(Drop("A", 3, first=True)) == "A*3"
