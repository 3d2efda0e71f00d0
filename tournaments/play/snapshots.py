"""Snapshots of an event's rows, their differences, and restoring them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import DateTimeField, Manager, Model, ProtectedError, Q

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
    PairingState,
    Report,
    Round,
    Stage,
    Tournament,
)
from tournaments.play import capacity

Row = dict[str, Any]
Image = dict[str, dict[str, Row]]

# In the order of restoring; deletion uses the reverse order.
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
# Natural keys, to recognise rows that were created again since.
KNOWN_BY: Final[Mapping[str, tuple[str, ...]]] = {
    "draws": ("stage_id",),
    "rounds": ("stage_id", "number"),
    "byes": ("round_id", "entry_id"),
    "pairings": ("tournament_id", "key"),
}
# The columns of a match that are restored only if the act itself has changed them.
KEPT: Final = (
    "match_id",
    "called_at",
    "deadline_at",
    "reminded_at",
    "table",
    "a_here_at",
    "b_here_at",
    "running",
)
# In these tables only the columns changed by the act are restored, and only if unchanged since.
CAREFUL: Final = frozenset({"stages", "draws", "entries"})


def take_snapshot(event: Tournament) -> Image:
    """Return a snapshot of all rows of an event, in JSON values."""
    image: Image = {}
    for name, (model, path) in TABLES.items():
        rows = _get_manager(model).filter(**{path: event}).order_by("pk")
        image[name] = {str(row.pk): serialize_row(row) for row in rows}
    image["event"] = {"": {name: _serialize_value(getattr(event, name)) for name in EVENT}}
    return image


def compute_difference(before: Image, after: Image) -> dict[str, Any]:
    """Return the change that turns *after* back into *before*."""
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


def map_former_rows(name: str, change: Mapping[str, Any]) -> dict[int, Row]:
    """Return the rows of a table that a change has changed or deleted, as before it, by primary key."""
    part = change.get(name, {})
    changed = {int(pk): old for pk, (old, _new) in part.get("changed", {}).items()}
    return changed | {int(pk): old for pk, old in part.get("gone", {}).items()}


def restore_rows(event: Tournament, change: Mapping[str, Any]) -> None:
    """Restore the rows of a locked event to their state before a change.

    :raises NotRestorable: later changes prevent it.
    :raises EntryInUse: an entry made by the change has a payment or a lot.
    """
    for entry in Entry.objects.filter(pk__in=_list_made("entries", change)):
        capacity.require_unused(entry)
    try:
        with transaction.atomic():
            # Seats are freed first, because of the unique constraint.
            touched = [int(pk) for pk in change.get("pairings", {}).get("changed", ())]
            Pairing.objects.filter(pk__in=touched, state=PairingState.READY).update(
                state=PairingState.WAITING, due_at=None
            )
            for name in reversed(tuple(TABLES)):
                if name != "entries":
                    _delete_made(name, change)
            for name in TABLES:
                _restore_table(name, change.get(name, {}))
            # Only now no match refers to the entries made by the act.
            _delete_made("entries", change)
            # A restored row may refer to a deleted round; databases check deferred constraints only at
            # commit.
            connection.check_constraints([model._meta.db_table for model in (Bye, Pairing)])  # noqa: SLF001
    except (IntegrityError, ProtectedError) as problem:
        raise NotRestorable from problem
    for old, _ in change.get("event", {}).get("changed", {}).values():
        values = parse_row(Tournament, old)
        Tournament.objects.filter(pk=event.pk).update(**values)
        for name, value in values.items():
            setattr(event, name, value)


def serialize_row(row: Model) -> Row:
    return {
        field.attname: _serialize_value(getattr(row, field.attname))
        for field in row._meta.concrete_fields  # noqa: SLF001
    }


def parse_row(model: type[Model], row: Mapping[str, Any]) -> Row:
    moments = {field.attname for field in model._meta.concrete_fields if isinstance(field, DateTimeField)}  # noqa: SLF001
    return {
        name: datetime.fromisoformat(value) if name in moments and value is not None else value
        for name, value in row.items()
    }


def replace_players(wanted: Mapping[int, int]) -> None:
    """Change the players of entries as `assign_players` does, and close their appointments."""
    assign_players(wanted)
    rows = Appointment.objects.filter(Q(by__in=wanted) | Q(to__in=wanted), status__in=STANDING)
    agreed = rows.filter(status=AppointmentStatus.AGREED).values("pairing")
    Pairing.objects.filter(pk__in=agreed, state=PairingState.READY).update(called_at=None)
    rows.update(status=AppointmentStatus.OVER, remind_at=None)


def assign_players(wanted: Mapping[int, int]) -> None:
    """Change the players of entries; two may be exchanged although a player has one entry per event."""
    stand_ins = {entry_id: Player.objects.create(name="…") for entry_id in wanted}
    for entry_id, stand_in in stand_ins.items():
        Entry.objects.filter(pk=entry_id).update(player=stand_in)
    for entry_id, player_id in wanted.items():
        Entry.objects.filter(pk=entry_id).update(player_id=player_id)
    Player.objects.filter(pk__in=[one.pk for one in stand_ins.values()]).delete()


def _get_manager(model: type[Model]) -> Manager[Any]:
    return model._default_manager  # noqa: SLF001 - Django's own name for it


def _serialize_value(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value


def _list_made(name: str, change: Mapping[str, Any]) -> list[int]:
    return [int(pk) for pk in change.get(name, {}).get("made", ())]


def _delete_made(name: str, change: Mapping[str, Any]) -> None:
    _get_manager(TABLES[name][0]).filter(pk__in=_list_made(name, change)).delete()


def _restore_table(name: str, part: Mapping[str, Any]) -> None:
    model = TABLES[name][0]
    changed, gone = dict(part.get("changed", {})), dict(part.get("gone", {}))
    there = set(_get_manager(model).filter(pk__in=[int(pk) for pk in changed]).values_list("pk", flat=True))
    players: dict[int, int] = {}
    for pk, (old, new) in changed.items():
        if int(pk) not in there:
            gone[pk] = old
        elif name in CAREFUL:
            values = _get_former_values(model, int(pk), old, new)
            if (player := values.pop("player_id", None)) is not None:
                players[int(pk)] = player
            if values:
                _get_manager(model).filter(pk=int(pk)).update(**values)
        else:
            values = parse_row(model, old)
            for column in _list_kept_columns(int(pk), old, new) if name == "pairings" else ():
                del values[column]
            _get_manager(model).filter(pk=int(pk)).update(**values)
    if players:
        # A player who was out may have been merged since.
        rows = Player.objects.filter(pk__in=players.values()).values_list("pk", "merged_into")
        player_map = {pk: into or pk for pk, into in rows}
        replace_players({entry: player_map.get(player, player) for entry, player in players.items()})
    for pk, old in gone.items() if name in KNOWN_BY else ():
        # Another row may have taken the natural key.
        same = {column: old[column] for column in KNOWN_BY[name]}
        _get_manager(model).filter(**same).exclude(pk=int(pk)).delete()
    _get_manager(model).bulk_create(model(**parse_row(model, old)) for old in gone.values())


def _list_kept_columns(pk: int, old: Row, new: Row) -> list[str]:
    """List the columns of a match that keep what came after the act: a board, a call, an arrival, a pause.

    A second board would be another match.
    """
    if not Pairing.objects.filter(pk=pk, a_id=old["a_id"], b_id=old["b_id"]).exists():
        return []
    return [name for name in KEPT if old[name] == new[name]]


def _get_former_values(model: type[Model], pk: int, old: Row, new: Row) -> Row:
    """Return the former values of the columns changed by an act, unless they have changed again."""
    now = serialize_row(_get_manager(model).get(pk=pk))
    names = [name for name in old if old[name] != new[name]]
    if any(now[name] != new[name] for name in names):
        raise NotRestorable
    return parse_row(model, {name: old[name] for name in names})
