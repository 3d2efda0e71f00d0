"""Demo events that are played match by match: one of every format, and tonight's."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from draw.formats import FORMATS
from players.keys import new_key
from players.models import Club, Player, User
from tournaments.base.settings import Settings
from tournaments.hooks import demo_announced
from tournaments.models import Entry, Pairing, PairingState, Tournament
from tournaments.plan import drawing, setup
from tournaments.plan.templates import TEMPLATES, Plan, StagePlan
from tournaments.play import directing, entering, incidents, results
from tournaments.status import Status

ROUND: Final = timedelta(minutes=35)
ENOUGH_ROUNDS: Final = 60
SWING: Final = 1.4  # standard deviation of luck in one match, in units of strength
PLACE: Final = "Sail loft, above the chandlery"


@dataclass(frozen=True, slots=True)
class FormatShow:
    name: str
    length: int = 5
    players: int = 8
    options: Mapping[str, Any] | None = None


# Formats that are not listed have the default presentation.
SHOWN: Final[Mapping[str, FormatShow]] = {
    "consolation": FormatShow("Consolation cup", players=11),
    "double-elimination": FormatShow("Twice-beaten", 3),
    "feed-in": FormatShow("Long way round", 3),
    "first-match-losers": FormatShow("First-round comforters", players=12),
    "groups": FormatShow("Four and four", 3, options={"groups": 2}),
    "last-chance": FormatShow("Last ferry home", 3, 16),
    "league": FormatShow("Winter league", 7, 6),
    "lives": FormatShow("Three lanterns", 1, options={"lives": 3}),
    "progressive-consolation": FormatShow("Harbour cup", players=16),
    "round-robin": FormatShow("Everybody meets", 3, 6),
    "single-elimination": FormatShow("Sudden death", 1, 13),
    "swiss": FormatShow("Swiss on Sunday", 5, 10, {"rounds": 4}),
}


@dataclass(frozen=True, slots=True)
class DemoNight:
    club: Club
    director: User
    strength: Mapping[int, float]
    rng: random.Random

    def announce(
        self, details: setup.Details, plan: Plan, players: Sequence[Player], *, now: datetime
    ) -> Tournament:
        event = setup.announce(
            club=self.club, by=self.director, key=new_key(), details=details, now=now, plan=plan
        )
        # Draws are reproducible.
        Tournament.objects.filter(pk=event.pk).update(seed=f"{self.rng.getrandbits(128):032x}")
        keys = [player.key for player in players]
        directing.admit_members(tournament_id=event.pk, player_keys=keys, by=self.director, now=now)
        return event

    def begin(self, event: Tournament, *, now: datetime) -> None:
        numbers = [*Entry.objects.filter(tournament=event).values_list("number", flat=True)]
        if event.needs_check_in:
            entering.check_in_entries(tournament_id=event.pk, entries=numbers, by=self.director, now=now)
        drawing.publish(tournament_id=event.pk, by=self.director, now=now)

    def play(self, event: Tournament, row: Pairing, *, now: datetime) -> None:
        """Enter a random result; the stronger player wins more often."""
        a, b = get_both_entries(row)
        edge = self.strength[a.player_id] - self.strength[b.player_id]
        loser = self.rng.randrange(row.length)
        has_won = self.rng.gauss(edge, SWING) > 0
        score = (row.length, loser) if has_won else (loser, row.length)
        results.enter_result(tournament_id=event.pk, key=row.key, score=score, by=self.director, now=now)

    def play_out(self, event: Tournament, *, now: datetime) -> None:
        for _ in range(ENOUGH_ROUNDS):
            now += ROUND
            for row in list_open_matches(event):
                # A result may have changed the players.
                if Pairing.objects.filter(pk=row.pk, state=PairingState.READY, a=row.a, b=row.b).exists():
                    self.play(event, row, now=now)
            if Tournament.objects.values_list("status", flat=True).get(pk=event.pk) == Status.FINISHED:
                return


def list_open_matches(event: Tournament) -> list[Pairing]:
    rows = Pairing.objects.filter(tournament=event, state=PairingState.READY, opened_at__isnull=False)
    return list(rows.select_related("a", "b").order_by("stage__number", "position"))


def get_both_entries(row: Pairing) -> tuple[Entry, Entry]:
    if row.a is None or row.b is None:
        raise LookupError(f"{row.key} is not open")
    return row.a, row.b


def play_every_format(table: DemoNight, players: Sequence[Player], days: Sequence[datetime]) -> None:
    """Play one event of every format to its end, on the *days*, the oldest first."""
    for name, starts_at in zip(sorted(FORMATS), days, strict=False):
        show = SHOWN.get(name, FormatShow(name.replace("-", " ").capitalize()))
        details = setup.Details(
            name=show.name,
            starts_at=starts_at,
            place=PLACE,
            played_as=[{"format": name, **(show.options or {})}],
            match_length=show.length,
        )
        play_night(table, details, table.rng.sample(list(players), show.players), days_before=4)


def play_night(
    table: DemoNight, details: setup.Details, players: Sequence[Player], *, days_before: int = 6
) -> None:
    """Announce an event of one stage, and play it to its end."""
    (played_as,) = details.played_as
    options = {name: value for name, value in played_as.items() if name != "format"}
    plan = Plan(
        stages=(StagePlan(format=played_as["format"], options=options),),
        settings=Settings(reporting="director"),
        match_length=details.match_length,
    )
    event = table.announce(details, plan, players, now=details.starts_at - timedelta(days=days_before))
    table.begin(event, now=details.starts_at)
    table.play_out(event, now=details.starts_at)


def play_running_event(
    table: DemoNight, details: setup.Details, players: Sequence[Player], *, now: datetime
) -> Tournament:
    """Create a running event: a round is nearly over, and one player did not come.

    The first results were entered halfway between the start and now.
    """
    lately = details.starts_at + (now - details.starts_at) / 2
    plan = TEMPLATES["club-night"].plan(details.match_length, 0)
    announced_at = details.starts_at - timedelta(days=6)
    event = table.announce(details, plan, players, now=announced_at)
    demo_announced.send(None, event=event, by=table.director, now=announced_at)
    table.begin(event, now=details.starts_at)
    rows = list_open_matches(event)
    absent, *played = rows
    _present, missing = get_both_entries(absent)
    for row in played[:-1]:
        table.play(event, row, now=lately)
    incidents.record_no_show(
        tournament_id=event.pk, key=absent.key, loser=missing.number, by=table.director, now=now
    )
    seated_first = {one.key for one in rows}
    later = [row for row in list_open_matches(event) if row.key not in seated_first]
    table.play(event, later[0], now=now)
    return event
