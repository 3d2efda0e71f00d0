"""Models of matches."""

from matches.models.absences import Absence, Audience
from matches.models.challenges import Bot, Challenge
from matches.models.habits import Habits
from matches.models.matches import JournalEntry, Match
from matches.models.talk import ChatLine, Mute, Report, Room
from matches.models.tallies import DiceTally
from matches.models.visitors import Visitor

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
