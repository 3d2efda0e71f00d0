"""For whom the cube is alive before the next roll."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cube import Cube
from engine.rules import DeadCube, Rules
from engine.side import BySide, Side
from matches.state.match_state import MatchState
from matches.state.terms import build_terms

WHITE, BLACK = Side.WHITE, Side.BLACK
BOTH = (WHITE, BLACK)


def state(rules: Rules, **game: object) -> MatchState:
    found = MatchState.start("k", "ann", "ben", build_terms(rules, None))
    return replace(found, match=replace(found.match, game=replace(found.match.game, **game)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rules", "game", "sides"),
    [
        (Rules(length=5), {}, BOTH),
        (Rules(length=5), {"cube": Cube(2, WHITE)}, (WHITE,)),
        (Rules(length=5), {"cube": Cube(2, BLACK)}, (BLACK,)),
        (Rules(length=5), {"crawford": True}, ()),
        (Rules(length=5, cube=False), {}, ()),
        (Rules(length=1), {}, ()),
        (Rules.unlimited(), {}, BOTH),
        # One to go: a double would win nothing more, whether the rules let it be made or not.
        (Rules(length=5), {"away": BySide(1, 4)}, (BLACK,)),
        (Rules(length=5, dead_cube=DeadCube.REFUSED), {"away": BySide(1, 4)}, (BLACK,)),
        (Rules(length=2), {"cube": Cube(2, WHITE)}, ()),
    ],
)
def test_the_cube_is_alive_for_those_who_may_turn_it_to_some_purpose(
    rules: Rules, game: dict[str, object], sides: tuple[Side, ...]
) -> None:
    assert state(rules, **game).doublers == sides
