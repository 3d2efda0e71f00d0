"""Make the samples again: ``python -m tests.samples.make``. The same seeds give the same files, byte for
byte."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from engine import formats
from engine.board import STANDARD
from engine.side import BySide
from tests.samples import bouts, faults, foreign, positions, rounds

HERE = Path(__file__).parent
NAMES = BySide("Ada", "Bo")
# Of many seeds, one whose match has what the others lack.
SEEDS = {
    "one-point": 8,  # a gammon
    "three-points": 10,  # a drop, the Crawford game
    "five-points": 6,  # drops, a resignation, the Crawford game
    "seven-points": 6,  # a resigned gammon, a resigned game with the cube turned twice
    "nine-points": 8,  # a drop, a backgammon, the Crawford game
    "no-crawford": 3,
    "no-cube": 4,
    "nackgammon": 1,
    "hypergammon": 6,
    "unlimited": 4,
}
WRITTEN = {"mat": "mat", "sgf": "sgf", "json": "json"}
# Formats without a word for a resignation.
ELSEWHERE = ("one-point", "three-points", "nine-points")
READ_ONLY = {"fibs": "oldmoves", "sgg": "sgg", "tmg": "tmg", "match": "bgammon", "xg": "xg"}
POSITIONS = ("snowie-position", "xgid", "ogid", "gnubg-id", "fibs-board")
FAULTY = ("nine-points", 8)


class Sample(NamedTuple):
    """One record, with what a manifest says of it."""

    file: str
    format: str
    data: bytes
    dialect: str
    length: int
    games: int


def played(name: str) -> bouts.Played:
    return bouts.play(bouts.BOUTS[name], f"{name} {SEEDS[name]}", NAMES)


def records() -> Iterator[Sample]:
    """Yield every match in all formats we write, some in those we only read, and positions."""
    for name in SEEDS:
        match = played(name)
        length, games = match.record.rules.length, len(match.scorer.games)
        for suffix, kind in WRITTEN.items():
            # A variant is named as GNU Backgammon names it.
            plain = match.record.rules.start == STANDARD
            dialect = kind if kind != "mat" else "plain" if plain else "gnubg"
            yield Sample(f"{name}.{suffix}", kind, formats.write(match.record, kind), dialect, length, games)
        if name in ELSEWHERE:
            for suffix, kind in READ_ONLY.items():
                data = foreign.WRITERS[suffix](NAMES, match.scorer)
                yield Sample(f"{name}.{suffix}", kind, data, kind, length, games)
        if name == "unlimited":
            yield Sample(f"{name}.gam", "gam", foreign.gam(NAMES, match.scorer), "gam", 0, games)
    match = played("five-points")
    half = replace(match.record, actions=match.record.actions[:40])
    for kind in POSITIONS:
        yield Sample(f"{kind}.txt", kind, formats.write(half, kind), kind, 5, 1)


def files() -> Iterator[tuple[str, bytes]]:
    """Yield every file: its path below this folder, and what is in it."""
    made = list(records())
    yield from ((f"records/{sample.file}", sample.data) for sample in made)
    yield (
        "records/manifest.csv",
        table({key: value for key, value in each._asdict().items() if key != "data"} for each in made),
    )
    matches = {name: played(name).scorer for name in SEEDS}
    yield "records/matches.csv", table(map(match_row, matches, matches.values()))
    yield (
        "records/games.csv",
        table(row for name, scorer in matches.items() for row in game_rows(name, scorer)),
    )
    yield from of_faults()
    yield from of_oracle(matches.values())
    yield from of_draws()


def match_row(name: str, scorer: bouts.Scorer) -> dict[str, Any]:
    a, b = scorer.score
    winner = "" if not scorer.rules.length else int(b > a)
    return {"file": name, "length": scorer.rules.length, "score0": a, "score1": b, "winner": winner}


def game_rows(name: str, scorer: bouts.Scorer) -> Iterator[dict[str, Any]]:
    for number, game in enumerate(scorer.games, 1):
        yield {
            "file": name,
            "game": number,
            "start0": game.start[0],
            "start1": game.start[1],
            "winner": game.winner,
            "points": game.points,
            "how": game.how,
            "result": game.kind,
            "cube": game.cube,
            "crawford": int(game.crawford),
            "plies": game.rolls,
        }


def of_faults() -> Iterator[tuple[str, bytes]]:
    name, _ = FAULTY
    told: dict[str, Any] = {}
    for fault, made in faults.every(NAMES, played(name).scorer):
        yield f"faults/{fault}.mat", made.sheet
        told[fault] = [made.code, made.game, made.roll] if made.code else None
    yield "faults/faults.json", as_json(told)


def of_oracle(matches: Iterable[bouts.Scorer]) -> Iterator[tuple[str, bytes]]:
    notes = [note for scorer in matches for game in scorer.games for note in game.notes]
    yield "oracle/plays.jsonl", foreign.text(list(positions.lines(notes)))
    yield "oracle/perft.txt", foreign.text(list(positions.perft_lines()))


def of_draws() -> Iterator[tuple[str, bytes]]:
    for name in rounds.EVENTS:
        report = rounds.swiss(name)
        yield f"trf/{name}.json", as_json(report.data)
        yield f"trf/{name}.lf.trf", report.trf.encode()
        yield f"trf/{name}.tb.tsv", report.ties.encode()
    yield "trf/vectors.json", as_json(rounds.vectors())
    yield "trf/consolation_vectors.json", as_json(rounds.consolations(rounds.freely()))
    yield "trf/consolation_vectors_survivor_v_drop.json", as_json(rounds.consolations(rounds.crossed()))


def as_json(data: Any) -> bytes:
    """Write one line for each thing on the first level, so that a difference can be read."""
    rows = data.items() if isinstance(data, dict) else ((None, each) for each in data)
    said = [
        f"{json.dumps(key)}: {json.dumps(each)}" if key is not None else json.dumps(each)
        for key, each in rows
    ]
    left, right = "{}" if isinstance(data, dict) else "[]"
    return (left + "\n" + ",\n".join(said) + "\n" + right + "\n").encode()


def table(rows: Iterable[dict[str, Any]]) -> bytes:
    told = list(rows)
    text = io.StringIO()
    writer = csv.DictWriter(text, told[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(told)
    return text.getvalue().encode()


def main() -> None:
    for path, data in files():
        target = HERE / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


if __name__ == "__main__":
    main()
