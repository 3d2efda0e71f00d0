"""A director's desk in tests: an event of any format, run through the services alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from players.accounts import accounts
from players.clubs import clubs
from players.keys import new_key
from players.models import Club, Player, User
from tournaments.base import event_rows, ties
from tournaments.base.settings import Settings
from tournaments.models import Entry, Pairing, PairingState, Ruling, Tournament
from tournaments.plan import drawing, setup
from tournaments.plan.templates import Plan, StagePlan
from tournaments.play import directing, entering, event_control, results, snapshots
from tournaments.status import Status

ENOUGH_ROUNDS = 300


def a_plan(form: str | Iterable[StagePlan], settings: Settings | None = None, **options: Any) -> Plan:
    stages = (StagePlan(format=form, options=options),) if isinstance(form, str) else tuple(form)
    return Plan(stages=stages, settings=settings or Settings(), match_length=5)


class Desk:
    """One club, one director, one event at a time. The clock is frozen unless a test advances it."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.director: User = accounts.register(
            email="desk@example.org", password=None, name="Dora Desk", now=now
        )
        self.club: Club = clubs.create(owner=self.director, name="Here", now=now)
        self.event: Tournament = None  # type: ignore[assignment]

    @property
    def pk(self) -> int:
        return self.event.pk

    def do(self, act: Callable[..., Any], **what: Any) -> Any:
        """Carry out a director's act on this event, now."""
        return act(tournament_id=self.pk, by=self.director, now=self.now, **what)

    def announce(self, plan: Plan | None, players: int = 0, seed: str = "7", **details: Any) -> Tournament:
        said = setup.Details(name="Thursday", starts_at=self.now, **details)
        self.event = setup.announce(
            club=self.club, by=self.director, key=new_key(), details=said, now=self.now, plan=plan
        )
        # The same draw in every run.
        Tournament.objects.filter(pk=self.pk).update(seed=seed)
        self.event.seed = seed
        if players:
            self.do(directing.admit_named, names=[f"Guest {number}" for number in range(1, players + 1)])
        return self.event

    def start(self, plan: Plan, players: int, **details: Any) -> Tournament:
        self.announce(plan, players, **details)
        self.do(drawing.publish)
        return self.fresh()

    def fresh(self) -> Tournament:
        self.event.refresh_from_db()
        return self.event

    def member(self, name: str) -> User:
        """Return a new account that is in the club."""
        email = f"{name.lower().replace(' ', '.')}@example.org"
        user = accounts.register(email=email, password=None, name=name, now=self.now)
        clubs.join(club=self.club, player=user.player, now=self.now)
        return user

    def entrant(self, name: str) -> User:
        """Return a new member who has entered this event."""
        user = self.member(name)
        entering.enter_own_player(tournament_id=self.pk, user=user, now=self.now)
        return user

    # Looking

    def row(self, key: str) -> Pairing:
        return Pairing.objects.select_related("a__player", "b__player", "winner").get(
            tournament=self.event, key=key
        )

    def open(self) -> list[Pairing]:
        return list(
            Pairing.objects.filter(tournament=self.event, state=PairingState.READY, opened_at__isnull=False)
            .select_related("a", "b", "stage", "round")
            .order_by("stage__number", "position")
        )

    def pairs(self) -> dict[str, tuple[int, int]]:
        return {row.key: (row.a.number, row.b.number) for row in self.open() if row.a and row.b}

    def image(self) -> snapshots.Image:
        return snapshots.take_snapshot(self.fresh())

    def entry(self, number: int) -> Entry:
        return Entry.objects.select_related("player").get(tournament=self.event, number=number)

    def player(self, number: int) -> Player:
        return self.entry(number).player

    def ruling(self) -> Ruling:
        ruling = self.event.rulings.order_by("-pk").first()
        assert ruling is not None
        return ruling

    # Playing

    def play(self, key: str, winner: int | None = None) -> Pairing:
        """Enter a result. Without a name, the lower number wins."""
        row = self.row(key)
        assert row.b
        winner = min(row.a.number, row.b.number) if winner is None else winner
        score = (row.length, 0) if row.a.number == winner else (0, row.length)
        return self.do(results.enter_result, key=key, score=score)

    def play_out(self, choose: Callable[[Pairing], int] | None = None) -> int:
        """Play everything; return how many matches that took."""
        played = 0
        for _ in range(ENOUGH_ROUNDS):
            todo = self.open()
            if not todo and not self.leave_to_lot():
                break
            for row in todo:
                # What was played in the meantime may have taken it away.
                if self.event.pairings.filter(key=row.key, state=PairingState.READY).exists():
                    self.play(row.key, choose(row) if choose else None)
                    played += 1
        self.fresh()
        assert self.event.status == Status.FINISHED, waiting(self.event)
        return played

    def leave_to_lot(self) -> bool:
        """Let the lot decide what the desk asks; say whether it asked."""
        level = (
            ties.list_ties(event_rows.load_rows(self.fresh()))
            if self.fresh().status == Status.RUNNING
            else ()
        )
        for name in {tie.stage for tie in level}:
            number = self.event.stages.get(name=name).number
            self.do(event_control.break_ties, playoff=False, stage=number, reason="as the lot has it")
        return bool(level)


def waiting(event: Tournament) -> list[str]:
    return [
        str(place)
        for place in event_rows.list_places(event_rows.load_rows(event))
        if place.state in ("ready", "waiting")
    ]
