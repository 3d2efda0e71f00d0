"""Django's SQLite backend behind a fair gate (docs/adr/0011)."""
