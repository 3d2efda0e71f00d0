"""The speed of the rules engine: legal plays, then whole records.

    python -m bench.engine

Other engines are measured in the same run, on the same positions and records. Those that are not installed are skipped
with a message.
"""

from __future__ import annotations

from bench import adjudication, plays
from tests.engine.shared import ORACLE, RECORDS, SHARED


def main() -> None:
    if not SHARED.is_dir():
        raise SystemExit("The shared positions and records are not here.")
    plays.table(ORACLE / "positions2000.json")
    print()
    adjudication.table(RECORDS / "gnubg" / "gnubg-matches.tar.gz")


if __name__ == "__main__":
    main()
