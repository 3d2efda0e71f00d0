"""A line of a ledger of money is never changed; the database sees to it.

Whoever later alters the table on SQLite makes it anew, and has to run `guard` again.
"""

TABLE = "money_moneyline"
# Who wrote a line may be erased; everything else of it stands.
TRIGGERS = {
    "money_line_no_update": "number, kind, entrant, item, turn, amount, note, at, money_id, corrects_id",
    "money_line_agreed_no_update": "agreed",
}
FUNCTION = """
    CREATE FUNCTION money_line_stands() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'a line of a ledger is never changed'
            USING ERRCODE = 'integrity_constraint_violation';
    END $$"""


def guard(apps, editor):
    row = "BEGIN SELECT RAISE(ABORT, 'a line of a ledger is never changed'); END"
    if editor.connection.vendor == "postgresql":
        editor.execute(FUNCTION)
        row = "FOR EACH ROW EXECUTE FUNCTION money_line_stands()"
    for name, columns in TRIGGERS.items():
        editor.execute(f"CREATE TRIGGER {name} BEFORE UPDATE OF {columns} ON {TABLE} {row}")


def unguard(apps, editor):
    on = f" ON {TABLE}" if editor.connection.vendor == "postgresql" else ""
    for name in TRIGGERS:
        editor.execute(f"DROP TRIGGER {name}{on}")
    if on:
        editor.execute("DROP FUNCTION money_line_stands()")
