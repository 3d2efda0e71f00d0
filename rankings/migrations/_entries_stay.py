"""An entry of a ledger is voided once and changed in no other way; the database sees to it.

Whoever later alters the table on SQLite makes it anew, and has to run `guard` again.
"""

TABLE = "rankings_ledgerentry"
FIXED = ", ".join(
    (
        *("id", "list_id", "event_id", "match", "at", "player_id", "opponent_id", "is_a", "won", "length", "policy_id"),
        *("before", "opponent_before", "expectancy", "weight", "k", "change", "after"),
        *("experience", "deviation", "volatility", "written_at"),
    )
)
QUOTED = ", ".join(f'"{name}"' for name in FIXED.split(", "))
VOIDED_TWICE = "(OLD.voided_at IS NOT NULL OR NEW.voided_at IS NULL)"
SENTENCE = "an entry of a ledger is never changed"

SQLITE = {
    "ledger_no_update": f"""
        CREATE TRIGGER ledger_no_update BEFORE UPDATE OF {QUOTED} ON {TABLE}
        BEGIN SELECT RAISE(ABORT, '{SENTENCE}'); END""",
    "ledger_void_once": f"""
        CREATE TRIGGER ledger_void_once BEFORE UPDATE OF voided_at ON {TABLE} WHEN {VOIDED_TWICE}
        BEGIN SELECT RAISE(ABORT, '{SENTENCE}'); END""",
}
FUNCTION = f"""
    CREATE FUNCTION rankings_entry_stays() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '{SENTENCE}' USING ERRCODE = 'integrity_constraint_violation';
    END $$"""
POSTGRESQL = {
    "ledger_no_update": f"""
        CREATE TRIGGER ledger_no_update BEFORE UPDATE OF {QUOTED} ON {TABLE}
        FOR EACH ROW EXECUTE FUNCTION rankings_entry_stays()""",
    "ledger_void_once": f"""
        CREATE TRIGGER ledger_void_once BEFORE UPDATE OF voided_at ON {TABLE}
        FOR EACH ROW WHEN {VOIDED_TWICE} EXECUTE FUNCTION rankings_entry_stays()""",
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
    on = f" ON {TABLE}" if editor.connection.vendor == "postgresql" else ""
    for name in SQLITE:
        editor.execute(f"DROP TRIGGER {name}{on}")
    if on:
        editor.execute("DROP FUNCTION rankings_entry_stays()")
