"""Many matches of a club, as rows and nothing else: for what is slow, and for programs that are killed.

`python -m tests.rankings.many seed MATCHES` makes a club with a list that is still to be computed, and an event
that a director may correct; `correct` corrects the first match of it.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from players.models import Club, Player
    from tournaments.models import Entry, Pairing


# So many sit at the tables of one event, and play so many matches.
FIELD: Final = 50
EACH: Final = 500
LENGTHS: Final = (1, 3, 5, 7, 9, 11)
BATCH: Final = 2_000


def people(count: int, now: datetime) -> list[Player]:
    from players.models import Player

    rows = [Player(name=f"Player {number}", created_at=now) for number in range(count)]
    return Player.objects.bulk_create(rows, batch_size=BATCH)


def play(
    club: Club, count: int, *, players: int, since: datetime, every: timedelta, seed: int = 1
) -> list[Player]:
    """Play a number of matches in a club, in events one after the other; return the players."""
    from tournaments.models import Pairing

    rng = random.Random(seed)
    everybody = people(players, since)
    waiting: list[Pairing] = []
    for first in range(0, count, EACH):
        starts_at = since + first * every
        # Some play far more than others.
        chosen: dict[int, Player] = {}
        while len(chosen) < min(FIELD, len(everybody)):
            one = everybody[int(len(everybody) * rng.random() ** 2)]
            chosen[one.pk] = one
        sitting = field(club, list(chosen.values()), starts_at, first)
        waiting += _matches(sitting, rng, min(EACH, count - first), starts_at, every)
        if len(waiting) >= BATCH:
            Pairing.objects.bulk_create(waiting)
            waiting = []
    Pairing.objects.bulk_create(waiting)
    return everybody


def field(club: Club, chosen: list[Player], starts_at: datetime, number: int) -> list[Entry]:
    """Make a finished event between some players."""
    from players.keys import new_key
    from tournaments.models import Entry, Round, Stage, Tournament
    from tournaments.status import Status

    event = Tournament.objects.create(
        club=club, key=new_key(), name=f"Night {number}", starts_at=starts_at, status=Status.FINISHED.value,
        started_at=starts_at, finished_at=starts_at + timedelta(hours=4), created_at=starts_at, changed_at=starts_at,
    )  # fmt: skip
    stage = Stage.objects.create(tournament=event, number=1, format="round-robin")
    Round.objects.create(stage=stage, number=1, published_at=starts_at)
    rows = [
        Entry(tournament=event, player=player, number=at, entered_at=starts_at)
        for at, player in enumerate(chosen, 1)
    ]
    return Entry.objects.bulk_create(rows)


def against(
    field: list[Entry], rng: random.Random, count: int, starts_at: datetime, every: timedelta
) -> Iterator[Pairing]:
    """Make matches of the first in a field against the others."""
    sides = ((field[0], rng.choice(field[1:])) for _ in range(count))
    return _between(sides, rng, starts_at, every)


def _matches(
    field: list[Entry], rng: random.Random, count: int, starts_at: datetime, every: timedelta
) -> Iterator[Pairing]:
    sides = ((a, b) for a, b in (rng.sample(field, 2) for _ in range(count)))
    return _between(sides, rng, starts_at, every)


def _between(
    sides: Iterable[tuple[Entry, Entry]], rng: random.Random, starts_at: datetime, every: timedelta
) -> Iterator[Pairing]:
    from tournaments.models import Pairing, PairingState, ResultKind, Round, SeatOrigin

    for number, (a, b) in enumerate(sides):
        event = a.tournament
        if number == 0:
            round_ = Round.objects.select_related("stage").get(stage__tournament=event)
        length = rng.choice(LENGTHS)
        a_won = rng.random() < 0.5
        yield Pairing(
            tournament=event, stage=round_.stage, round=round_, key=f"all/{number}", number=1, position=number,
            a=a, a_from=SeatOrigin.DRAW, b=b, b_from=SeatOrigin.DRAW, state=PairingState.DECIDED, length=length,
            kind=ResultKind.PLAYED, winner=a if a_won else b, score_a=length if a_won else 0,
            score_b=0 if a_won else length, opened_at=starts_at, decided_at=starts_at + number * every,
        )  # fmt: skip


def seed(count: int) -> None:
    from django.utils import timezone

    from rankings.lists import lists
    from tests.tournaments.event_desk import Desk, a_plan

    now = timezone.now()
    began = now - timedelta(days=300)
    desk = Desk(began)
    desk.start(a_plan("round-robin"), 4)
    desk.play_out()
    play(desk.club, count, players=200, since=began + timedelta(days=1), every=timedelta(minutes=1))
    for system in ("fibs", "glicko2"):
        lists.open_list(
            club=desk.club,
            by=desk.director,
            name=system,
            system=system,
            since=began - timedelta(days=1),
            now=now,
        )


def correct() -> None:
    from django.utils import timezone

    from players.models import User
    from tournaments.models import Tournament
    from tournaments.play import corrections

    event = Tournament.objects.get(name="Thursday")
    row = event.pairings.order_by("decided_at", "uid")[0]
    score = (0, row.length) if row.winner_id == row.a_id else (row.length, 0)
    corrections.correct_result(
        tournament_id=event.pk, key=row.key, score=score, reason="Misread", by=User.objects.get(), now=timezone.now()
    )  # fmt: skip


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    if sys.argv[1] == "seed":
        seed(int(sys.argv[2]))
    else:
        correct()
    print("{}")
