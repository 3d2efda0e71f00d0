"""`python -m opinion analyse FILE`: errors and luck of a match, by the engine on this machine."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from engine.errors import EngineError
from engine.formats import LIMITS
from engine.record import Record
from engine.verdict import judge as verdicts
from opinion.judging import engine_process
from opinion.judging.decisions import list_decisions
from opinion.judging.documents import serialize_analysis
from opinion.judging.oracle import NoOracle, OracleFailed
from opinion.judging.passes import LEVELS, judge
from opinion.judging.spots import explain_unsupported

REFUSED: Final = 2


class CannotAnalyse(Exception):
    """The input cannot be analysed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return 0, or 2 if the input cannot be analysed or no engine works here."""
    parser = argparse.ArgumentParser(prog="python -m opinion", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    analyse = commands.add_parser("analyse", help="judge every decision of a match, and tell its luck")
    analyse.add_argument("file", help="a record in any format that is read here, or - for standard input")
    analyse.add_argument("--level", type=int, choices=LEVELS, default=2, help="how deep to look (default: 2)")
    analyse.add_argument(
        "--match", type=int, default=1, metavar="N", help="which of several matches of a file"
    )
    analyse.add_argument("--json", action="store_true", help="all of it, for programs")
    given = parser.parse_args(arguments)
    try:
        reason = engine_process.explain_absence()
        if reason:
            raise NoOracle(reason)
        record = _read_record(given.file, given.match)
        decisions = list_decisions(record)
        with engine_process.EngineProcess() as oracle:
            judged = judge(oracle, decisions, given.level)
            found = serialize_analysis(oracle.name, oracle.version, given.level, judged)
    except (NoOracle, OracleFailed, CannotAnalyse, EngineError, OSError, LookupError) as problem:
        sys.stderr.write(f"{problem}\n")
        return REFUSED
    try:
        text = (
            json.dumps(found, ensure_ascii=False, allow_nan=False)
            if given.json
            else _format_text(found, record)
        )
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe; Python would fail when it flushes the rest at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _read_record(file: str, number: int) -> Record:
    if file == "-":
        data = sys.stdin.buffer.read(LIMITS.bytes + 1)
    else:
        with Path(file).open("rb") as opened:
            data = opened.read(LIMITS.bytes + 1)
    found = verdicts(data)
    if not 1 <= number <= len(found):
        raise CannotAnalyse(f"There are {len(found)} matches in the file, and none with the number {number}.")
    verdict = found[number - 1]
    if verdict.rules is None:
        raise CannotAnalyse(verdict.findings[0].message)
    reason = explain_unsupported(verdict.rules)
    if reason:
        raise CannotAnalyse(reason)
    return verdict.record


def _format_text(found: dict[str, Any], record: Record) -> str:
    lines = [f"{found['engine']} {found['version']}, {found['level']} ply"]
    for name, side in zip(record.players, found["sides"], strict=True):
        pr = "-" if side["pr"] is None else f"{side['pr']:.2f}"
        lines.append(f"{name}: PR {pr} of {side['counted']} decisions, luck {side['luck']:+.3f}")
    if "note" in found:
        lines.append(found["note"])
    wrong = [each for each in found["decisions"] if each["error"]]
    lines += [
        f"game {each['game']}, roll {each['roll']}, {each['side']} {each['dice'] or ''}: {each['done']}"
        f" for {each['best']}, -{each['error']:.3f} ({each['fault']})"
        for each in sorted(wrong, key=lambda each: -float(each["error"]))
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
