"""`python -m money settle FILE.json`: who is paid what, for programs and for everyone who doubts a payout."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from money.settling.reading import parsed, read
from money.settling.settle import settle
from money.settling.writing import settled

if TYPE_CHECKING:
    from collections.abc import Sequence

REFUSED: Final = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer one command; 0 is an answer, 2 money that cannot be settled."""
    parser = argparse.ArgumentParser(prog="python -m money", description=__doc__)
    parser.add_argument("command", choices=("settle",))
    parser.add_argument("file", help="a JSON file, or - for standard input")
    given = parser.parse_args(arguments)
    try:
        text = sys.stdin.read() if given.file == "-" else Path(given.file).read_text("utf-8")
        request = read(parsed(text))
    except (OSError, ValueError, RecursionError) as problem:
        sys.stderr.write(f"{problem}\n")
        return REFUSED
    try:
        json.dump(settled(request, settle(request.event)), sys.stdout, ensure_ascii=False, indent=1)
        sys.stdout.write("\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads has seen enough; at the end Python would write the rest and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
