"""A match at a table: its score sheet, its code for phones, its photos."""
