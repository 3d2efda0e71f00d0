"""Models of matches."""

from matches.models.challenges import Bot, Challenge
from matches.models.habits import Habits, Visitor
from matches.models.matches import Absence, Audience, DiceTally, JournalEntry, Match
from matches.models.talk import ChatLine, Mute, Report, Room

__all__ = [
    "Absence",
    "Audience",
    "Bot",
    "Challenge",
    "ChatLine",
    "DiceTally",
    "Habits",
    "JournalEntry",
    "Match",
    "Mute",
    "Report",
    "Room",
    "Visitor",
]
