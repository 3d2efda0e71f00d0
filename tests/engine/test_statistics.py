"""Statistics of sample matches."""

from __future__ import annotations

import pytest

from engine.game import Termination
from engine.statistics import compute_statistics
from tests.engine import selfplay


@pytest.mark.parametrize("seed", range(4))
def test_the_figures_of_every_game_add_up(seed: int) -> None:
    record = selfplay.match(seed, 3)
    results = record.replay().results
    games = compute_statistics(record).games
    assert len(games) == len(results)
    for game, result in zip(games, results, strict=True):
        # A roll after which a person resigned was not played.
        assert result.plies - sum(tally.rolls for tally in game.sides) in (
            0,
            result.how is Termination.RESIGN,
        )
        assert len(game.pips) == 1 + sum(tally.rolls for tally in game.sides)
        assert all(tally.wastage >= 0 for tally in game.sides)
        if result.how is Termination.BEAROFF and result.winner is not None:
            assert game.sides[result.winner].borne_off == 15
            assert game.pips[-1][result.winner] == 0
