"""Friendlies: agreed before they are played, then a match like any other; no event of the club, and nobody's title."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from careers import my_matches, results
from fixtures import friendlies
from fixtures import friendly_lines as selectors
from players.accounts import accounts
from players.clubs import clubs
from players.keys import new_key
from players.models import Notice, Role
from tests.tournaments.desk import Desk
from tests.tournaments.support import Browser, url
from tournaments.base import lines
from tournaments.base.errors import (
    BadFriendly,
    CannotPlayFriendly,
    FriendlyAnswered,
    FriendlyBegun,
    FriendlyExpired,
    NotYourFriendly,
    TooManyFriendlies,
)
from tournaments.models import Friendly, Pairing, Stand, Tournament
from tournaments.play import deadlines
from tournaments.play import results as service
from tournaments.programme import calendar, club_years
from tournaments.status import Status

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import User


class Two:
    """Two members of a club, and a director who is neither."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.desk = Desk(now)
        self.ann, self.bob = self.member("Ann"), self.member("Bob")

    def member(self, name: str) -> User:
        user = accounts.register(email=f"{name.lower()}@example.org", password=None, name=name, now=self.now)
        clubs.admit(club=self.desk.club, player=user.player, role=Role.MEMBER, now=self.now)
        return user

    def propose(self, **said: object) -> Friendly:
        values = {"length": 5, "key": new_key(), "now": self.now, **said}
        return friendlies.propose(
            club=self.desk.club, proposer=self.ann.player, opponent=self.bob.player, **values
        )

    def agreed(self, **said: object) -> Tournament:
        row = friendlies.agree(key=self.propose(**said).key, player=self.bob.player, now=self.now)
        assert row.event is not None
        return row.event

    def score(self, event: Tournament, ann: int, bob: int) -> tuple[int, int]:
        """Return a score of the two as the match has its sides."""
        row = Pairing.objects.select_related("a").get(tournament=event)
        return (ann, bob) if row.a and row.a.player == self.ann.player else (bob, ann)

    def report(self, event: Tournament, user: User, score: tuple[int, int]) -> None:
        key = Pairing.objects.get(tournament=event).key
        service.report(tournament_id=event.pk, key=key, user=user, score=score, now=self.now)


@pytest.fixture
def two(db: None, now: datetime) -> Two:
    return Two(now)


def told(user: User) -> list[str]:
    return list(Notice.objects.filter(user=user).order_by("pk").values_list("text", flat=True))


def test_what_both_agree_on_is_one_match_that_is_reported_and_confirmed(two: Two) -> None:
    event = two.agreed(length=7)
    [row] = Pairing.objects.filter(tournament=event)
    assert (row.state, row.length, row.opened_at) == (Stand.READY, 7, two.now)
    assert told(two.bob) == ["Ann proposes a friendly to 7 points."]
    assert told(two.ann) == ["Bob agreed to your friendly: play it, then report the score."]

    mine = two.score(event, 7, 3)
    two.report(event, two.ann, mine)
    assert told(two.bob)[1:] == [
        "Ann reported the result of your friendly. It stands after a day unless you deny it."
    ]
    service.confirm(tournament_id=event.pk, key=row.key, user=two.bob, score=mine, now=two.now)
    row.refresh_from_db()
    event.refresh_from_db()
    assert (row.state, event.status) == (Stand.DECIDED, Status.FINISHED)
    [over] = selectors.of(two.bob.player, now=two.now).over
    assert (over.won, over.score, over.opponent) == (False, "3\N{EN DASH}7", "Ann")


def test_silence_confirms_after_a_day(two: Two) -> None:
    event = two.agreed()
    two.report(event, two.ann, two.score(event, 5, 0))
    deadlines.sweep(two.now + timedelta(hours=23))
    assert Pairing.objects.get(tournament=event).state == Stand.READY
    deadlines.sweep(two.now + timedelta(hours=25))
    assert Pairing.objects.get(tournament=event).state == Stand.DECIDED


