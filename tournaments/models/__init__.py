"""The rows of events: announcements, entries, pairings, rulings."""

from tournaments.models.appointments import STANDING, Appointment, AppointmentStatus
from tournaments.models.entries import DoorAnswer, DoorRequest, Entry, Leaving
from tournaments.models.events import (
    LARGEST_CAPACITY,
    LONGEST_MATCH,
    SMALLEST_CAPACITY,
    Helper,
    NoShowPolicy,
    ReportedBy,
    Tournament,
)
from tournaments.models.friendlies import Friendly, FriendlyOffer
from tournaments.models.pairings import Ended, Pairing, Report, ReportStatus, SeatFrom, Stand
from tournaments.models.rounds import Bye, Round, RoundStatus
from tournaments.models.rulings import Decision, Ruling, RulingKind
from tournaments.models.series import MOST_DAYS_BEFORE, Series, SeriesDay
from tournaments.models.shown_rows import ShownOnEvent
from tournaments.models.stages import DeadlinePolicy, Draw, Pairs, Stage

__all__ = [
    "LARGEST_CAPACITY",
    "LONGEST_MATCH",
    "MOST_DAYS_BEFORE",
    "SMALLEST_CAPACITY",
    "STANDING",
    "Appointment",
    "AppointmentStatus",
    "Bye",
    "DeadlinePolicy",
    "Decision",
    "DoorAnswer",
    "DoorRequest",
    "Draw",
    "Ended",
    "Entry",
    "Friendly",
    "FriendlyOffer",
    "Helper",
    "Leaving",
    "NoShowPolicy",
    "Pairing",
    "Pairs",
    "Report",
    "ReportStatus",
    "ReportedBy",
    "Round",
    "RoundStatus",
    "Ruling",
    "RulingKind",
    "SeatFrom",
    "Series",
    "SeriesDay",
    "ShownOnEvent",
    "Stage",
    "Stand",
    "Tournament",
]
