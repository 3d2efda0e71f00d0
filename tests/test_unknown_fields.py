"""The API refuses fields that it does not know, at every address."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final, cast

import pytest
from django.db import transaction
from django.test import Client
from django.urls import resolve
from django.utils import timezone
from rest_framework import serializers

from config.query import has_method
from matches.lobby.challenges_api import HabitsSerializer
from matches.play import directing_api, play_api
from matches.state.commands import Command
from matches.state.rulings import Ruling
from players.models import User
from runtime.http.strict_fields import StrictFields
from tests import access
from tests.inputs import PACKAGES, modules, names_of_api, names_read_by_hand, subclasses
from tests.world import World
from tournaments.base import act_fields
from tournaments.desk import acts_api
from tournaments.desk.acts import ACTS
from tournaments.play import entering

UNKNOWN: Final = "no_such_field"
CHANGING: Final = ("POST", "PUT", "PATCH", "DELETE")
ROLES: Final = ("owner", "member", "director", "outsider", "staff")
NO_SUCH_METHOD: Final = 405


def send(world: World, role: str, method: str, path: str, body: object) -> Any:
    """Send a request, and take back what it did."""
    client = world.client(role)
    with transaction.atomic():
        answer = client.generic(
            method,
            path,
            data=json.dumps(body),
            content_type="application/json",
            headers={"Idempotency-Key": "one of this test"},
        )
        transaction.set_rollback(True)
    return answer


def rows_of_api(methods: Iterable[str]) -> Iterator[access.Row]:
    """Yield each address of the API with each of the methods; the table has not all of them."""
    first = {row.address: row for row in reversed(access.rows()) if row.address.startswith("api:")}
    for row in first.values():
        for method in methods:
            yield replace(row, method=method)


def is_refused(answer: Any, field: str = UNKNOWN) -> bool:
    """True if the answer says that it does not know the field."""
    if answer.status_code != 400:
        return False
    said = answer.json()["context"]["fields"]
    return bool(said.get(field, [{}])[0].get("code") == "unknown_field")


# These need a body that says which of several shapes it is.
WORDS: Final[dict[str, dict[str, Any]]] = {"api:event-act-list": {"act": "enter"}}
# These are not JSON, and have a test below.
FORMS: Final = {"api:coded-photos", "api:match-photos", "api:record-hand-in"}
# In this world these are refused before their body is read, since nothing is there for them.
NOT_REACHED: Final = {
    "api:coded-hand-in",
    "api:coded-lines",
    "api:coded-remove",
    "api:coded-take-back",
    "api:division-eligibility",
    "api:match-tutor",
}


@pytest.mark.long
def test_every_address_of_the_api_refuses_a_field_that_it_does_not_know(world: World) -> None:
    passed_over, not_reached = [], set()
    for row in rows_of_api(CHANGING):
        if row.address in FORMS:
            continue
        body = {**WORDS.get(row.address, {}), UNKNOWN: 1}
        answers = [send(world, role, row.method, world.path(row), body) for role in ROLES]
        passed_over += [row for answer in answers if answer.status_code < 400]
        if not any(is_refused(answer) or answer.status_code == NO_SUCH_METHOD for answer in answers):
            not_reached.add(row.address)
    assert passed_over == []
    assert not_reached == NOT_REACHED


@pytest.mark.parametrize("act", ACTS)
def test_every_act_refuses_a_field_that_it_does_not_know(act: str) -> None:
    with pytest.raises(serializers.ValidationError) as caught:
        acts_api.parse_act({"act": act, UNKNOWN: 1})
    assert caught.value.get_codes()[UNKNOWN] == ["unknown_field"]  # type: ignore[index,call-overload]


@pytest.mark.parametrize("word", Command.kinds)
def test_every_command_refuses_a_field_that_it_does_not_know(word: str) -> None:
    with pytest.raises(serializers.ValidationError) as caught:
        play_api.COMMAND.read({"after": 1, "command": {"type": word, UNKNOWN: 1}})
    assert "unknown_field" in str(caught.value.get_codes())


@pytest.mark.parametrize("word", Ruling.kinds)
def test_every_ruling_refuses_a_field_that_it_does_not_know(word: str) -> None:
    with pytest.raises(serializers.ValidationError) as caught:
        directing_api.RULING.read({"after": 1, "reason": "", "ruling": {"type": word, UNKNOWN: 1}})
    assert "unknown_field" in str(caught.value.get_codes())


@pytest.mark.parametrize("address", sorted(FORMS))
def test_a_form_with_files_refuses_a_field_that_it_does_not_know(world: World, address: str) -> None:
    path = world.path(next(row for row in access.rows() if (row.address, row.method) == (address, "POST")))
    answers = [world.client(role).post(path, {UNKNOWN: "1"}) for role in ROLES]
    assert any(is_refused(answer) for answer in answers)


def test_every_serializer_of_ours_refuses_what_it_does_not_know() -> None:
    modules()
    loose = {
        each.__name__
        for each in subclasses(serializers.Serializer)
        if each.__module__.partition(".")[0] in PACKAGES
        and not issubclass(each, StrictFields)
        # Those of rows say how they look; a body is read by one of them, which is strict.
        and not issubclass(each, serializers.ModelSerializer)
    }
    assert loose == set()
    assert issubclass(HabitsSerializer, StrictFields)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("extra", "field", "nearest"),
    [
        ({"template": "swiss", "plan": {"rounds": 5}}, "template", "plan.template"),
        ({"match_lenght": 9}, "match_lenght", "match_length"),
        ({"x" * 9_000: 9}, "x" * 9_000, ""),
    ],
)
def test_an_event_is_not_made_of_half_of_what_was_sent(
    world: World, extra: dict[str, Any], field: str, nearest: str
) -> None:
    body = {"club": "here", "name": "A cup", "starts_at": "2030-01-01T19:00:00Z", **extra}
    answer = send(world, "owner", "POST", "/api/v1/events/", body)
    assert is_refused(answer, field)
    sentence = answer.json()["context"]["fields"][field][0]["message"]
    assert (
        sentence == f"There is no such field. The nearest is “{nearest}”."
        if nearest
        else "There is no such field."
    )


# Parameters of addresses


def say_of_query(query: str, address: str = "events") -> dict[str, tuple[str, str]]:
    """Return the code and the sentence of each parameter that is refused."""
    answer = Client().get(f"/api/v1/{address}/?{query}")
    if answer.status_code == 200:
        return {}
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    said = answer.json()
    assert (said["code"], said["title"]) == ("invalid", "Some fields need another look.")
    return {name: (each["code"], each["message"]) for name, (each,) in said["context"]["fields"].items()}


@pytest.mark.long
@pytest.mark.share
def test_every_address_of_the_api_refuses_a_parameter_that_it_does_not_know(world: World) -> None:
    answered = Counter[str]()
    for row in rows_of_api(("GET", "HEAD", *CHANGING)):
        path = f"{world.path(row)}?{UNKNOWN}=1"
        answer = Client().generic(row.method, path)
        if answer.status_code == NO_SUCH_METHOD or answer.status_code in {401, 403}:
            # Signing in comes before the method.
            assert not has_method(resolve(path.partition("?")[0]).func, row.method.replace("HEAD", "GET")), (
                row
            )
            continue
        assert answer.status_code == 400 if row.method == "HEAD" else is_refused(answer), row
        answered[row.method] += 1
    assert answered["GET"] == answered["HEAD"] > 80
    assert answered["POST"] > 60


@pytest.mark.parametrize("method", ["SETUP", "SCHEMA"])
def test_an_attribute_of_a_view_is_no_method(client: Client, method: str) -> None:
    assert client.generic(method, f"/api/v1/archive/openings/?{UNKNOWN}=1").status_code == NO_SUCH_METHOD


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("query", "refused"),
    [
        ("stauts=DRAFT", {"stauts": ("unknown_field", "There is no such field. The nearest is “status”.")}),
        (
            "pagesize=5",
            {"pagesize": ("unknown_field", "There is no such field. The nearest is “page_size”.")},
        ),
        ("utm_source=", {"utm_source": ("unknown_field", "There is no such field.")}),
        ("club=one&club=two", {"club": ("repeated_field", "Send this once.")}),
        ("page=last", {"page": ("invalid", "A valid integer is required.")}),
        ("page_size=1_0", {"page_size": ("invalid", "A valid integer is required.")}),
        ("club=%00", {"club": ("null_characters_not_allowed", "Null characters are not allowed.")}),
        ("club=%20&status=&page=&page_size=5", {}),
    ],
)
def test_a_list_is_not_given_for_half_of_what_was_asked(
    query: str, refused: dict[str, tuple[str, str]]
) -> None:
    assert say_of_query(query) == refused


@pytest.mark.django_db
def test_a_word_that_is_not_one_of_those_declared_is_refused() -> None:
    (code, sentence) = say_of_query("status=LOST")["status"]
    assert code == "invalid_choice"
    assert sentence == "One of CANCELLED, DRAFT, FINISHED, PUBLISHED, RUNNING."


def test_a_switch_is_on_or_off(world: World) -> None:
    ranking = world.path(next(row for row in access.rows() if row.address == "api:rating-list-ranking"))
    address = ranking.removeprefix("/api/v1/").rstrip("/")
    assert say_of_query("active=yes", address)["active"] == ("invalid_choice", "One of true, false, 1, 0.")
    assert say_of_query("active=true&q=", address) == {}


def test_a_page_passes_over_what_is_added_to_its_address(client: Client, db: None) -> None:
    """Letters and search engines add their own words to an address."""
    assert client.get("/?utm_source=letter").status_code == 200


@pytest.mark.long
@pytest.mark.share
def test_what_the_api_reads_of_an_address_is_declared() -> None:
    read = {each.name for each in names_read_by_hand() if each.source == "query_params"}
    assert read - names_of_api("query") == set()


# Rows that do not exist


def missing(field: act_fields.Field) -> Any:
    """Return a value for a field of an act, of rows that do not exist where it names some."""
    match field:
        case act_fields.EntryNumber():
            return 991
        case act_fields.StageNumber():
            return 49
        case act_fields.Key():
            return "nope/1.1"
        case act_fields.Member():
            return "zzzzzzzzzz"
        case act_fields.ListField():
            return [
                missing(field.of),
                992 if isinstance(field.of, act_fields.EntryNumber) else missing(field.of),
            ]
        case act_fields.Choice():
            return field.values[0]
        case act_fields.Score():
            return [5, 3]
        case act_fields.PointInTime():
            return "2030-01-01T10:00:00Z"
        case act_fields.Number() | act_fields.Flag():
            return 1
        case _:
            return "x"


NAMING: Final = (act_fields.EntryNumber, act_fields.StageNumber, act_fields.Key, act_fields.Member)


def names_rows(field: act_fields.Field) -> bool:
    return isinstance(field, NAMING) or (
        isinstance(field, act_fields.ListField) and isinstance(field.of, NAMING)
    )


@pytest.mark.django_db
@pytest.mark.parametrize("act", [name for name, act in ACTS.items() if any(map(names_rows, act.fields))])
def test_an_act_on_rows_that_do_not_exist_is_refused(world: World, act: str) -> None:
    body = {field.name: missing(field) for field in ACTS[act].fields if field.is_needed or names_rows(field)}
    for event in world.events.values():
        answer = send(world, "owner", "POST", f"/api/v1/events/{event.key}/acts/", {"act": act, **body})
        assert answer.status_code in {400, 403, 404, 409}, answer.content
        assert answer.json()["code"]


@pytest.mark.django_db
def test_nobody_is_checked_in_with_one_who_has_not_entered(world: World) -> None:
    event = world.events["published"]
    entry = entering.enter_own_player(
        tournament_id=event.pk, user=cast("User", world.users["member"]), now=timezone.now()
    )
    path = f"/api/v1/events/{event.key}/acts/"
    body = {"act": "check-in-for", "entries": [entry.number, 991]}
    answer = send(world, "owner", "POST", path, body)
    assert (answer.status_code, answer.json()["code"]) == (409, "unknown_entrant")
    # Of no result: the same refusal answers acts of every kind.
    assert answer.json()["title"] == "That player cannot be chosen here. Reload and choose again."
    assert send(world, "owner", "POST", path, {**body, "entries": [entry.number]}).status_code == 200
