"""Example request bodies for the acts."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from tournaments.base import act_fields
from tournaments.desk.acts.act import Act


def body(act: Act) -> dict[str, Any]:
    """Return a minimal request body for *act*."""
    # A newcomer needs either a member's key or a guest's name; this uses the name.
    found = {field.name: value(field) for field in act.fields if field.is_needed or field.name == "name"}
    outcome = {"score": [5, 0]} if act.one_of else {}
    return {"act": act.name, **found, **outcome}


@singledispatch
def value(field: act_fields.Field) -> Any:
    raise TypeError(field)


@value.register
def _(field: act_fields.Text) -> str:
    return "Because"


@value.register
def _(field: act_fields.Key) -> str:
    return "main/1.2"


@value.register
def _(field: act_fields.Member) -> str:
    return "0123456789"


@value.register
def _(field: act_fields.PointInTime) -> str:
    return "2030-01-01T19:30:00Z"


@value.register
def _(field: act_fields.Number) -> int:
    return max(field.least, 1)


@value.register
def _(field: act_fields.Flag) -> bool:
    return True


@value.register
def _(field: act_fields.Places) -> dict[str, int]:
    return {"0123456789": 1}


@value.register
def _(field: act_fields.PlanField) -> dict[str, Any]:
    return {"template": "club-night"}


@value.register
def _(field: act_fields.ListField) -> list[Any]:
    return [value(field.of)] * max(field.least, 1)
