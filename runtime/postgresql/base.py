"""Django's PostgreSQL connection, its transactions limited."""

from __future__ import annotations

from django.db.backends.postgresql import base

from runtime.transactions import LimitedTransactions


class DatabaseWrapper(LimitedTransactions, base.DatabaseWrapper):
    """Django's PostgreSQL connection, its transactions limited."""
