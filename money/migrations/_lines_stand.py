"""A line of a ledger of money is never changed; the database sees to it.

Whoever later alters the table on SQLite makes it anew, and has to run `guard` again.
"""

TABLE = "money_moneyline"
# Who wrote a line may be erased; everything else of it stands.
STANDING = "number, kind, entrant, item, turn, amount, note, at, money_id, corrects_id"
SQLITE = f"""
    CREATE TRIGGER money_line_no_update BEFORE UPDATE OF {STANDING} ON {TABLE}
    BEGIN SELECT RAISE(ABORT, 'a line of a ledger is never changed'); END"""
FUNCTION = """
    CREATE FUNCTION money_line_stands() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'a line of a ledger is never changed'
            USING ERRCODE = 'integrity_constraint_violation';
    END $$"""
POSTGRESQL = f"""
    CREATE TRIGGER money_line_no_update BEFORE UPDATE OF {STANDING} ON {TABLE}
    FOR EACH ROW EXECUTE FUNCTION money_line_stands()"""


def guard(apps, editor):
    if editor.connection.vendor == "postgresql":
        editor.execute(FUNCTION)
        editor.execute(POSTGRESQL)
    else:
        editor.execute(SQLITE)


def unguard(apps, editor):
    if editor.connection.vendor == "postgresql":
        editor.execute(f"DROP TRIGGER money_line_no_update ON {TABLE}")
        editor.execute("DROP FUNCTION money_line_stands()")
    else:
        editor.execute("DROP TRIGGER money_line_no_update")


def guard_agreed(apps, editor):
    row = "FOR EACH ROW EXECUTE FUNCTION money_line_stands()"
    if editor.connection.vendor != "postgresql":
        row = "BEGIN SELECT RAISE(ABORT, 'a line of a ledger is never changed'); END"
    editor.execute(f"CREATE TRIGGER money_line_agreed_no_update BEFORE UPDATE OF agreed ON {TABLE} {row}")


def unguard_agreed(apps, editor):
    table = f" ON {TABLE}" if editor.connection.vendor == "postgresql" else ""
    editor.execute(f"DROP TRIGGER money_line_agreed_no_update{table}")
