"""The JSON input and output of `python -m venue next`; docs/venue.md has every field."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import Final

from draw.json_objects import BadFile, JsonObject
from venue.queue import (
    FREE,
    Call,
    MatchId,
    Name,
    ReadyMatch,
    ReservedTable,
    RoomNow,
    RunningMatch,
    StreamRequest,
    TableId,
    TableNow,
)

MOST_SECONDS: Final = 10**12


@dataclass(frozen=True, slots=True)
class QueueRequest:
    """A room, and the ids of its tables and matches as in the file, which may be numbers."""

    room: RoomNow
    tables: dict[TableId, object]
    matches: dict[MatchId, object]


def read_room(data: object) -> QueueRequest:
    """Read the input of `python -m venue next`.

    :raises BadFile: it is invalid.
    """
    file = JsonObject.parse(data, "")
    now = _read_seconds(file, "now")
    if now is None:
        raise file.refuse("now", "a time")
    tables = {TableId(_read_id(one)): one for one in file.things("tables")}
    matches = {MatchId(_read_id(one)): one for one in file.things("ready")}
    _require_unique(file.things("tables"), "table")
    _require_unique(file.things("ready"), "match")
    wanted = {MatchId(_read_id(one)): one for one in file.things("stream")}
    _require_unique(file.things("stream"), "match")
    since = file.object("free_since")
    room = RoomNow(
        now=now,
        tables=tuple(
            TableNow(key, one.text("state", FREE), tuple(map(str, one.items("tags"))))
            for key, one in tables.items()
        ),
        running=tuple(_read_running(one) for one in file.things("running")),
        ready=tuple(_read_ready(key, one, now, tables) for key, one in matches.items()),
        free_since={
            Name(player): at for player in since.values if (at := _read_seconds(since, player)) is not None
        },
        stream=tuple(StreamRequest(key, one.flag("soon")) for key, one in wanted.items()),
    )
    return QueueRequest(
        room,
        {key: one.get("id") for key, one in tables.items()},
        {key: one.get("id") for key, one in (wanted | matches).items()},
    )


def serialize_answer(
    request: QueueRequest, calls: Iterable[Call], reserved: Iterable[ReservedTable] = ()
) -> dict[str, object]:
    """Serialize the answer, with ids as in the file; `kept` only if tables are reserved."""
    answer: dict[str, object] = {
        "calls": [
            {"match": request.matches[call.match], "table": request.tables[call.table], "why": call.why}
            for call in calls
        ]
    }
    tables = [
        {
            "table": request.tables[each.table],
            "for": request.matches[each.match],
            "until": each.until,
            "why": each.why,
        }
        for each in reserved
    ]
    return {**answer, "kept": tables} if tables else answer


def _read_running(one: JsonObject) -> RunningMatch:
    table = one.get("table")
    return RunningMatch(None if table is None else TableId(_read_id(one, "table")), _read_players(one))


def _read_ready(key: MatchId, one: JsonObject, now: float, tables: Iterable[TableId]) -> ReadyMatch:
    fixed = None if one.get("fixed") is None else TableId(_read_id(one, "fixed"))
    if fixed is not None and fixed not in tables:
        raise one.refuse("fixed", "the id of a table")
    since = _read_seconds(one, "since")
    return ReadyMatch(key, _read_players(one), now if since is None else since, _read_blocks(one), fixed)


def _read_blocks(one: JsonObject) -> int:
    """Read the number of dependent matches, given as a number or as a list."""
    if isinstance(one.get("blocks"), list):
        return len(one.items("blocks"))
    count = one.integer("blocks", 0) or 0
    if count < 0:
        raise one.refuse("blocks", "a number of matches, or a list of them,")
    return count


def _read_players(one: JsonObject) -> tuple[Name, ...]:
    """Read the players; null is an empty seat."""
    names: list[Name] = []
    for player in one.items("players"):
        if player is None:
            continue
        if isinstance(player, bool) or not isinstance(player, str | int):
            raise one.refuse("players", "a list of names")
        if Name(str(player)) in names:
            message = f"{one.path}players: {player!r} is there twice"
            raise BadFile(message)
        names.append(Name(str(player)))
    return tuple(names)


def _read_id(one: JsonObject, name: str = "id") -> str:
    value = one.get(name)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise one.refuse(name, "a text or a whole number")
    return str(value)


def _require_unique(things: Iterable[JsonObject], what: str) -> None:
    seen: set[str] = set()
    for one in things:
        key = _read_id(one)
        if key in seen:
            message = f"{one.path}id: {what} {key} is there twice"
            raise BadFile(message)
        seen.add(key)


def _read_seconds(one: JsonObject, name: str) -> float | None:
    """Read a time in seconds: a number, a time of day, or a date with one; without a zone it is UTC."""
    value = one.get(name)
    if value is None:
        return None
    try:
        if isinstance(value, str):
            return _parse_time(value)
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= MOST_SECONDS:
            return float(value)
    except ValueError:
        pass
    raise one.refuse(name, "a time, in seconds or as 2026-11-03T19:30:00Z,")


def _parse_time(text: str) -> float:
    """Parse an ISO 8601 time into seconds."""
    try:
        clock = time.fromisoformat(text)
    except ValueError:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return float(clock.hour * 3600 + clock.minute * 60 + clock.second)
