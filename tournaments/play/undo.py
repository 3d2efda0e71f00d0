"""Rows as they are, what an act has changed of them, and how they become again what they were."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import DateTimeField, ProtectedError, Q

from players.models import Player
from tournaments.base.errors import NotRestorable
from tournaments.models import (
    STANDING,
    Appointment,
    AppointmentStatus,
    Bye,
    Draw,
    Entry,
    Pairing,
    Report,
    Round,
    Stage,
    Stand,
    Tournament,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.db.models import Manager, Model

Row = dict[str, Any]
Image = dict[str, dict[str, Row]]

# In the order in which rows can come back; they go in the other.
TABLES: Final[Mapping[str, tuple[type[Model], str]]] = {
    "stages": (Stage, "tournament"),
    "draws": (Draw, "stage__tournament"),
    "entries": (Entry, "tournament"),
    "rounds": (Round, "stage__tournament"),
    "byes": (Bye, "round__stage__tournament"),
    "pairings": (Pairing, "tournament"),
    "reports": (Report, "pairing__tournament"),
}
EVENT: Final = (
    "status",
    "started_at",
    "finished_at",
    "ended_early_at",
    "over_at",
    "paused_at",
    "archived_at",
)
# By what a row is known if it was made anew since.
KNOWN_BY: Final[Mapping[str, tuple[str, ...]]] = {
    "draws": ("stage_id",),
    "rounds": ("stage_id", "number"),
    "byes": ("round_id", "entry_id"),
    "pairings": ("tournament_id", "key"),
}
# Of these only what the act has changed comes back, and only if nobody has changed it since.
CAREFUL: Final = frozenset({"stages", "draws", "entries"})


def take(event: Tournament) -> Image:
    """Return every row of an event, in values that JSON knows."""
    image = {
        name: {
            str(row.pk): _plain(_values(row)) for row in _all(model).filter(**{path: event}).order_by("pk")
        }
        for name, (model, path) in TABLES.items()
    }
    image["event"] = {"": {name: _simple(getattr(event, name)) for name in EVENT}}
    return image


def difference(before: Image, after: Image) -> dict[str, Any]:
    """Return what is needed to make *before* of *after*."""
    found: dict[str, Any] = {}
    for name, rows in before.items():
        now = after[name]
        part = {
            "changed": {pk: [row, now[pk]] for pk, row in rows.items() if pk in now and now[pk] != row},
            "gone": {pk: row for pk, row in rows.items() if pk not in now},
            "made": [pk for pk in now if pk not in rows],
        }
        if any(part.values()):
            found[name] = part
    return found


def restore(event: Tournament, change: Mapping[str, Any]) -> None:
    """Make the rows of a locked event again what they were before a change.

    :raises NotRestorable: too much has happened since.
    """
    try:
        with transaction.atomic():
            _free_seats(change.get("pairings", {}))
            for name in reversed(tuple(TABLES)):
                if name != "entries":
                    _take_away(name, change)
            for name in TABLES:
                _bring_back(name, change.get(name, {}))
            # Only now nobody sits at a match any more who was not there before.
            _take_away("entries", change)
            # A row that comes back may hang on a round that has been dropped since: databases ask only at the end.
            connection.check_constraints([model._meta.db_table for model in (Bye, Pairing)])  # noqa: SLF001
    except (IntegrityError, ProtectedError) as problem:
        raise NotRestorable from problem
    for old, _ in change.get("event", {}).get("changed", {}).values():
        values = _read(Tournament, old)
        Tournament.objects.filter(pk=event.pk).update(**values)
        for name, value in values.items():
            setattr(event, name, value)


def as_kept(row: Model) -> Row:
    """Return all columns of a row, in values that JSON knows."""
    return _plain(_values(row))


def from_kept(model: type[Model], row: Mapping[str, Any]) -> Row:
    """Return the columns of a row that was kept so, as the model has them."""
    return _read(model, row)


def seat_players(wanted: Mapping[int, int]) -> None:
    """Give entries other players; two may exchange theirs, though nobody is in an event twice."""
    stand_ins = {entry_id: Player.objects.create(name="…") for entry_id in wanted}
    for entry_id, stand_in in stand_ins.items():
        Entry.objects.filter(pk=entry_id).update(player=stand_in)
    for entry_id, player_id in wanted.items():
        Entry.objects.filter(pk=entry_id).update(player_id=player_id)
    Player.objects.filter(pk__in=[one.pk for one in stand_ins.values()]).delete()
    _close_appointments(wanted)


def _close_appointments(entries: Iterable[int]) -> None:
    """Let nobody be expected at a time that another has agreed to."""
    rows = Appointment.objects.filter(Q(by__in=entries) | Q(to__in=entries), status__in=STANDING)
    agreed = rows.filter(status=AppointmentStatus.AGREED).values("pairing")
    Pairing.objects.filter(pk__in=agreed, state=Stand.READY).update(called_at=None)
    rows.update(status=AppointmentStatus.OVER, remind_at=None)


def _values(row: Model) -> Row:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}  # noqa: SLF001


def _all(model: type[Model]) -> Manager[Any]:
    return model._default_manager  # noqa: SLF001 - Django's own name for it


def _plain(row: Row) -> Row:
    return {name: _simple(value) for name, value in row.items()}


def _simple(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value


def _read(model: type[Model], row: Mapping[str, Any]) -> Row:
    """Return values as the model has them."""
    moments = {field.attname for field in model._meta.concrete_fields if isinstance(field, DateTimeField)}  # noqa: SLF001
    return {
        name: datetime.fromisoformat(value) if name in moments and value is not None else value
        for name, value in row.items()
    }


def _take_away(name: str, change: Mapping[str, Any]) -> None:
    made = change.get(name, {}).get("made", ())
    _all(TABLES[name][0]).filter(pk__in=[int(pk) for pk in made]).delete()


def _free_seats(part: Mapping[str, Any]) -> None:
    """Nobody may sit twice even for a moment."""
    touched = [int(pk) for pk in part.get("changed", ())]
    Pairing.objects.filter(pk__in=touched, state=Stand.READY).update(state=Stand.WAITING, due_at=None)


def _bring_back(name: str, part: Mapping[str, Any]) -> None:
    model = TABLES[name][0]
    changed, gone = dict(part.get("changed", {})), dict(part.get("gone", {}))
    there = set(_all(model).filter(pk__in=[int(pk) for pk in changed]).values_list("pk", flat=True))
    players: dict[int, int] = {}
    for pk, (old, new) in changed.items():
        if int(pk) not in there:
            gone[pk] = old
        elif name in CAREFUL:
            values = _unchanged_since(model, int(pk), old, new)
            if (player := values.pop("player_id", None)) is not None:
                players[int(pk)] = player
            if values:
                _all(model).filter(pk=int(pk)).update(**values)
        else:
            values = _read(model, old)
            if name == "pairings" and _keeps_board(int(pk), old, new):
                del values["match_id"]
            _all(model).filter(pk=int(pk)).update(**values)
    if players:
        seat_players(players)
    for pk, old in gone.items():
        _make_room(name, model, int(pk), old)
    _all(model).bulk_create(model(**_read(model, old)) for old in gone.values())


def _keeps_board(pk: int, old: Row, new: Row) -> bool:
    """Say whether a board that was laid out after the act goes on: a second one would be another match."""
    same_two = Pairing.objects.filter(pk=pk, a_id=old["a_id"], b_id=old["b_id"])
    return old["match_id"] == new["match_id"] and same_two.exists()


def _make_room(name: str, model: type[Model], pk: int, old: Row) -> None:
    """Remove what has taken the place of a row that comes back."""
    if (by := KNOWN_BY.get(name)) is not None:
        same = Q(**{column: old[column] for column in by})
        _all(model).filter(same).exclude(pk=pk).delete()


def _unchanged_since(model: type[Model], pk: int, old: Row, new: Row) -> Row:
    """Return what an act has changed of a row, as it was.

    :raises NotRestorable: somebody has changed it again.
    """
    now = _plain(_all(model).filter(pk=pk).values().get())
    names = [name for name in old if old[name] != new[name]]
    if any(now[name] != new[name] for name in names):
        raise NotRestorable
    return _read(model, {name: old[name] for name in names})
