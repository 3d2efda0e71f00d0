"""A JSON column that is empty in most rows."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any

from django.db import models


class SparseJSONField(models.JSONField):
    """An empty dict or list by default, read and written without a parser: a match has five such columns.

    To migrations it is what it is to the database, a JSONField.
    """

    @cached_property
    def _empty(self) -> str:
        return json.dumps(self.get_default())

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        """Return what is stored; what is empty is new for each row, as rows may change theirs."""
        if value == self._empty:
            return self.default()
        return super().from_db_value(value, expression, connection)

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        """Return what is to be stored. PostgreSQL takes JSON by a type of its own."""
        if not value and type(value) is self.default and connection.vendor == "sqlite":
            return self._empty
        return super().get_db_prep_save(value, connection)

    def deconstruct(self) -> Any:
        """Name the field that migrations make."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.JSONField", args, kwargs
