"""Matches: one journal per match, and the only services that write it."""
