"""Speed of adjudicating match records, compared with GNU Backgammon reading the same files."""

from __future__ import annotations

import tarfile
import tempfile
import time
from collections.abc import Callable, Iterable
from itertools import chain
from operator import truediv
from pathlib import Path
from statistics import median, quantiles

from bench import gnubg
from engine import formats
from engine.express import cells
from engine.match import Match, apply
from engine.plays import legal_plays
from engine.record import Record
from engine.verdict import adjudicate, judge

ROUNDS = 5
# How often gnubg imports all files in a round, since its start takes longer than a single import.
IMPORTS = 4
# How many matches gnubg plays move by move; all of them would take minutes.
BY_HAND = 60


def records(archive: Path) -> list[bytes]:
    """Return the contents of the MAT files in *archive*."""
    with tarfile.open(archive) as files:
        names = sorted(name for name in files.getnames() if name.endswith(".mat"))
        contents = (files.extractfile(name) for name in names)
        return [content.read() for content in contents if content is not None]


def _seconds(work: Callable[[bytes], object], data: Iterable[bytes]) -> list[float]:
    spent = []
    for each in data:
        began = time.process_time()
        work(each)
        spent.append(time.process_time() - began)
    return spent


def _rate(spent: list[float]) -> float:
    return len(spent) / sum(spent)


def _line(what: str, *rounds: list[float]) -> None:
    rate = median(map(_rate, rounds))
    spent = sorted(chain.from_iterable(rounds))
    ninety_nine = quantiles(spent, n=100)[98] * 1000
    print(
        f"  {what:<46} {rate:>8,.0f} matches/s   p99 {ninety_nine:6.2f} ms   worst {spent[-1] * 1000:6.2f} ms"
    )


def table(archive: Path) -> None:
    data = records(archive)
    print(f"Adjudication of {len(data)} MAT records, one core, {ROUNDS} rounds in turn, medians of CPU time")
    cold, warm, unchecked = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        paths = _written(data, Path(folder))
        for _ in range(ROUNDS):
            cells.clear_caches()
            cold.append(_seconds(judge, data))
            warm.append(_seconds(judge, data))
            if gnubg.GNUBG:
                unchecked.append(_import_rate(paths))
    _line("cold: every cell read for the first time", *cold)
    _line("warm", *warm)
    _line("with the facts and the statistics", _seconds(_everything, data))
    _line("by the full referee, no fast path", _seconds(_referee, data))
    if unchecked:
        _beside_gnubg(data, list(map(_rate, cold)), list(map(_rate, warm)), unchecked)
    else:
        print("  GNU Backgammon is not installed: nothing to compare with")
    _live([judge(each)[0].record for each in data[:40]])


def _written(data: list[bytes], folder: Path) -> list[Path]:
    paths = [folder / f"{number}.mat" for number in range(len(data))]
    for path, each in zip(paths, data, strict=True):
        path.write_bytes(each)
    return paths


def _everything(data: bytes) -> None:
    for verdict in judge(data):
        _ = verdict.record, verdict.statistics


def _referee(data: bytes) -> None:
    for source in formats.read(data):
        adjudicate(source)


def _import_rate(paths: list[Path]) -> float:
    start = gnubg.cpu(gnubg.QUIET)
    return IMPORTS * len(paths) / (gnubg.cpu(gnubg.imports(paths * IMPORTS)) - start)


def _beside_gnubg(data: list[bytes], cold: list[float], warm: list[float], unchecked: list[float]) -> None:
    by_hand = data[:: max(1, len(data) // BY_HAND)]
    start = gnubg.cpu(gnubg.QUIET)
    checked = len(by_hand) / (gnubg.cpu(gnubg.plays([each.decode() for each in by_hand])) - start)
    for what, rates in (("move command, checked", [checked] * ROUNDS), ("import, unchecked", unchecked)):
        ours = [median(map(truediv, mine, rates)) for mine in (cold, warm)]
        print(
            f"  GNU Backgammon, {what:<30} {median(rates):>8,.0f} matches/s   "
            f"ours is {ours[0]:.2f}x cold, {ours[1]:.2f}x warm"
        )


def _live(records: list[Record]) -> None:
    """Print the time of a live move: applying the fact, and generating the next list of plays."""
    spent = []
    for record in records:
        match = Match.start(record.rules)
        for action in record.actions:
            began = time.process_time()
            match = apply(match, action)
            game = match.game
            if game.dice and game.turn is not None:
                list(legal_plays(game.board, game.turn, game.dice))
            spent.append(time.process_time() - began)
    print(
        f"Live play: {len(spent):,} facts applied and the legal plays listed: median "
        f"{quantiles(spent, n=100)[49] * 1000:.3f} ms, p99 {quantiles(spent, n=100)[98] * 1000:.3f} ms, "
        f"worst {max(spent) * 1000:.3f} ms"
    )
