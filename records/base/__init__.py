"""Shared modules of records: errors, wording, quotas, live updates."""
