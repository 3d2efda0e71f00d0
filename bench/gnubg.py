"""GNU Backgammon as a reference: how fast it reads the same matches, without and with checks.

``import mat`` does not check plays. To check them, a match is played through its ``move`` command, which
rejects illegal plays; this module builds the script from plain MAT text.
"""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
from pathlib import Path

GNUBG = shutil.which("gnubg") or next((each for each in ["/usr/games/gnubg"] if Path(each).exists()), None)

QUIET = [
    *(f"set automatic {what} off" for what in ("roll", "move", "game", "bearoff", "crawford", "doubles")),
    *(f"set confirm {what} off" for what in ("new", "save")),
    "set player 0 human",
    "set player 1 human",
    "set display off",
    "set rng manual",
]
_CELL = re.compile(r"(\d\d):((?: \d+/\d+\*?)*)|(Doubles|Takes|Drops|Wins)(?: => \d+)?(?: (\d+) points?)?")


def cpu(commands: list[str], patience: float = 120) -> float:
    """Return gnubg's CPU seconds for *commands*, including its start."""
    assert GNUBG is not None
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [GNUBG, "-t", "-q"],
        input="\n".join([*commands, "quit", "y", ""]).encode(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=patience,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def imports(paths: list[Path]) -> list[str]:
    """Return the commands that import the files without checks."""
    return [*QUIET, *(f'import mat "{path}"' for path in paths)]


def plays(texts: list[str]) -> list[str]:
    """Return the commands that play the matches move by move."""
    commands = list(QUIET)
    for text in texts:
        length = re.search(r"(\d+) point match", text)
        assert length is not None
        games = re.split(r"\n Game \d+\n[^\n]*\n", text)[1:]
        for number, game in enumerate(games):
            commands.append(f"new match {length[1]}" if number == 0 else "new game")
            commands += _game(game)
    return commands


def _game(game: str) -> list[str]:
    commands: list[str] = []
    cube, is_open = 1, False
    for row in game.splitlines():
        for found in _CELL.finditer(row):
            dice, hops, word, points = found.groups()
            is_left = found.start() < 30
            if dice:
                commands += _roll(dice, is_left) if not is_open else ["roll", f"{dice[0]} {dice[1]}"]
                is_open = True
                commands.append(f"move{hops}")
            elif word == "Doubles":
                commands.append("double")
            elif word in ("Takes", "Drops"):
                commands.append("take" if word == "Takes" else "drop")
                cube *= 2 if word == "Takes" else 1
            elif points:
                # If the game is already over, gnubg reports that and continues.
                commands += [f"resign {min(max(int(points) // cube, 1), 3)}", "accept"]
    return commands


def _roll(dice: str, is_left: bool) -> list[str]:
    """Return the command of the opening roll: one die for each side, ordered by which side wins it."""
    high, low = max(dice), min(dice)
    return [f"{high} {low}" if is_left else f"{low} {high}"]
