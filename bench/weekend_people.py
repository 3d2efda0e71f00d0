"""Directors and spectators of `bench.weekend`, who use nothing but HTTP."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Sequence
from typing import Any, Final

from bench.weekend_hand import Hand

PAGES: Final = ("", "bracket/", "standings/", "players/", "schedule/")


def list_open(hand: Hand, event: str) -> list[dict[str, Any]]:
    """Return matches that can be played now, the first twenty."""
    path = f"/api/v1/events/{event}/pairings/?state=ready&page_size=20"
    return [
        row
        for row in json.loads(hand.read("API open matches", path, anew=True))["results"]
        if row["opened_at"]
    ]


def choose_score(length: int, chance: random.Random) -> list[int]:
    """Return the points of a and b at the end of a match."""
    points = chance.randrange(length)
    return [length, points] if chance.random() < 0.5 else [points, length]


def direct(
    hand: Hand, events: Sequence[str], pace: float, over: threading.Event, chance: random.Random
) -> None:
    """Enter results of these events by turns, with occasional mistakes and incidents, until all are over.

    In every second event no player withdraws and no result is corrected, so that it can be checked in full.
    """
    going = list(events)
    while going and not over.is_set():
        event = chance.choice(going)
        ready = list_open(hand, event)
        if not ready:
            if is_over(hand, event):
                going.remove(event)
            else:
                go_on(hand, event)
            continue
        decide(hand, event, chance.choice(ready), chance, is_quiet=events.index(event) % 2 == 0)
        time.sleep(chance.expovariate(1 / pace))


def decide(
    hand: Hand, event: str, row: dict[str, Any], chance: random.Random, *, is_quiet: bool = False
) -> None:
    """Decide a match as a night does: mostly by its result."""
    roll, score = chance.random(), choose_score(row["length"], chance)
    loser = chance.choice([row["a"]["entry"], row["b"]["entry"]])
    if roll < 0.06:
        hand.act(event, "call", key=row["key"], table=str(chance.randint(1, 40)))
    elif roll < 0.08:
        hand.act(event, "walkover", key=row["key"], loser=loser)
    elif roll < 0.09 and not is_quiet:
        hand.act(event, "no-show", key=row["key"], loser=loser)
    elif roll < 0.10 and not is_quiet:
        hand.act(event, "withdraw", entry=loser, after=False)
    elif hand.act(event, "result", key=row["key"], score=score) and chance.random() < 0.04 and not is_quiet:
        hand.act(event, "correct", key=row["key"], kind="played", score=score[::-1], reason="misread")


def is_over(hand: Hand, event: str) -> bool:
    """True if the event is finished."""
    status = json.loads(hand.read("API event", f"/api/v1/events/{event}/", anew=True) or b"{}").get("status")
    return bool(status == "FINISHED")


def go_on(hand: Hand, event: str) -> None:
    """Give an event what it may wait for: an answer who is level, a drafted round, the draw of the next stage."""
    time.sleep(1.0)
    stages = len(json.loads(hand.read("API event", f"/api/v1/events/{event}/", anew=True))["stages"])
    for stage in range(1, stages + 1):
        hand.act(event, "break-ties", stage=stage, playoff=False, reason="by lot")
        hand.act(event, "publish-draw", stage=stage)
    time.sleep(3.0)


def look(
    hand: Hand,
    events: Sequence[str],
    clubs: Sequence[str],
    pace: float,
    over: threading.Event,
    chance: random.Random,
) -> None:
    """Read pages as spectators do, until it is over."""
    while not over.is_set():
        if chance.random() < 0.8:
            page = chance.choice(PAGES)
            hand.read(f"page {page.strip('/') or 'event'}", f"/events/{chance.choice(events)}/{page}")
        elif chance.random() < 0.7:
            hand.read("page club", f"/clubs/{chance.choice(clubs)}/")
        else:
            hand.read("page home", "/")
        time.sleep(chance.expovariate(1 / pace))
