"""Players of `bench.weekend` who begin a match and leave it: how long after their time they lose it."""

from __future__ import annotations

import contextlib
import json
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from bench import installations, live
from bench.weekend_hand import Hand, Journal

# The shortest clock, in seconds: all have begun by then. The longest is this share of the time.
SHORTEST: Final = 45.0
LONGEST_SHARE: Final = 0.9
# Seconds after a player's time within which the match has to be lost. Two of them are for a move that is on its way.
BOUND: Final = 5.0


@contextlib.contextmanager
def left(
    url: str, env: dict[str, str], matches: int, seconds: float, folder: Path
) -> Iterator[dict[str, Any]]:
    """Have matches begun and left; the yielded mapping is filled when the block ends, which waits for the last clock.

    "late" has the seconds between the end of a player's time and the loss at a watcher, "problems" what went wrong.
    """
    found: dict[str, Any] = {"late": [], "problems": []}
    if not matches:
        yield found
        return
    folder.mkdir()
    more = max(0.0, seconds * LONGEST_SHARE - SHORTEST) / matches
    reserves = [SHORTEST + more * number for number in range(matches)]
    file = live.seeded(env, str(folder), count=matches, points=1, reserves=reserves)
    watch = subprocess.Popen(
        [*live.CLIENTS, "watch", url, file, "1"],
        cwd=installations.ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        live.await_word(watch, "open")
        subprocess.run([*live.CLIENTS, "leave", url, file], cwd=installations.ROOT, check=True)
        ends: dict[str, tuple[int, int]] = json.loads(Path(f"{file}.left").read_text())
        yield found
        last = max(end for _, end in ends.values()) / 1000
        time.sleep(max(0.0, last + BOUND - time.time()))
        watch.communicate("enough\n", timeout=60)
    finally:
        watch.kill()
    # Both clocks are those of this machine.
    ahead = time.time() - time.monotonic()
    heard = [(key, seq, at + ahead) for key, seq, at in json.loads(Path(f"{file}.heard").read_text())]
    late = compute_lateness(ends, heard)
    found["late"] = [*late.values()]
    found["problems"] = [f"no watcher had the end of the match {key}" for key in ends if key not in late]
    for match in json.loads(Path(file).read_text()):
        hand = Hand(url, Journal(), match["tokens"][0])
        whole = json.loads(hand.read("match", f"/api/v1/matches/{match['key']}/", anew=True))
        hand.close()
        found["problems"] += find_not_lost(match["key"], whole["snapshot"]["outcome"])


def compute_lateness(
    ends: Mapping[str, tuple[int, int]], heard: Iterable[tuple[str, int, float]]
) -> dict[str, float]:
    """Return by match the seconds from the end of a player's time to the first line after those played.

    *ends*: by match the last line played, and the end of the time in milliseconds since 1970; *heard*: matches and
    lines with the second in which a watcher had them.
    """
    found: dict[str, float] = {}
    for key, seq, at in heard:
        last, end = ends[key]
        if seq > last:
            found[key] = min(found.get(key, float("inf")), at - end / 1000)
    return found


def find_late(late: Iterable[float]) -> Iterator[str]:
    """Yield each match that was lost too late, or before the time was over."""
    for seconds in late:
        if not 0 <= seconds <= BOUND:
            yield f"a match was lost {seconds:.1f} s after the end of a player's time"


def find_not_lost(key: str, outcome: Mapping[str, Any] | None) -> Iterator[str]:
    """Yield a sentence if the match was not lost on time."""
    if outcome is None or outcome["how"] != "flag":
        yield f"the match {key}, which a player left, ended so: {outcome}"
