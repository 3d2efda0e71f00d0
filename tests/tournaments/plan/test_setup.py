"""Announcing, changing, repeating and throwing away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from players.clubs import clubs
from players.keys import new_key
from players.models import Club, User
from runtime.models import TopicEvent
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import local_times
from tournaments.base.errors import AlreadyDone, DraftOnly, NotDirector, TooFewPlaces, WrongStatus
from tournaments.base.settings import Settings
from tournaments.models import Ruling, RulingKind, Tournament
from tournaments.plan import drawing, setup
from tournaments.play import arrivals, directing
from tournaments.status import Status


@pytest.fixture
def words(now: datetime) -> setup.Details:
    return setup.Details(name="Thursday night", starts_at=now + timedelta(hours=1), place="Back room")


def test_a_draft_is_nobodys_news(club: Club, greta: User, words: setup.Details, now: datetime) -> None:
    event = setup.draft(club=club, by=greta, key=new_key(), details=words, now=now)

    assert event.status == Status.DRAFT
    assert setup.build_details(event) == words
    assert not TopicEvent.objects.filter(topic=f"club.{club.slug}", name="changed").exists()


def test_announcing_leaves_a_ruling_and_a_hint(
    club: Club, director: User, words: setup.Details, now: datetime
) -> None:
    event = setup.announce(club=club, by=director, key=new_key(), details=words, now=now)

    assert event.status == Status.PUBLISHED
    assert [(ruling.act, ruling.by) for ruling in event.rulings.all()] == [(RulingKind.ANNOUNCED, director)]
    assert TopicEvent.objects.filter(topic=f"club.{club.slug}", name="changed").exists()
    assert TopicEvent.objects.filter(topic=f"event.{event.key}").exists()


def test_a_form_sent_twice_makes_one_event(
    club: Club, greta: User, words: setup.Details, now: datetime
) -> None:
    key = new_key()

    first = setup.announce(club=club, by=greta, key=key, details=words, now=now)
    second = setup.announce(club=club, by=greta, key=key, details=words, now=now)

    assert first == second
    assert Tournament.objects.count() == 1
    assert Ruling.objects.count() == 1


def test_a_key_of_another_club_opens_nothing(
    club: Club, greta: User, stranger: User, words: setup.Details, now: datetime
) -> None:
    event = setup.announce(club=club, by=greta, key=new_key(), details=words, now=now)
    other = clubs.create(owner=stranger, name="Elsewhere", now=now)

    with pytest.raises(AlreadyDone):
        setup.draft(club=other, by=stranger, key=event.key, details=words, now=now)


def test_members_announce_nothing(club: Club, otis: User, words: setup.Details, now: datetime) -> None:
    with pytest.raises(NotDirector):
        setup.draft(club=club, by=otis, key=new_key(), details=words, now=now)

    assert not Tournament.objects.exists()


def test_publishing_twice_says_so(event: Callable[..., Tournament], greta: User, now: datetime) -> None:
    with pytest.raises(AlreadyDone):
        setup.publish(tournament_id=event().pk, by=greta, now=now)


def test_a_cancelled_event_is_not_published_again_by_other_means(
    event: Callable[..., Tournament], greta: User, now: datetime
) -> None:
    made = event(Status.CANCELLED)

    with pytest.raises(WrongStatus):
        setup.publish(tournament_id=made.pk, by=greta, now=now)


def test_a_change_is_written_down_by_field(
    event: Callable[..., Tournament], greta: User, now: datetime
) -> None:
    made = event()
    later = now + timedelta(minutes=5)
    words = setup.Details(name="Friday night", starts_at=made.starts_at, capacity=8)

    setup.edit(tournament_id=made.pk, by=greta, details=words, now=later)

    made.refresh_from_db()
    assert (made.name, made.capacity, made.changed_at) == ("Friday night", 8, later)
    assert made.rulings.get(act=RulingKind.EDITED).data == {"changed": ["name", "capacity"]}


def test_saving_without_a_change_leaves_nothing(
    event: Callable[..., Tournament], greta: User, now: datetime
) -> None:
    made = event()

    setup.edit(tournament_id=made.pk, by=greta, details=setup.build_details(made), now=now)

    assert not made.rulings.filter(act=RulingKind.EDITED).exists()


def test_the_limit_cannot_fall_below_those_who_are_in(
    event: Callable[..., Tournament], greta: User, otis: User, runa: User, director: User, now: datetime
) -> None:
    made = event(players=(otis, runa, director))
    words = setup.Details(name="Thursday night", starts_at=made.starts_at, capacity=2)

    with pytest.raises(TooFewPlaces, match="3 players"):
        setup.edit(tournament_id=made.pk, by=greta, details=words, now=now)


def test_the_announcement_can_be_changed_after_a_latecomer_went_above_the_limit(desk: Desk) -> None:
    desk.announce(a_plan("swiss", rounds=3), 4, capacity=4)
    desk.do(drawing.publish)
    desk.do(arrivals.enter_latecomer, name="Zoe Late")
    words = setup.build_details(desk.fresh())

    desk.do(setup.edit, details=replace(words, about="Bring change"))
    with pytest.raises(TooFewPlaces, match="5 players"):
        desk.do(setup.edit, details=replace(words, capacity=3))

    assert (desk.fresh().about, desk.fresh().capacity) == ("Bring change", 4)


@pytest.mark.parametrize("status", [Status.FINISHED, Status.CANCELLED])
def test_what_is_over_is_not_edited(
    event: Callable[..., Tournament], greta: User, otis: User, runa: User, now: datetime, status: Status
) -> None:
    made = event(status, players=(otis, runa))

    with pytest.raises(WrongStatus):
        setup.edit(tournament_id=made.pk, by=greta, details=setup.build_details(made), now=now)


def test_the_same_again_is_a_draft_a_week_later(
    event: Callable[..., Tournament], greta: User, otis: User, runa: User, now: datetime
) -> None:
    made = event(Status.FINISHED, players=(otis, runa), capacity=16)

    again = setup.clone(tournament_id=made.pk, by=greta, key=new_key(), now=now)

    assert (again.status, again.name, again.capacity) == (Status.DRAFT, made.name, 16)
    assert again.starts_at == made.starts_at + timedelta(days=7)
    assert not again.entries.exists()


def test_the_hour_stays_when_summer_time_ends() -> None:
    # 2026-10-22 19:30 in Berlin is 17:30 UTC; a week later the clocks have gone back.
    before = datetime(2026, 10, 22, 17, 30, tzinfo=UTC)

    after = local_times.compute_next_week(before, "Europe/Berlin", now=before)

    assert after == datetime(2026, 10, 29, 18, 30, tzinfo=UTC)


def test_entries_close_at_the_same_hour_in_the_week_in_which_summer_time_ends(
    club: Club, greta: User
) -> None:
    # Monday, 19 October, 19:30 in Berlin; entries close on Saturday at 18:00.
    start, closes = datetime(2026, 10, 19, 17, 30, tzinfo=UTC), datetime(2026, 10, 17, 16, tzinfo=UTC)
    made = setup.announce(
        club=club,
        by=greta,
        key=new_key(),
        details=setup.Details(name="Monday night", starts_at=start),
        plan=a_plan("swiss", Settings(entries_close_at=closes)),
        now=start - timedelta(days=9),
    )

    again = setup.clone(tournament_id=made.pk, by=greta, key=new_key(), now=start)

    assert again.starts_at == datetime(2026, 10, 26, 18, 30, tzinfo=UTC)
    assert again.entries_close_at == datetime(2026, 10, 24, 16, tzinfo=UTC)


def test_an_old_event_is_repeated_in_the_week_to_come() -> None:
    old = datetime(2026, 1, 8, 18, 30, tzinfo=UTC)

    assert local_times.compute_next_week(
        old, "Europe/Berlin", now=datetime(2026, 3, 5, 19, 0, tzinfo=UTC)
    ) == datetime(2026, 3, 12, 18, 30, tzinfo=UTC)


def test_only_drafts_are_thrown_away(
    event: Callable[..., Tournament], greta: User, otis: User, now: datetime
) -> None:
    draft, announced = event(Status.DRAFT), event()
    directing.admit_members(tournament_id=draft.pk, player_keys=[otis.player.key], by=greta, now=now)

    setup.discard(tournament_id=draft.pk, by=greta)
    with pytest.raises(DraftOnly):
        setup.discard(tournament_id=announced.pk, by=greta)

    assert list(Tournament.objects.all()) == [announced]
