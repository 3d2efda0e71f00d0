"""Names for rows that will meet rows of other installations (docs/adr/0047)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from django.db import models

if TYPE_CHECKING:
    Field = models.UUIDField[Any, Any]

# What the API says of it.
ABOUT: Final = "Made with the row, never changed, and the same wherever the row travels."


def field() -> Field:
    """Return the column: made with the row, never changed, never given twice."""
    return models.UUIDField(default=uuid4, unique=True, editable=False)
