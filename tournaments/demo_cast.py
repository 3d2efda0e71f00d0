"""Fictitious names, rooms, events and dates of the demo."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final

from tournaments.base import local_times
from tournaments.plan import setup

NAME: Final = "Harbour Lights Backgammon Club"
ZONE: Final = "Europe/Lisbon"
DOMAIN: Final = "harbour-lights.example"
BACK_ROOM: Final = "The Lamp Room, upstairs"
HALL: Final = "Old Sail Loft, Quay 3"

# The owner and the directors; visitors get the accounts of a director and two players.
OWNER: Final = "Wendeline Achterberg"
DIRECTORS: Final = ("Tobiah Quarrie", "Ilse Brandvold")
MEMBERS: Final = (
    "Kwabena Ofosuhene",
    "Marguerite Tellier-Roy",
    "Dragomir Velkov",
    "Sunniva Haugerud",
    "Cormac Tullyvane",
    "Aylin Korkutay",
    "Benedek Szalókvári",
    "Philippa Thornquist",
    "Rafael Monteclaro",
    "Oluchi Nwabara",
    "Hendrik Vosselaar",
    "Leilani Kapuareyes",
    "Matthias Grünspan",
    "Yevgenia Malyshkina",
    "Tarquin Oakhollow",
    "Noor Al-Sayegh",
    "Giacinta Belforte",
    "Anselm Riedhofer",
    "Priyanka Devadhar",
    "Søren Klitgaard-Bæk",
    "Zofia Wierzbnica",
    "Callum Strathdene",
    "Hiroto Minazuki",
    "Delphine Carpentras",
    "Ioannis Petrakaris",
    "Malakai Fonotele",
    "Beatriz Alvoreda",
    "Lennart Björkvik",
    "Mbali Khumbane",
    "Siobhán Ardkeen",
)
GUESTS: Final = (
    "Ezra Goldwyke",
    "Ottoline Farrowdale",
    "Pekka Suvilahti",
    "Rukmini Sarangapur",
    "Uncle Desmond",
    "Tilda from the ferry",
    "Amira Benhalloum",
)
ALIASED: Final = ("Philippa Thornquist", "Double Six Pip")
HIDDEN: Final = "Tarquin Oakhollow"
LATECOMER: Final = "Siobhán Ardkeen"
PLAYERS_SHOWN: Final = ("Kwabena Ofosuhene", "Aylin Korkutay")


@dataclass(frozen=True, slots=True)
class DemoBoard:
    length: int
    clock: str | None
    hours_ago: int
    # Average seconds per command.
    pace: int
    commands: int = 1_000


# The first is between the two demo accounts. The finished ones ended within a day, so that they are analysed
# automatically.
BOARDS: Final = (
    DemoBoard(5, "correspondence", hours_ago=50, pace=3_600, commands=24),
    DemoBoard(3, "club", hours_ago=9, pace=6),
    DemoBoard(1, "club", hours_ago=8, pace=6),
    DemoBoard(3, None, hours_ago=30, pace=600, commands=40),
)
# Against the practice bot, without a clock, to be continued at any time.
SAVED: Final = DemoBoard(5, None, hours_ago=20, pace=300, commands=20)

# Matches of the running event on boards: the number of commands of each, and the time since their start.
TONIGHT: Final = (110, 70, 34)
LAID_OUT: Final = timedelta(minutes=11)

NIGHT_FORMATS: Final = (
    ({"format": "progressive-consolation"}, 5),
    ({"format": "swiss", "rounds": 4}, 5),
    ({"format": "progressive-consolation"}, 7),
    ({"format": "double-elimination"}, 3),
)
NIGHTS: Final = len(NIGHT_FORMATS)


def build_night(starts_at: datetime, kind: int) -> setup.Details:
    """Return the details of a weekly evening; *kind* is less than NIGHTS."""
    form, length = NIGHT_FORMATS[kind]
    return setup.Details(
        name="Club night",
        starts_at=starts_at,
        place=BACK_ROOM,
        played_as=[form],
        match_length=length,
        capacity=24,
        about="Doors at seven, first roll at half past. The bar takes orders until ten.",
    )


def build_weekend_open(starts_at: datetime, *, number: int) -> setup.Details:
    season = {3: "Spring", 4: "Spring", 5: "Spring", 6: "Summer", 7: "Summer", 8: "Summer"}
    season |= {9: "Autumn", 10: "Autumn", 11: "Autumn"}
    return setup.Details(
        name=f"Lighthouse {season.get(starts_at.month, 'Winter')} Open",
        starts_at=starts_at,
        place=HALL,
        played_as=[{"format": "swiss", "rounds": 7} if number % 2 else {"format": "progressive-consolation"}],
        match_length=9,
        capacity=32,
        about="Two days by the water. Registration until half past nine; guests from other clubs are welcome.",
    )


def build_cancelled_event(starts_at: datetime) -> setup.Details:
    return setup.Details(
        name="Doubles on the ferry",
        starts_at=starts_at,
        place="MV Lanterna, upper deck",
        played_as=[{"format": "round-robin"}],
        match_length=3,
    )


def build_draft_event(starts_at: datetime) -> setup.Details:
    return setup.Details(
        name="Beginners' afternoon",
        starts_at=starts_at,
        place=BACK_ROOM,
        played_as=[{"format": "friendly"}],
        match_length=3,
        about="Boards, tea, and someone at every table who explains the cube.",
    )


def compute_evening(now: datetime, *, weeks_ago: int = 0) -> datetime:
    """Return today at 19:30 in the club's time zone, or the same weekday some weeks ago."""
    day = local_times.convert_to_local(now, ZONE).date() - timedelta(weeks=weeks_ago)
    return local_times.combine(day, time(19, 30), ZONE)


def compute_saturday(after: datetime) -> datetime:
    """Return ten in the morning of the Saturday on or after a day."""
    day = local_times.convert_to_local(after, ZONE).date()
    day += timedelta(days=(5 - day.weekday()) % 7)
    return local_times.combine(day, time(10, 0), ZONE)


def compute_knockout_place(number: int) -> int:
    """Return the place of the nth player in a knock-out: 1, 2, 3, 3, 5, 5, 5, 5, 9 ..."""
    return number if number < 3 else (1 << ((number - 1).bit_length() - 1)) + 1
