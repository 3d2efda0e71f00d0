"""System checks of the runtime before pages are served."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core.checks import run_checks
from django.db import connection
from django.db.backends.sqlite3.base import Database

from runtime.install import checks
from tests.runtime.support import until
from tests.services import free_port

ids = lambda issues: [issue.id for issue in issues]  # noqa: E731


@pytest.mark.parametrize(
    ("version", "is_sound"),
    [
        ((3, 40, 1), False),
        ((3, 51, 1), False),
        ((3, 51, 2), False),
        ((3, 51, 3), True),
        ((3, 52, 0), True),
        ((3, 53, 4), True),
        ((4, 0, 0), True),
    ],
)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="asks SQLite")
def test_a_sqlite_with_the_wal_reset_bug_is_warned_of(
    monkeypatch: pytest.MonkeyPatch, version: tuple[int, ...], is_sound: bool
) -> None:
    monkeypatch.setattr(Database, "sqlite_version_info", version)
    monkeypatch.setattr(Database, "sqlite_version", ".".join(map(str, version)))
    issues = checks.check_sqlite(databases=["default"])
    assert ids(issues) == ([] if is_sound else ["runtime.W001"])
    if issues:
        assert ".".join(map(str, version)) in issues[0].msg


def test_the_database_is_not_asked_unless_it_is_named() -> None:
    assert checks.check_sqlite(databases=None) == []
    assert checks.check_postgresql_durability(databases=None) == []


@pytest.mark.services
@pytest.mark.django_db
@pytest.mark.parametrize(("value", "found"), [("on", []), ("off", ["runtime.E001"])])
def test_a_postgresql_that_may_lose_what_it_acknowledged_is_refused(value: str, found: list[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL synchronous_commit = {value}")
    assert ids(checks.check_postgresql_durability(databases=["default"])) == found


def test_a_redis_that_does_not_answer_is_warned_of_and_keeps_nothing_shut(settings: Any) -> None:
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    assert ids(checks.check_redis_persistence()) == ["runtime.W003"]
    settings.REDIS_URL = ""
    assert checks.check_redis_persistence() == []


@pytest.mark.services
@pytest.mark.parametrize(("appendonly", "found"), [("yes", []), ("no", ["runtime.W002"])])
def test_a_redis_that_forgets_its_queues_is_warned_of(
    settings: Any, tmp_path: Path, appendonly: str, found: list[str]
) -> None:
    port = free_port()
    command = [
        "redis-server",
        "--port",
        str(port),
        "--bind",
        "127.0.0.1",
        "--dir",
        str(tmp_path),
        "--appendonly",
        appendonly,
    ]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        settings.REDIS_URL = f"redis://127.0.0.1:{port}/0"
        until(lambda: "runtime.W003" not in ids(checks.check_redis_persistence()))
        assert ids(checks.check_redis_persistence()) == found
    finally:
        server.kill()
        server.wait()


@pytest.mark.parametrize(
    ("redirects", "header", "found"),
    [
        (False, None, []),
        (True, ("HTTP_X_FORWARDED_PROTO", "https"), []),
        (True, None, ["runtime.E005"]),
    ],
)
def test_a_public_address_behind_a_proxy_that_is_not_believed_is_refused(
    settings: Any, redirects: bool, header: Any, found: list[str]
) -> None:
    settings.SECURE_SSL_REDIRECT, settings.SECURE_PROXY_SSL_HEADER = redirects, header
    assert ids(checks.check_https()) == found


def test_no_page_runs_inline_scripts_and_the_api_is_closed_by_default() -> None:
    assert settings.CONTENT_SECURITY_POLICY["script-src"] == "'self'"
    assert settings.REST_FRAMEWORK["DEFAULT_PERMISSION_CLASSES"] == [
        "rest_framework.permissions.IsAuthenticated"
    ]


@pytest.mark.django_db
def test_our_checks_are_registered() -> None:
    assert run_checks(tags=["database", "barpoint"], databases=["default"]) is not None
    names = {check.__name__ for check in checks.register.__self__.get_checks(include_deployment_checks=True)}  # type: ignore[attr-defined]
    assert {
        "check_sqlite",
        "check_postgresql_durability",
        "check_redis_persistence",
    } <= names


@pytest.mark.parametrize(
    ("version", "found"),
    [
        ((3, 11, 9), ["runtime.W004"]),
        ((3, 11, 10), []),
        ((3, 12, 5), ["runtime.W004"]),
        ((3, 12, 6), []),
        ((3, 13, 0), []),
    ],
)
def test_a_python_with_known_holes_is_warned_of(
    monkeypatch: pytest.MonkeyPatch, version: tuple[int, ...], found: list[str]
) -> None:
    monkeypatch.setattr(checks.sys, "version_info", version)
    assert ids(checks.check_python()) == found


def test_no_model_has_a_key_of_several_columns() -> None:
    """SQLite cannot look them up in bulk (runtime/sqlite/base.py)."""
    assert [model for model in apps.get_models() if len(model._meta.pk_fields) > 1] == []
