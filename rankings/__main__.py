"""`python -m rankings rate|explain|chance|season|divisions FILE.json`: figures alone, for programs and for everyone who doubts a list."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from rankings.formulas.match_files import answer_request, read, serialize_explanation, serialize_ratings
from rankings.formulas.season_files import compute_moves, compute_table
from rankings.formulas.values import BadMatches

REFUSED: Final = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. The exit code is 0 on success and 2 if the matches cannot be rated."""
    parser = argparse.ArgumentParser(prog="python -m rankings", description=__doc__)
    parser.add_argument("command", choices=("rate", "explain", "chance", "season", "divisions"))
    parser.add_argument("file", help="a JSON file, or - for standard input")
    parser.add_argument("--match", metavar="ID", help="explain: which of several matches")
    given = parser.parse_args(arguments)
    try:
        text = sys.stdin.read() if given.file == "-" else Path(given.file).read_text("utf-8")
        answer = _run_command(given.command, json.loads(text), given.match)
    except ArithmeticError:
        sys.stderr.write("the ratings left the range of numbers: these parameters do not make a system\n")
        return REFUSED
    except (BadMatches, OSError, ValueError, RecursionError) as problem:
        sys.stderr.write(f"{problem}\n")
        return REFUSED
    try:
        json.dump(answer, sys.stdout, ensure_ascii=False, indent=1, allow_nan=False)
        sys.stdout.write("\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe; otherwise Python would flush at exit and report the error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _run_command(command: str, data: object, match: str | None) -> Mapping[str, object]:
    if command == "season":
        return compute_table(data)
    if command == "divisions":
        return compute_moves(data)
    if command == "chance":
        return answer_request(data)
    request = read(data)
    return serialize_ratings(request) if command == "rate" else serialize_explanation(request, match)


if __name__ == "__main__":
    raise SystemExit(main())
