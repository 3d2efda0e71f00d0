"""How fast the referee is: legal plays, then whole records: python -m bench.engine

The rivals run in the same run, on the same positions and records. What is not installed is left out with a line.
"""

from __future__ import annotations

from bench import adjudication, plays
from tests.engine.shared import ORACLE, RECORDS, SHARED


def main() -> None:
    """Print both tables."""
    if not SHARED.is_dir():
        raise SystemExit("The shared positions and records are not here.")
    plays.table(ORACLE / "positions2000.json")
    print()
    adjudication.table(RECORDS / "gnubg" / "gnubg-matches.tar.gz")


if __name__ == "__main__":
    main()
