"""The rows of events: announcements, entries, pairings, rulings."""

from tournaments.models.appointments import STANDING, Appointment, AppointmentStatus
from tournaments.models.entries import DoorAnswer, DoorRequest, Entry, Leaving
from tournaments.models.event_page_rows import EventPageRow
from tournaments.models.events import (
    LARGEST_CAPACITY,
    LONGEST_MATCH,
    SMALLEST_CAPACITY,
    Helper,
    NoShowPolicy,
    ReportedBy,
    Tournament,
)
from tournaments.models.friendlies import Friendly, FriendlyStatus
from tournaments.models.pairings import (
    OPEN_REPORTS,
    Pairing,
    PairingState,
    Report,
    ReportStatus,
    ResultKind,
    SeatOrigin,
)
from tournaments.models.rounds import Bye, Round, RoundStatus
from tournaments.models.rulings import UNDONE_AT_ONCE, Decision, Ruling, RulingKind
from tournaments.models.series import MOST_DAYS_BEFORE, Series, SeriesDay
from tournaments.models.stages import DeadlinePolicy, Draw, PairingMode, Stage

__all__ = [
    "LARGEST_CAPACITY",
    "LONGEST_MATCH",
    "MOST_DAYS_BEFORE",
    "OPEN_REPORTS",
    "SMALLEST_CAPACITY",
    "STANDING",
    "UNDONE_AT_ONCE",
    "Appointment",
    "AppointmentStatus",
    "Bye",
    "DeadlinePolicy",
    "Decision",
    "DoorAnswer",
    "DoorRequest",
    "Draw",
    "Entry",
    "EventPageRow",
    "Friendly",
    "FriendlyStatus",
    "Helper",
    "Leaving",
    "NoShowPolicy",
    "Pairing",
    "PairingMode",
    "PairingState",
    "Report",
    "ReportStatus",
    "ReportedBy",
    "ResultKind",
    "Round",
    "RoundStatus",
    "Ruling",
    "RulingKind",
    "SeatOrigin",
    "Series",
    "SeriesDay",
    "Stage",
    "Tournament",
]
