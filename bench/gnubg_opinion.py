"""GNU Backgammon's statistics of a match, from a separate process, for comparison with ours."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.gnubg import GNUBG

# Run by GNU Backgammon's Python, which cannot import our modules.
SCRIPT: Final = """
import gnubg, json, os
for what in ("chequerplay", "cubedecision"):
    gnubg.command("set analysis %s evaluation plies %s" % (what, os.environ["PLIES"]))
gnubg.command('import mat "%s"' % os.environ["RECORD"])
gnubg.command("analyse match")
with open(os.environ["ANSWER"], "w") as answer:
    json.dump(gnubg.match(analysis=0, boards=0, statistics=1)["stats"], answer, default=str)
"""
# gnubg's names for the left and the right column of a record.
SIDES: Final = ("X", "O")
CUBE_ERRORS: Final = (
    "missed-double-below-cp",
    "missed-double-above-cp",
    "wrong-double-below-dp",
    "wrong-double-above-tg",
    "wrong-take",
    "wrong-drop",
)


@dataclass(frozen=True, slots=True)
class Told:
    """GNU Backgammon's totals of one side."""

    # Plays with a choice, and cube decisions that were close or wrong.
    plays: int
    cubes: int
    # Error and luck are in units of the cube.
    error: float
    luck: float

    @property
    def counted(self) -> int:
        """The number of decisions, by which errors are divided."""
        return self.plays + self.cubes

    @property
    def pr(self) -> float:
        """The performance rating: half of gnubg's error rate."""
        return 500 * self.error / self.counted


def statistics(record: bytes, plies: int, patience: float = 900) -> tuple[Told, Told]:
    """Return GNU Backgammon's totals of both sides of a MAT record."""
    assert GNUBG is not None
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name, content in (("record.mat", record), ("script.py", SCRIPT.encode())):
            (folder / name).write_bytes(content)
        answer = folder / "answer.json"
        subprocess.run(
            [GNUBG, "-t", "-q", "-r", "-p", str(folder / "script.py")],
            env=os.environ
            | {
                "PLIES": str(plies),
                "RECORD": str(folder / "record.mat"),
                "ANSWER": str(answer),
                "HOME": place,
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=patience,
            check=True,
        )
        found = json.loads(answer.read_text())
    white, black = (_told(found[name]) for name in SIDES)
    return white, black


def _told(stats: Mapping[str, Any]) -> Told:
    moves, cube = stats["moves"], stats["cube"]
    wrong = sum(cube[f"err-{name}-skill"] for name in CUBE_ERRORS)
    return Told(
        moves["unforced-moves"], cube["close-cube"], moves["error-skill"] + wrong, stats["dice"]["luck"]
    )
