"""One of the web processes that a supervisor started: `serve web` starts them, nobody else.

The supervisor may be of the release before: it stays when its children are replaced. So these arguments only grow.
"""

from __future__ import annotations

import argparse
import gc
import os
import signal
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def main() -> None:
    """Serve until told to stop."""
    asked = _arguments()
    # Sent to all where a terminal is closed; the supervisor knows what it means.
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    # It says how many the supervisor has; this is one of them.
    os.environ["WEB_PROCESSES"] = "1"
    # Until all is imported; `serve` lets it look again.
    gc.disable()
    import django

    django.setup()
    from config import prepare, serve
    from config.process import Refusal

    def make_ready() -> None:
        if asked.prepare:
            prepare.web(is_open=True)
        else:
            prepare.pages()

    try:
        _count_with_the_others(asked.figures, asked.place, asked.bytes)
        serve.child(
            listener=asked.socket,
            parent=asked.supervisor,
            prepare=make_ready,
            announce=lambda: _tell(asked.mouth, "ready"),
        )
    except Refusal as refusal:
        sys.stderr.write(f"barpoint: {refusal}\n")
        _tell(asked.mouth, str(refusal))
        sys.exit(2)


def _tell(mouth: int, word: str) -> None:
    """Say something to the supervisor, once."""
    with os.fdopen(mouth, "w") as file:
        file.write(word)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="config.web_child", description=__doc__)
    parser.add_argument("--socket", type=int, required=True, help="the descriptor of the socket to accept at")
    parser.add_argument(
        "--mouth", type=int, required=True, help="where to tell the supervisor: ready, or why not"
    )
    parser.add_argument("--supervisor", type=int, required=True, help="who may not die without us")
    parser.add_argument(
        "--prepare", action="store_true", help="look whether all is ready for this release first"
    )
    parser.add_argument("--figures", type=int, required=True, help="the descriptor of the memory to count in")
    parser.add_argument("--place", type=int, required=True, help="where in it")
    parser.add_argument("--bytes", type=int, required=True, help="how much room there is")
    return parser.parse_args()


def _count_with_the_others(descriptor: int, place: int, room: int) -> None:
    from runtime import tally

    # Another release may count other things: then this process counts for itself until all are of one release.
    if room == tally.BYTES:
        tally.COUNTERS.join(descriptor, place)


if __name__ == "__main__":
    main()
