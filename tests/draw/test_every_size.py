"""Every number of entrants from 2 to 1,024."""

from __future__ import annotations

import pytest

from draw import seeding
from draw.brackets.finishing_order import rank_entrants
from draw.brackets.resolution import Facts, resolve_spots
from draw.brackets.simulation import UndecidedSheet
from draw.brackets.structure import MAIN
from draw.event import State
from draw.random_stream import RandomStream
from tests.draw import kit
from tests.draw.test_structure import built

SHAPES = {
    "single": (),
    "double": ("double",),
    "progressive": ("progressive",),
    "last chance": ("progressive", "full"),
    "first match": ("first match",),
    "feed-in": ("feed-in to last sixteen",),
}
SOME = [*range(2, 34), 63, 64, 65, 100, 129]


def plays_to_the_end(entrants: int, shape: str) -> None:
    """Simulate a sheet once, and check the result."""
    structure = built(entrants, *SHAPES[shape])
    spots = resolve_spots(structure, Facts(seeding.place_seeds(kit.names(entrants))))
    vacant = [node for node, spot in zip(structure.nodes, spots, strict=True) if spot.state is State.VACANT]
    assert not [node for node in vacant if node.bracket == MAIN], "a bye meets a bye"
    seated = [one for spot in spots for one in (spot.a, spot.b) if isinstance(one, str)]
    assert set(seated) == set(kit.names(entrants))
    table = UndecidedSheet(structure, spots, [5] * len(structure.nodes), lambda one, other, length: 0.5)
    finishes = table.finishes(RandomStream(f"{shape} {entrants}"), 1)
    assert len(finishes.ranks) == entrants
    assert all(sum(ranks.values()) == 1 for ranks in finishes.ranks.values())
    assert [one for one, ranks in finishes.ranks.items() if 1 in ranks]
    played = sum(finishes.matches.values()) // 2
    if shape == "single":
        assert played == entrants - 1
    if shape == "double":
        # Without the second final, which this sheet has not.
        assert played == 2 * entrants - 2
    assert len(rank_entrants(structure, spots, {})) == entrants


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("entrants", SOME)
def test_some_sizes(entrants: int, shape: str) -> None:
    plays_to_the_end(entrants, shape)


@pytest.mark.parametrize("shape", ["single", "double", "progressive"])
def test_the_largest_sizes(shape: str) -> None:
    plays_to_the_end(1000, shape)
    plays_to_the_end(1024, shape)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "step"), [("double", 1), ("progressive", 5), ("first match", 11), ("last chance", 101)]
)
def test_every_size(shape: str, step: int) -> None:
    """A double elimination contains the single one as its main draw."""
    for entrants in range(2, 1025, step):
        plays_to_the_end(entrants, shape)
