"""Payouts on the command line, for programs and for checking a payout."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from money.settling.auction import settle_auction
from money.settling.settlement import settle
from money.settling.settlement_input import parse_json, read, read_auction
from money.settling.settlement_output import serialize_auction, serialize_settlement

REFUSED: Final = 2
FIELDS_ARE: Final = (
    "Amounts are whole numbers of the smallest coin; docs/money.md lists the fields and the rules."
)


def _run_settle(data: object) -> Mapping[str, object]:
    event, decimals = read(data)
    return serialize_settlement(event, settle(event), decimals)


def _run_auction(data: object) -> Mapping[str, object]:
    auction, decimals = read_auction(data)
    return serialize_auction(auction, settle_auction(auction), decimals)


COMMANDS: Final = {
    "settle": ("settle an event: fees, added money, side pools and prizes", _run_settle),
    "auction": ("settle an auction of the players (Calcutta)", _run_auction),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. The exit code is 0 on success and 2 if the money cannot be settled."""
    given = _build_parser().parse_args(arguments)
    try:
        text = sys.stdin.read() if given.file == "-" else Path(given.file).read_text("utf-8")
        answer = given.answer(parse_json(text))
    except (OSError, ValueError, RecursionError) as problem:
        sys.stderr.write(f"{problem}\n")
        return REFUSED
    try:
        json.dump(answer, sys.stdout, ensure_ascii=False, indent=1)
        sys.stdout.write("\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe; otherwise Python would flush at exit and report the error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m money", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (does, answer) in COMMANDS.items():
        own = commands.add_parser(name, help=does, description=f"{does}. {FIELDS_ARE}")
        own.set_defaults(answer=answer)
        own.add_argument("file", help="a JSON file, or - for standard input")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
