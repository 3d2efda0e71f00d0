"""Reads: matches and challenges as lists."""
