"""A new database begins with the squashed migrations, an old one has had the others: both end with the same tables."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from tests.runtime.support import python

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.long

CONFIG = {"DJANGO_SETTINGS_MODULE": "config.settings"}
# Printed by a process of its own, whose database is the one to look at.
SCHEMA = """
import json, re, sys
import django
django.setup()
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

executor = MigrationExecutor(connection)
if {one_by_one}:
    # Whoever stopped among them goes on one by one.
    executor.loader.replace_migrations = False
    executor.loader.build_graph()
    graph = executor.loader.graph
    firsts = sorted({{each for own in executor.loader.replacements.values() for each in own.replaces[:1]}})
    names = dict.fromkeys(name for each in firsts for name in graph.forwards_plan(each))
    executor.migrate(firsts, plan=[(graph.nodes[name], False) for name in names])
    executor = MigrationExecutor(connection)
    assert not executor.loader.replacements.keys() & set(executor.loader.graph.nodes)
executor.migrate(executor.loader.graph.leaf_nodes())
assert not MigrationExecutor(connection).migration_plan(MigrationExecutor(connection).loader.graph.leaf_nodes())

def parts(sql):
    "What stands between the outermost commas, whatever its order."
    found, depth, text = [], 0, False
    begin = sql.index("(") + 1
    for place in range(begin, len(sql)):
        letter = sql[place]
        if letter == "'":
            text = not text
        elif text:
            continue
        elif letter == "(":
            depth += 1
        elif letter == ")" and depth:
            depth -= 1
        elif letter == ")" or letter == "," and not depth:
            found.append(sql[begin:place].strip())
            begin = place + 1
    return sorted(found)

ASKED = {{
    "sqlite": ["SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"],
    "postgresql": [
        "SELECT table_name, column_name, data_type, character_maximum_length, is_nullable, column_default,"
        " is_identity FROM information_schema.columns WHERE table_schema = 'public'",
        "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
        "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE connamespace = 'public'::regnamespace",
        "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
        "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
    ],
}}
rows = []
with connection.cursor() as cursor:
    for question in ASKED[connection.vendor]:
        cursor.execute(question)
        for row in cursor.fetchall():
            is_table = row[0] == "table"
            rows.append([row[1], *parts(row[2])] if is_table else [str(each) for each in row])
print(json.dumps(sorted(rows)))
"""


def schema(*, one_by_one: bool, **environment: str) -> Any:
    """Return what a database consists of that was made in one of the two ways."""
    done = python(SCHEMA.format(one_by_one=one_by_one), timeout=300, **CONFIG, **environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_both_ways_make_the_same_tables_of_sqlite(tmp_path: Path) -> None:
    folders = [tmp_path / "new", tmp_path / "old"]
    for folder in folders:
        folder.mkdir()
    at_once, one_by_one = (
        schema(one_by_one=way, DATA_DIR=str(folder), DATABASE_URL="")
        for way, folder in zip((False, True), folders, strict=True)
    )
    assert at_once == one_by_one
    least = 300
    assert len(at_once) > least


@pytest.mark.services
def test_both_ways_make_the_same_tables_of_postgresql(tmp_path: Path) -> None:
    import psycopg
    from django.conf import settings

    server, _, _ = settings.DATABASE_URL.rpartition("/")
    found = []
    with psycopg.connect(f"{server}/postgres", autocommit=True) as own:
        for way in (False, True):
            name = f"squashed_{uuid4().hex[:8]}"
            own.execute(f'CREATE DATABASE "{name}"')
            try:
                found.append(schema(one_by_one=way, DATA_DIR=str(tmp_path), DATABASE_URL=f"{server}/{name}"))
            finally:
                own.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
    at_once, one_by_one = found
    assert at_once == one_by_one
