"""Entering the members who are here: by ticks, everyone, or those of last time."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from fixtures import friendlies
from players.clubs import clubs
from players.keys import new_key
from players.models import Club, Player, User
from tests.tournaments.support import Browser, text, url
from tournaments.models import LARGEST_CAPACITY, Entry, Tournament
from tournaments.pages import candidates
from tournaments.plan import setup
from tournaments.play import directing
from tournaments.status import Status

pytestmark = pytest.mark.today


@pytest.fixture
def again(
    event: Callable[..., Tournament],
    greta: User,
    otis: User,
    runa: User,
    director: User,
    now: datetime,
) -> Tournament:
    """Return this week's draft; Runa and Otis played last week, Pavel and Greta did not."""
    last = event(Status.FINISHED, players=(runa, otis), starts_at=now - timedelta(days=7))
    return setup.clone(tournament_id=last.pk, by=greta, key=new_key(), now=now)


def names_in(event: Tournament) -> list[str]:
    found = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True)
    return sorted(found.values_list("player__name", flat=True))


def test_those_of_last_time_come_first(
    again: Tournament, event: Callable[..., Tournament], otis: User, director: User
) -> None:
    event(Status.CANCELLED, players=(otis, director), name="Called off")

    found = candidates.list_candidates(again)

    assert [(each.name, each.was_there) for each in found.people] == [
        ("Otis Fenn", True),
        ("Runa Vik", True),
        ("Greta Halloway", False),
        ("Pavel Dorn", False),
    ]
    assert found.of_last_time == 2


def test_a_friendly_afterwards_is_not_last_time(
    again: Tournament, club: Club, otis: User, director: User, now: datetime
) -> None:
    row = friendlies.propose(
        club=club, proposer=otis.player, opponent=director.player, length=5, key=new_key(), now=now
    )
    friendlies.agree(key=row.key, player=director.player, now=now)

    found = candidates.list_candidates(again)

    assert [each.name for each in found.people if each.was_there] == ["Otis Fenn", "Runa Vik"]


def test_players_of_the_waiting_list_were_not_there_last_time(
    again: Tournament, otis: User, runa: User
) -> None:
    Entry.objects.filter(player=runa.player).update(waits=True)

    found = candidates.list_candidates(again)

    assert [each.name for each in found.people if each.was_there] == ["Otis Fenn"]
    assert candidates.list_returning_keys(again, last_key=found.last_key) == [otis.player.key]


def test_a_clubs_first_event_has_no_last_time(
    event: Callable[..., Tournament], greta: User, otis: User
) -> None:
    made = event()

    assert candidates.list_candidates(made).last_key == ""
    assert "from last time" not in text(Browser(greta).get(made.get_absolute_url()))


@pytest.mark.long
def test_one_press_enters_those_of_last_time(again: Tournament, greta: User) -> None:
    browser, last_key = Browser(greta), candidates.list_candidates(again).last_key
    page = text(browser.get(again.get_absolute_url()))
    assert re.search(rf'name="last" value="{last_key}">\s*Enter the 2 from last time\s*<', page)

    said = text(browser.post(url("admit", again.key), {"last": last_key}, follow=True))

    assert "2 players entered." in said
    assert not re.search(r"from last time\s*<", said)
    assert names_in(again) == ["Otis Fenn", "Runa Vik"]
    said = text(browser.post(url("admit", again.key), {"last": last_key}, follow=True))
    assert "Everyone from last time who is still a member is already in." in said


def test_who_has_left_the_club_is_not_entered_again(
    again: Tournament, club: Club, greta: User, runa: User, now: datetime
) -> None:
    clubs.leave(club=club, player=runa.player, now=now)
    browser = Browser(greta)

    assert "Enter the one from last time" in text(browser.get(again.get_absolute_url()))
    browser.post(url("admit", again.key), {"last": candidates.list_candidates(again).last_key})
    assert names_in(again) == ["Otis Fenn"]


