"""The express lane: a match file in the plain layout and without fault is judged in one pass.

What it is for: nearly every file a club is given is plain MAT text without fault, and a league hands in thousands.
For those it does all that the referee does, a few additions a play, and nothing else; the facts and the figures of such a
file are told from its cells, too, when they are asked for (`facts`). At the slightest doubt it
answers None, and the referee reads the file from the start and says what is the matter. So it never finds a fault
and never excuses one.

What it costs: some 750 lines, and a second place where the rules of the cube and of results are written down; what a written
play may do is in `engine.strokes` for both. The tests compare the two on every record they have.

What you lose without it: time, nothing else. Of 384 matches that GNU Backgammon wrote it takes all, and judges some four times as
many a second as the referee. Of 1,392 files collected from real life it takes 388; all of them together take no less time with it than
without (docs/adr/0180-the-referee-adds-up-plain-plays.md).

How to do without it: set `engine.express.is_on` to False. To drop it for good, delete this folder, and `_of_clean`,
the three lines that call it and `Verdict.figure` in `engine/verdict.py`.
"""

from __future__ import annotations

from engine.express import reader
from engine.express.facts import Told, tell
from engine.express.game import CleanGame
from engine.express.reader import CleanSheet

__all__ = ["CleanGame", "CleanSheet", "Told", "is_on", "read", "tell"]

# The switch: without the express lane the referee reads every file.
is_on = True


def read(data: bytes) -> CleanSheet | None:
    """Return what a MAT file says, None unless it is plain, complete and without any fault, or the lane is closed."""
    return reader.read(data) if is_on else None
