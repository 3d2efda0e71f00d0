"""`python -m draw propose|verify|preview|forecast|prizes FILE.json`: the library on the command line."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from draw import json_objects, stages
from draw.files import forecast_file, payout_file
from draw.files.event_input import read_event
from draw.files.proposal_output import write_full_proposal, write_proposal, write_round_plans
from draw.files.verification import verify_draw
from draw.json_objects import BadFile
from draw.limits import TooManyEntrants
from draw.options import BadOption
from draw.prizes import PrizeRefusal

REFUSED: Final = 2
# Names that other commands read, or that are only for people: one file serves every command.
NOT_READ_HERE: Final = ("commitment", "published", "room", "title", "names", "uids")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Exit codes: 0 success, 1 the draw does not verify, 2 the file cannot be used."""
    parser = argparse.ArgumentParser(prog="python -m draw", description=__doc__)
    parser.add_argument("command", choices=("propose", *ANSWERS))
    parser.add_argument("file", help="a JSON file, or - for standard input")
    parser.add_argument("--full", action="store_true", help="propose: every place, the order, what fell")
    given = parser.parse_args(arguments)
    try:
        data = json_objects.parse_strict_json(
            sys.stdin.read() if given.file == "-" else Path(given.file).read_text("utf-8")
        )
        found = (
            _run_propose(data, full=given.full)
            if given.command == "propose"
            else ANSWERS[given.command](data)
        )
        json_objects.require_all_read(data, also=NOT_READ_HERE)
    except (BadFile, BadOption, TooManyEntrants, PrizeRefusal, OSError, json.JSONDecodeError) as problem:
        sys.stderr.write(f"{problem}\n")
        return REFUSED
    json.dump(found, sys.stdout, ensure_ascii=False, indent=1)
    sys.stdout.write("\n")
    return 0 if found.get("verified", True) else 1


def _run_propose(data: object, *, full: bool) -> Mapping[str, object]:
    event, names = read_event(data)
    proposal = stages.propose(event)
    return write_full_proposal(event, proposal, names) if full else write_proposal(proposal, names)


def _run_preview(data: object) -> Mapping[str, object]:
    event, _ = read_event(data)
    return {"rounds": write_round_plans(event)}


def _run_verify(data: object) -> Mapping[str, object]:
    checks = verify_draw(data)
    return {"verified": bool(checks) and all(checks.values()), "checks": checks}


ANSWERS: Final[Mapping[str, Callable[[object], Mapping[str, object]]]] = {
    "verify": _run_verify,
    "preview": _run_preview,
    "forecast": forecast_file.compute_forecast,
    "prizes": payout_file.compute_payouts,
}

if __name__ == "__main__":
    raise SystemExit(main())
