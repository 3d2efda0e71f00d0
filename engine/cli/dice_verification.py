"""The command `verify-dice`: every roll of a finished match, computed again."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import zip_longest

from engine.actions import Opened, Rolled
from engine.cli import sources
from engine.cli.records import judge_match
from engine.cli.terminal import BAD, GOOD, print_json, print_text
from engine.dice import Dice
from engine.fair_check import FairCheck, Trust, verify_log
from engine.fair_log import FairLog
from engine.record import Record
from engine.side import Side


def run_verify_dice(args: argparse.Namespace) -> int:
    """Verify a document of dice and compare it with a record, if one is given."""
    log = FairLog.parse(sources.read_single_file(args.file))
    check = verify_log(log)
    parting = _describe_first_difference(log, judge_match(args.record, 1).record) if args.record else None
    if args.json:
        print_json(check.to_json() | {"digest": log.computed_digest().hex(), "record": parting})
    else:
        _print_check(log, check)
        if args.record:
            print_text(parting or f"{args.record} was played with these dice.")
    return GOOD if check.holds and parting is None else BAD


def _print_check(log: FairLog, check: FairCheck) -> None:
    users = log.users
    print_text(f"Match {log.match}: {users.a} and {users.b} on {users.server}")
    labels = ", ".join(f"{check.count(trust)} {trust}" for trust in Trust if check.count(trust))
    print_text(f"{len(check.rolls)} rolls{': ' if labels else ''}{labels}")
    for roll in check.rolls:
        for party in (*roll.typed, *roll.absent):
            what = "typed words instead of a secret share" if party in roll.typed else "gave no share"
            print_text(f"  roll {roll.number}: {users[party]} {what}")
    for note in check.notes:
        print_text(f"  note, roll {note.roll}: {note.message}")
    for problem in check.problems:
        print_text(f"  {'document' if problem.roll is None else f'roll {problem.roll}'}: {problem.message}")
    if check.first is None:
        print_text(f"Every roll holds. Digest {log.computed_digest().hex()}")
    else:
        print_text(f"The dice do not hold: {check.first.message}")


def _describe_first_difference(log: FairLog, record: Record) -> str | None:
    """Describe the first roll for which *record* and *log* have different dice; None if there is none."""
    pairs = zip_longest(log.counted(), _list_rolls(record))
    for number, (fair, played) in enumerate(pairs, 1):
        if fair != played:
            return f"Roll {number} that counts is {_format_roll(played)} in the record and {_format_roll(fair)} in the dice."
    return None


def _list_rolls(record: Record) -> Iterator[tuple[Side, Dice]]:
    for moment in record.story():
        match moment.action:
            case Opened(white=white, black=black):
                yield (Side.WHITE if white > black else Side.BLACK, Dice.from_numbers(white, black))
            case Rolled(side=side, dice=dice):
                yield (side, dice)
            case _:
                pass


def _format_roll(rolled: tuple[Side, Dice] | None) -> str:
    return "missing" if rolled is None else f"{rolled[0].word}'s {rolled[1].high}-{rolled[1].low}"