def test_last_time_is_one_of_the_clubs_own(
    again: Tournament, greta: User, otis: User, stranger: User, now: datetime
) -> None:
    other = clubs.create(owner=stranger, name="Elsewhere", now=now)
    clubs.join(club=other, player=otis.player, now=now)
    words = setup.Details(name="Theirs", starts_at=now)
    theirs = setup.announce(club=other, by=stranger, key=new_key(), details=words, now=now)
    keys = [otis.player.key, stranger.player.key]
    directing.admit_members(tournament_id=theirs.pk, player_keys=keys, by=stranger, now=now)
    directing.start_event(tournament_id=theirs.pk, by=stranger, now=now)

    Browser(greta).post(url("admit", again.key), {"last": theirs.key})

    assert names_in(again) == []


def test_last_time_is_not_offered_where_it_does_not_fit(
    again: Tournament, greta: User, director: User, now: datetime
) -> None:
    Tournament.objects.filter(pk=again.pk).update(capacity=2)
    directing.admit_members(tournament_id=again.pk, player_keys=[director.player.key], by=greta, now=now)

    assert not re.search(r"from last time\s*<", text(Browser(greta).get(again.get_absolute_url())))


def test_last_time_is_offered_before_the_start_alone(
    again: Tournament, greta: User, director: User, now: datetime
) -> None:
    keys = [director.player.key, greta.player.key]
    directing.admit_members(tournament_id=again.pk, player_keys=keys, by=greta, now=now)
    setup.publish(tournament_id=again.pk, by=greta, now=now)
    browser = Browser(greta)
    assert re.search(r"from last time\s*<", text(browser.get(again.get_absolute_url())))

    directing.start_event(tournament_id=again.pk, by=greta, now=now)

    assert not re.search(r"from last time\s*<", text(browser.get(again.get_absolute_url())))


def test_without_scripts_everyone_is_entered_at_once(
    again: Tournament, greta: User, otis: User, now: datetime
) -> None:
    directing.admit_members(tournament_id=again.pk, player_keys=[otis.player.key], by=greta, now=now)
    browser = Browser(greta)
    assert "Enter everyone" in text(browser.get(again.get_absolute_url()))

    said = text(browser.post(url("admit", again.key), {"everyone": "yes"}, follow=True))

    assert "3 players entered." in said
    assert names_in(again) == ["Greta Halloway", "Otis Fenn", "Pavel Dorn", "Runa Vik"]
    browser.post(url("admit", again.key), {"everyone": "yes"})
    assert len(names_in(again)) == 4


def test_nobody_ticked(again: Tournament, greta: User) -> None:
    assert "No one was ticked." in text(Browser(greta).post(url("admit", again.key), follow=True))


def take_in(event: Tournament, by: User, many: int, now: datetime) -> list[str]:
    """Add this many guests to the club, and return their keys."""
    guests = [Player(name=f"Guest {number}") for number in range(many)]
    clubs.add_guests(club=event.club, guests=guests, by=by, now=now)
    return [guest.key for guest in guests]


@pytest.mark.long
@pytest.mark.parametrize("many", [128, LARGEST_CAPACITY])
def test_a_long_tick_list_is_entered_and_checked_in(
    again: Tournament, greta: User, now: datetime, many: int
) -> None:
    browser = Browser(greta)
    browser.post(url("admit", again.key), {"player": take_in(again, greta, many, now)})

    assert len(names_in(again)) == many
    setup.publish(tournament_id=again.pk, by=greta, now=now)
    browser.post(url("check_in_for", again.key), {"entry": list(range(1, many + 1))})
    assert again.entries.filter(checked_in_at=None).count() == 0


@pytest.mark.long
def test_more_ticks_than_an_event_takes_are_refused_with_a_sentence(
    again: Tournament, greta: User, now: datetime
) -> None:
    ticked = take_in(again, greta, 1_200, now)
    said = text(Browser(greta).post(url("admit", again.key), {"player": ticked}, follow=True))
    assert "1200" in said.replace(",", "")
    assert names_in(again) == []