def test_a_dispute_goes_to_the_directors(two: Two) -> None:
    event = two.agreed()
    key = Pairing.objects.get(tournament=event).key
    won = two.score(event, 5, 0)
    two.report(event, two.ann, won)
    said = {"tournament_id": event.pk, "key": key, "now": two.now}
    service.dispute(user=two.bob, score=won, **said)
    assert told(two.desk.director)[-1].endswith("disagree on the result of their friendly: please decide.")
    service.enter(by=two.desk.director, score=won, **said)
    assert Tournament.objects.get(pk=event.pk).status == Status.FINISHED


def test_only_who_was_asked_agrees_and_only_once(two: Two) -> None:
    row = two.propose()
    for player in (two.ann.player, two.desk.director.player):
        with pytest.raises(NotYourFriendly):
            friendlies.agree(key=row.key, player=player, now=two.now)
    first = friendlies.agree(key=row.key, player=two.bob.player, now=two.now)
    again = friendlies.agree(key=row.key, player=two.bob.player, now=two.now)
    assert first.event == again.event
    assert Tournament.objects.filter(is_friendly=True).count() == 1
    with pytest.raises(FriendlyAnswered):
        friendlies.withdraw(key=row.key, player=two.ann.player, now=two.now)
    with pytest.raises(FriendlyAnswered):
        friendlies.decline(key=row.key, player=two.bob.player, now=two.now)


def test_a_proposal_that_was_taken_back_or_is_old_is_not_agreed_to(two: Two) -> None:
    row = two.propose()
    friendlies.withdraw(key=row.key, player=two.ann.player, now=two.now)
    with pytest.raises(FriendlyAnswered):
        friendlies.agree(key=row.key, player=two.bob.player, now=two.now)
    old = two.propose()
    with pytest.raises(FriendlyExpired):
        friendlies.agree(key=old.key, player=two.bob.player, now=two.now + timedelta(days=8))
    assert not Tournament.objects.exists()


def test_nobody_is_asked_who_cannot_play(two: Two) -> None:
    stranger = accounts.register(email="s@example.org", password=None, name="Sue", now=two.now)
    for other in (stranger.player, two.ann.player):
        with pytest.raises(CannotPlayFriendly):
            friendlies.propose(
                club=two.desk.club,
                proposer=two.ann.player,
                opponent=other,
                length=5,
                now=two.now,
                key=new_key(),
            )
    for wrong in ({"length": 0}, {"length": 26}, {"where": "moon"}, {"clock": "sundial"}):
        with pytest.raises(BadFriendly):
            two.propose(**wrong)
    for _ in range(friendlies.MOST_OPEN):
        two.propose()
    with pytest.raises(TooManyFriendlies):
        two.propose()
    key = Friendly.objects.order_by("pk").values_list("key", flat=True)[0]
    # The same form again is the same proposal.
    assert two.propose(key=key).key == key


def test_it_is_called_off_only_while_nothing_is_reported(two: Two) -> None:
    event = two.agreed()
    friendlies.call_off(key=event.friendly.key, player=two.ann.player, now=two.now)
    event.refresh_from_db()
    assert event.status == Status.CANCELLED
    assert told(two.bob)[-1] == "Ann called your friendly off."
    other = two.agreed()
    two.report(other, two.ann, two.score(other, 5, 0))
    with pytest.raises(FriendlyBegun):
        friendlies.call_off(key=other.friendly.key, player=two.bob.player, now=two.now)
    third = two.agreed(where="live")
    service.open_board(
        tournament_id=third.pk, key=Pairing.objects.get(tournament=third).key, user=two.bob, now=two.now
    )
    with pytest.raises(FriendlyBegun):
        friendlies.call_off(key=third.friendly.key, player=two.bob.player, now=two.now)


def test_it_is_no_event_of_the_club_and_nobodys_title(two: Two) -> None:
    event = two.agreed()
    key = Pairing.objects.get(tournament=event).key
    service.enter(tournament_id=event.pk, key=key, by=two.desk.director, score=(5, 1), now=two.now)
    club, nobody = two.desk.club, two.ann
    assert not lines.past(lines.visible(nobody), now=two.now).exists()
    assert not lines.upcoming(lines.visible(nobody), now=two.now).exists()
    assert club_years.of(club, now=two.now) is None
    figures = calendar.count_club_figures(club)
    assert (figures.events, figures.matches) == (0, 1)
    assert not calendar.entries(club, host="x", absolute=str, now=two.now)
    for user in (two.ann, two.bob):
        found = results.of(user.player, user)
        assert (found.played, found.wins, found.podiums) == (0, 0, 0)
        assert found.met.won + found.met.lost == 1
    found = Client().get(reverse("api:event-list"), {"club": club.slug}).json()
    assert found["results"] == []


