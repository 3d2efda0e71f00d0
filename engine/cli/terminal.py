"""What the commands write, and where: answers to standard output, all else to standard error."""

from __future__ import annotations

import json
import sys
from typing import Final

WIDTH: Final = 30


def print_text(text: str = "") -> None:
    """Write lines of an answer.

    Names come out of strangers' files: what could steer a terminal is shown as a question mark.
    """
    sys.stdout.write(_mask_control_characters(text) + "\n")


def print_json(document: object) -> None:
    """Write an answer for programs: one line of JSON, in ASCII."""
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
        # There is no clock in here; some hundred steps look smooth enough.
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
        """Remove the bar, before a line is printed and at the end."""
        if self.shown:
            self.shown = False
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def format_bar(done: int, total: int) -> str:
    """Return the bar for *done* of *total* files; *done* can be larger, since an archive is counted as one file."""
    full = WIDTH * min(done, total) // total
    return f"[{'#' * full}{'.' * (WIDTH - full)}] {done} of {max(done, total)}"
