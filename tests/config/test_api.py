"""The API's frame: every error is a problem with a code, and no body can exhaust us."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import IntegrityError, OperationalError
from django.http import Http404, HttpResponse
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from rest_framework import exceptions, serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from config import api_routes, wire
from config.wire import DEEPEST
from matches.state import errors as matches_errors
from players import errors as players_errors
from players.clubs.clubs_api import ClubViewSet
from players.models import User
from runtime.idempotency import KeyReused
from tournaments.base import errors as tournaments_errors

pytestmark = pytest.mark.django_db


class Body(serializers.Serializer[Any]):
    n = serializers.IntegerField(min_value=0, max_value=9)


class Echo(APIView):
    """Gives back what was sent, or raises what the test wants."""

    permission_classes = (AllowAny,)
    authentication_classes = ()
    error: Exception | None = None

    def post(self, request: Request) -> Response:
        if self.error is not None:
            raise self.error
        return Response(request.data)


def post(content: bytes, *, content_type: str = "application/json", error: Exception | None = None) -> Any:
    request = APIRequestFactory().post("/api/v1/echo/", content, content_type=content_type)
    answer = Echo.as_view(error=error)(request)
    answer.render()
    return answer


def problem_of(answer: Any) -> dict[str, Any]:
    assert answer["Content-Type"] == "application/problem+json"
    body = json.loads(answer.content)
    assert body["status"] == answer.status_code
    assert body["type"] == "about:blank"
    assert body["title"]
    assert body["code"]
    return body  # type: ignore[no-any-return]


def invalid() -> exceptions.ValidationError:
    form = Body(data={"n": 99})
    form.is_valid()
    return exceptions.ValidationError(form.errors)


def _refused_for_good() -> OperationalError:
    error, cause = OperationalError("Expression tree is too large"), Exception()
    cause.sqlite_errorcode = 1  # type: ignore[attr-defined]
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Http404(), 404, "not_found"),
        (PermissionDenied(), 403, "permission_denied"),
        (exceptions.NotAuthenticated(), 403, "not_authenticated"),
        (exceptions.AuthenticationFailed(), 403, "authentication_failed"),
        (exceptions.PermissionDenied(), 403, "permission_denied"),
        (exceptions.NotFound(), 404, "not_found"),
        (exceptions.MethodNotAllowed("POST"), 405, "method_not_allowed"),
        (exceptions.NotAcceptable(), 406, "not_acceptable"),
        (exceptions.UnsupportedMediaType("text/x"), 415, "unsupported_media_type"),
        (exceptions.ParseError(), 400, "parse_error"),
        (exceptions.Throttled(wait=7.2), 429, "throttled"),
        (exceptions.ValidationError({"n": ["too big"]}), 400, "invalid"),
        (exceptions.ValidationError(["whole"]), 400, "invalid"),
        (exceptions.ValidationError("one"), 400, "invalid"),
        (players_errors.NotAllowed(), 403, "not_allowed"),
        (players_errors.AlreadyMember(), 409, "already_member"),
        (players_errors.EmptyName(), 400, "empty_name"),
        (matches_errors.NotAPlayer(), 403, "not-a-player"),
        (matches_errors.Stale(7), 409, "stale"),
        (matches_errors.Refused("No.", code="no-cube", rule="R53"), 409, "no-cube"),
        (matches_errors.BadTerms(), 400, "bad-terms"),
        (tournaments_errors.NotDirector(), 403, "not_director"),
        (tournaments_errors.TournamentError(), 409, "event_refused"),
        (KeyReused(), 422, "idempotency_key_reused"),
    ],
)
def test_every_kind_of_error_is_a_problem_with_its_status_and_code(
    error: Exception, status: int, code: str
) -> None:
    answer = post(b"{}", error=error)
    assert answer.status_code == status
    assert problem_of(answer)["code"] == code


def test_a_sentence_is_said_even_where_the_error_has_none_of_its_own() -> None:
    assert problem_of(post(b"{}", error=KeyReused()))["title"] != "idempotency_key_reused"


def test_who_is_throttled_is_told_when_to_come_back() -> None:
    assert int(post(b"{}", error=exceptions.Throttled(wait=7.2))["Retry-After"]) >= 7.2


def test_fields_that_need_another_look_are_named_with_codes() -> None:
    body = problem_of(
        post(b"{}", error=exceptions.ValidationError({"n": [exceptions.ErrorDetail("No", code="max_value")]}))
    )
    assert body["context"]["fields"] == {"n": [{"message": "No", "code": "max_value"}]}


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (exceptions.ValidationError({"n": "No"}), "invalid"),
        (matches_errors.BadTerms("No", fields={"n": "No"}), "bad-terms"),
    ],
)
def test_the_errors_of_a_field_are_always_a_list(error: Exception, code: str) -> None:
    assert problem_of(post(b"{}", error=error))["context"]["fields"] == {
        "n": [{"message": "No", "code": code}]
    }


@pytest.mark.parametrize("error", [ZeroDivisionError(), IntegrityError(), KeyError("x")])
def test_a_bug_is_not_softened(error: Exception) -> None:
    with pytest.raises(type(error)):
        post(b"{}", error=error)


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (ZeroDivisionError(), 500, "server_error"),
        (OperationalError("the database has gone"), 503, "unavailable"),
        (_refused_for_good(), 500, "server_error"),
        (BadRequest(), 400, "bad_request"),
    ],
)
def test_what_no_view_answers_is_a_problem_too(
    monkeypatch: pytest.MonkeyPatch, error: Exception, status: int, code: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(ClubViewSet, "list", fail)
    answer = Client(raise_request_exception=False).get("/api/v1/clubs/")
    assert answer.status_code == status
    assert problem_of(answer)["code"] == code
    assert "<" not in problem_of(answer)["title"]


def test_an_address_for_another_host_is_a_problem(client: Client) -> None:
    assert problem_of(client.get("/api/v1/clubs/", headers={"host": "anything.example"}))["status"] == 400


@pytest.mark.parametrize("half", [r"\ud800", r"x\uDFFFy", r"\udc00\ud800"])
@pytest.mark.parametrize("shape", ['{"n": "%s"}', '{"%s": 1}', '[{"deep": ["%s"]}]'])
def test_half_a_surrogate_pair_is_no_text(half: str, shape: str) -> None:
    answer = post((shape % half).encode())
    assert answer.status_code == 400
    assert problem_of(answer)["code"] == "not_json"


def test_a_whole_surrogate_pair_is_a_letter() -> None:
    assert post(rb'{"n": "\ud83c\udfb2 \u00fc"}').data == {"n": "🎲 ü"}


def every_error(root: type[Exception]) -> list[type[Exception]]:
    return [root, *(each for child in root.__subclasses__() for each in every_error(child))]


OURS = [
    *every_error(players_errors.PlayersError),
    *every_error(matches_errors.MatchError),
    *every_error(tournaments_errors.TournamentError),
]


@pytest.mark.parametrize("kind", OURS)
def test_every_refusal_of_ours_has_a_status(kind: type[Exception]) -> None:
    assert 400 <= kind.status < 500  # type: ignore[attr-defined]
    assert kind.code == kind.code.lower()  # type: ignore[attr-defined]


def test_codes_are_each_used_once() -> None:
    # The root of all refusals in `players` is never raised itself.
    codes = [kind.code for kind in set(OURS) - {players_errors.PlayersError}]  # type: ignore[attr-defined]
    assert sorted(codes) == sorted(set(codes))


# Bodies


def test_json_is_read() -> None:
    assert json.loads(post(b'{"a": [1, 2.5, "x", null, true], "b": "\xc3\xbc"}').content) == {
        "a": [1, 2.5, "x", None, True], "b": "ü"
    }  # fmt: skip


@pytest.mark.parametrize("depth", [1, DEEPEST])
@pytest.mark.parametrize("shape", ["[]", "{}"])
def test_json_as_deep_as_allowed_is_read(depth: int, shape: str) -> None:
    text = "[" * depth + "]" * depth if shape == "[]" else '{"a":' * (depth - 1) + "{}" + "}" * (depth - 1)
    assert post(text.encode()).status_code == 200


@pytest.mark.parametrize("depth", [DEEPEST + 1, 1000, 100_000])
@pytest.mark.parametrize("shape", ["[", '{"a":', '[{"a":'])
def test_json_that_is_deeper_is_refused_and_never_a_failure(depth: int, shape: str) -> None:
    answer = post((shape * depth).encode())
    assert answer.status_code == 400
    assert problem_of(answer)["code"] == "too_deep"


def test_brackets_inside_strings_are_no_depth() -> None:
    text = json.dumps({"a": "[" * 500 + '"\\' + "{" * 500, "b\\": "[["})
    assert json.loads(post(text.encode()).content) == json.loads(text)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"nonsense", b"{'a': 1}", b'{"a": NaN}', b'{"a": Infinity}', b'[-Infinity]', b'{"a": 1}}', b'{"a": 1,}',
     b"[1" + b"0" * 5000 + b"]", b'\xff\xfe{"a": 1}', b'{"a": "\xff"}', b'{"a": "\xed\xa0\x80"}', b"\x00", b"]" * 1000],
)  # fmt: skip
def test_what_is_not_json_is_refused_and_never_a_failure(content: bytes) -> None:
    answer = post(content)
    if content == b"":
        assert answer.status_code == 200, "no body at all is no data"
        return
    assert answer.status_code == 400
    assert problem_of(answer)["code"] in {"not_json", "too_deep"}


@pytest.mark.parametrize(
    "content",
    [
        rb'{"score": [7, 5], "act": "result", "score": [5, 7]}',
        rb'{"ratings": [{"score": 1500, "score": 1700}]}',
        rb'{"score": 1, "\u0073core": 1}',
        rb'{"score": {"score": 1}, "score": 1, "score": null}',
    ],
)
def test_a_name_that_an_object_has_twice_is_refused(content: bytes) -> None:
    answer = post(content)
    assert answer.status_code == 400
    (said,) = problem_of(answer)["context"]["fields"]["score"]
    assert said == {"code": "repeated_field", "message": "Send this once."}


def test_a_name_that_is_no_text_is_refused_twice_as_well() -> None:
    answer = post(rb'{"\ud800": 1, "\ud800": 2}')
    assert answer.status_code == 400
    assert problem_of(answer)["code"] == "not_json"


@pytest.mark.parametrize(
    ("charset", "encode"),
    [
        ("zlib", lambda text: zlib.compress(text)),
        ("base64", lambda text: base64.encodebytes(text)),
        ("hex", lambda text: text.hex().encode()),
        ("rot13", lambda text: text),
        ("utf-7", lambda text: text),
        ("idna", lambda text: text),
        ("nonsense", lambda text: text),
    ],
)
def test_json_is_utf_8_whatever_the_head_says(charset: str, encode: Any) -> None:
    """RFC 8259; Python's other codecs unpack, and a megabyte may unpack to a thousand."""
    content = encode(b'{"a": "' + b"x" * 1000 + b'"}')
    answer = post(content, content_type=f"application/json; charset={charset}")
    assert answer.status_code in {200, 400}
    if answer.status_code == 200:
        assert json.loads(answer.content) == {"a": "x" * 1000}
        assert content.startswith(b"{")


