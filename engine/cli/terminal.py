"""The output of the commands: answers to standard output, everything else to standard error; exit statuses."""

from __future__ import annotations

import json
import sys
from typing import Final

# Exit statuses. The last two are those that a shell reports for SIGINT and SIGPIPE.
GOOD: Final = 0
BAD: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130
NO_READER: Final = 141
WIDTH: Final = 30


class UsageError(Exception):
    """The arguments are wrong, do not fit together, or name a file that cannot be used."""


def print_text(text: str = "") -> None:
    """Write an answer for people to standard output.

    Names come from untrusted files: characters that could control a terminal are replaced by question marks.
    """
    sys.stdout.write(_mask_control_characters(text) + "\n")


def print_json(document: object) -> None:
    """Write an answer for programs to standard output: one line of JSON, in ASCII."""
    sys.stdout.write(json.dumps(document) + "\n")


def print_message(text: str) -> None:
    """Write a message for people to standard error."""
    sys.stdout.flush()
    sys.stderr.write(_mask_control_characters(text) + "\n")


def _mask_control_characters(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in text)


class ProgressBar:
    """A progress bar on standard error, if that is a terminal.

    >>> print(format_bar(150, 600))
    [#######.......................] 150 of 600
    """

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = 0
        self.shown = False
        # The engine reads no clock, so the bar is redrawn by progress: some hundred steps look smooth enough.
        self.step = max(1, total // 200)
        self.wanted = total > 1 and sys.stderr.isatty()

    def advance(self) -> None:
        """Count one more file as done."""
        self.done += 1
        if self.wanted and (self.done % self.step == 0 or self.done >= self.total):
            self.shown = True
            sys.stderr.write("\r" + format_bar(self.done, self.total))
            sys.stderr.flush()

    def clear(self) -> None:
        """Erase the bar, so that other lines can be printed."""
        if self.shown:
            self.shown = False
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def format_bar(done: int, total: int) -> str:
    """Return the bar for *done* of *total* files.

    *done* can be larger, since *total* counts an archive as one file.
    """
    full = WIDTH * min(done, total) // total
    return f"[{'#' * full}{'.' * (WIDTH - full)}] {done} of {max(done, total)}"
