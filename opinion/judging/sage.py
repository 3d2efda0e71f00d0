"""The bgsage engine in its own process: answers JSON questions from standard input.

No other module imports bgsage, and this module imports nothing of Barpoint: `engine_process.py` starts it as
a script. It works around bgsage's problems (docs/opinion.md): a cube decision outside a batch reloads all
weights, and a search uses several threads unless limited.
"""

import json
import os
import struct
import sys
from importlib import metadata
from typing import IO, Any

MEMORY = 1 << 30
# CPU seconds per question. The parent has its own limit, in real time.
SECONDS = 60
LONGEST = 8 << 20
ROLLS = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
FLIPPED = {"CENTERED": "CENTERED", "PLAYER": "OPPONENT", "OPPONENT": "PLAYER"}
OWNERS = {"centred": "CENTERED", "mine": "PLAYER", "theirs": "OPPONENT"}
DIGITS = 6


def limit_memory() -> None:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        os.nice(10)
    except (ImportError, OSError, ValueError):
        # Windows and macOS: the parent still kills this process on timeout.
        return


def limit_time() -> None:
    """Set a CPU time limit for the next question."""
    try:
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        soon = int(used.ru_utime + used.ru_stime) + SECONDS
        resource.setrlimit(resource.RLIMIT_CPU, (soon, resource.RLIM_INFINITY))
    except (ImportError, OSError, ValueError):
        return


class Sage:
    """The engine with its weights, loaded once."""

    def __init__(self) -> None:
        import bgbot_cpp
        from bgsage.weights import bearoff_db_path, default_weights

        self.cpp = bgbot_cpp
        weights = default_weights()
        self.given = (weights.strategy_type, weights.weight_paths_list, weights.hidden_sizes_list)
        self.bearoff = bgbot_cpp.BearoffDB()
        if not self.bearoff.load(bearoff_db_path()):
            raise RuntimeError("the table of bear-offs cannot be read")
        self.shallow = bgbot_cpp.BearoffStrategy(bgbot_cpp.create_strategy(*self.given), self.bearoff)
        self.deep: dict[int, Any] = {}

    def searching(self, level: int) -> Any:
        """Return the strategy with this search depth."""
        if level == 1:
            return self.shallow
        if level not in self.deep:
            made = self.cpp.create_multipy(
                *self.given, n_plies=level, parallel_evaluate=False, parallel_threads=1
            )
            self.cpp.multipy_set_bearoff_db(made, self.bearoff)
            self.deep[level] = made
        return self.deep[level]

    def owner(self, spot: Any, *, flipped: bool = False) -> Any:
        """Return the cube owner as bgsage's enum."""
        name = OWNERS[spot["owner"]]
        return getattr(self.cpp.CubeOwner, FLIPPED[name] if flipped else name)

    def ranked(self, spot: Any, dice: Any) -> Any:
        """Return every play at level 1, best first."""
        question = {
            "board": spot["board"],
            "die1": dice[0],
            "die2": dice[1],
            "cube_value": spot["cube"],
            "cube_owner": self.owner(spot),
        }
        if spot["away"]:
            question |= {"away1": spot["away"][0], "away2": spot["away"][1], "is_crawford": spot["crawford"]}
        found = self.cpp.batch_checker_play([question], self.shallow, 5, 0.08, 1, jacoby=spot["jacoby"])
        return found[0]["moves"]

    def plays(self, asked: Any, _level: int) -> list[Any]:
        """Answer `Oracle.plays`."""
        return [
            [serialize_play(move["board"], move["equity"], move["probs"]) for move in self.ranked(spot, dice)]
            for spot, dice in asked
        ]

    def rolls(self, asked: Any, _level: int) -> list[Any]:
        """Answer `Oracle.rolls`."""
        # If no move is possible there is one play, which changes nothing.
        return [[round(self.ranked(spot, dice)[0]["equity"], DIGITS) for dice in ROLLS] for spot in asked]

    def weigh(self, asked: Any, level: int) -> list[Any]:
        """Answer `Oracle.weigh`."""
        return [[self.weighed(spot, board, level) for board in boards] for spot, boards in asked]

    def weighed(self, spot: Any, board: Any, level: int) -> list[Any]:
        """Return the equity of a board after a play: the opponent's before their roll, inverted."""
        if self.cpp.check_game_over(board):
            raise ValueError("a game that is over needs no search")
        score = {}
        if spot["away"]:
            mine, theirs = spot["away"]
            score = {"away1": theirs, "away2": mine, "is_crawford": spot["crawford"]}
        found = self.cpp.cubeful_probs_and_equity_nply(
            self.cpp.flip_board(board),
            self.owner(spot, flipped=True),
            self.shallow,
            level,
            n_threads=1,
            cube_value=spot["cube"],
            jacoby=spot["jacoby"],
            beaver=False,
            bearoff_db=self.bearoff,
            root_board=spot["board"],
            **score,
        )
        win, gammon, backgammon, lost_gammon, lost_backgammon = found["probs"]
        return serialize_play(
            board, -found["equity"], (1 - win, lost_gammon, lost_backgammon, gammon, backgammon)
        )

    def cubes(self, asked: Any, level: int) -> list[Any]:
        """Answer `Oracle.cubes`."""
        strategy = self.searching(level)
        found = []
        for spot in asked:
            position: tuple[Any, ...] = (spot["board"], spot["cube"], self.owner(spot))
            if spot["away"]:
                position += (*spot["away"], spot["crawford"])
            answer = self.cpp.batch_evaluate_positions(
                [position], strategy, 1, jacoby=spot["jacoby"], beaver=False
            )[0]
            if level > 1:
                # Entries of the search cache can collide, according to bgsage.
                strategy.clear_cache()
            found.append(
                [
                    round(answer["equity_nd"], DIGITS),
                    round(answer["equity_dt"], DIGITS),
                    [round(each, DIGITS) for each in answer["probs"]],
                ]
            )
        return found


def serialize_play(board: Any, equity: float, chances: Any) -> list[Any]:
    return [list(board), round(equity, DIGITS), [round(each, DIGITS) for each in chances]]


def read_message(stream: IO[bytes]) -> Any:
    """Read the next message; None at the end."""
    head = stream.read(4)
    if len(head) < 4:
        return None
    (length,) = struct.unpack(">I", head)
    if length > LONGEST:
        raise ValueError("a question is too long")
    return json.loads(stream.read(length))


def write_message(stream: IO[bytes], message: object) -> None:
    """Send a message with its length as prefix."""
    data = json.dumps(message).encode()
    stream.write(struct.pack(">I", len(data)) + data)
    stream.flush()


def main() -> None:
    """Send name and version, then answer questions."""
    # Redirect standard output, so that prints of the engine do not corrupt the protocol.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    limit_memory()
    limit_time()
    sage = Sage()
    write_message(answers, {"name": "bgsage", "version": metadata.version("bgsage")})
    known = {"plays": sage.plays, "weigh": sage.weigh, "cubes": sage.cubes, "rolls": sage.rolls}
    while (question := read_message(sys.stdin.buffer)) is not None:
        limit_time()
        try:
            write_message(answers, {"answer": known[question["ask"]](question["of"], question["level"])})
        except Exception as problem:  # noqa: BLE001 - reported to the caller
            write_message(answers, {"problem": f"{type(problem).__name__}: {problem}"[:500]})


if __name__ == "__main__":
    main()
