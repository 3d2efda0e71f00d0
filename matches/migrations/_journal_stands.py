"""Triggers that make journal lines immutable.

A later migration that rebuilds the table on SQLite has to run `guard` again.
"""

TABLE = "matches_journalentry"

SQLITE = {
    "journal_no_update": f"""
        CREATE TRIGGER journal_no_update BEFORE UPDATE ON {TABLE}
        BEGIN SELECT RAISE(ABORT, 'a line of a journal is never changed'); END""",
    "journal_no_delete": f"""
        CREATE TRIGGER journal_no_delete BEFORE DELETE ON {TABLE}
        BEGIN SELECT RAISE(ABORT, 'a line of a journal is never removed'); END""",
    # INSERT OR REPLACE deletes rows without firing the delete trigger.
    "journal_no_replace": f"""
        CREATE TRIGGER journal_no_replace BEFORE INSERT ON {TABLE}
        WHEN EXISTS (SELECT 1 FROM {TABLE} WHERE id = NEW.id)
          OR EXISTS (SELECT 1 FROM {TABLE} WHERE match_id = NEW.match_id AND seq = NEW.seq)
          OR (NEW.key <> '' AND EXISTS (
                SELECT 1 FROM {TABLE}
                WHERE match_id = NEW.match_id AND actor = NEW.actor AND key = NEW.key AND key <> ''))
        BEGIN SELECT RAISE(ABORT, 'this line of the journal is there already'); END""",
}

FUNCTION = """
    CREATE FUNCTION matches_journal_stands() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'a line of a journal is never changed and never removed'
            USING ERRCODE = 'integrity_constraint_violation';
    END $$"""
POSTGRESQL = {
    "journal_no_update": f"""
        CREATE TRIGGER journal_no_update BEFORE UPDATE ON {TABLE}
        FOR EACH ROW EXECUTE FUNCTION matches_journal_stands()""",
    "journal_no_delete": f"""
        CREATE TRIGGER journal_no_delete BEFORE DELETE ON {TABLE}
        FOR EACH ROW EXECUTE FUNCTION matches_journal_stands()""",
    "journal_no_truncate": f"""
        CREATE TRIGGER journal_no_truncate BEFORE TRUNCATE ON {TABLE}
        FOR EACH STATEMENT EXECUTE FUNCTION matches_journal_stands()""",
}


def guard(apps, editor):
    if editor.connection.vendor == "postgresql":
        editor.execute(FUNCTION)
        statements = POSTGRESQL
    else:
        statements = SQLITE
    for statement in statements.values():
        editor.execute(statement)


def unguard(apps, editor):
    if editor.connection.vendor == "postgresql":
        for name in POSTGRESQL:
            editor.execute(f"DROP TRIGGER {name} ON {TABLE}")
        editor.execute("DROP FUNCTION matches_journal_stands()")
    else:
        for name in SQLITE:
            editor.execute(f"DROP TRIGGER {name}")
