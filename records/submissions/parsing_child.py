"""Reader of records, run in a process with limited memory and time (`runtime.work.child_processes`).

Usage: `parsing_child.py WHAT NUMBER < file > answer`. WHAT is `facts` or `lines`, of the match with this NUMBER
in the file, or `changes` between two files, which are framed as for `unpacking_child`. The exit code is 3 if
they cannot be read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, Final

from engine.errors import EngineError
from engine.record import Record
from engine.sheet import Sheet

UNREADABLE: Final = 3
# A match to 25 points has some 2,000 facts.
MOST_FACTS: Final = 10_000


def read_facts(data: bytes, number: int) -> bytes:
    """Return the facts of a match, as a document of `engine.formats.json_record`."""
    from engine import formats
    from engine.formats import json_record
    from engine.verdict import adjudicate

    record = adjudicate(formats.read(data)[number - 1]).record
    if len(record.actions) > MOST_FACTS:
        raise ValueError(f"there are {len(record.actions)} facts")
    return json_record.write(record)


def read_lines(data: bytes, number: int) -> bytes:
    """Return the head and the lines of a match, for a correction."""
    from engine import formats

    return json.dumps(_build_lines(formats.read(data)[number - 1])).encode()


def find_changes(data: bytes, _number: int) -> bytes:
    """Return the head of the corrected record, and the changed lines with both line numbers."""
    from engine import formats
    from engine.formats import transcript
    from engine.formats.decoding import decode
    from records.submissions import line_changes, unpacking_child

    [(_, original), (_, mended)] = unpacking_child.unframe_data(data)
    after = decode(mended).split("\n")
    matches = map(_build_lines, formats.read(original))
    versions = [transcript.build_text(head, lines).decode().split("\n") for head, lines in matches]
    return json.dumps(
        [after[:3], line_changes.compare_lines(line_changes.find_closest_version(after, versions), after)]
    ).encode()


def _build_lines(source: Sheet | Record) -> tuple[dict[str, Any], list[str]]:
    """Return the head of a match, and its games with one claim per line.

    :raises EngineError: it cannot be written as lines.
    """
    from engine import formats
    from engine.formats import transcript
    from engine.record import Record

    if isinstance(source, Record):
        # Our own format contains facts: convert them to a score sheet.
        source = formats.read(formats.write(source, "mat"))[0]
    assert not isinstance(source, Record)  # noqa: S101 - what was written as rows is read as rows
    return transcript.serialize_head(source), transcript.list_lines(source)


TASKS: Final[dict[str, Callable[[bytes, int], bytes]]] = {
    "facts": read_facts,
    "lines": read_lines,
    "changes": find_changes,
}


def main() -> int:
    what, number = sys.argv[1], int(sys.argv[2])
    try:
        answer = TASKS[what](sys.stdin.buffer.read(), number)
    except (EngineError, ValueError, IndexError) as error:
        sys.stderr.write(repr(error))
        return UNREADABLE
    sys.stdout.buffer.write(answer)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
