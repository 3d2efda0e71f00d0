"""The commands `convert`, `show` and `diff`: records in another format, in words and board by board, and compared."""

from __future__ import annotations

import argparse
import sys
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, cast

from engine import actions, formats
from engine.cli import sources
from engine.cli.terminal import BAD, GOOD, UsageError, print_message, print_text
from engine.errors import EngineError, Unreadable
from engine.finding_codes import Severity
from engine.formats.comments import format_points
from engine.game import KINDS
from engine.layout import Layout
from engine.match import GameResult, Match
from engine.plays import legal_plays
from engine.record import Moment, Record
from engine.render import ascii_board
from engine.side import WHITE, BySide
from engine.situation import Situation
from engine.verdict import UNREADABLE, Verdict, judge

# Faults that do not prevent a conversion: a record may stop in the middle and still be useful.
FORGIVEN: Final = frozenset({"unfinished-game"})
DEEDS: Final[dict[type[actions.Action], str]] = {
    actions.Beavered: "beavers",
    actions.Took: "takes",
    actions.Dropped: "drops",
    actions.ResignAccepted: "accepts",
    actions.ResignDeclined: "plays on",
    actions.Conceded: "gives up the match",
    actions.Flagged: "is out of time",
}
# Left out of the details: the version, and the name, which precedes them.
UNTOLD: Final = frozenset({"v", "fact"})


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
    names = name_players(verdict.record.players)
    shown = 0
    for moment in verdict.record.moments():
        before, after = moment.before, moment.after
        if args.game not in (None, before.number):
            continue
        if before.number != shown:
            shown = before.number
            print_text(f"\n{format_heading(before, names)}\n")
            _print_board(before, names, args)
        print_text(describe_moment(moment, names))
        if len(after.results) > len(before.results):
            print_text(describe_ending(after.results[-1], names))
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
                names = name_players(record.players)
                print_text(f"{path}: {describe_moment(moment, names) if moment else 'ends here'}")
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


def name_players(players: BySide[str]) -> BySide[str]:
    """Return the players' names; a player without one is called by colour.

    >>> name_players(BySide("Ann", ""))
    BySide(white='Ann', black='Black')
    """
    return BySide(players.white or "White", players.black or "Black")


def format_heading(match: Match, names: BySide[str]) -> str:
    """Return the line above a game: its number, the score and the length of the match."""
    score, length = match.score, match.rules.length
    crawford = ", Crawford game" if match.game.crawford else ""
    to = f"match to {length}" if length else "unlimited play"
    return f"Game {match.number}: {names.white} {score.white}, {names.black} {score.black}, {to}{crawford}"


def describe_moment(moment: Moment, names: BySide[str]) -> str:
    """Describe one event of a game in a sentence without a full stop."""
    match moment.action:
        case actions.Opened(white=white, black=black):
            again = ", and again" if white == black else ""
            return f"{names.white} throws {white}, {names.black} throws {black}{again}"
        case actions.Rolled(side=side, dice=dice):
            return f"{names[side]} rolls {dice.high}-{dice.low}"
        case actions.Played(side=side):
            return f"{names[side]} {_describe_play(moment.before, moment.action)}"
        case actions.Doubled(side=side):
            return f"{names[side]} doubles to {moment.after.game.offer}"
        case actions.ResignOffered(side=side, level=level):
            return f"{names[side]} offers to lose a {KINDS[level - 1]}"
        case _:
            return _describe_deed(moment.action, names)


def describe_ending(result: GameResult, names: BySide[str]) -> str:
    """Describe the result of a game in a sentence without a full stop."""
    if result.winner is None:
        return "The game does not count"
    return f"{names[result.winner]} wins {format_points(result.points)}"


def _describe_play(before: Match, action: actions.Played) -> str:
    game = before.game
    if not action.steps or game.dice is None:
        return "cannot move"
    play = legal_plays(game.board, action.side, game.dice).to(game.board.moved(action.side, action.steps))
    return f"plays {play.notation if play else ' '.join(map(str, action.steps))}"


def _describe_deed(action: actions.Action, names: BySide[str]) -> str:
    deed = DEEDS.get(type(action))
    if deed is not None:
        return f"{names[cast('Any', action).side]} {deed}"
    details = ", ".join(
        f"{key} {value}" for key, value in actions.to_json(action).items() if key not in UNTOLD
    )
    return f"{actions.NAMES[type(action)].replace('-', ' ').capitalize()}{': ' if details else ''}{details}"
