"""The rows of matches."""

from matches.models.challenges import Bot, Challenge
from matches.models.habits import Habits
from matches.models.matches import JournalEntry, Match

__all__ = ["Bot", "Challenge", "Habits", "JournalEntry", "Match"]
