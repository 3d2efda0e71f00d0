"""``python -m engine``: the referee on a command line.

Answers go to standard output, everything else to standard error. The exit status is 0 for yes (accepted,
no difference, valid dice), 1 for no or an unreadable file, and 2 for wrong arguments. `diff` returns 2 for
an unreadable file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from engine.cli.commands import build_parser
from engine.cli.terminal import BAD, INTERRUPTED, NO_READER, USAGE, UsageError, print_message
from engine.errors import EngineError


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out one command and return its exit status."""
    _escape_unencodable_text()
    try:
        args = build_parser().parse_args(arguments)
        status = int(args.run(args))
        sys.stdout.flush()
    except UsageError as error:
        print_message(f"python -m engine: {error}")
        return USAGE
    except EngineError as error:
        print_message(str(error))
        return BAD
    except BrokenPipeError:
        # Without this, Python would report a second error at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NO_READER
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def _escape_unencodable_text() -> None:
    # Names may be in any script: characters that the terminal's encoding lacks are written as escapes.
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
