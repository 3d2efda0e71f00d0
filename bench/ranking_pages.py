"""What a page of a long list costs: python -m bench.ranking_pages [players] [--database sqlite|postgresql]

A list of that many players who have played five matches each, published twice with a date; one of them has played 5,000. Each page
is asked of the application in this process, over and over; the figures are medians, in ms: what this process's processor spent, and
the clock, in which a PostgreSQL beside it counts as well.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from players.models import Club, Player, User
    from rankings.models import LedgerEntry, RatingList
    from tournaments.models import Tournament

PLAYERS = 100_000
MATCHES = 5
STAR = 5_000
EVENTS = 100
BATCH = 2_000
ROUNDS = 15
LENGTHS = (1, 3, 5, 7, 9, 11)
NOW = datetime.now(UTC)
START = NOW - timedelta(days=720)


def fill(players: int) -> dict[str, str]:
    """Make a club with a long list, and return what is asked for by which name."""
    from players.accounts import accounts
    from players.clubs import clubs
    from rankings.lists import lists
    from rankings.models import PlayerRating, Rebuild
    from tests.rankings import many

    owner = accounts.register(email="desk@example.org", password=None, name="Dora Desk", now=START)
    club = clubs.create(owner=owner, name="Here", now=START)
    kept = lists.open_list(
        club=club, by=owner, name="Long", system="fibs", since=START - timedelta(days=1), now=START
    )
    # Its entries are written below, as they are.
    Rebuild.objects.all().delete()
    everybody = [owner.player, *many.people(players - 1, START)]
    rng = random.Random(1)
    event = many.field(club, everybody[:2], START, 0)[0].tournament
    _rate(kept, event, everybody, rng)
    _star(club, kept, owner.player, everybody[1:201], rng)
    _publish(kept)
    assert PlayerRating.objects.filter(list=kept).count() == players
    return {"club": club.slug, "list": kept.key, "star": owner.player.key, "other": everybody[9].key}


def _rate(kept: RatingList, event: Tournament, everybody: list[Player], rng: random.Random) -> None:
    """Write ledger entries as if everybody had played five matches, the last of some long ago."""
    from rankings.ledger import entries
    from rankings.models import LedgerEntry

    policy = kept.policies.get()
    waiting: list[LedgerEntry] = []
    for number, player in enumerate(everybody):
        rating = 1500.0
        began = START + timedelta(days=rng.random() * 700)
        for match in range(MATCHES):
            change = rng.gauss(0, 30)
            waiting.append(
                _entry(kept, event, policy.pk, player, everybody[number - 1], rating, change,
                    began + timedelta(days=match), rng.choice(LENGTHS) * rng.choice((1, 1, 4)) * (match + 1))
            )  # fmt: skip
            rating += change
        if len(waiting) >= BATCH:
            LedgerEntry.objects.bulk_create(waiting, batch_size=BATCH)
            waiting = []
    LedgerEntry.objects.bulk_create(waiting, batch_size=BATCH)
    entries.show(kept)


def _entry(
    kept: RatingList, event: Tournament, policy: int, player: Player, other: Player, rating: float, change: float,
    at: datetime, experience: int, match: Any = None,
) -> LedgerEntry:  # fmt: skip
    from uuid import uuid4

    from rankings.models import LedgerEntry

    return LedgerEntry(
        list=kept, event=event, match=match or uuid4(), at=at, player=player, opponent=other, is_a=True, won=change > 0,
        length=5, policy_id=policy, before=rating, opponent_before=1500.0, expectancy=0.5, weight=1.0, k=32.0,
        change=change, after=rating + change, experience=experience, deviation=0.0, volatility=0.0, written_at=at,
    )  # fmt: skip


def _star(club: Club, kept: RatingList, star: Player, others: list[Player], rng: random.Random) -> None:
    """Give one player their matches, in a hundred events."""
    from rankings.ledger import entries
    from rankings.models import LedgerEntry
    from tests.rankings import many
    from tournaments.models import Entry, Pairing, Tournament

    policy = kept.policies.get()
    rating, each = 1500.0, STAR // EVENTS
    for number in range(EVENTS):
        starts_at = START + timedelta(days=7 * number)
        field = many.field(club, [star, *rng.sample(others, 10)], starts_at, number + 1)
        Entry.objects.filter(pk=field[0].pk).update(place=1 + number % 9)
        rows = list(many.against(field, rng, each, starts_at, timedelta(minutes=5)))
        Pairing.objects.bulk_create(rows)
        waiting = []
        for row in rows:
            change = 4.0 if row.winner_id == field[0].pk else -4.0
            waiting.append(
                _entry(kept, field[0].tournament, policy.pk, star, row.b.player, rating, change, row.decided_at,
                    5 * number, row.uid)
            )  # fmt: skip
            rating += change
        LedgerEntry.objects.bulk_create(waiting)
    assert Tournament.objects.count() == EVENTS + 1
    entries.show(kept, [star.pk])


def _publish(kept: RatingList) -> None:
    from rankings.models import DatedList, DatedRating, PlayerRating

    for back in (14, 7):
        day = NOW - timedelta(days=back)
        made = DatedList.objects.create(list=kept, day=day.date(), at=day, made_at=day)
        rows = PlayerRating.objects.filter(list=kept).order_by("-rating", "player")
        waiting = [
            DatedRating(
                dated_list=made, player_id=player, place=place, was_place=place + 1, is_provisional=False,
                rating=rating, deviation=0, experience=100, matches=matches,
            )
            for place, (player, rating, matches) in enumerate(rows.values_list("player", "rating", "matches"), 1)
        ]  # fmt: skip
        DatedRating.objects.bulk_create(waiting, batch_size=BATCH)


def addresses(of: dict[str, str], players: int) -> Iterator[tuple[str, str, bool]]:
    """Yield what is asked for: its name, its address, and whether somebody has signed in."""
    last = -(-players // 50)
    here = f"/clubs/{of['club']}/rankings/"
    for page in (1, 2, last // 4, last // 2, 3 * last // 4, last):
        yield f"page {page} of the list", f"{here}?page={page}", False
    yield f"page {last // 2}, signed in", f"{here}?page={last // 2}", True
    api = f"/api/v1/rating-lists/{of['list']}/ranking/"
    for page in (1, last // 2, last):
        yield f"page {page} of the API", f"{api}?page={page}", False
    star = f"/players/{of['star']}/"
    yield f"profile with {STAR:,} matches", star, False
    yield "its results, which come after", f"{star}results/", False
    yield "its ratings, match by match", f"{star}ratings/", False


def measure(of: dict[str, str], owner: User, players: int) -> None:
    """Ask for everything and print what it cost."""
    from django.test import Client

    stranger, member = Client(), Client()
    member.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    print(f"{'':36}{'CPU ms':>9}{'clock ms':>10}{'bytes':>10}")
    for name, address, is_signed_in in addresses(of, players):
        client = member if is_signed_in else stranger
        cpu, clock, size = [], [], 0
        for _ in range(ROUNDS + 2):
            began, busy = time.perf_counter(), time.process_time()
            answer = client.get(address)
            cpu.append(1000 * (time.process_time() - busy))
            clock.append(1000 * (time.perf_counter() - began))
            assert answer.status_code == 200, (address, answer.status_code)
            size = len(answer.content)
        print(
            f"{name:36}{statistics.median(cpu[2:]):9.1f}{statistics.median(clock[2:]):10.1f}{size:10,}",
            flush=True,
        )


def main() -> None:
    """Fill a database and ask."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", nargs="?", type=int, default=PLAYERS)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    asked = parser.parse_args()
    with contextlib.ExitStack() as stack:
        if asked.database == "postgresql":
            from tests.services import both

            os.environ.update(stack.enter_context(both()))
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="barpoint-bench-"))
        os.environ.update({"DATA_DIR": folder, "LOG_LEVEL": "ERROR", "ALLOWED_HOSTS": "*"})
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        import django

        django.setup()
        from django.core.management import call_command

        from players.models import User

        call_command("migrate", verbosity=0)
        call_command("collectstatic", "--noinput", verbosity=0)
        of = fill(asked.players)
        print(f"{asked.players:,} players in {asked.database}")
        measure(of, User.objects.get(), asked.players)


if __name__ == "__main__":
    main()
