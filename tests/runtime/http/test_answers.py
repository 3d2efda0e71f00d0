"""An answer is declared once: its JSON and its description follow from the class."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.views import APIView

from config.schema import EndpointSchema
from runtime.http.answer_schema import make_list_serializer
from runtime.http.answers import ABSENT, Answer, about

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
UID = UUID(int=7)


class Colour(Enum):
    WHITE = "white"
    BLACK = "black"


class Seat(Answer):
    """A seat of a table."""

    name: str
    is_free: bool = about("Nobody sits there.", source="free")
    colour: Colour | None = about("Null for a spectator.")


class Numbered(Answer):
    number: int = about(source="place.number")


class Table(Numbered):
    """A table."""

    uid: UUID
    opened: datetime
    weight: float | None = about(source=lambda table: round(table.weight, 1))
    state: str = about("How it stands.", words=("open", "closed"))
    seats: list[Seat]
    first: Seat | None
    labels: dict[str, int]
    rules: dict[str, Any] = about(merged=lambda: {"length": serializers.IntegerField(help_text="In points.")})
    drop: int = about(name="pass", optional=True)


@dataclass
class Found:
    """What a selector returns."""

    name: str
    free: bool
    colour: Colour | None
    secret: str = "not declared"


def table(**more: Any) -> Table:
    source = SimpleNamespace(
        place=SimpleNamespace(number=3),
        uid=UID,
        opened=NOON,
        weight=1.26,
        state="open",
        seats=(Found("Ann", False, Colour.WHITE), Found("Ben", True, None)),
        first=None,
        labels={"a": 1},
        rules={"length": 7},
        drop=ABSENT,
    )
    return Table.read(source, **more)


def test_an_answer_is_read_from_attributes_and_written_as_json() -> None:
    assert json.loads(JSONRenderer().render(table())) == {
        "number": 3,
        "uid": str(UID),
        "opened": "2026-05-01T12:00:00Z",
        "weight": 1.3,
        "state": "open",
        "seats": [
            {"name": "Ann", "is_free": False, "colour": "white"},
            {"name": "Ben", "is_free": True, "colour": None},
        ],
        "first": None,
        "labels": {"a": 1},
        "length": 7,
    }


class Reserved(Answer):
    by: str | None = about(source="guest.account.name")
    at: str = about(source="guest.name")


def test_a_nullable_member_is_null_where_an_object_on_its_way_is_none() -> None:
    guest = SimpleNamespace(name="Ann", account=None)
    assert {**Reserved.read(SimpleNamespace(guest=guest))} == {"by": None, "at": "Ann"}
    guest.account = SimpleNamespace(name="ann")
    assert {**Reserved.read(SimpleNamespace(guest=guest))} == {"by": "ann", "at": "Ann"}
    with pytest.raises(AttributeError):
        Reserved.read(SimpleNamespace(guest=None))


def test_members_keep_the_order_of_the_class_those_of_its_base_first() -> None:
    names = ["number", "uid", "opened", "weight", "state", "seats", "first", "labels", "length"]
    assert [*table().keys()] == names
    assert [*table(drop=5).keys()] == [*names, "pass"]


def test_a_member_that_is_known_at_run_time_only_is_one_of_the_others() -> None:
    assert {**table()}["length"] == table()["length"] == 7


def test_computed_values_stand_in_the_place_of_attributes() -> None:
    answer = table(drop=5, first=Found("Eve", True, None))
    assert (answer["pass"], answer.first) == (5, Seat(name="Eve", is_free=True, colour=None))


def test_an_attribute_that_is_missing_is_an_error() -> None:
    with pytest.raises(AttributeError):
        Seat.read(SimpleNamespace(name="Ann", free=True))


@pytest.fixture(scope="module")
def components() -> dict[str, Any]:
    class Tables(APIView):
        schema = EndpointSchema()

        @extend_schema(operation_id="tables", responses={200: make_list_serializer(Table)})
        def get(self, request: Any) -> Response:
            """All tables."""
            return Response([])

    from django.urls import path

    document = SchemaGenerator(patterns=[path("tables/", Tables.as_view())]).get_schema(public=True)
    answer = document["paths"]["/tables/"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    assert answer == {"type": "array", "items": {"$ref": "#/components/schemas/Table"}}
    return dict(document["components"]["schemas"])


def test_its_name_and_its_text_are_those_of_the_class(components: dict[str, Any]) -> None:
    assert components["Seat"]["description"] == "A seat of a table."
    assert set(components) >= {"Seat", "Table"}


def test_its_members_are_described_by_their_types(components: dict[str, Any]) -> None:
    told = components["Table"]["properties"]
    assert told["number"] == {"type": "integer"}
    assert told["uid"] == {"type": "string", "format": "uuid"}
    assert told["opened"] == {"type": "string", "format": "date-time"}
    assert told["weight"] == {"type": "number", "format": "double", "nullable": True}
    assert told["state"]["enum"] == ["open", "closed"]
    assert told["seats"] == {"type": "array", "items": {"$ref": "#/components/schemas/Seat"}}
    assert told["first"] == {"allOf": [{"$ref": "#/components/schemas/Seat"}], "nullable": True}
    assert told["length"] == {"type": "integer", "description": "In points."}
    assert "rules" not in told
    assert told["labels"] == {"type": "object", "additionalProperties": {"type": "integer"}}
    assert components["Seat"]["properties"]["is_free"]["description"] == "Nobody sits there."
    assert components["Seat"]["properties"]["colour"]["enum"] == ["white", "black", None]


def test_only_optional_members_may_be_missing(components: dict[str, Any]) -> None:
    told = components["Table"]
    assert set(told["properties"]) - set(told["required"]) == {"pass"}


def test_a_stream_is_given_what_the_json_reads_as() -> None:
    answer = table()
    assert answer.plain() == json.loads(JSONRenderer().render(answer))
    assert isinstance(answer.plain()["seats"][0], dict)
