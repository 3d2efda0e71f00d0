"""Forwards to `python -m draw`."""

from __future__ import annotations

import sys

from draw.__main__ import main

if __name__ == "__main__":
    sys.stderr.write("python -m tournaments.pairing is now python -m draw.\n")
    raise SystemExit(main())
