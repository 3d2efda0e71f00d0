"""The rule behind the limits: every input has a bound, which its declaration says or the table `tests.bounds` does.

A new field or a new name that has neither fails here by its name. Values past the bounds are sent in test_hostile_values.
"""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any, Final

import pytest
from django import forms
from django.conf import settings
from rest_framework import serializers
from rest_framework.exceptions import ParseError, ValidationError

from config import wire
from config.front import limits
from config.problems import handle_error
from draw.formats import FORMATS
from draw.options import BadOption, WholeNumber
from opinion.practice.lesson_api import LessonBeginShape
from players.accounts import allauth_forms
from players.people import fields
from rankings.eligibility.eligibility_api import NewRequirement
from rankings.openings.openings_api import NewOpening
from tests import bounds as table
from tests.inputs import (
    PACKAGES,
    ROOT,
    FormField,
    api_inputs,
    form_fields,
    names_read_by_hand,
    routes,
)
from tournaments.base import act_fields
from tournaments.base.act_fields_api import build_api_field

DOCUMENT = ROOT / "docs" / "operations.md"
# Forms of the styleguide, which no user submits, and of the back office, which only the staff use.
INSIDE = ("config.pages.", "players.admin.", "runtime.admin.", "matches.admin.", "tournaments.admin.")


def bound_of_form_field(found: FormField) -> str:
    """Name the bound of a form field, or return ""."""
    field = found.field
    match field:
        case forms.FileField():
            return "file" if field.max_length else ""
        case forms.DecimalField():
            # Without digits, 1e9999999 is a number of ten million figures.
            return "number" if field.max_digits else ""
        case forms.IntegerField():
            return "number" if field.min_value is not None and field.max_value is not None else ""
        case forms.DateField() | forms.DateTimeField() | forms.TimeField():
            return "day"
        case forms.ChoiceField() | forms.ModelChoiceField() | forms.BooleanField():
            return "choice"
        case forms.CharField():
            return "text" if field.max_length or issubclass(found.of, allauth_forms.BoundedFields) else ""
    return ""


def test_every_field_of_a_form_has_a_bound() -> None:
    found = {
        f"{each.form}.{each.name}": bound_of_form_field(each)
        for each in form_fields()
        if not each.form.startswith(INSIDE)
    }
    assert len(found) > 250
    assert [name for name, bound in found.items() if not bound] == []


def test_every_form_of_allauth_that_is_shown_is_one_of_ours() -> None:
    """Its own forms have texts without a longest length."""
    for path in (*settings.ACCOUNT_FORMS.values(), *settings.MFA_FORMS.values()):
        assert issubclass(getattr(allauth_forms, path.rpartition(".")[2]), allauth_forms.BoundedFields), path


def test_a_form_of_allauth_bounds_its_texts() -> None:
    for form in (allauth_forms.Login(), allauth_forms.Signup()):
        for name, field in form.fields.items():
            if isinstance(field, forms.CharField):
                assert field.max_length, name
    long = allauth_forms.Login({"login": "a@example.org", "password": "a" * (fields.LONGEST_TYPED + 1)})
    assert not long.is_valid()
    assert "password" in long.errors


@pytest.mark.long
@pytest.mark.share
def test_every_field_that_a_form_makes_for_itself_has_a_bound() -> None:
    """Those of `self.fields[...] = ...`, which the class does not tell."""
    bounds = {"max_length", "max_value", "choices", "queryset"}
    free = {
        "ChoiceField",
        "BooleanField",
        "ModelChoiceField",
        "MultipleChoiceField",
        "TypedChoiceField",
        "DateField",
    }
    unbounded = []
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text())):
                match node:
                    case ast.Assign(
                        targets=[ast.Subscript(value=ast.Attribute(attr="fields"))],
                        value=ast.Call(
                            func=ast.Attribute(value=ast.Name(id="forms"), attr=kind), keywords=said
                        ),
                    ) if kind not in free and not bounds & {each.arg for each in said}:
                        unbounded.append(f"{file.relative_to(ROOT)}:{node.lineno}")
    assert unbounded == []


