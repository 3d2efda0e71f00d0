"""How long a search takes among 20,000 players and 100,000 matches: python -m bench.find

A demo club is filled up with players, clubs, events and matches of made-up names, on SQLite and on PostgreSQL; then the
page and the panel of the header are asked for in one process, by a visitor and by a director, and the slowest of
each kind of question is printed beside the usual. "Ours" is what this process computed, which a busy machine changes less.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

from bench import installations
from tests import services

# Run inside an installation.
FILL = """
import random
from datetime import timedelta
from django.utils import timezone
from players.models import Club, Membership, Player
from tournaments.models import Entry, Pairing, Round, Stage, Tournament
from draw.event import Kind, State
PLAYERS, MATCHES, PER_EVENT = %(players)s, %(matches)s, 100
rng = random.Random(1)
syllables = "ka ro mi ne so la ti vu be da po re shi gu el an or is".split()
def word(most=4):
    return "".join(rng.choice(syllables) for _ in range(rng.randint(2, most))).title()
now = timezone.now()
clubs = Club.objects.bulk_create([Club(name=f"{word()} Backgammon", slug=f"filled-{n}", city=word()) for n in range(500)])
people = Player.objects.bulk_create(
    [Player(name=f"{word()} {word()}", hidden_from_search=n %% 20 == 0) for n in range(PLAYERS)], batch_size=2000)
Membership.objects.bulk_create(
    [Membership(club=rng.choice(clubs), player=each, joined_at=now) for each in people], batch_size=2000)
model = Stage.objects.filter(pairings__isnull=False).select_related("tournament").first()
shape = {f.attname: getattr(model, f.attname) for f in Stage._meta.concrete_fields if f.name not in ("id", "tournament", "uid")}
for n in range(MATCHES // PER_EVENT):
    when = now - timedelta(days=n %% 900 + 1)
    event = Tournament.objects.create(
        club=rng.choice(clubs), name=f"{word()} {rng.choice(('Open', 'Night', 'Cup'))}", starts_at=when, status="FINISHED",
        started_at=when, finished_at=when, created_at=when, changed_at=when)
    stage = Stage.objects.create(tournament=event, **shape)
    batch = Round.objects.create(stage=stage, number=1, status="published", published_at=when)
    entries = Entry.objects.bulk_create(
        [Entry(tournament=event, player=each, number=i + 1, entered_at=when) for i, each in enumerate(rng.sample(people, 32))])
    Pairing.objects.bulk_create([
        Pairing(tournament=event, stage=stage, round=batch, key=f"m/{i}", number=i + 1, position=i, length=7,
                a=a, b=b, a_from="draw", b_from="draw", state=State.DECIDED.value, kind=Kind.PLAYED.value, winner=a,
                score_a=7, score_b=i %% 7, opened_at=when, decided_at=when)
        for i in range(PER_EVENT) for a, b in [rng.sample(entries, 2)]])
print("FILLED", Player.objects.count(), Pairing.objects.count(), Tournament.objects.count(), Club.objects.count())
"""

ASK = """
import statistics, time
from django.core.cache import cache
from django.test import Client
from players.models import Player, User
from tournaments.models import Pairing
match = Pairing.objects.filter(key="m/0").select_related("a__player", "b__player", "tournament").first()
one, two = match.a.player.name, match.b.player.name
asked = {
    "one letter": "k", "two letters": "ka", "a first name": one.split()[0], "a whole name": one,
    "two who met": f"{one} {two.split()[1]}", "an event": match.tournament.name, "nothing like it": "qqq xyz",
    "twenty words": "ka " * 20,
}
director = User.objects.filter(player__memberships__role="director").first()
for who in (None, director):
    for part in ("", "find-panel"):
        client = Client(headers={"HX-Request": "true", "HX-Target": part} if part else {})
        if who:
            client.force_login(who, backend="django.contrib.auth.backends.ModelBackend")
        for name, query in asked.items():
            took, computed = [], []
            for _ in range(12):
                cache.clear()
                began, computing = time.perf_counter(), time.process_time()
                answer = client.get("/find/", {"q": query})
                took.append((time.perf_counter() - began) * 1000)
                computed.append((time.process_time() - computing) * 1000)
                assert answer.status_code == 200, answer.status_code
            took, computed = sorted(took[2:]), sorted(computed[2:])
            print(f"{'director' if who else 'visitor':10}{'panel' if part else 'page':7}{name:18}"
                  f"median {statistics.median(took):6.1f} ms   slowest {took[-1]:6.1f} ms"
                  f"   of which ours {statistics.median(computed):5.1f} ms   {len(answer.content):7,} bytes")
"""


def measure(env: dict[str, str], args: argparse.Namespace) -> None:
    """Fill one database and ask it."""
    shell = ["shell", "-v", "0", "-c"]
    fill = FILL % {"players": args.players, "matches": args.matches}
    for arguments in ([*shell, fill], ["collectstatic", "--noinput", "-v", "0"], [*shell, ASK]):
        command = [sys.executable, "manage.py", *arguments]
        text = subprocess.run(
            command,
            cwd=installations.ROOT,
            env=env | {"ALLOWED_HOSTS": "testserver"},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        print("\n".join(line for line in text.splitlines() if not line.startswith("{")))


def main() -> None:
    """Measure SQLite, then PostgreSQL."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=20_000)
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--only", choices=["sqlite", "postgresql"])
    args = parser.parse_args()
    if args.only != "postgresql":
        with installations.with_demo({"DATABASE_URL": "", "REDIS_URL": ""}) as env:
            print("SQLite")
            measure(env, args)
    if args.only != "sqlite":
        with services.both() as both, installations.with_demo(both) as env:
            print("PostgreSQL")
            measure(env, args)


if __name__ == "__main__":
    main()
