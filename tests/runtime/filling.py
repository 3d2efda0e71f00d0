"""A row for every table that has none: with quotes, tabs, umlauts, microseconds, zero bytes and nulls within JSON."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import models

from runtime.install.database_move import list_tables

WHEN = datetime(2026, 3, 29, 1, 30, 0, 123456, tzinfo=UTC)
TEXT = 'Kä\t"the\\N\n'
JSON = {"z": [1, 2.5, 1e16, -0.0, True, None, "ü\\\t"], "a": {"": None}, "ö": "\U0001f3b2"}
# What a table's own constraints ask for.
ASKED: dict[str, dict[str, Any]] = {
    "runtime_outage": {"to_at": WHEN + timedelta(seconds=9)},
    "runtime_installation": {"id": 1},
    "players_firstdirector": {"id": 1},
    "players_apitoken": {"expires_at": None},
    "matches_absence": {"side": "white"},
    "matches_mute": {"player_id": 2},
    "tournaments_report": {"winner_id": None},
    "players_merge": {"dropped_id": 2},
    "players_twopeople": {"one_id": 1, "other_id": 2},
    "rankings_ledgerentry": {"opponent_id": 2},
    "rankings_groupmember": {"lead_id": 1, "club_id": 2},
    "rankings_requirement": {"division_id": None},
    "records_submission": {"refusal": "", "mends_id": None},
    "money_moneyline": {"corrects_id": None},
    "money_auctionparty": {"entrant": None},
    "money_auctionline": {"corrects_id": None, "percent": 0},
    "tournaments_series": {"paused_at": None},
    "tournaments_seriesday": {"skipped_at": None},
    "tournaments_appointment": {"remind_at": None, "to_id": 2},
    "tournaments_friendly": {"opponent_id": 2, "event_id": None},
    "opinion_givenanswer": {"browser": ""},
    "opinion_analysis": {"record": ""},
    "venue_pushkey": {"id": 1},
    "venue_break": {"ends_at": WHEN + timedelta(hours=1)},
    "tournaments_helper": {"expires_at": WHEN + timedelta(hours=24)},
}
VALUES: list[tuple[type[models.Field[Any, Any]], Any]] = [
    (models.JSONField, JSON),
    (models.BinaryField, bytes(range(256))),
    (models.DateTimeField, WHEN),
    (models.DateField, date(2026, 3, 29)),
    (models.TimeField, time(1, 30, 0, 5)),
    (models.DurationField, timedelta(seconds=1, microseconds=7)),
    (models.BooleanField, True),
    (models.DecimalField, Decimal("1.50")),
    (models.FloatField, 0.1),
    (models.UUIDField, UUID(int=7)),
    (models.GenericIPAddressField, "2001:db8::1"),
    (models.SlugField, "slug"),
    (models.EmailField, "kaethe@club.example"),
    (models.URLField, "https://club.example/"),
]


def fill() -> list[str]:
    """Give every empty table of the present database a row; return which were empty."""
    empty = [table.model for table in list_tables() if not table.model._base_manager.exists()]
    for model in empty:
        _first(model)
    return [model._meta.db_table for model in empty]


def _first(model: type[models.Model]) -> models.Model:
    found = model._base_manager.first()
    if found is None:
        asked = ASKED.get(model._meta.db_table, {})
        values = {
            field.attname: _value(field)
            for field in model._meta.local_concrete_fields
            if not isinstance(field, models.AutoField) and not field.generated and field.attname not in asked
        }
        found = model(**values, **asked)
        model._base_manager.bulk_create([found])
        found = model._base_manager.get()
    return found


def _value(field: Any) -> Any:
    if field.is_relation:
        related = _first(field.related_model)
        return getattr(related, field.target_field.attname)
    if field.choices:
        return field.flatchoices[0][0]
    for kind, value in VALUES:
        if isinstance(field, kind):
            return value
    return TEXT[: field.max_length] if isinstance(field, (models.CharField, models.TextField)) else 1
