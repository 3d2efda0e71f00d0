"""Matches that GNU Backgammon played against itself: accepted in every format, with every game's result."""

from __future__ import annotations

import csv
import tarfile
from typing import TYPE_CHECKING

import pytest

from engine import formats
from engine.game import KINDS
from engine.verdict import adjudicate, judge
from tests.engine.shared import RECORDS, needs_shared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from engine.verdict import Verdict

pytestmark = needs_shared

GNUBG = RECORDS / "gnubg"


def _rows(name: str) -> list[dict[str, str]]:
    with (GNUBG / name).open() as lines:
        return list(csv.DictReader(lines))


def _files(*endings: str, every: int = 1) -> Iterator[tuple[str, bytes]]:
    """Every so many matches one, in the formats of these endings."""
    names = [row["file"] for row in _rows("matches.csv")][::every]
    wanted = {f"{name}{ending}" for name in names for ending in endings}
    with tarfile.open(GNUBG / "gnubg-matches.tar.gz") as archive:
        for member in archive:
            if member.name in wanted:
                source = archive.extractfile(member)
                assert source is not None
                yield member.name.rpartition(".")[0], source.read()


def _through_the_referee(data: bytes) -> Iterable[Verdict]:
    """Adjudicate without the express lane that clean sheets take."""
    return [adjudicate(source) for source in formats.read(data)]


def _check(files: Iterable[tuple[str, bytes]], adjudicator: Callable[[bytes], Iterable[Verdict]]) -> int:
    games: dict[str, list[tuple[object, ...]]] = {}
    for row in _rows("games.csv"):
        told = (int(row["winner"]), int(row["points"]), row["result"], row["how"], int(row["cube"]))
        start = (int(row["start0"]), int(row["start1"]))
        games.setdefault(row["file"], []).append((*told, row["crawford"] == "1", int(row["plies"]), start))
    matches = {row["file"]: row for row in _rows("matches.csv")}
    number = 0
    for name, data in files:
        number += 1
        (verdict,) = adjudicator(data)
        assert verdict.word == "accepted", (name, verdict.findings)
        assert [
            (
                game.winner,
                game.points,
                KINDS[game.kind - 1],
                game.how,
                game.cube,
                game.crawford,
                game.plies,
                tuple(game.start),
            )
            for game in verdict.games
        ] == games[name], name
        match = matches[name]
        assert tuple(verdict.score) == (int(match["score0"]), int(match["score1"]))
        assert (verdict.winner, verdict.length) == (int(match["winner"]), int(match["length"]))
    return number


def test_the_score_sheets():
    assert _check(_files(".mat"), judge) == 384


@pytest.mark.parametrize("ending", [".mat", ".sgf", ".txt"])
def test_some_of_each_format(ending):
    assert _check(_files(ending, every=12), _through_the_referee) > 10


@pytest.mark.slow
@pytest.mark.parametrize(("ending", "number"), [(".mat", 384), (".sgf", 384), (".txt", 153)])
def test_all_of_each_format(ending, number):
    assert _check(_files(ending), _through_the_referee) == number


def test_the_facts_say_the_same_as_the_verdict():
    for name, data in _files(".mat", ".sgf", every=24):
        for verdict in _through_the_referee(data):
            match = verdict.record.replay()
            assert match.results == verdict.games, name
            assert (match.score, match.winner) == (verdict.score, verdict.winner)
            tallies = verdict.statistics.sides
            assert tallies.white.rolls + tallies.black.rolls <= sum(game.plies for game in verdict.games)
