"""Our error rates and luck compared with GNU Backgammon's.

    python -m bench.counting [FILE or FOLDER ...] [--level 1 2 3] [--sides]

Error rate and luck of both sides of each match, by our engine and our formulas, and by GNU Backgammon in a separate process.
Both look equally far ahead: GNU Backgammon counts plies from 0, the engine from 1. Without files, twenty matches of those
beside the checkout are compared, twelve of them between players who hardly err. Printed are correlation, bias and root mean
square of the difference, over all sides, and over those under PR 5 by GNU Backgammon; mEMG is twice the PR.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import correlation, fmean
from typing import Final

from bench import gnubg_opinion
from bench.gnubg import GNUBG
from bench.gnubg_opinion import Told
from bench.opinion import OTHERS, files
from engine import verdict
from opinion.judging import engine_process
from opinion.judging.decisions import list_decisions
from opinion.judging.figures import Totals, build_line, compute_figures
from opinion.judging.oracle import Oracle
from opinion.judging.passes import LEVELS, judge
from opinion.judging.spots import explain_unsupported

# Number of matches by profile and length.
CHOSEN: Final = {
    "clean-L05": 4,
    "clean-L07": 5,
    "clean-L09": 3,
    "noisy1-L05": 2,
    "noisy1-L07": 2,
    "noisy2-L07": 2,
    "wild-L05": 1,
    "wild-L07": 1,
}
GOOD: Final = 5.0
# The engine's 1 ply, an evaluation without a roll, corresponds to GNU Backgammon's 0 ply.
FIRST_PLY: Final = 1


@dataclass(frozen=True, slots=True)
class Compared:
    """The totals of one side of a match by both engines."""

    name: str
    ours: Totals
    theirs: Told


def chosen(paths: Sequence[Path]) -> Iterator[tuple[str, bytes]]:
    """Yield the matches to compare."""
    if paths:
        yield from files(paths)
        return
    left = dict(CHOSEN)
    for name, data in files([OTHERS]):
        group = "-".join(Path(name).name.split("-")[:2])
        if left.get(group):
            left[group] -= 1
            yield Path(name).name, data


def totals(oracle: Oracle, data: bytes, level: int) -> list[Totals]:
    """Return our totals of each side."""
    found = verdict.judge(data)[0]
    assert found.rules is not None
    assert not explain_unsupported(found.rules)
    judged = judge(oracle, list_decisions(found.record), level)
    return [
        compute_figures(build_line(each) for each in judged if each.decision.side == side).totals
        for side in (0, 1)
    ]


def theirs_at(level: int, data: bytes) -> tuple[Told, Told]:
    """Return GNU Backgammon's totals of both sides, at the same search depth as the engine at this level."""
    return gnubg_opinion.statistics(data, level - FIRST_PLY)


def rms(differences: Sequence[float]) -> float:
    return sqrt(fmean(each * each for each in differences))


def line(title: str, ours: Sequence[float], theirs: Sequence[float]) -> str:
    """Format a row of the table."""
    differences = [mine - other for mine, other in zip(ours, theirs, strict=True)]
    alike = f"{correlation(ours, theirs):8.4f}" if len(ours) > 1 else f"{'-':>8}"
    return (
        f"{title:26}{len(ours):6}{fmean(ours):9.3f}{fmean(theirs):9.3f}{alike}{fmean(differences):+9.3f}"
        f"{rms(differences):8.3f}"
    )


def show(pairs: Sequence[Compared]) -> None:
    """Print the statistics of the pairs."""
    print(f"{'':26}{'sides':>6}{'ours':>9}{'gnubg':>9}{'r':>8}{'bias':>9}{'rms':>8}")
    for title, some in (
        ("", pairs),
        (f", PR under {GOOD:g}", [each for each in pairs if each.theirs.pr < GOOD]),
    ):
        if some:
            ours, theirs = [each.ours.pr or 0.0 for each in some], [each.theirs.pr for each in some]
            print(line("PR" + title, ours, theirs))
            print(line("mEMG" + title, [2 * each for each in ours], [2 * each for each in theirs]))
    print(line("luck", [each.ours.luck for each in pairs], [each.theirs.luck for each in pairs]))
    print(
        line(
            "plays with a choice", [each.ours.plays for each in pairs], [each.theirs.plays for each in pairs]
        )
    )
    cubes = [each.ours.counted - each.ours.plays for each in pairs]
    print(line("cube decisions", cubes, [each.theirs.cubes for each in pairs]), flush=True)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("paths", nargs="*", type=Path)
    asked.add_argument("--level", type=int, nargs="+", default=[1], choices=LEVELS)
    asked.add_argument("--sides", action="store_true", help="each side by itself, too")
    given = asked.parse_args()
    if why := engine_process.explain_absence() or (
        "" if GNUBG else "There is no GNU Backgammon on this machine."
    ):
        sys.exit(why)
    found = list(chosen(given.paths))
    pairs: dict[int, list[Compared]] = {level: [] for level in given.level}
    with engine_process.EngineProcess() as oracle:
        # Match by match, so that an interrupted run has printed its results so far.
        for name, data in found:
            for level in given.level:
                ours, theirs = totals(oracle, data, level), theirs_at(level, data)
                both = [Compared(f"{name} {side}", ours[side], theirs[side]) for side in (0, 1)]
                pairs[level] += both
                if given.sides:
                    show_sides(both, level)
    for level, some in pairs.items():
        print(f"\n{len(found)} matches, we at {level} ply, GNU Backgammon at {level - FIRST_PLY}")
        show(some)


def show_sides(both: Sequence[Compared], level: int) -> None:
    """Print the totals of the two sides of a match."""
    for each in both:
        print(
            f"  {level} {level - FIRST_PLY}  {each.name:28} PR {each.ours.pr or 0.0:7.3f} {each.theirs.pr:7.3f}   counted"
            f" {each.ours.counted:4} {each.theirs.counted:4}   plays {each.ours.plays:4} {each.theirs.plays:4}   luck"
            f" {each.ours.luck:+7.3f} {each.theirs.luck:+7.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
