"""Matches of the bots and of GNU Backgammon: accepted in every format, with each game's result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache

import pytest

from engine import formats
from engine.game import KINDS
from engine.verdict import Verdict, adjudicate, judge
from tests.engine.shared import OTHERS, OURS, Source, each_source, files, long_run, table


def _files(source: Source, *endings: str, every: int = 1) -> Iterator[tuple[str, bytes]]:
    """Every so many matches one, in the formats of these endings."""
    names = [row["file"] for row in table(source.played, "matches.csv")][::every]
    wanted = {f"{name}{ending}" for name in names for ending in endings}
    for name, data in files(source.played):
        if name in wanted:
            yield name.rpartition(".")[0], data


@cache
def _judged(data: bytes) -> tuple[Verdict, ...]:
    """Adjudicate a sample once for several tests."""
    return tuple(judge(data))


def _through_the_referee(data: bytes) -> Iterable[Verdict]:
    """Adjudicate without the fast path that clean sheets take."""
    return [adjudicate(source) for source in formats.read(data)]


def _check(
    source: Source, records: Iterable[tuple[str, bytes]], adjudicator: Callable[[bytes], Iterable[Verdict]]
) -> int:
    games: dict[str, list[tuple[object, ...]]] = {}
    for row in table(source.played, "games.csv"):
        told = (int(row["winner"]), int(row["points"]), row["result"], row["how"], int(row["cube"]))
        start = (int(row["start0"]), int(row["start1"]))
        games.setdefault(row["file"], []).append((*told, row["crawford"] == "1", int(row["plies"]), start))
    matches = {row["file"]: row for row in table(source.played, "matches.csv")}
    number = 0
    for name, data in records:
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
        winner = int(match["winner"]) if match["winner"] else None
        assert (verdict.winner, verdict.length) == (winner, int(match["length"]))
    return number


@each_source
def test_the_score_sheets(source: Source) -> None:
    assert _check(source, _files(source, ".mat"), judge) == (10 if source is OURS else 384)


@pytest.mark.parametrize("ending", [".sgf", ".json"])
def test_our_matches_in_each_format(ending: str) -> None:
    assert _check(OURS, _files(OURS, ending), _judged) == 10


@pytest.mark.parametrize("ending", [".fibs", ".sgg", ".tmg", ".match", ".xg"])
def test_our_matches_in_formats_we_only_read(ending: str) -> None:
    assert _check(OURS, _files(OURS, ending), _judged) == 3


@pytest.mark.long
def test_a_match_is_the_same_in_every_format() -> None:
    digests: dict[str, list[str]] = {row["file"]: [] for row in table(OURS.played, "matches.csv")}
    for name, data in files(OURS.played):
        match = name.rpartition(".")[0]
        if match in digests:
            digests[match].append(_judged(data)[0].record.digest())
    assert {match: len(set(found)) for match, found in digests.items()} == dict.fromkeys(digests, 1)
    assert sorted(map(len, digests.values())) == [3] * 6 + [4] + [8] * 3


@long_run
@pytest.mark.parametrize("ending", [".mat", ".sgf", ".txt"])
def test_some_of_each_format(ending: str) -> None:
    assert _check(OTHERS, _files(OTHERS, ending, every=12), _through_the_referee) > 10


@pytest.mark.parametrize("ending", [".mat", ".sgf"])
def test_our_matches_through_the_referee(ending: str) -> None:
    assert _check(OURS, _files(OURS, ending), _through_the_referee) == 10


@long_run
@pytest.mark.slow
@pytest.mark.parametrize(("ending", "number"), [(".mat", 384), (".sgf", 384), (".txt", 153)])
def test_all_of_each_format(ending: str, number: int) -> None:
    assert _check(OTHERS, _files(OTHERS, ending), _through_the_referee) == number


@each_source
def test_the_facts_say_the_same_as_the_verdict(source: Source) -> None:
    for name, data in _files(source, ".mat", ".sgf", every=1 if source is OURS else 24):
        for verdict in _through_the_referee(data):
            match = verdict.record.replay()
            assert match.results == verdict.games, name
            assert (match.score, match.winner) == (verdict.score, verdict.winner)
            tallies = verdict.statistics.sides
            assert tallies.white.rolls + tallies.black.rolls <= sum(game.plies for game in verdict.games)
