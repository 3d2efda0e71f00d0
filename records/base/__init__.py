"""Shared modules of records: errors, quotas, live updates, API operations."""
