"""`python -m draw propose|verify|preview|forecast|prizes FILE.json`: an event's order alone, for programs."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from draw import stages, strict_json
from draw.files import forecasting, payouts
from draw.jsonlike import BadFile
from draw.limits import TooLarge
from draw.options import BadOption
from draw.prizes import PrizeRefusal
from draw.reading import read
from draw.verify import verify
from draw.writing import answer, everything, plans

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

REFUSED: Final = 2
# One file may be proposed, verified and forecast, and says to people what its numbers are called.
NOT_READ_HERE: Final = ("commitment", "published", "room", "title", "names", "uids")


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer one command; 0 is yes, 1 a draw that does not verify, 2 a file that cannot be used."""
    parser = argparse.ArgumentParser(prog="python -m draw", description=__doc__)
    parser.add_argument("command", choices=("propose", *ANSWERS))
    parser.add_argument("file", help="a JSON file, or - for standard input")
    parser.add_argument("--full", action="store_true", help="propose: every place, the order, what fell")
    given = parser.parse_args(arguments)
    try:
        data = strict_json.load(
            sys.stdin.read() if given.file == "-" else Path(given.file).read_text("utf-8")
        )
        found = (
            _propose(data, full=given.full) if given.command == "propose" else ANSWERS[given.command](data)
        )
        strict_json.require_all_read(data, also=NOT_READ_HERE)
    except (BadFile, BadOption, TooLarge, PrizeRefusal, OSError, json.JSONDecodeError) as problem:
        sys.stderr.write(f"{problem}\n")
        return REFUSED
    _print(found)
    return 0 if found.get("verified", True) else 1


def _propose(data: object, *, full: bool) -> Mapping[str, object]:
    event, names = read(data)
    proposal = stages.propose(event)
    return everything(event, proposal, names) if full else answer(proposal, names)


def _preview(data: object) -> Mapping[str, object]:
    event, _ = read(data)
    return {"rounds": plans(event)}


def _verify(data: object) -> Mapping[str, object]:
    checks = verify(data)
    return {"verified": bool(checks) and all(checks.values()), "checks": checks}


def _print(value: Mapping[str, object]) -> None:
    json.dump(value, sys.stdout, ensure_ascii=False, indent=1)
    sys.stdout.write("\n")


ANSWERS: Final[Mapping[str, Callable[[object], Mapping[str, object]]]] = {
    "verify": _verify,
    "preview": _preview,
    "forecast": forecasting.answer,
    "prizes": payouts.answer,
}

if __name__ == "__main__":
    raise SystemExit(main())
