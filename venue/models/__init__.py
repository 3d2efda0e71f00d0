"""The room as rows: its tables, and the matches that are called to them."""

from venue.models.assignments import Assignment, Chair
from venue.models.rooms import Room, Table, TableState, TableTag

__all__ = ["Assignment", "Chair", "Room", "Table", "TableState", "TableTag"]
