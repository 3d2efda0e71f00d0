"""Every match that the referee accepts through the first pass: python -m bench.first_pass [PATH ...] [--minutes 30] [--seed 1]

Of each decision the engine must know the board, and must have the play that was made among its own. Those that it has not are
listed with their position, and so are matches that it cannot look at, by reason. A play that the referee itself took for wrong
is no decision. Files are taken in an order that a seed shuffles, so that a run that ends early has seen something of everything.
Paths are files, folders and archives; without any it is the records beside the checkout, else our samples.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench.opinion import OTHERS, OURS
from engine import verdict
from engine.cli import sources
from engine.errors import EngineError
from opinion.judging import child
from opinion.judging.decisions import decisions
from opinion.judging.oracle import OracleFailed
from opinion.judging.passes import judge
from opinion.judging.spots import why_not

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.verdict import Verdict
    from opinion.judging.decisions import Decision
    from opinion.judging.oracle import Oracle

# Decisions that are put to the engine together.
BATCH: Final = 40
# Other spellings of what the same archive holds once.
TWICE: Final = (".sgf", ".txt")


def main() -> None:
    """Look at all of them, and print what came of it."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("paths", nargs="*")
    asked.add_argument("--minutes", type=float, default=30)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--once", action="store_true", help="of an archive .mat alone")
    given = asked.parse_args()
    if reason := child.why_not():
        sys.exit(reason)
    paths = given.paths or [str(OTHERS if OTHERS.exists() else OURS)]
    ends = time.monotonic() + 60 * given.minutes
    tally: Counter[str] = Counter()
    files = list(read(paths, is_once=given.once))
    random.Random(given.seed).shuffle(files)
    with child.Child(seconds=120) as oracle:
        for name, data in files:
            if time.monotonic() > ends:
                tally["files left when the time was over"] += 1
                continue
            tally["files"] += 1
            for told in verdicts(data, tally):
                look(oracle, name, told, tally)
            if tally["files"] % 50 == 0:
                print(dict(tally), flush=True)
    for what, number in tally.most_common():
        print(f"{number:9,}  {what}")


def read(paths: Sequence[str], *, is_once: bool) -> Iterator[tuple[str, bytes]]:
    """Yield every file."""
    for path in sources.listed(paths):
        for source in sources.opened(path):
            if not (is_once and Path(source.name).suffix in TWICE):
                yield source.name, source.read()


def verdicts(data: bytes, tally: Counter[str]) -> list[Verdict]:
    """Return the verdicts over the matches of a file that stand."""
    try:
        found = verdict.judge(data)
    except (EngineError, ValueError):
        tally["files that are no record"] += 1
        return []
    stand = [each for each in found if each.is_accepted]
    tally["matches that the referee rejected"] += len(found) - len(stand)
    return stand


def look(oracle: Oracle, name: str, told: Verdict, tally: Counter[str]) -> None:
    """Put a match through the first pass."""
    assert told.rules is not None
    if reason := why_not(told.rules):
        tally[f"matches not looked at: {reason}"] += 1
        return
    asked = decisions(told.record)
    if not asked:
        tally["matches without a decision"] += 1
        return
    tally["matches through the first pass"] += 1
    for first in range(0, len(asked), BATCH):
        batch = asked[first : first + BATCH]
        try:
            judge(oracle, batch, 1)
            tally["decisions and rolls"] += len(batch)
        except (LookupError, OracleFailed, EngineError, ValueError):
            for each in batch:
                _one(oracle, name, each, tally)


def _one(oracle: Oracle, name: str, each: Decision, tally: Counter[str]) -> None:
    try:
        judge(oracle, [each], 1)
        tally["decisions and rolls"] += 1
    except (LookupError, OracleFailed, EngineError, ValueError) as problem:
        tally[f"exceptions: {type(problem).__name__}"] += 1
        print(f"{Path(name).name} {each.xgid} {each.kind} {each.done}: {problem}", flush=True)


if __name__ == "__main__":
    main()
