"""How our migrations hang together."""

from __future__ import annotations

from django.apps import apps
from django.db.migrations.loader import MigrationLoader


def ours() -> MigrationLoader:
    """Every migration as it is written, squashed ones beside those that they stand for."""
    return MigrationLoader(None, replace_migrations=False)


def test_a_later_migration_depends_on_a_name_that_stays() -> None:
    """A squashed migration gives way to the next one, whose name is another (docs/adr/0138)."""
    loader = ours()
    found = {
        f"{app}.{name} depends on {'.'.join(on)}"
        for (app, name), migration in loader.disk_migrations.items()
        for on in migration.dependencies
        if not migration.replaces and on in loader.replacements
    }
    assert found == set()


def test_a_squashed_migration_stands_for_the_first_and_all_up_to_its_own_last() -> None:
    loader = ours()
    for (app, name), migration in loader.replacements.items():
        own = sorted(other for home, other in loader.disk_migrations if home == app and other != name)
        replaced = [other for _, other in migration.replaces]
        assert replaced == own[: len(replaced)]
        assert name == f"0001_squashed_{replaced[-1]}"
    assert {app for app, _ in loader.replacements} >= {"players", "tournaments", "venue"}
    assert all(apps.is_installed(app) for app, _ in loader.replacements)
