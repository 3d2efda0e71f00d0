from __future__ import annotations

import json

import pytest

from draw import seeding
from draw.brackets.builder import build_structure
from draw.brackets.notation import BadNotation
from draw.brackets.sheet import Routing, Sheet, SideBracket
from draw.brackets.structure import Feed, Structure
from tests.draw.rematches import expected
from tests.engine.shared import Source, each_source


def byes(entrants: int) -> frozenset[int]:
    order = seeding.list_seed_order(seeding.compute_size(entrants))
    return frozenset(line for line, seed in enumerate(order) if seed > entrants)


def sheet(*shapes: str, routing: Routing = Routing.AUTO) -> Sheet:
    return Sheet(
        tuple(SideBracket(f"side {at}", shape) for at, shape in enumerate(shapes, 1)), routing=routing
    )


def built(entrants: int, *shapes: str, routing: Routing = Routing.AUTO) -> Structure:
    return build_structure(seeding.compute_size(entrants), byes(entrants), sheet(*shapes, routing=routing))


@each_source
def test_seeds_and_byes_of_the_vectors(source: Source) -> None:
    rows = json.loads((source.trf / "vectors.json").read_text())["single_elim"]
    assert [row["entrants"] for row in rows] == list(range(3, 65))
    for row in rows:
        order = seeding.list_seed_order(row["size"])
        assert [list(pair) for pair in zip(order[::2], order[1::2], strict=True)] == row["bracket_order"]
        lines = seeding.place_seeds([str(seed) for seed in range(1, row["entrants"] + 1)])  # type: ignore[list-item]
        pairs = list(zip(lines[::2], lines[1::2], strict=True))
        assert [[int(a), int(b)] for a, b in pairs if a and b] == row["round1"]
        assert sorted(int(a or b or 0) for a, b in pairs if not (a and b)) == row["byes"]


def test_byes_never_meet_and_are_spread() -> None:
    for entrants in range(2, 1025):
        size = seeding.compute_size(entrants)
        empty = byes(entrants)
        assert len(empty) == size - entrants
        assert not [line for line in empty if line ^ 1 in empty]
        upper = sum(line < size // 2 for line in empty)
        assert abs(2 * upper - len(empty)) <= 1
        order = seeding.list_seed_order(size)
        assert sorted(order[line ^ 1] for line in empty) == list(range(1, size - entrants + 1))


@each_source
def test_masks_are_those_of_the_vectors(source: Source) -> None:
    for row in json.loads((source.trf / "vectors.json").read_text())["double_elim_xor"]:
        got = expected(built(row["N"], "double", routing=Routing.MASKS))
        assert got == pytest.approx(row["expected_rematches"], abs=1e-12)


@each_source
@pytest.mark.parametrize(
    ("name", "routing"),
    [("consolation_vectors", Routing.SLOTS), ("consolation_vectors_survivor_v_drop", Routing.AUTO)],
)
def test_consolations_are_at_most_the_vectors(source: Source, name: str, routing: Routing) -> None:
    for row in json.loads((source.trf / f"{name}.json").read_text()):
        got = expected(built(row["main_size"], row["structure"], routing=routing))
        assert got <= row["expected_rematches_coinflip"] + 1e-12


@pytest.mark.parametrize(
    ("size", "text", "most"),
    [(32, "AB.C.|.|.D.|.", 0.46), (32, "ABC.D.|.|.|.", 0.44), (128, "AB.C.D.E.|.F.|.|.", 0.40)],
)
def test_other_structures_keep_rematches_rare(size: int, text: str, most: float) -> None:
    assert expected(built(size, text)) <= most


@pytest.mark.parametrize("entrants", [5, 6, 9, 11, 13, 17, 24, 33, 48, 100])
def test_byes_do_not_bring_rematches(entrants: int) -> None:
    assert expected(built(entrants, "double")) < 0.77
    assert expected(built(entrants, "progressive")) < 0.42


def test_twenty_four_are_counted_without_byes() -> None:
    structure = built(24, "AB.C.D.|.|.", "FG.GH.I.|.|.")
    assert structure.compact
    assert [[len(row) for row in bracket.rounds] for bracket in structure.brackets] == [
        [16, 8, 4, 2, 1],
        [8, 6, 4, 2, 1],
        [6, 6, 4, 2, 1],
    ]
    assert [bracket.letters for bracket in structure.brackets] == [
        tuple("ABCDE"),
        tuple("FGHIJ"),
        tuple("KLMNO"),
    ]
    assert all(
        comers == 2 for node, comers in zip(structure.nodes, structure.comers, strict=True) if node.slot > 1
    )
    assert not built(24, "progressive").compact


@pytest.mark.parametrize(("size", "count"), [(8, 12), (16, 28), (32, 60), (64, 124)])
def test_a_progressive_consolation_has_as_many_matches_as_elsewhere(size: int, count: int) -> None:
    assert len(built(size, "progressive").nodes) == count


@pytest.mark.parametrize("entrants", [*range(2, 66), 100, 127, 128, 129, 255, 513, 1000, 1023, 1024])
def test_every_seat_is_fed_once(entrants: int) -> None:
    shapes = ("double", "progressive", "first round", "first match", "feed-in to last sixteen", "third place")
    for shape in shapes:
        structure = built(entrants, shape)
        for index, node in enumerate(structure.nodes):
            for source in (node.a, node.b):
                assert source.feed is Feed.LINE or source.index < index
        fed = [
            (source.feed, source.index)
            for node in structure.nodes
            for source in (node.a, node.b)
            if source.feed is not Feed.AGAIN
        ]
        assert len(set(fed)) == len(fed)
        assert len({node.key for node in structure.nodes}) == len(structure.nodes)


def test_a_loser_drops_once() -> None:
    with pytest.raises(BadNotation, match="would drop twice"):
        built(16, "progressive", "third place")
    with pytest.raises(BadNotation, match="would drop twice"):
        built(16, "first match", "B.|.")


def test_one_bracket_rejoins() -> None:
    with pytest.raises(BadNotation, match="only one side bracket"):
        built(8, "A.|.X", "B.X")


def test_a_shape_that_fits_neither_way_is_refused() -> None:
    with pytest.raises(BadNotation, match="an odd number"):
        built(13, "A.C.|.|.")
    with pytest.raises(BadNotation, match="nobody drops"):
        built(13, "|.")


def test_small_fields_have_no_side_bracket() -> None:
    for shape in ("progressive", "first round", "first match", "third place", "feed-in to quarter-finals"):
        assert len(built(2, shape).brackets) == 1
    assert len(built(4, "progressive", "full").brackets) == 2
    assert len(built(2, "progressive", "full").brackets) == 1


def test_a_last_chance_after_a_consolation_of_two_rounds() -> None:
    assert [bracket.name for bracket in built(4, "A.B.", "full").brackets] == ["main", "side 1"]
