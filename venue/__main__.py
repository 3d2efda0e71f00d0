"""`python -m venue next FILE.json`: which match goes to which table, for everyone who asks why theirs does not."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from draw import json_objects
from venue.queue import compute_result
from venue.queue_files import read_room, serialize_answer

REFUSED: Final = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. The exit code is 0 on success and 2 if the room cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m venue", description=__doc__)
    parser.add_argument("command", choices=("next",))
    parser.add_argument("file", help="a JSON file, or - for standard input")
    given = parser.parse_args(arguments)
    try:
        text = sys.stdin.read() if given.file == "-" else Path(given.file).read_text("utf-8")
        data = json_objects.parse_strict_json(text)
        request = read_room(data)
        json_objects.require_all_read(data)
        found = compute_result(request.room)
        answer = json.dumps(serialize_answer(request, found.calls, found.kept), ensure_ascii=False, indent=1)
        # JSON can contain lone surrogates, which cannot be encoded.
        answer.encode()
    except (OSError, ValueError, RecursionError) as problem:
        sys.stderr.write(f"{problem}\n")
        return REFUSED
    try:
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe; Python would fail when it flushes the rest at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
