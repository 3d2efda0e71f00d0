"""Matches played over a board: score sheets kept at the table, records handed in, disputes about both."""
