"""Preparation before pages are served: the database is migrated, and an older one is copied first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.checks import Error, run_checks
from django.core.checks import Warning as Note
from django.db import connection
from django.db.migrations.exceptions import NodeNotFoundError
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import OperationalError

from config import preparation
from runtime.install import readiness

pytestmark = pytest.mark.django_db


class Executor:
    """A migration executor of which the test says what is missing and what was there."""

    missing: tuple[str, ...] = ()
    applied: tuple[str, ...] = ()

    def __init__(self, _connection: object) -> None:
        self.loader: Any = self
        self.graph: Any = self
        self.replacements: dict[str, str] = {}
        self.nodes: dict[str, str] = {}
        self.applied_migrations = self.applied

    def leaf_nodes(self) -> list[str]:
        return []

    def migration_plan(self, _targets: object) -> tuple[str, ...]:
        return self.missing


@pytest.fixture
def acts(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    def run(*, missing: tuple[str, ...], applied: tuple[str, ...], vendor: str = "sqlite") -> list[str]:
        done: list[str] = []
        monkeypatch.setattr(Executor, "missing", missing)
        monkeypatch.setattr(Executor, "applied", applied)
        monkeypatch.setattr(readiness, "MigrationExecutor", Executor)
        monkeypatch.setattr(preparation, "connection", SimpleNamespace(vendor=vendor))
        monkeypatch.setattr(
            preparation.held_copies, "copy_sqlite", lambda path, now: done.append(f"copy {path.name[:14]}")
        )
        monkeypatch.setattr(preparation, "call_command", lambda name, **_: done.append(name))
        preparation.migrate_database()
        return done

    return run


def test_a_current_database_is_left_alone(acts: Any) -> None:
    assert acts(missing=(), applied=("0001",)) == []


def test_a_new_database_is_made_and_an_old_one_is_copied_before_it_is_changed(acts: Any) -> None:
    assert acts(missing=("0001",), applied=()) == ["migrate"]
    assert acts(missing=("0002",), applied=("0001",)) == ["copy before-upgrade", "migrate"]
    assert acts(missing=("0002",), applied=("0001",), vendor="postgresql") == ["migrate"]


def test_each_stage_that_takes_a_while_is_said(acts: Any, capsys: pytest.CaptureFixture[str]) -> None:
    acts(missing=(), applied=("0001",))
    assert capsys.readouterr().out == ""
    acts(missing=("0001",), applied=())
    assert capsys.readouterr().out == "Making the database ...\n"
    acts(missing=("0002",), applied=("0001",))
    assert capsys.readouterr().out == "Copying the database ...\nBringing the database up to date ...\n"


def test_no_change_of_a_model_is_without_its_migration() -> None:
    assert (
        MigrationExecutor(connection).migration_plan(MigrationExecutor(connection).loader.graph.leaf_nodes())
        == []
    )


def test_a_database_that_is_away_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(_connection: object) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(readiness, "MigrationExecutor", away)
    with pytest.raises(preparation.Refusal, match="The database does not answer: connection refused"):
        preparation.migrate_database()


def test_a_database_of_before_the_first_release_is_current_only_if_it_had_all_migrations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first release's migration replaces the single ones (`replaces`)."""

    def found() -> list[str]:
        issues = run_checks(tags=["database"], databases=["default"])
        return [str(issue.msg) for issue in issues if issue.id == "runtime.E006"]

    before = MigrationLoader(None, replace_migrations=False).replacements
    names = [name for migration in before.values() for name in migration.replaces]
    assert len(before) == len({app for app, _ in names})
    recorder = MigrationRecorder(connection)
    for name in before:
        recorder.record_unapplied(*name)
    for name in names:
        recorder.record_applied(*name)
    preparation.migrate_database()
    assert found() == []

    recorder.record_unapplied(*names[-1])
    with pytest.raises(preparation.Refusal, match=r"git checkout [0-9a-f]{8} && make migrate"):
        preparation.migrate_database()
    assert found() == [readiness.HALF]
    # It asks by its own connection, which does not see what is written here.
    monkeypatch.setattr(readiness, "MigrationExecutor", half)
    with pytest.raises(preparation.Refusal, match="git checkout"):
        preparation.prepare_worker()


def half(_connection: object) -> None:
    raise NodeNotFoundError("it has had a part", ("records", "0015_facts_kept"))


def test_a_part_of_its_own_needs_a_database_that_answers_and_is_current(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    preparation.prepare_worker()
    monkeypatch.setattr(readiness, "MigrationExecutor", Executor)
    monkeypatch.setattr(Executor, "missing", ("0002",))
    with pytest.raises(preparation.Refusal, match="make migrate"):
        preparation.prepare_worker()

    def away(_connection: object) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(readiness, "MigrationExecutor", away)
    with pytest.raises(preparation.Refusal, match="The database does not answer: connection refused"):
        preparation.prepare_worker()


def test_an_error_of_the_checks_stops_the_start_and_a_warning_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(preparation, "run_checks", lambda **_: [Note("old library")])
    preparation.run_system_checks()
    monkeypatch.setattr(
        preparation, "run_checks", lambda **_: [Note("old library"), Error("It may lose moves.")]
    )
    with pytest.raises(preparation.Refusal, match=r"^It may lose moves\.$"):
        preparation.run_system_checks()
    # Beside Celery, too.
    with pytest.raises(preparation.Refusal, match=r"^It may lose moves\.$"):
        preparation.prepare_web()


def test_the_folder_is_made(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "deeper" / "var"
    preparation.create_data_folder()
    assert Path(settings.DATA_DIR).is_dir()
