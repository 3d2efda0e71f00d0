"""Merge, play on, unmerge: events, results and ratings are then the same as without the merge."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from players.accounts import accounts
from players.clubs import clubs, merging
from players.models import Membership, Merge, Player
from rankings import verifiers
from rankings.ledger import entries
from rankings.lists import lists
from rankings.models import PlayerRating, RatingList
from tests.deliveries import deliver
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Entry, Pairing, Tournament
from tournaments.plan import drawing
from tournaments.play import corrections, directing

NAMES = ("Ann", "Bert", "Cleo", "Dan", "Eve")
# Anyone who is merged, and whom they are taken for.
GUEST, OTHER = "Gus", "Augustus"


@dataclass
class Club:
    """A new club with its events; two of them get the same acts."""

    now: datetime
    name: str
    events: list[Tournament] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.desk = Desk.__new__(Desk)
        self.desk.now = self.now
        self.desk.director = accounts.register(
            email=f"{self.name}@example.org", password=None, name="Dora Desk", now=self.now
        )
        self.desk.club = clubs.create(owner=self.desk.director, name=self.name, now=self.now)
        self.people = {
            name: clubs.add_guest(club=self.desk.club, name=name, by=self.desk.director, now=self.now)
            for name in (*NAMES, GUEST, OTHER)
        }
        self.lists = [
            lists.open_list(
                club=self.desk.club, by=self.desk.director, name=system, system=system, now=self.now
            )
            for system in ("fibs", "glicko2")
        ]

    def begin(self, names: list[str]) -> None:
        """Start an event of these; a person who is one with another enters as them."""
        self.desk.announce(a_plan("round-robin"))
        keys = [self.person(name).key for name in names]
        self.desk.do(directing.admit_members, player_keys=keys)
        self.desk.do(drawing.publish)
        self.events.append(self.desk.event)

    def person(self, name: str) -> Player:
        row = Player.objects.get(pk=self.people[name].pk)
        return row.merged_into or row

    def play(self, count: int, rng: random.Random) -> None:
        """Play some matches of the events that run, as chance has it."""
        for _ in range(count):
            self.desk.now += timedelta(hours=30)
            rows = Pairing.objects.filter(
                tournament__in=self.events, state="ready", opened_at__isnull=False
            ).order_by("tournament", "position")
            if not rows:
                return
            row = rng.choice(list(rows))
            self.desk.event = next(each for each in self.events if each.pk == row.tournament_id)
            self.desk.play(row.key, rng.choice([row.a.number, row.b.number]))

    def correct(self, rng: random.Random) -> None:
        rows = Pairing.objects.filter(tournament__in=self.events, kind="played").order_by(
            "tournament", "position"
        )
        if not rows:
            return
        row = rng.choice(list(rows))
        self.desk.event = next(each for each in self.events if each.pk == row.tournament_id)
        score = (0, row.length) if row.winner_id == row.a_id else (row.length, 0)
        self.desk.do(corrections.correct_result, key=row.key, score=score, reason="Misread")

    def describe_all(self) -> tuple[object, ...]:
        """All that can be known, by names."""
        seats = [
            [
                (entry.number, entry.player.name, entry.place, entry.withdrawn_at)
                for entry in Entry.objects.filter(tournament=event)
                .select_related("player")
                .order_by("number")
            ]
            for event in self.events
        ]
        results = [
            list(
                Pairing.objects.filter(tournament=event)
                .order_by("key")
                .values_list("key", "state", "winner__number", "decided_at")
            )
            for event in self.events
        ]
        names = dict(Player.objects.values_list("pk", "name"))
        # By name and time: the matches themselves are others.
        ledgers = [
            sorted(
                (
                    line.at, names[line.player_id], names[line.opponent_id], line.won, line.length,
                    line.before, line.change, line.after, line.experience, line.deviation, line.volatility,
                )
                for _, line in entries.list_lines(each)
            )
            for each in self.lists
        ]  # fmt: skip
        shown = [
            {
                names[player]: (rating, matches)
                for player, rating, matches in PlayerRating.objects.filter(list=each).values_list(
                    "player", "rating", "matches"
                )
            }
            for each in self.lists
        ]
        members = set(
            Membership.objects.filter(club=self.desk.club).values_list("player__name", "role", "joined_at")
        )
        return seats, results, ledgers, shown, members


@pytest.mark.long
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    seed=st.integers(0, 10_000),
    guest_played=st.booleans(),
    other_played=st.booleans(),
    before=st.integers(0, 6),
    meanwhile=st.integers(0, 8),
    is_corrected=st.booleans(),
    enters_again=st.booleans(),
)
@pytest.mark.django_db
def test_merge_play_on_and_unmerge_is_as_if_it_had_not_been(
    now: datetime,
    seed: int,
    guest_played: bool,
    other_played: bool,
    before: int,
    meanwhile: int,
    is_corrected: bool,
    enters_again: bool,
) -> None:
    found = []
    for is_merged in (False, True):
        rng = random.Random(seed)
        club = Club(now, f"{'Merged' if is_merged else 'Plain'} {RatingList.objects.count()}")
        # They never sat at the same event: that would show that they are two.
        club.begin([*NAMES[:3], *([GUEST] if guest_played else [])])
        club.begin([*NAMES[1:4], *([OTHER] if other_played else [])])
        club.play(before, rng)
        deliver(club.desk.now)
        if is_merged:
            people = {"kept": club.people[OTHER], "dropped": club.people[GUEST]}
            merging.merge_guest(**people, by=club.desk.director, now=club.desk.now)
            deliver(club.desk.now)
        club.play(meanwhile, rng)
        if enters_again:
            club.begin([NAMES[0], OTHER, NAMES[4]])
            club.play(2, rng)
        if is_corrected:
            club.correct(rng)
        deliver(club.desk.now)
        if is_merged:
            row = Merge.objects.get(kept=club.people[OTHER])
            merging.unmerge(merge_id=row.pk, by=club.desk.director, now=club.desk.now)
            deliver(club.desk.now)
        club.play(3, rng)
        deliver(club.desk.now)
        for each in club.lists:
            assert list(verifiers.find_problems(each)) == []
        found.append(club.describe_all())
    plain, merged = found
    for one, other in zip(plain, merged, strict=True):
        assert one == other


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("is_begun", [False, True])
def test_who_had_entered_twice_is_entered_twice_again(desk: Desk, is_begun: bool) -> None:
    """Before the draw both entries are restored; after it, only those that were drawn."""
    desk.announce(a_plan("round-robin"), 3)
    guest, other = (
        clubs.add_guest(club=desk.club, name=name, by=desk.director, now=desk.now) for name in (GUEST, OTHER)
    )
    for one in (guest, other):
        desk.now += timedelta(minutes=1)
        desk.do(directing.admit_members, player_keys=[one.key])
    taken = list(
        Entry.objects.filter(player__in=(guest, other)).values("player", "number", "entered_at", "uid")
    )
    merging.merge_guest(kept=other, dropped=guest, by=desk.director, now=desk.now)
    united = Entry.objects.get(player=other)
    assert united.entered_at == min(each["entered_at"] for each in taken)
    if is_begun:
        desk.do(drawing.publish)
    merging.unmerge(merge_id=Merge.objects.get().pk, by=desk.director, now=desk.now)
    back = Entry.objects.filter(player__in=(guest, other))
    assert sorted(back.values_list("uid", flat=True)) == sorted(each["uid"] for each in taken)
    assert {entry.player_id: entry.withdrawn_at is not None for entry in back} == {
        guest.pk: is_begun,
        other.pk: False,
    }
    if not is_begun:
        assert len({entry.number for entry in back}) == len(taken)
        assert {entry.player_id: entry.entered_at for entry in back} == {
            each["player"]: each["entered_at"] for each in taken
        }
        desk.do(drawing.publish)
    desk.play_out()
