"""UUIDs for rows that may be imported by other installations (docs/adr/0047)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from django.db import models

if TYPE_CHECKING:
    Field = models.UUIDField[Any, Any]

# Description in the OpenAPI document.
ABOUT: Final = "Made with the row, never changed, and the same wherever the row travels."


def make_uid_field() -> Field:
    """Return a model field with a unique, immutable UUID."""
    return models.UUIDField(default=uuid4, unique=True, editable=False)
