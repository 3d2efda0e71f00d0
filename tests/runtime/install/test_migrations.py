"""Migrations of the product's apps."""

from __future__ import annotations

from django.db.migrations.loader import MigrationLoader

FIRST = "0001_first_release"


def test_each_app_begins_with_the_first_release_and_only_that_replaces_others() -> None:
    """The first release replaces all earlier migrations; later ones are added one by one (docs/adr/0138)."""
    loader = MigrationLoader(None, replace_migrations=False)
    firsts = {app for app, name in loader.disk_migrations if name == FIRST}
    replacing = {key for key, migration in loader.disk_migrations.items() if migration.replaces}
    assert firsts >= {"matches", "players", "runtime", "tournaments", "venue"}
    assert replacing <= {(app, FIRST) for app in firsts}
    assert [(app, name) for app, name in loader.disk_migrations if app in firsts and name < FIRST] == []
