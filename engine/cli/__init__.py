"""``python -m engine``: the referee on a command line.

Answers go to standard output, everything else to standard error. The exit status is 0 for yes
(accepted, the same, the dice hold), 1 for no, and 2 for a command that could not be carried out.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from engine.cli.commands import parser
from engine.cli.errors import BAD, INTERRUPTED, NO_READER, USAGE, Usage
from engine.cli.terminal import complain
from engine.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out one command and return its exit status."""
    _speak_any_language()
    try:
        args = parser().parse_args(arguments)
        status = int(args.run(args))
        sys.stdout.flush()
    except Usage as error:
        complain(f"python -m engine: {error}")
        return USAGE
    except EngineError as error:
        complain(str(error))
        return BAD
    except BrokenPipeError:
        _drop_output()
        return NO_READER
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def _speak_any_language() -> None:
    # Names in any script go to terminals of any kind; what one cannot show is written as an escape.
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    # The reader of the pipe has closed it, and Python would complain again when it closes the stream.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