@pytest.mark.long
@pytest.mark.share
def test_every_name_that_a_view_reads_by_hand_is_in_the_table() -> None:
    read = {(each.source, each.name) for each in names_read_by_hand()}
    listed = {(source, name) for source, names in table.READ_BY_HAND.items() for name in names}
    assert read - listed == set(), "say in tests/bounds.py what bounds it"
    assert listed - read == set()


@pytest.mark.long
@pytest.mark.share
def test_every_input_of_the_api_has_a_bound() -> None:
    """An input that reaches a loop or an allocation needs its own bound, or a reason in the table."""
    found = dict(api_inputs())
    assert len(found) > 300
    unexplained = [name for name, bound in found.items() if not bound and table.reason_of(name) == ""]
    assert unexplained == []
    stale = [
        name
        for name in table.API_ELSEWHERE
        if not any(each.endswith(name) and not found[each] for each in found)
    ]
    assert stale == [], "these have bounds of their own by now"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"[" + b"0," * wire.MOST_VALUES + b"0]", "too_many_values"),
        (b"{" + b",".join(b'"%d":[]' % n for n in range(wire.MOST_VALUES)) + b"}", "too_many_values"),
        (b'{"a": 9223372036854775808}', "invalid"),
        (b'{"a": -9223372036854775809}', "invalid"),
        (b'{"a": ' + b"9" * 100_000 + b"}", "not_json"),
        (b'{"a": 1e999}', "not_json"),
        (b'{"a": "\\u0000"}', "invalid"),
        (b'{"a\\u0000": 1}', "invalid"),
    ],
)
def test_json_past_its_bounds_is_refused(body: bytes, code: str) -> None:
    with pytest.raises((ParseError, ValidationError)) as refused:
        read_json(body)
    answer = handle_error(refused.value, {})
    assert answer.data["code"] == code


def test_json_within_its_bounds_is_read() -> None:
    assert read_json(b'{"a": 9223372036854775807, "b": -1.5e3, "c": "\\\\u0000"}') == {
        "a": 2**63 - 1, "b": -1500.0, "c": "\\u0000"
    }  # fmt: skip


RATING: Final = build_api_field(act_fields.Rating(name="rating"))


@pytest.mark.parametrize(
    "field",
    [
        RATING,
        *(NewOpening().fields[name] for name in ("rating", "deviation")),
        *(NewRequirement().fields[name] for name in ("at_least", "at_most")),
        LessonBeginShape().fields["limit"],
    ],
)
@pytest.mark.parametrize("value", [True, False])
def test_a_truth_value_is_no_number(field: serializers.Field[Any, Any, Any, Any], value: bool) -> None:
    with pytest.raises(ValidationError, match="A valid number is required"):
        field.run_validation(value)


def read_json(body: bytes) -> Any:
    import io

    return wire.ShallowJSONParser().parse(io.BytesIO(body))


# Routes


def test_every_route_has_a_class_of_cost_and_somebody_who_pays() -> None:
    classes = Counter(table.cost_of(route).name for route in routes())
    assert set(classes) == {cost.name for cost in table.COSTS}
    assert sum(classes.values()) > 500
    for route in routes():
        cost = table.cost_of(route)
        assert cost.payer, route
        assert cost.refusal, route
        assert 0 < limits.find_body_limit(f"/{route}").size <= 16 << 20


def test_the_document_lists_costs_and_inputs() -> None:
    written = DOCUMENT.read_text()
    for line in (*table.lines_of_costs(), *table.lines_of_inputs()):
        assert line in written, line


def test_no_whole_number_of_a_plan_is_large() -> None:
    """Of `times` and `rounds` loops are made: 5,000 of them took more than six seconds when a draft was made."""
    found = {
        (name, each.name): each
        for name, form in FORMATS.items()
        for each in form.options.values()
        if isinstance(each, WholeNumber)
    }
    assert {each for _, each in found} >= {"times", "rounds", "seeds"}
    for option in found.values():
        assert option.read(option.largest) == option.largest <= 1_024
        with pytest.raises(BadOption):
            option.read(option.largest + 1)
