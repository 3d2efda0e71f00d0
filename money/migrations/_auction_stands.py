"""A line of an auction's ledger is never changed; the database sees to it, as with the ledger of fees.

Whoever later alters the table on SQLite makes it anew, and has to run `guard` again.
"""

TABLE = "money_auctionline"
# Who wrote a line may be erased; everything else of it stands.
STANDING = "number, kind, lot, party, turn, amount, percent, note, at, auction_id, corrects_id"
SQLITE = f"""
    CREATE TRIGGER auction_line_no_update BEFORE UPDATE OF {STANDING} ON {TABLE}
    BEGIN SELECT RAISE(ABORT, 'a line of a ledger is never changed'); END"""
# The function is that of the ledger of fees.
POSTGRESQL = f"""
    CREATE TRIGGER auction_line_no_update BEFORE UPDATE OF {STANDING} ON {TABLE}
    FOR EACH ROW EXECUTE FUNCTION money_line_stands()"""


def guard(apps, editor):
    editor.execute(POSTGRESQL if editor.connection.vendor == "postgresql" else SQLITE)


def unguard(apps, editor):
    on = f" ON {TABLE}" if editor.connection.vendor == "postgresql" else ""
    editor.execute(f"DROP TRIGGER auction_line_no_update{on}")