@pytest.mark.parametrize("content", [b"[" * 1_000_000, b"[1," * 250_000])
def test_a_megabyte_of_brackets_is_refused_before_anything_is_built(
    content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[str] = []
    monkeypatch.setattr(wire, "json", SimpleNamespace(loads=lambda text, **_: built.append(text)))
    assert problem_of(post(content))["code"] == "too_deep"
    assert built == []


def test_a_megabyte_of_brackets_in_a_string_is_text() -> None:
    assert post(b'["' + b"[" * 999_000 + b'"]').status_code == 200


def test_only_json_is_read() -> None:
    assert (
        problem_of(post(b"a=1", content_type="application/x-www-form-urlencoded"))["code"]
        == "unsupported_media_type"
    )
    assert post(b"<a/>", content_type="text/xml").status_code == 415


# Addresses


@pytest.mark.parametrize(
    "path", ["/api/", "/api/v1/nothing/", "/api/v2/clubs/", "/api/v1/clubs/nobody/", "/api/v1/..%2f"]
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_an_address_that_leads_nowhere_is_a_problem_too(client: Client, path: str, method: str) -> None:
    answer = getattr(client, method)(path)
    assert answer.status_code in {404, 405}
    body = problem_of(answer)
    assert body["code"] in {"not_found", "method_not_allowed"}
    assert "csrf" not in answer.content.decode().lower()


def test_an_address_that_leads_nowhere_asks_for_no_secret_of_a_form() -> None:
    answer = Client(enforce_csrf_checks=True).post("/api/v1/nothing/")

    assert answer.status_code == 404
    assert problem_of(answer)["code"] == "not_found"


@pytest.mark.parametrize("path", ["clubs/", "events/0123456789/acts/", "matches/0123456789/pulse/"])
def test_what_there_is_stands_in_the_schema_alone(client: Client, path: str) -> None:
    client.force_login(User.objects.create_user("ada@example.org", name="Ada"))
    answer = client.options(f"/api/v1/{path}")

    assert answer.status_code == 405
    assert problem_of(answer)["code"] == "method_not_allowed"


def test_pages_end(client: Client) -> None:
    from config.wire import ApiPagination

    assert ApiPagination.page_size == 50
    assert ApiPagination.max_page_size == 200
    assert client.get("/api/v1/clubs/?page=9999").status_code == 404
    assert client.get("/api/v1/clubs/?page_size=100000").status_code == 200


@pytest.mark.parametrize(
    "path",
    ["/api/v1/clubs/%00/", "/api/v1/players/%00/", "/api/v1/matches/%00/analysis/", "/events/%00/money/"],
)
def test_nul_in_a_path_is_not_found_without_a_query(
    client: Client, path: str, django_assert_num_queries: Callable[[int], Any]
) -> None:
    with django_assert_num_queries(0):
        assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    "address", ["/play/?opponent=%00", "/manifest.webmanifest?club=a%00b", "/players/?q=%00"]
)
def test_nul_in_a_query_of_a_page_is_refused(client: Client, address: str) -> None:
    assert client.get(address).status_code == 400


@pytest.mark.long
def test_the_schema_is_put_together_once_for_each_language_and_form(client: Client) -> None:
    def look(**headers: str) -> HttpResponse:
        return client.get("/api/v1/schema/", headers=headers)  # type: ignore[return-value]

    plain, json_ = look(), look(Accept="application/json")
    german = look(Accept_Language="de")

    assert plain["Content-Type"].startswith("application/vnd.oai.openapi;")
    assert json_["Content-Type"].startswith("application/json;")
    assert len({plain["ETag"], json_["ETag"], german["ETag"]}) == 3
    assert look().content == plain.content
    assert look(If_None_Match=plain["ETag"]).status_code == 304
    packed = look(Accept_Encoding="gzip")
    assert packed["Content-Encoding"] == "gzip"
    again = look(Accept_Encoding="gzip", If_None_Match=packed["ETag"])
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.long
@pytest.mark.share
def test_the_schema_can_be_read_and_lists_what_there_is(client: Client) -> None:
    answer = client.get("/api/v1/schema/?format=json")
    assert answer.status_code == 200
    schema = json.loads(answer.content)
    for prefix, *_ in api_routes.router.registry:
        plain = prefix.partition("(")[0]
        assert any(path.startswith(f"/api/v1/{plain}") for path in schema["paths"])


@pytest.mark.long
@pytest.mark.share
def test_no_two_shapes_share_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    """Only one of them would be described, and the other one's answers would not be what the schema says."""
    GENERATOR_STATS.reset()
    SchemaGenerator().get_schema(request=None, public=True)
    assert capsys.readouterr().err == ""


@pytest.mark.long
@pytest.mark.share
def test_only_what_is_read_is_paged(client: Client) -> None:
    """Recorded lines of money were described as a page, and are an array."""
    paths = json.loads(client.get("/api/v1/schema/?format=json").content)["paths"]
    shape = paths["/api/v1/events/{key}/money/lines/"]["post"]["responses"]["201"]["content"][
        "application/json"
    ]
    assert shape["schema"] == {"type": "array", "items": {"$ref": "#/components/schemas/MoneyLine"}}
    changing = [each for at in paths.values() for method, each in at.items() if method != "get"]
    assert "Paginated" not in json.dumps(changing)


def test_the_schema_has_public_names(client: Client) -> None:
    """Generated clients name their classes by them."""
    names = json.loads(client.get("/api/v1/schema/?format=json").content)["components"]["schemas"]
    private = re.compile(r"_|New[A-Z]|(Paginated|Patched)?\w*(Shape|Serializer)(List)?$")
    assert [name for name in names if private.match(name)] == []
    assert {"Event", "EventRequest", "Pairing", "PaginatedPairingList"} <= names.keys()
    # Two that differ in nothing but their case are one class in some languages.
    assert len({name.casefold() for name in names}) == len(names)


def test_what_the_framework_refuses_is_refused_in_the_callers_language(client: Client) -> None:
    answer = client.get("/api/v1/turns/", headers={"Accept-Language": "de"})
    assert answer.status_code == 401
    assert problem_of(answer)["title"] == "Anmeldedaten fehlen."
