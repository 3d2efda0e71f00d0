"""A dated list never changes, nor does anything in it; the database sees to it.

Whoever later alters one of these tables on SQLite makes it anew, and has to run `guard` again.
"""

TABLES = ("rankings_datedlist", "rankings_datedrating", "rankings_datedcorrection")
SENTENCE = "a dated list is never changed"
FUNCTION = f"""
    CREATE FUNCTION rankings_dated_list_stays() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '{SENTENCE}' USING ERRCODE = 'integrity_constraint_violation';
    END $$"""
POSTGRESQL = """
    CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table}
    FOR EACH ROW EXECUTE FUNCTION rankings_dated_list_stays()"""
SQLITE = """
    CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table}
    BEGIN SELECT RAISE(ABORT, '{sentence}'); END"""


def guard(apps, editor):
    is_postgresql = editor.connection.vendor == "postgresql"
    if is_postgresql:
        editor.execute(FUNCTION)
    for table in TABLES:
        editor.execute((POSTGRESQL if is_postgresql else SQLITE).format(table=table, sentence=SENTENCE))


def unguard(apps, editor):
    is_postgresql = editor.connection.vendor == "postgresql"
    for table in TABLES:
        editor.execute(f"DROP TRIGGER {table}_no_update" + (f" ON {table}" if is_postgresql else ""))
    if is_postgresql:
        editor.execute("DROP FUNCTION rankings_dated_list_stays()")
