"""How long the practice player thinks, and whom it beats: python -m bench.brain [games]

It plays matches of five points against itself through the engine; every decision is timed. Then single games
against three that know little: one plays by chance, one by the pip counts, one leaves few blots besides.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from typing import TYPE_CHECKING

from engine.rules import Rules
from matches.brain import decide
from tests.matches.pure.test_brain import careful_player, chance_player, pip_player, play, share_won

if TYPE_CHECKING:
    import random

    from engine.match import Match
    from engine.side import Side
    from matches.state.commands import Command

MATCHES = 60
GAMES = 400
RIVALS = {"chance": chance_player, "pip counts": pip_player, "pip counts and few blots": careful_player}


def main() -> None:
    """Print both tables."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    taken: dict[str, list[float]] = defaultdict(list)

    def timed(match: Match, side: Side, rng: random.Random) -> Command | None:
        began = time.process_time()
        command = decide(match, side)
        spent = (time.process_time() - began) * 1000
        dice = match.game.dice
        kind = f"a play, {'doubles' if dice.is_double else 'others'}" if dice else "the cube"
        taken[kind].append(spent)
        taken["every decision"].append(spent)
        return command

    for seed in range(MATCHES):
        play(Rules(length=5), timed, timed, seed)
    print(f"Decisions in {MATCHES} matches of five points, milliseconds of CPU, one core")
    print(f"{'':24}{'number':>9}{'p50':>8}{'p99':>8}{'worst':>8}")
    for kind, times in sorted(taken.items()):
        times.sort()
        p50, p99 = times[len(times) // 2], times[len(times) * 99 // 100]
        print(f"{kind:24}{len(times):9,}{p50:8.2f}{p99:8.2f}{times[-1]:8.2f}")
    print(f"\nShare of {games} games to one point that it wins, half of them on each side")
    for name, player in RIVALS.items():
        print(f"against {name:24}{share_won(player, games):9.1%}")


if __name__ == "__main__":
    main()
