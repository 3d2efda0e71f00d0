"""The cost of an analysis.

    python -m bench.opinion [FILE or FOLDER ...] [--length 7] [--level 1 2 3] [--most 10]

CPU seconds for each match, ours and the engine's together, at each pass; a pass includes those before it. The engine is
started once for each pass, and that is measured, too. A play of the record that is not among the engine's plays ends the run.
Records of others beside the checkout are used if there are any, else our samples.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tarfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine import verdict
from engine.record import Record
from opinion.judging import engine_process
from opinion.judging.decisions import list_decisions
from opinion.judging.figures import build_line, compute_figures
from opinion.judging.passes import LEVELS, judge
from opinion.judging.spots import explain_unsupported

ROOT = Path(__file__).resolve().parent.parent
OTHERS = ROOT.parent / "shared" / "records" / "gnubg" / "gnubg-matches.tar.gz"
OURS = ROOT / "tests" / "samples" / "records"


def files(paths: Sequence[Path]) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of records, including those in archives."""
    for path in paths:
        if path.is_dir():
            for inside in sorted(path.rglob("*.mat")):
                yield inside.name, inside.read_bytes()
        elif path.name.endswith(".tar.gz"):
            with tarfile.open(path) as archive:
                for member in sorted(archive.getmembers(), key=lambda each: each.name):
                    opened = archive.extractfile(member) if member.name.endswith(".mat") else None
                    if opened is not None:
                        yield member.name, opened.read()
        else:
            yield path.name, path.read_bytes()


def records(paths: Sequence[Path], length: int | None) -> Iterator[tuple[str, Record]]:
    """Yield the first match of each record, if it has this length and the engine supports it."""
    for name, data in files(paths):
        found = verdict.judge(data)[0]
        if (
            found.rules is None
            or explain_unsupported(found.rules)
            or (length is not None and found.length != length)
        ):
            continue
        yield name, found.record


def cpu() -> float:
    """Return the CPU seconds of this process and of its finished children."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def run(level: int, found: Sequence[tuple[str, Record]]) -> None:
    """Measure one pass over the records and print its row."""
    began, wall, decided, cpu_of_ours = cpu(), time.perf_counter(), 0, time.process_time()
    deeper = published = 0
    with engine_process.EngineProcess() as oracle:
        for name, record in found:
            asked = list_decisions(record)
            try:
                judged = judge(oracle, asked, level)
            except LookupError as problem:
                sys.exit(f"{name}: {problem}")
            decided += len(asked)
            deeper += sum(each.level == level for each in judged)
            for side in (0, 1):
                lines = (build_line(each) for each in judged if each.decision.side == side)
                published += compute_figures(lines).totals.published(level) is not None
        who = f"{oracle.name} {oracle.version}"
    spent = cpu() - began
    ours = time.process_time() - cpu_of_ours
    print(
        f"| {level} ply ({who}) | {len(found)} | {decided} | {deeper} | {spent / len(found):.2f} |"
        f" {ours / len(found):.2f} | {(time.perf_counter() - wall) / len(found):.2f} | {published} |"
    )


def main() -> None:
    """Measure the passes that the arguments choose."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--length", type=int)
    parser.add_argument("--level", type=int, nargs="+", default=list(LEVELS), choices=LEVELS)
    parser.add_argument("--most", type=int, default=10)
    given = parser.parse_args()
    if reason := engine_process.explain_absence():
        sys.exit(reason)
    paths = given.paths or [OTHERS if OTHERS.exists() else OURS]
    found = [pair for _, pair in zip(range(given.most), records(paths, given.length), strict=False)]
    print(
        "| pass | matches | decisions and rolls | at this depth | CPU s a match | of it ours | wall s a match | PRs published |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for level in given.level:
        run(level, found)


if __name__ == "__main__":
    main()
