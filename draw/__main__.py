"""`python -m draw propose|verify|preview FILE.json`: the pure half alone, for programs."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from draw import stages
from draw.jsonlike import BadFile
from draw.options import BadOption
from draw.reading import read
from draw.verify import verify
from draw.writing import answer, everything, plans

if TYPE_CHECKING:
    from collections.abc import Sequence

REFUSED = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer one command; 0 is yes, 1 a draw that does not verify, 2 a file that cannot be used."""
    parser = argparse.ArgumentParser(prog="python -m draw", description=__doc__)
    parser.add_argument("command", choices=("propose", "verify", "preview"))
    parser.add_argument("file", help="a JSON file, or - for standard input")
    parser.add_argument("--full", action="store_true", help="propose: every place, the order, what fell")
    given = parser.parse_args(arguments)
    try:
        data: object = json.loads(
            sys.stdin.read() if given.file == "-" else Path(given.file).read_text("utf-8")
        )
        if given.command == "verify":
            return _verify(data)
        event, names = read(data)
        if given.command == "preview":
            _print({"rounds": plans(event)})
            return 0
        proposal = stages.propose(event)
        _print(everything(event, proposal, names) if given.full else answer(proposal, names))
    except (BadFile, BadOption, OSError, json.JSONDecodeError) as problem:
        sys.stderr.write(f"{problem}\n")
        return REFUSED
    return 0


def _verify(data: object) -> int:
    checks = verify(data)
    verified = bool(checks) and all(checks.values())
    _print({"verified": verified, "checks": checks})
    return 0 if verified else 1


def _print(value: dict[str, object]) -> None:
    json.dump(value, sys.stdout, ensure_ascii=False, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    raise SystemExit(main())
