"""Submitted records: verdicts, and their effects on matches."""
