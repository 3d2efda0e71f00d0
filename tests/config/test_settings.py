"""The settings as whole processes see them: at home, on a public address, and with a wrong value."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import environment
from tests.runtime.support import python

PRINT = """
import json
from config import settings
print(json.dumps({name: getattr(settings, name) for name in dir(settings) if name.isupper()}, default=lambda value: str(value) if hasattr(value, 'parts') else repr(type(value))))
"""


def settings_with(folder: Path, **extra: str) -> dict[str, Any]:
    done = python(PRINT, DATA_DIR=str(folder), **extra)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def at_home(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return settings_with(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def in_public(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return settings_with(
        tmp_path_factory.mktemp("public"),
        PUBLIC_URL="https://club.example/",
        ALLOWED_HOSTS="www.club.example, 10.0.0.5",
        TRUSTED_PROXIES="1",
        EMAIL_URL="smtp://kit:pw@mail.example",
        DATABASE_URL="postgresql://kit:p%40ss@db/club?sslmode=require",
        REDIS_URL="redis://:pw@redis:6379/0",
        SECRET_KEY="a-key-of-the-operator",
        SECRET_KEY_FALLBACKS="older,oldest",
        WEB_THREADS="6",
    )


def test_at_home_nothing_has_to_be_set(at_home: dict[str, Any]) -> None:
    assert at_home["PUBLIC_URL"] == "http://localhost:8000"
    assert at_home["HOST"] == "127.0.0.1"
    assert at_home["DEBUG"] is False
    assert at_home["DATABASES"]["default"]["ENGINE"] == "runtime.sqlite"
    assert at_home["CELERY_BROKER_URL"] == ""
    assert all(
        cache["BACKEND"] == "runtime.http.rate_limits.CounterCache" for cache in at_home["CACHES"].values()
    )
    assert at_home["ACCOUNT_EMAIL_VERIFICATION"] == "optional"
    assert len(at_home["SECRET_KEY"]) >= 50
    key = Path(at_home["DATA_DIR"]) / "secret_key"
    assert key.read_text().strip() == at_home["SECRET_KEY"]
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_at_home_cookies_go_over_plain_http_to_the_usual_names(at_home: dict[str, Any]) -> None:
    for name in ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT"):
        assert at_home[name] is False
    assert at_home["SECURE_HSTS_SECONDS"] == 0
    assert at_home["SECURE_CROSS_ORIGIN_OPENER_POLICY"] is None
    assert {"localhost", "127.0.0.1", "[::1]"} <= set(at_home["ALLOWED_HOSTS"])
    assert "*" not in at_home["ALLOWED_HOSTS"]
    assert at_home["SECURE_PROXY_SSL_HEADER"] is None
    assert at_home["REST_FRAMEWORK"]["NUM_PROXIES"] == 0


def test_a_public_address_switches_on_what_it_needs(in_public: dict[str, Any]) -> None:
    assert in_public["PUBLIC_URL"] == "https://club.example"
    for name in (
        "SESSION_COOKIE_SECURE",
        "CSRF_COOKIE_SECURE",
        "SECURE_SSL_REDIRECT",
        "CSRF_COOKIE_HTTPONLY",
    ):
        assert in_public[name] is True
    assert in_public["SECURE_CROSS_ORIGIN_OPENER_POLICY"] == "same-origin"
    assert in_public["SECURE_HSTS_SECONDS"] >= 365 * 24 * 3600
    assert in_public["SESSION_COOKIE_NAME"].startswith("__Host-")
    assert in_public["CSRF_COOKIE_NAME"].startswith("__Host-")
    assert in_public["ALLOWED_HOSTS"] == ["club.example", "www.club.example", "10.0.0.5"]
    assert in_public["CSRF_TRUSTED_ORIGINS"] == ["https://club.example"]
    assert in_public["SECURE_PROXY_SSL_HEADER"] == ["HTTP_X_FORWARDED_PROTO", "https"]
    assert in_public["REST_FRAMEWORK"]["NUM_PROXIES"] == 1
    assert in_public["ALLAUTH_TRUSTED_PROXY_COUNT"] == 1
    assert in_public["ACCOUNT_DEFAULT_HTTP_PROTOCOL"] == "https"
    assert in_public["ACCOUNT_EMAIL_VERIFICATION"] == "mandatory"
    assert in_public["DEFAULT_FROM_EMAIL"] == "Barpoint <barpoint@club.example>"
    assert in_public["SECRET_KEY"] == "a-key-of-the-operator"
    assert in_public["SECRET_KEY_FALLBACKS"] == ["older", "oldest"]


def test_servers_that_are_named_are_used(in_public: dict[str, Any]) -> None:
    database = in_public["DATABASES"]["default"]
    assert (database["PASSWORD"], database["HOST"]) == ("p@ss", "db")
    assert database["OPTIONS"]["sslmode"] == "require"
    assert database["OPTIONS"]["pool"]["max_size"] >= 6, "every page thread can have its connection"
    assert in_public["CELERY_BROKER_URL"] == "redis://:pw@redis:6379/0"
    assert in_public["CACHES"]["default"]["BACKEND"] == "runtime.cache.ForgivingRedisCache"
    assert in_public["CACHES"]["default"]["OPTIONS"]["socket_timeout"] <= 2


@pytest.mark.parametrize("which", ["at_home", "in_public"])
def test_work_is_acknowledged_late_and_never_sent_for_later(
    which: str, request: pytest.FixtureRequest
) -> None:
    from runtime.work import outbox

    settings = request.getfixturevalue(which)
    assert settings["CELERY_TASK_ACKS_LATE"] is True
    assert settings["CELERY_TASK_REJECT_ON_WORKER_LOST"] is True
    assert settings["CELERY_ACCEPT_CONTENT"] == ["json"]
    assert settings["CELERY_TASK_TIME_LIMIT"] < outbox.LEASE.total_seconds(), "a lease outlives its task"
    options = settings["CELERY_BROKER_TRANSPORT_OPTIONS"]
    assert options["visibility_timeout"] > settings["CELERY_TASK_TIME_LIMIT"]
    assert settings["CELERY_WORKER_DISABLE_PREFETCH"] is True, "one message for each idle process"
    assert settings["CELERY_WORKER_PREFETCH_MULTIPLIER"] == 0, "a lost acknowledgement would fill it"


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "eighty"),
        ("PUBLIC_URL", "club.example"),
        ("DATABASE_URL", "mysql://db/x"),
        ("LOG_LEVEL", "LOUD"),
    ],
)
def test_a_wrong_value_is_refused_in_a_sentence_that_names_it(tmp_path: Path, name: str, value: str) -> None:
    done = python("import config.settings", DATA_DIR=str(tmp_path), **{name: value})
    assert done.returncode != 0
    last = done.stderr.strip().splitlines()[-1]
    assert name in last
    assert "ImproperlyConfigured" in last


def test_how_an_address_is_written_does_not_change_how_safe_it_is(tmp_path: Path) -> None:
    settings = settings_with(tmp_path, PUBLIC_URL="HTTPS://Club.Example", TRUSTED_PROXIES="1")
    assert settings["SESSION_COOKIE_SECURE"] is True
    assert settings["SECURE_SSL_REDIRECT"] is True
    assert settings["CSRF_TRUSTED_ORIGINS"] == ["https://club.example"]


@pytest.mark.parametrize(
    ("url", "read"),
    [
        ("https://club.example/", "https://club.example"),
        ("HTTPS://Club.Example:8443", "https://club.example:8443"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        ("https://", None),
        ("https:/club.example", None),
        ("https://club.example/backgammon", None),
        ("https://kit@club.example", None),
    ],
)
def test_a_public_address_is_a_scheme_and_a_host(
    monkeypatch: pytest.MonkeyPatch, url: str, read: str | None
) -> None:
    """Cookies, trusted origins and links are made from it, and know no path."""
    monkeypatch.setenv("PUBLIC_URL", url)
    if read is not None:
        assert environment.read_origin("PUBLIC_URL", "http://localhost") == read
    else:
        with pytest.raises(ImproperlyConfigured, match="PUBLIC_URL"):
            environment.read_origin("PUBLIC_URL", "http://localhost")
