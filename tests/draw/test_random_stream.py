from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

from draw import stages
from draw.random_stream import RandomStream
from tests.draw import kit
from tests.draw.kit import find_lines

GOLDEN = Path(__file__).with_name("golden_draws.json")


def drawn(form: str, seed: str, count: int, **options: str) -> list[str | None]:
    from dataclasses import replace

    event = replace(kit.event(count, form, **options), seed=seed)
    return [None if one is None else str(one) for one in find_lines(stages.propose(event))]


def test_the_numbers_are_those_of_the_page() -> None:
    block = sha256(b"barpoint|0").digest()
    chance = RandomStream("barpoint")
    assert [chance.word() for _ in range(4)] == [
        int.from_bytes(block[at : at + 8], "big") for at in range(0, 32, 8)
    ]
    assert chance.word() == int.from_bytes(sha256(b"barpoint|1").digest()[:8], "big")


def test_a_child_has_a_stream_of_its_own() -> None:
    parent = RandomStream("s")
    assert parent.child("a").seed == "s/a"
    assert parent.child("a").word() == RandomStream("s/a").word() != parent.child("b").word()


def test_every_number_below_a_bound_is_as_likely() -> None:
    chance = RandomStream("dice")
    counts = Counter(chance.below(6) for _ in range(12_000))
    assert set(counts) == set(range(6))
    # Five degrees of freedom: one honest die in a million does worse than 35.
    assert sum((seen - 2000) ** 2 / 2000 for seen in counts.values()) < 35


def test_numbers_above_the_last_multiple_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    words = iter([(1 << 64) - 1, 7])
    monkeypatch.setattr(RandomStream, "word", lambda self: next(words))
    assert RandomStream("any").below(3 << 61) == 7


@pytest.mark.parametrize("bound", [0, -1, (1 << 64) + 1])
def test_a_bound_out_of_reach_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="a bound lies between"):
        RandomStream("any").below(bound)


def test_a_shuffle_loses_nobody() -> None:
    chance = RandomStream("shuffle")
    assert sorted(chance.shuffled(range(50))) == list(range(50))
    assert len(chance.stream(33)) == 33


def test_the_draws_are_the_golden_ones() -> None:
    golden = json.loads(GOLDEN.read_text("utf-8"))
    assert golden
    for row in golden:
        assert drawn(row["format"], row["seed"], row["entrants"]) == row["lines"]


@pytest.mark.parametrize("hashes", ["0", "1", "random"])
def test_another_process_draws_the_same(hashes: str) -> None:
    event = {"format": "double-elimination", "seed": "abc", "entrants": [f"p{at}" for at in range(1, 22)]}
    asked = subprocess.run(
        [sys.executable, "-m", "draw", "propose", "-"],
        input=json.dumps(event),
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONHASHSEED": hashes},
    )
    event_here = kit.event(21, "double-elimination")
    from dataclasses import replace

    here = stages.propose(replace(event_here, seed="abc"))
    assert json.loads(asked.stdout)["pairs"] == [list(pair) for pair in here.pairs]


def test_another_seed_is_another_draw() -> None:
    assert drawn("single-elimination", "1", 16) != drawn("single-elimination", "2", 16)
