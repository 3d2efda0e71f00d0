"""Reads of lists, ledgers and the matches that they rate."""
