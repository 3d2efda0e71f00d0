"""Rooms, tables, and the calls of matches to tables."""
