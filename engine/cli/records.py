"""The commands `convert`, `show` and `diff`: records in another format, board by board, and compared."""

from __future__ import annotations

import sys
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from engine import formats
from engine.cli import descriptions, sources
from engine.cli.terminal import BAD, GOOD, UsageError, print_message, print_text
from engine.errors import EngineError, Unreadable
from engine.finding_codes import Severity
from engine.layout import Layout
from engine.render import ascii_board
from engine.side import WHITE
from engine.situation import Situation
from engine.verdict import UNREADABLE, judge

if TYPE_CHECKING:
    import argparse

    from engine.match import Match
    from engine.record import Moment, Record
    from engine.side import BySide
    from engine.verdict import Verdict

# Faults that do not prevent a conversion: a record may stop in the middle and still be useful.
FORGIVEN: Final = frozenset({"unfinished-game"})


def run_convert(args: argparse.Namespace) -> int:
    verdict = judge_match(args.file, args.match)
    faults = [
        each for each in verdict.findings if each.severity is Severity.FAULT and each.code not in FORGIVEN
    ]
    if faults and not args.force:
        for finding in faults:
            print_message(finding.message)
        print_message(f"{args.file} is rejected and not written; --force writes what could be read.")
        return BAD
    written = formats.write(verdict.record, args.to)
    if args.output is None:
        sys.stdout.buffer.write(written)
    else:
        _save_file(args.output, written)
    return GOOD


def run_show(args: argparse.Namespace) -> int:
    verdict = judge_match(args.file, args.match)
    names = descriptions.name_players(verdict.record.players)
    told = 0
    for moment in verdict.record.moments():
        before, after = moment.before, moment.after
        if args.game not in (None, before.number):
            continue
        if before.number != told:
            told = before.number
            print_text(f"\n{descriptions.format_heading(before, names)}\n")
            _print_board(before, names, args)
        print_text(descriptions.describe_moment(moment, names))
        if len(after.results) > len(before.results):
            print_text(descriptions.describe_ending(after.results[-1], names))
        elif after.game.board != before.game.board:
            _print_board(after, names, args)
    for finding in verdict.findings:
        print_text(f"{finding.severity}: {finding.message}")
    return GOOD if verdict.is_accepted else BAD


def run_diff(args: argparse.Namespace) -> int:
    paths = (args.first, args.second)
    try:
        first, second = (judge_match(path, 1).record for path in paths)
    except EngineError as error:
        raise UsageError(str(error)) from error
    if _format_terms(first) != _format_terms(second):
        print_text("They are played under different rules.")
        for path, record in zip(paths, (first, second), strict=True):
            print_text(f"{path}: {_format_terms(record)}")
        return BAD
    for mine, theirs in zip_longest(first.story(), second.story()):
        if mine is None or theirs is None or _build_state_key(mine) != _build_state_key(theirs):
            before = cast("Moment", mine or theirs).before
            roll = before.game.plies + (before.game.dice is None)
            print_text(f"They part in game {before.number}, roll {roll}.\n")
            print_text(ascii_board(Situation.from_match(before)) + "\n")
            for path, record, moment in ((args.first, first, mine), (args.second, second, theirs)):
                names = descriptions.name_players(record.players)
                print_text(
                    f"{path}: {descriptions.describe_moment(moment, names) if moment else 'ends here'}"
                )
            return BAD
    return GOOD


def _format_terms(record: Record) -> str:
    rules = record.rules
    played = f"match to {rules.length}" if rules.length else "unlimited play"
    if rules.best_of_games:
        played = f"best of {rules.best_of_games}"
    return f"{played}, {rules.variant}{', Jacoby' if rules.jacoby else ''}"


def _build_state_key(moment: Moment) -> tuple[object, ...]:
    match, game = moment.after, moment.after.game
    return (game.board, game.turn, game.dice, game.cube, game.offer, match.score, len(match.results))


def _print_board(match: Match, names: BySide[str], args: argparse.Namespace) -> None:
    if not args.no_boards:
        print_text(ascii_board(Situation.from_match(match, names), Layout(WHITE)) + "\n")


def judge_match(path: str, number: int) -> Verdict:
    """Return the verdict on the *number*-th match of a file, counted from 1.

    Raises UsageError if there are fewer matches, Unreadable if the file cannot be read.
    """
    verdicts = judge(sources.read_single_file(path))
    if number > len(verdicts):
        raise UsageError(f"{path} holds {len(verdicts)} and not {number} matches.")
    verdict = verdicts[number - 1]
    if verdict.word == UNREADABLE:
        (finding,) = verdict.findings
        raise Unreadable(finding.code, f"{path}: {finding.message}")
    return verdict


def _save_file(path: str, data: bytes) -> None:
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from error
