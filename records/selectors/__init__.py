"""Reads: the score sheet as its page shows it."""
