"""What was handed in and what the referee said of it are never changed; the database sees to it.

Whoever later alters one of the tables on SQLite makes it anew, and has to run `guard` again.
"""

FILE, MATCH = "records_recordfile", "records_recordmatch"
BYTES = '"club_id", "sha256", "size", "content", "kept_at"'
SENTENCE = "a record is never changed"

SQLITE = {
    "record_file_stays": f"""
        CREATE TRIGGER record_file_stays BEFORE UPDATE OF {BYTES} ON {FILE}
        BEGIN SELECT RAISE(ABORT, '{SENTENCE}'); END""",
    "record_match_stays": f"""
        CREATE TRIGGER record_match_stays BEFORE UPDATE ON {MATCH}
        BEGIN SELECT RAISE(ABORT, '{SENTENCE}'); END""",
}
FUNCTION = f"""
    CREATE FUNCTION records_record_stays() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '{SENTENCE}' USING ERRCODE = 'integrity_constraint_violation';
    END $$"""
POSTGRESQL = {
    "record_file_stays": f"""
        CREATE TRIGGER record_file_stays BEFORE UPDATE OF {BYTES} ON {FILE}
        FOR EACH ROW EXECUTE FUNCTION records_record_stays()""",
    "record_match_stays": f"""
        CREATE TRIGGER record_match_stays BEFORE UPDATE ON {MATCH}
        FOR EACH ROW EXECUTE FUNCTION records_record_stays()""",
}
TABLES = {"record_file_stays": FILE, "record_match_stays": MATCH}


def guard(apps, editor):
    if editor.connection.vendor == "postgresql":
        editor.execute(FUNCTION)
        statements = POSTGRESQL
    else:
        statements = SQLITE
    for statement in statements.values():
        editor.execute(statement)


def unguard(apps, editor):
    is_postgresql = editor.connection.vendor == "postgresql"
    for name, table in TABLES.items():
        editor.execute(f"DROP TRIGGER {name} ON {table}" if is_postgresql else f"DROP TRIGGER {name}")
    if is_postgresql:
        editor.execute("DROP FUNCTION records_record_stays()")
