"""With one honest party every throw is equally likely, even if the other two search for favourable shares."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

import pytest

from engine import fair
from engine.fair import ByParty, Chain, Party
from matches.state import dice_probabilities

MATCH = "k7k7k7k7k7"
LENGTH = 12
CHAINS = 200
TRIES = 12
A, B, S = Party
EVEN = [1] * 36


def rolls(chains: dict[Party, Chain]) -> list[tuple[int, int]]:
    found = []
    for number in range(1, LENGTH + 1):
        shares = ByParty(*(chains[party].share(number) for party in Party))
        found.append(fair.roll(MATCH, number, shares))
    return found


def luck(chains: dict[Party, Chain]) -> int:
    """The throws that the cheats prefer: doubles and sixes."""
    return sum(10 * (first == second) + first + second for first, second in rolls(chains))


def grown(rng: random.Random) -> Chain:
    return Chain.grow(rng.randbytes(32), LENGTH)


def search(rng: random.Random, cheats: list[Party], others: dict[Party, Chain]) -> dict[Party, Chain]:
    """Choose the cheats' chains, in league, so that they do best against *others*."""
    tries = [{party: grown(rng) for party in cheats} for _ in range(TRIES)]
    return max(tries, key=lambda chosen: luck({**others, **chosen}))


def thrown(rng: random.Random, honest: Party | None) -> list[int]:
    """Count what comes where all but one choose their secrets after long thought, and that one draws his."""
    counts = [0] * 36
    for _ in range(CHAINS):
        cheats = [party for party in Party if party is not honest]
        # All they know of an honest chain is its promise; so they can only guess.
        guess = {} if honest is None else {honest: grown(rng)}
        chains = search(rng, cheats, guess)
        if honest is not None:
            chains[honest] = grown(rng)
        for first, second in rolls(chains):
            counts[6 * first + second - 7] += 1
    return counts


@pytest.mark.long
@pytest.mark.parametrize("honest", list(Party))
def test_one_honest_party_is_enough(honest: Party) -> None:
    found = dice_probabilities.compute_fit(thrown(random.Random(f"honest {honest}"), honest), EVEN)
    assert found.p > 0.001


@pytest.mark.long
def test_three_in_league_get_what_they_want() -> None:
    """If all three parties collude, the same search finds favourable throws."""
    found = dice_probabilities.compute_fit(thrown(random.Random(7), None), EVEN)
    assert found.p < 1e-12


def last_word(rng: random.Random, stand_in: Callable[[int], bytes]) -> list[int]:
    """Count throws where a player submits or withholds a share, depending on the expected throw.

    The player knows both players' shares but not the server's, and uses an invented server share instead.
    """
    counts = [0] * 36
    for number in range(1, 6_001):
        roller, own, server, imagined = (rng.randbytes(32) for _ in range(4))
        given, kept = (
            sum(fair.roll(MATCH, number, ByParty(roller, share, imagined)))
            for share in (own, stand_in(number))
        )
        share = own if given >= kept else stand_in(number)
        first, second = fair.roll(MATCH, number, ByParty(roller, share, server))
        counts[6 * first + second - 7] += 1
    return counts


STAND_INS = {
    "nothing": lambda number: fair.compute_absent_share(MATCH, B, number),
    "words": lambda number: fair.compute_typed_share(MATCH, B, number, "double six please"),
}


@pytest.mark.parametrize("instead", STAND_INS)
def test_who_may_keep_the_last_share_back_chooses_between_two_unknown_rolls(instead: str) -> None:
    found = dice_probabilities.compute_fit(last_word(random.Random(instead), STAND_INS[instead]), EVEN)
    assert found.p > 0.001


def test_who_knows_all_shares_does_choose() -> None:
    """That is what it would gain him if ours were known."""
    rng = random.Random(3)
    counts = [0] * 36
    for number in range(1, 2_001):
        shares = [ByParty(rng.randbytes(32), rng.randbytes(32), server) for server in [rng.randbytes(32)] * 2]
        first, second = max((fair.roll(MATCH, number, each) for each in shares), key=sum)
        counts[6 * first + second - 7] += 1
    found = dice_probabilities.compute_fit(counts, EVEN)
    assert found.p < 1e-12


def test_a_link_says_nothing_of_the_next_roll() -> None:
    """Every throw follows on every other equally often, for one who sees all shares of the past."""
    rng = random.Random(11)
    follows = [0] * 36
    for _ in range(500):
        found = rolls({party: grown(rng) for party in Party})
        for (first, _), (_, second) in pairwise(found):
            follows[6 * first + second - 7] += 1
    result = dice_probabilities.compute_fit(follows, EVEN)
    assert result.p > 0.001
