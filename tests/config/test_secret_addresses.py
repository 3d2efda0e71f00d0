"""No log holds what lets a person in: every route with a secret, through everything that writes a line."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import pytest
import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.log import log_response
from django.utils.regex_helper import normalize

from config.logs import build_settings
from runtime.http import middleware, url_secrets
from runtime.http.middleware import RequestLogMiddleware

# Shorter than what looks like a secret by itself.
SECRET: Final = "m1-2-3-9~sIgn"
# Names of URL parameters that are not secret: they give no access by themselves.
PUBLIC: Final = frozenset(
    {
        *("app_label", "card", "content_type_id", "day", "entrant", "entry", "export_id", "form", "friendly"),
        *(
            "id",
            "invitation_id",
            "key",
            "line",
            "logo_hash",
            "match",
            "member",
            "merge_id",
            "name",
            "notice_id",
        ),
        *(
            "number",
            "object_id",
            "other",
            "photo",
            "pk",
            "player",
            "ruling",
            "slug",
            "stage",
            "token_id",
            "uid",
            "uidb36",
        ),
        *("url", "xgid", "format", "language", "version"),
    }
)
SECRETS: Final = frozenset({"code", "token"})
# Of allauth, which calls them as we call what is public.
SECRET_KEYS: Final = frozenset({"account_confirm_email", "account_reset_password_from_key"})


class Route(NamedTuple):
    """An address with its parts, and those of them that are secret."""

    regex: str
    name: str
    parts: frozenset[str]

    @property
    def secrets(self) -> frozenset[str]:
        return self.parts & (SECRETS | ({"key"} if self.name in SECRET_KEYS else set()))

    def address(self, secret: str = SECRET) -> str:
        ((template, _names),) = normalize(self.regex)[:1]
        return "/" + template % {
            part: secret if part in self.secrets else "nightnight" for part in self.parts
        }


def walk(resolver: URLResolver, before: str, parts: frozenset[str]) -> Iterator[Route]:
    for each in resolver.url_patterns:
        regex = before + each.pattern.regex.pattern.lstrip("^").removesuffix(r"\Z").removesuffix("$")
        named = parts | each.pattern.regex.groupindex.keys()
        if isinstance(each, URLPattern):
            yield Route(regex, each.name or "", named)
        else:
            yield from walk(each, regex, named)


@cache
def routes() -> list[Route]:
    return [*walk(get_resolver(), "", frozenset())]


def secret_routes() -> list[Route]:
    return [each for each in routes() if each.secrets]


def test_every_part_of_an_address_is_known_to_be_public_or_secret() -> None:
    assert len(routes()) > 600
    unknown = {part: route.regex for route in routes() for part in route.parts - PUBLIC - SECRETS}
    assert unknown == {}, (
        "is it a secret? Then it needs a name of SECRETS and a line in runtime/http/url_secrets.py"
    )
    assert {each.name for each in routes()} >= SECRET_KEYS


def test_the_secrets_of_all_routes_are_hidden() -> None:
    found = secret_routes()
    assert len(found) >= 25
    for route in found:
        address = route.address()
        assert SECRET in address
        for text in (
            address,
            address.rstrip("/"),
            f"GET https://club.example{address}?a=1 HTTP/1.1",
            f"[('Referer', 'https://club.example{address}')]",
            f"/accounts/login/?next={quote(address)}",
            f"/accounts/login/?next={quote(address, safe='')}",
            json.dumps({"path": address, "why": f'<a href="{address}">'}),
            f"/de{address}",
            address.upper().replace(SECRET.upper(), SECRET),
        ):
            assert SECRET not in url_secrets.hide(text), text
            assert quote(SECRET, safe="") not in url_secrets.hide(text), text
        # Pages of different kinds can still be distinguished.
        assert url_secrets.hide(address) == route.address(url_secrets.HIDDEN).replace("nightnight-...", "...")


def test_what_is_public_stays_readable() -> None:
    for route in routes():
        if not route.secrets and route.regex.startswith(
            ("events", "clubs", "matches", "api/v1/events", "records")
        ):
            assert url_secrets.hide(route.address()) == route.address()


@pytest.mark.parametrize(
    "query", ["t=WORD", "a=1&t=WORD", "secret=WORD", "renew=1&t=WORD&after=3", "token=WORD", "code=WORD"]
)
def test_the_secrets_of_queries_are_hidden(query: str) -> None:
    for address in (f"/overlay/abc?{query}", quote(f"/live/?{query}", safe="")):
        assert "WORD" not in url_secrets.hide(f'"GET {address} HTTP/1.1"')


@pytest.fixture(params=["json", "console"])
def written(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """The output of the log handler, in both formats."""
    made = build_settings(level="DEBUG", shape=request.param)
    formatter = dict(made["formatters"]["structured"])
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter.pop("()")(**formatter))
    root = logging.getLogger()
    root.addHandler(handler)
    yield stream
    root.removeHandler(handler)


def test_no_logger_writes_a_secret(written: io.StringIO) -> None:
    ours = structlog.wrap_logger(
        logging.getLogger("ours"), processors=[structlog.stdlib.ProcessorFormatter.wrap_for_formatter]
    )
    for route in secret_routes():
        address = route.address()
        request = RequestFactory().get(address, headers={"referer": f"http://testserver{address}"})
        log_response(
            "%s: %s",
            "Internal Server Error",
            request.path,
            response=HttpResponse(status=500),
            request=request,
        )
        logging.getLogger("django.security.csrf").warning("Forbidden (%s): %s", "Origin", request.path)
        logging.getLogger("uvicorn.error").error('127.0.0.1 - "GET %s HTTP/1.1" 500', address)
        logging.getLogger("celery.app.trace").error("Task raised", extra={"data": {"args": [address]}})
        ours.error("slow", path=address, headers=dict(request.headers))
        try:
            raise ValueError(f"no view for {address}")
        except ValueError:
            logging.getLogger("anybody").exception("failed")
            ours.exception("failed", exc_info=True)

    text = written.getvalue()

    assert "Internal Server Error: " in text
    assert "/m/..." in text
    assert SECRET not in text


def test_the_line_of_each_request_hides_them(monkeypatch: pytest.MonkeyPatch) -> None:
    with structlog.testing.capture_logs() as lines:
        monkeypatch.setattr(middleware, "log", structlog.wrap_logger(structlog.PrintLogger()))
        for route in secret_routes():
            RequestLogMiddleware(lambda _request: HttpResponse())(RequestFactory().get(route.address()))

    assert len(lines) == len(secret_routes())
    assert SECRET not in str(lines)


@pytest.mark.django_db
def test_other_sites_are_not_sent_the_address() -> None:
    for path in (
        f"/m/{SECRET}/",
        f"/d/{SECRET}/",
        f"/join/{SECRET}/",
        f"/helping/{SECRET}/",
        f"/api/v1/codes/{SECRET}/",
    ):
        answer: Any = Client().get(path)
        assert answer.headers["Referrer-Policy"] == "same-origin", path
    assert settings.SECURE_REFERRER_POLICY == "same-origin"


def test_a_request_is_found_by_its_kind_of_page() -> None:
    request = HttpRequest()
    request.path = f"/m/{SECRET}/photos/1.jpg"
    assert middleware._format_path(request) == "/m/.../photos/1.jpg"
