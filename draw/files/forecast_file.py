"""The `forecast` command of `python -m draw`: simulates the event of a file (P110)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from math import ceil
from typing import Final

from draw.files.event_input import read_event
from draw.forecast.event_forecast import RUNS, forecast_event
from draw.forecast.room import Room
from draw.forecast.run_statistics import Forecast
from draw.json_objects import BadFile, JsonObject
from draw.random_stream import RandomStream

MOST_RUNS: Final = 10_000
# Without `now` in the file, only durations from the start are reported.
START: Final = datetime(2000, 1, 1)  # noqa: DTZ001 - no zone: used only for differences


def compute_forecast(data: object) -> Mapping[str, object]:
    """Compute when the event will be over, and each entrant's winning probability and remaining matches.

    :raises BadFile, BadOption, TooManyEntrants: the file cannot be used.
    """
    event, names = read_event(data)
    room = JsonObject.parse(data, "").object("room")
    runs = room.integer("runs", RUNS) or 0
    if not 0 < runs <= MOST_RUNS:
        raise room.refuse("runs", f"a number from 1 to {MOST_RUNS}")
    now = _read_now(room)
    found = forecast_event(
        event, _read_room(room), now or START, RandomStream(f"{event.seed}/forecast"), runs=runs
    )
    return {
        "runs": runs,
        **_write_end(found, now),
        "entrants": [
            {
                "entrant": names.written[one.id],
                "wins": round(found.chance(one.id), 4),
                "matches": round(found.matches.get(one.id, 0), 2),
            }
            for one in event.entrants
        ],
    }


def _write_end(found: Forecast, now: datetime | None) -> dict[str, object]:
    start = now or START
    minutes = {
        name: ceil((at - start) / timedelta(minutes=1))
        for name, at in {"half": found.over_at(), "nine_in_ten": found.over_at(0.9)}.items()
    }
    if now is None:
        return {"minutes": minutes}
    over = {
        name: (now + timedelta(minutes=after)).isoformat("T", "minutes") for name, after in minutes.items()
    }
    return {"minutes": minutes, "over": over}


def _read_now(room: JsonObject) -> datetime | None:
    written = room.text("now")
    try:
        return datetime.fromisoformat(written) if written else None
    except ValueError as problem:
        raise room.refuse("now", "a moment like 2026-03-05T19:30") from problem


def _read_room(room: JsonObject) -> Room:
    usual = Room()
    tables = room.integer("tables", 0) or 0
    turnaround, pace = room.fraction("turnaround"), room.fraction("minutes_a_point")
    if tables < 0 or (turnaround or 0) < 0 or (pace is not None and pace <= 0):
        raise BadFile("room: tables and minutes cannot be below zero")
    return Room(
        tables=tables,
        turnaround=usual.turnaround if turnaround is None else float(turnaround),
        minutes_a_point=usual.minutes_a_point if pace is None else float(pace),
    )
