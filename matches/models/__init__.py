"""The rows of matches."""

from matches.models.habits import Habits
from matches.models.matches import JournalEntry, Match

__all__ = ["Habits", "JournalEntry", "Match"]
