"""Matches: one journal each, and the services that alone may write it."""
