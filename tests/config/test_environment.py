"""The readings of the environment: what can be used is used, what cannot is refused by name."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import kombu
import pytest
from django.core.exceptions import ImproperlyConfigured

from config import environment as env
from tests.runtime.support import ROOT, clean_environment, together

NAME = "BARPOINT_TEST_VALUE"


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Callable[[str | None], None]:
    def _given(value: str | None) -> None:
        if value is None:
            monkeypatch.delenv(NAME, raising=False)
        else:
            monkeypatch.setenv(NAME, value)

    return _given


@pytest.mark.parametrize(
    ("value", "read"), [(None, "d"), ("", "d"), ("  ", "d"), ("x", "x"), (" x y ", "x y")]
)
def test_text(given: Any, value: str | None, read: str) -> None:
    given(value)
    assert env.read_string(NAME, "d") == read


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (None, 5),
        ("", 5),
        ("0", 0),
        (" 7 ", 7),
        ("9", 9),
        ("-1", None),
        ("10", None),
        ("x", None),
        ("1.5", None),
    ],
)
def test_integer(given: Any, value: str | None, read: int | None) -> None:
    given(value)
    if read is not None:
        assert env.read_integer(NAME, 5, most=9) == read
    else:
        with pytest.raises(ImproperlyConfigured, match=NAME):
            env.read_integer(NAME, 5, most=9)


@pytest.mark.parametrize("default", [False, True])
@pytest.mark.parametrize(
    ("value", "read"),
    [(None, "default"), ("", "default"), (" ", "default"), ("1", True), ("true", True), ("YES", True), ("On", True), ("0", False),
     ("false", False), ("No", False), ("off", False), ("2", None), ("maybe", None)],
)  # fmt: skip
def test_flag(given: Any, value: str | None, read: Any, default: bool) -> None:
    """An empty value counts as not set (docs/operations.md)."""
    given(value)
    if read is None:
        with pytest.raises(ImproperlyConfigured, match=NAME):
            env.read_flag(NAME, default=default)
    else:
        assert env.read_flag(NAME, default=default) is (default if read == "default" else read)


@pytest.mark.parametrize(
    ("value", "read"), [(None, []), ("", []), ("a", ["a"]), (" a, b,,c ,", ["a", "b", "c"]), (",", [])]
)
def test_words(given: Any, value: str | None, read: list[str]) -> None:
    given(value)
    assert env.read_words(NAME) == read


@pytest.mark.parametrize(("value", "read"), [(None, "a"), ("", "a"), ("b", "b"), ("c", None), ("A", "a")])
def test_choice(given: Any, value: str | None, read: str | None) -> None:
    given(value)
    if read is None:
        with pytest.raises(ImproperlyConfigured, match=rf"{NAME}.*a, b"):
            env.read_choice(NAME, ("a", "b"))
    else:
        assert env.read_choice(NAME, ("a", "b")) == read


@pytest.mark.parametrize(
    ("value", "is_good"),
    [(None, True), ("", True), ("http://a", True), ("https://a/b", True), ("ftp://a", False), ("a.example", False), ("httpx://a", False),
     ("https://[::1", False)],
)  # fmt: skip
def test_address(given: Any, value: str | None, is_good: bool) -> None:
    given(value)
    if is_good:
        assert env.read_url(NAME, ("http", "https"), "http://default") == (value or "http://default")
    else:
        with pytest.raises(ImproperlyConfigured, match=NAME):
            env.read_url(NAME, ("http", "https"))


# The key


def test_a_key_that_is_given_is_used_and_none_is_made(given: Any, tmp_path: Path) -> None:
    given("given")
    assert env.read_secret(NAME, tmp_path / "key") == "given"
    assert list(tmp_path.iterdir()) == []


def test_a_key_is_made_once_long_and_for_its_owner_alone(given: Any, tmp_path: Path) -> None:
    given(None)
    before = os.umask(0)
    try:
        key = env.read_secret(NAME, tmp_path / "deeper" / "key")
    finally:
        os.umask(before)
    assert len(key) >= 50
    assert env.read_secret(NAME, tmp_path / "deeper" / "key") == key
    assert stat.S_IMODE((tmp_path / "deeper" / "key").stat().st_mode) == 0o600
    assert [each.name for each in (tmp_path / "deeper").iterdir()] == ["key"]
    assert env.read_secret(NAME, tmp_path / "other") != key


def test_at_no_moment_may_others_read_the_key(
    given: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(None)
    modes: list[int] = []
    real = os.link

    def link(source: Any, target: Any) -> None:
        modes.append(stat.S_IMODE(os.stat(source).st_mode))
        real(source, target)

    opened: list[int] = []
    real_open = os.open

    def open_and_note(path: Any, flags: int, mode: int = 0o777, **more: Any) -> int:
        if "key" in str(path):
            opened.append(mode)
        return real_open(path, flags, mode, **more)

    monkeypatch.setattr(os, "link", link)
    monkeypatch.setattr(os, "open", open_and_note)
    env.read_secret(NAME, tmp_path / "key")
    assert modes == [0o600]
    assert opened == [0o600], "the file is made closed, and not closed later"


def test_a_key_file_that_a_power_cut_left_empty_is_filled(given: Any, tmp_path: Path) -> None:
    given(None)
    (tmp_path / "key").touch()
    key = env.read_secret(NAME, tmp_path / "key")
    assert len(key) >= 50
    assert env.read_secret(NAME, tmp_path / "key") == key


@pytest.mark.long
def test_of_eight_first_starts_one_key_wins_for_all(given: Any, tmp_path: Path) -> None:
    given(None)
    for round_ in range(20):
        path = tmp_path / f"key {round_}"
        assert len(set(together(8, lambda _, path=path: env.read_secret(NAME, path)))) == 1
    assert len(list(tmp_path.iterdir())) == 20


def test_of_two_processes_one_key_wins_for_both(tmp_path: Path) -> None:
    code = "import sys\nfrom pathlib import Path\nfrom config import environment\nprint(environment.read_secret('X', Path(sys.argv[1])))"
    command = [sys.executable, "-c", code, str(tmp_path / "key")]
    rivals = [
        subprocess.Popen(
            command,
            cwd=ROOT,
            env=clean_environment(DATA_DIR=str(tmp_path)),
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    keys = {rival.communicate(timeout=60)[0] for rival in rivals}
    assert len(keys) == 1
    assert len(keys.pop()) > 50


# The database


def database(url: str, tmp_path: Path) -> dict[str, Any]:
    return env.build_database_settings(url, sqlite_path=tmp_path / "default.sqlite3", connections=8)


def test_without_an_address_it_is_the_gated_sqlite(tmp_path: Path) -> None:
    settings = database("", tmp_path)
    assert (settings["ENGINE"], settings["NAME"]) == ("runtime.sqlite", tmp_path / "default.sqlite3")
    options = settings["OPTIONS"]
    assert options["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in options["init_command"]
    assert "synchronous=FULL" in options["init_command"]


@pytest.mark.parametrize(
    "url", ["sqlite:///var/lib/my%20club/b.sqlite3", "sqlite:////var/lib/my%20club/b.sqlite3"]
)
def test_a_sqlite_address_names_the_file(tmp_path: Path, url: str) -> None:
    settings = database(url, tmp_path)
    assert (settings["ENGINE"], str(settings["NAME"])) == ("runtime.sqlite", "/var/lib/my club/b.sqlite3")


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        (
            "postgresql://kit:pass@db.example:5433/club",
            {"NAME": "club", "USER": "kit", "PASSWORD": "pass", "HOST": "db.example", "PORT": "5433"},
        ),
        ("postgres://db/club", {"NAME": "club", "USER": "", "PASSWORD": "", "HOST": "db", "PORT": ""}),
        (
            "postgresql://kit:p%40ss%2Fw%3Ao%25rd%23@db/my%20club",
            {"PASSWORD": "p@ss/w:o%rd#", "NAME": "my club"},
        ),
        ("postgresql://k%40t@db/club", {"USER": "k@t", "PASSWORD": ""}),
        ("postgresql://kit@[::1]:5432/club", {"HOST": "::1", "PORT": "5432"}),
    ],
)
def test_a_postgresql_address_gives_its_parts(tmp_path: Path, url: str, wanted: dict[str, str]) -> None:
    settings = database(url, tmp_path)
    assert settings["ENGINE"] == "runtime.postgresql"
    assert {name: settings[name] for name in wanted} == wanted


def test_options_of_the_address_reach_the_server_beside_ours(tmp_path: Path) -> None:
    options = database(
        "postgresql:///club?sslmode=require&host=/run/pg&target_session_attrs=read-write", tmp_path
    )["OPTIONS"]
    assert options["sslmode"] == "require"
    assert options["host"] == "/run/pg"
    assert options["target_session_attrs"] == "read-write"
    assert "statement_timeout" in options["options"]
    assert options["pool"]["max_size"] == 8


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://db:port/club",
        "postgresql://db:99999/club",
        "postgresql://db/",
        "postgresql://db",
        "sqlite://",
    ],
)
def test_an_address_that_names_no_database_is_refused_by_name(tmp_path: Path, url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL"):
        database(url, tmp_path)


def test_a_service_file_may_name_the_database(tmp_path: Path) -> None:
    assert database("postgresql:///?service=club", tmp_path)["OPTIONS"]["service"] == "club"


def test_a_password_is_not_told_when_an_address_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        database("postgresql://kit:hunter2@db:99999/club", tmp_path)
    assert "hunter2" not in str(refused.value)


# Mail


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        (
            "smtp://mail.example",
            {"HOST": "mail.example", "PORT": 587, "USE_TLS": True, "USE_SSL": False, "HOST_USER": ""},
        ),
        (
            "smtps://k%40x:p%2Fw@mail.example",
            {"PORT": 465, "USE_TLS": False, "USE_SSL": True, "HOST_USER": "k@x", "HOST_PASSWORD": "p/w"},
        ),
        ("smtp://localhost:1025", {"HOST": "localhost", "PORT": 1025, "USE_TLS": False, "USE_SSL": False}),
        ("smtp://127.0.0.1", {"PORT": 587, "USE_TLS": False}),
    ],
)
def test_a_mail_address_gives_its_parts(tmp_path: Path, url: str, wanted: dict[str, Any]) -> None:
    settings = env.build_mail_settings(url, folder=tmp_path)
    assert settings["EMAIL_BACKEND"].endswith("smtp.EmailBackend")
    assert settings["EMAIL_TIMEOUT"] == 10
    assert {name: settings[f"EMAIL_{name}"] for name in wanted} == wanted


def test_without_a_mail_server_emails_are_files(tmp_path: Path) -> None:
    settings = env.build_mail_settings("", folder=tmp_path)
    assert settings["EMAIL_BACKEND"].endswith("filebased.EmailBackend")
    assert settings["EMAIL_FILE_PATH"] == tmp_path


def test_a_mail_port_that_is_none_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match="EMAIL_URL"):
        env.build_mail_settings("smtp://mail.example:smtp", folder=tmp_path)


# Secrets in files


def test_a_value_may_stand_in_a_file(given: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given(None)
    file = tmp_path / "value"
    file.write_text(" from a file \n")
    monkeypatch.setenv(f"{NAME}_FILE", str(file))
    assert env.read_string(NAME) == "from a file"
    file.write_text("\n")
    assert env.read_string(NAME, "the default") == "the default"
    file.unlink()
    with pytest.raises(ImproperlyConfigured, match=f"{NAME}_FILE cannot be read: No such file"):
        env.read_string(NAME)
    file.write_bytes(b"\xff")
    with pytest.raises(ImproperlyConfigured, match="it is not text"):
        env.read_string(NAME)
    given("set")
    with pytest.raises(ImproperlyConfigured, match=f"{NAME} and {NAME}_FILE are both set"):
        env.read_string(NAME)


def test_an_empty_file_is_no_key_and_no_other_is_made(
    given: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(None)
    (tmp_path / "value").touch()
    monkeypatch.setenv(f"{NAME}_FILE", str(tmp_path / "value"))
    with pytest.raises(ImproperlyConfigured, match=f"{NAME}_FILE is empty"):
        env.read_secret(NAME, tmp_path / "key")
    assert not (tmp_path / "key").exists()


def test_the_key_of_an_example_is_no_key(given: Any, tmp_path: Path) -> None:
    given("django-insecure-make-your-own")
    with pytest.raises(ImproperlyConfigured, match="is still the example"):
        env.read_secret(NAME, tmp_path / "key")


def test_a_key_for_a_database_that_has_lost_its_own_is_not_kept(given: Any, tmp_path: Path) -> None:
    given(None)
    first, second = (env.read_secret(NAME, tmp_path / "key", is_kept=False) for _ in range(2))
    assert len(first) >= 50
    assert first != second
    assert not (tmp_path / "key").exists()
    (tmp_path / "key").write_text("the one")
    assert env.read_secret(NAME, tmp_path / "key", is_kept=False) == "the one"


@pytest.mark.parametrize(
    ("url", "password", "whole"),
    [
        ("redis://cache:6379/0", "a/b@c:d", "redis://:a%2Fb%40c%3Ad@cache:6379/0"),
        ("postgres://barpoint@db/club", "secret", "postgres://barpoint:secret@db/club"),
        ("postgres://barpoint@db/club", "", "postgres://barpoint@db/club"),
        ("unix:///run/redis.sock", "secret", "unix://:secret@/run/redis.sock"),
    ],
)
def test_a_password_may_come_on_its_own(
    given: Any, monkeypatch: pytest.MonkeyPatch, url: str, password: str, whole: str
) -> None:
    given(url)
    monkeypatch.setenv("A_PASSWORD", password)
    schemes = ("redis", "postgres", "unix")
    assert env.read_url(NAME, schemes, credential="A_PASSWORD") == whole


@pytest.mark.parametrize(
    ("url", "broker"),
    [
        ("redis://:secret@cache:6379/1", "redis://:secret@cache:6379/1"),
        ("unix:///run/redis.sock?db=2", "redis+socket:///run/redis.sock?virtual_host=2"),
        ("unix://:secret@/run/redis.sock", "redis+socket://:secret@/run/redis.sock?virtual_host=0"),
    ],
)
def test_celery_finds_the_redis_of_the_other_processes(url: str, broker: str) -> None:
    assert env.build_broker_url(url) == broker
    assert kombu.Connection(broker).transport.driver_type == "redis"


def test_of_two_passwords_neither_is_used(given: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    given("postgres://barpoint:one@db/club")
    monkeypatch.setenv("A_PASSWORD", "two")
    with pytest.raises(ImproperlyConfigured, match="has a password of its own already") as refused:
        env.read_url(NAME, ("postgres",), credential="A_PASSWORD")
    assert "one" not in str(refused.value).replace(NAME, "")