def test_who_is_merged_or_leaves_has_no_open_proposals(two: Two) -> None:
    row = two.propose()
    guest = two.member("Bobby")
    theirs = friendlies.propose(
        club=two.desk.club,
        proposer=two.ann.player,
        opponent=guest.player,
        length=3,
        now=two.now,
        key=new_key(),
    )
    accounts.erase(user=guest, now=two.now)
    theirs.refresh_from_db()
    row.refresh_from_db()
    assert (theirs.status, row.status) == ("withdrawn", "open")


def test_both_see_it_on_their_pages(two: Two) -> None:
    ann, bob = Browser(), Browser()
    ann.force_login(two.ann)
    bob.force_login(two.bob)
    page = ann.get(url("fixtures:friendlies"), {"opponent": two.bob.player.key}).content.decode()
    assert f'value="{two.desk.club.slug}/{two.bob.player.key}" selected' in page
    profile = ann.get(two.bob.player.get_absolute_url()).content.decode()
    assert f"{url('fixtures:friendlies')}?opponent={two.bob.player.key}" in profile
    said = {
        "opponent": f"{two.desk.club.slug}/{two.bob.player.key}",
        "length": "5",
        "where": "board",
        "clock": "",
        "key": new_key(),
    }
    for _twice in range(2):
        assert ann.post(url("fixtures:friendlies"), said).status_code == 302
    row = Friendly.objects.get()
    assert "Will you play a friendly?" in bob.get(url("careers:me")).content.decode()
    bob.post(url("fixtures:answer_friendly", row.key), {"answer": "agree"})
    now = two.now + timedelta(days=1)
    for user in (two.ann, two.bob):
        [match] = my_matches.of(user.player, user, now=now).matches
        assert match.event.name == "Friendly"
    wrong = ann.post(url("fixtures:friendlies"), {**said, "length": "99", "key": new_key()})
    assert wrong.status_code == 422
    assert "99" in wrong.content.decode()


def test_its_page_has_nothing_of_an_evening(two: Two) -> None:
    event = two.agreed(length=7)
    ann, director = Browser(), Browser()
    ann.force_login(two.ann)
    director.force_login(two.desk.director)

    page = ann.get(event.get_absolute_url()).content.decode()
    assert 'id="event-tabs"' not in page
    assert url("standings", event.key) not in page
    page = director.get(event.get_absolute_url()).content.decode()
    assert url("desk", event.key) in page
    assert "The same again" not in page
    assert url("fixtures:begin_series", two.desk.club.slug) not in page
    # Whoever has an old address still gets an answer.
    assert ann.get(url("standings", event.key)).status_code == 200


def test_others_know_nothing_of_it_over_the_api(two: Two) -> None:
    row = two.propose(now=timezone.now())
    stranger = Client()
    stranger.force_login(two.member("Cid"))
    assert stranger.get(reverse("api:friendly-list")).json()["results"] == []
    assert stranger.get(reverse("api:friendly-detail", args=[row.key])).status_code == 404
    assert stranger.post(reverse("api:friendly-agree", args=[row.key])).status_code == 404
    bob = Client()
    bob.force_login(two.bob)
    found = bob.post(reverse("api:friendly-agree", args=[row.key]))
    assert found.status_code == 200, found.content
    assert found.json()["status"] == "agreed"
    assert Tournament.objects.get(key=found.json()["event"]).is_friendly


def test_who_signs_in_on_the_way_to_an_answer_comes_to_their_friendlies(two: Two, client: Client) -> None:
    answer = url("fixtures:answer_friendly", two.propose().key)
    away = client.post(answer, {"answer": "agree"})
    assert away.status_code == 302
    assert "login" in away["Location"]
    client.force_login(two.bob)
    assert client.get(answer)["Location"] == url("fixtures:friendlies")
