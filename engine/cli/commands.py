"""The table of commands: the name, the arguments and the function of each."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import Final, NamedTuple

from engine import __version__
from engine.cli import adjudicate, dice_verification, options, positions, records
from engine.formats import FORMATS

EXAMPLES: Final = (
    "adjudicate match.mat",
    "adjudicate --jsonl --jobs 4 season.zip uploads/ > verdicts.jsonl",
    "show match.sgf | less",
    "plays standard 65",
    "adjudicate --help",
)
POSITION: Final = (
    "standard, nackgammon, hypergammon, an XGID, an OGID, a Position ID (alone or with a Match ID), a FIBS "
    "board, a Snowie position line, or 26 numbers as the side on roll sees them"
)


class Command(NamedTuple):
    name: str
    does: str
    run: Callable[[argparse.Namespace], int]
    takes: Callable[[argparse.ArgumentParser], None]
    examples: tuple[str, ...]


def build_parser() -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(
        prog="python -m engine",
        description="Adjudicate, convert and look at records of backgammon matches.",
        epilog=_format_examples(EXAMPLES),
        formatter_class=_build_formatter,
    )
    whole.add_argument("--version", action="version", version=f"barpoint engine {__version__}")
    commands = whole.add_subparsers(required=True, title="commands", metavar="COMMAND")
    for command in COMMANDS:
        one = commands.add_parser(
            command.name,
            help=command.does,
            description=f"{command.does[0].upper()}{command.does[1:]}.",
            epilog=_format_examples(command.examples),
            formatter_class=_build_formatter,
        )
        command.takes(one)
        one.set_defaults(run=command.run)
    return whole


def _build_formatter(prog: str) -> argparse.HelpFormatter:
    return argparse.RawDescriptionHelpFormatter(prog, max_help_position=32, width=100)


def _format_examples(examples: tuple[str, ...]) -> str:
    return "examples:\n" + "\n".join(f"  python -m engine {example}" for example in examples)


def _add_adjudicate_arguments(takes: argparse.ArgumentParser) -> None:
    takes.add_argument(
        "path", nargs="+", metavar="PATH", help="a file, a folder, a zip or tar archive; - is standard input"
    )
    takes.add_argument("--jsonl", action="store_true", help="a line of JSON a match, for programs")
    takes.add_argument("-q", "--quiet", action="store_true", help="leave out what is accepted")
    takes.add_argument("--diagrams", action="store_true", help="draw the position before each finding")
    takes.add_argument(
        "-j",
        "--jobs",
        type=_parse_jobs,
        default=1,
        metavar="N",
        help="work with N processes; 0: one a processor",
    )
    options.add_rule_options(takes)


def _add_convert_arguments(takes: argparse.ArgumentParser) -> None:
    takes.add_argument("file", metavar="IN", help="any record; - is standard input")
    writable = [each.name for each in FORMATS.values() if each.write is not None]
    takes.add_argument("--to", required=True, choices=writable, help="the format to write")
    takes.add_argument("-o", "--output", metavar="OUT", help="write here and not to standard output")
    takes.add_argument("--force", action="store_true", help="write what could be read of a rejected record")
    _add_match_option(takes)


def _add_show_arguments(takes: argparse.ArgumentParser) -> None:
    takes.add_argument("file", metavar="FILE", help="any record; - is standard input")
    takes.add_argument("--game", type=_parse_number, metavar="N", help="this game alone")
    takes.add_argument("--no-boards", action="store_true", help="words alone")
    _add_match_option(takes)


def _add_plays_arguments(takes: argparse.ArgumentParser) -> None:
    takes.add_argument("position", nargs="?", metavar="POSITION", help=POSITION)
    takes.add_argument("dice", nargs="?", metavar="DICE", help="such as 65, where the position has none")
    takes.add_argument("--ids", action="store_true", help="with the Position ID of each result")
    takes.add_argument("--diagram", action="store_true", help="draw the position first")
    takes.add_argument(
        "--jsonl",
        action="store_true",
        help='for programs: answer lines such as {"b": [26 numbers], "d": [6, 5]} on standard input '
        'with {"n": dice used, "r": [results]}',
    )


def _add_perft_arguments(takes: argparse.ArgumentParser) -> None:
    takes.add_argument("position", nargs="?", default="standard", metavar="POSITION", help=POSITION)
    takes.add_argument(
        "--depth",
        type=int,
        choices=range(1, 6),
        default=2,
        help="how many rolls deep (2); each takes 500 times as long",
    )
    takes.add_argument("--by-roll", action="store_true", help="a count for each first roll")


def _add_verify_dice_arguments(takes: argparse.ArgumentParser) -> None:
    takes.add_argument("file", metavar="FILE", help="a barpoint-dice document; - is standard input")
    takes.add_argument("--record", metavar="MATCH", help="the record that was played with them")
    takes.add_argument("--json", action="store_true", help="the outcome as JSON, for programs")


def _add_diff_arguments(takes: argparse.ArgumentParser) -> None:
    takes.add_argument("first", metavar="A", help="a record")
    takes.add_argument("second", metavar="B", help="another, in any format")


def _add_match_option(takes: argparse.ArgumentParser) -> None:
    takes.add_argument(
        "--match", type=_parse_number, default=1, metavar="N", help="of a file with several, this one (1)"
    )


def _parse_number(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 999:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to 999")
    return int(text)


def _parse_jobs(text: str) -> int:
    if not text.isdecimal() or int(text) > 256:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes")
    return int(text) or os.cpu_count() or 1


COMMANDS: Final = (
    Command(
        "adjudicate",
        "say whether records stand, and everything that is wrong with them",
        adjudicate.run_adjudicate,
        _add_adjudicate_arguments,
        (
            "adjudicate match.mat",
            "adjudicate --quiet --diagrams uploads/",
            "adjudicate --length 7 --no-crawford evening.zip",
            "adjudicate --jsonl --jobs 4 season.tar.gz > verdicts.jsonl",
        ),
    ),
    Command(
        "convert",
        "write a record in another format",
        records.run_convert,
        _add_convert_arguments,
        ("convert match.xg --to mat -o match.mat", "convert session.sgf --match 2 --to json"),
    ),
    Command(
        "show",
        "tell a record board by board",
        records.run_show,
        _add_show_arguments,
        ("show match.mat | less", "show match.mat --game 3 --no-boards"),
    ),
    Command(
        "plays",
        "list the legal plays of a roll",
        positions.run_plays,
        _add_plays_arguments,
        (
            "plays standard 65",
            "plays 4HPwATDgc/ABMA 31 --ids",
            'plays "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:7:10"',
            "plays --jsonl < questions.jsonl",
        ),
    ),
    Command(
        "perft",
        "count positions to a depth, to compare with another program",
        positions.run_perft,
        _add_perft_arguments,
        ("perft --depth 2", "perft hypergammon --depth 3 --by-roll"),
    ),
    Command(
        "verify-dice",
        "work out the dice of a finished match again (docs/dice.md)",
        dice_verification.run_verify_dice,
        _add_verify_dice_arguments,
        ("verify-dice match.dice.json", "verify-dice match.dice.json --record match.mat"),
    ),
    Command(
        "diff",
        "find the first point where two records part",
        records.run_diff,
        _add_diff_arguments,
        ("diff mine.mat yours.sgf",),
    ),
)
