"""Following a friend: the follower's page shows the friend's results, and the friend is not notified."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from careers import friends
from players.accounts import accounts, exports
from players.clubs import clubs, merging
from players.errors import NotAllowed
from players.models import Export, Follow, Notice, User
from players.people import people
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.plan import drawing
from tournaments.plan.templates import StagePlan
from tournaments.play import incidents

pytestmark = pytest.mark.today


@pytest.fixture
def fan(desk: Desk) -> User:
    return accounts.register(email="fan@example.org", password=None, name="Fay Nan", now=desk.now)


def started(desk: Desk, players: int = 4) -> Desk:
    desk.start(a_plan("single-elimination"), players)
    return desk


@pytest.mark.long
def test_from_the_players_page_to_ones_own_and_back(desk: Desk, fan: User, client: Client) -> None:
    started(desk)
    desk.do(incidents.call_match, key="main/1.1", table="7")
    friend = desk.row("main/1.1").a.player
    client.force_login(fan)
    own = friend.get_absolute_url()
    assert "Stop following" not in client.get(own).content.decode()
    assert client.post(reverse("players:follow", args=[friend.key]), {"follow": "yes"}).url == own
    assert "Stop following" in client.get(own).content.decode()

    said = re.sub(r"\s+", " ", strip_tags(client.get("/me/").content.decode())).partition("Friends")[2]
    other = desk.row("main/1.1").b.player.public_name
    assert re.search(f"{friend.public_name} against {other} · Table 7 · Semi-finals", said)

    client.post(reverse("players:follow", args=[friend.key]), {"follow": "no"})
    assert "me-friends" not in client.get("/me/").content.decode()
    assert Notice.objects.filter(user__player=friend).count() == 0


def test_a_friend_is_told_of_from_match_to_match(desk: Desk, fan: User) -> None:
    started(desk)
    friend = desk.row("main/1.1").a.player
    people.follow(user=fan, player=friend, now=desk.now)

    def now_plays() -> list[tuple[str, bool]]:
        (shown,) = friends.list_friends(fan, now=desk.now)
        return [(match.opponent, match.is_open) for match in shown.matches]

    assert now_plays() == [(desk.row("main/1.1").b.player.public_name, True)]
    desk.play("main/1.1", desk.row("main/1.1").a.number)
    ((awaited, is_open),) = now_plays()
    assert not is_open
    assert awaited, "one of the two of the other match"
    desk.play("main/1.2")
    final = desk.row("main/2.1")
    ((opponent, is_open),) = now_plays()
    assert is_open
    assert opponent in {final.a.player.public_name, final.b.player.public_name} - {friend.public_name}
    desk.play("main/2.1", next(entry.number for entry in (final.a, final.b) if entry.player != friend))
    assert now_plays() == []


def test_a_drafted_round_is_not_told(desk: Desk, fan: User) -> None:
    desk.start(a_plan([StagePlan(format="swiss", options={"rounds": 2}, pairs="draft")]), 4)
    people.follow(user=fan, player=desk.player(1), now=desk.now)
    (shown,) = friends.list_friends(fan, now=desk.now)
    assert shown.matches == ()


def test_who_hides_is_not_followed_and_is_shown_no_more(desk: Desk, fan: User) -> None:
    started(desk)
    friend = desk.player(1)
    people.follow(user=fan, player=friend, now=desk.now)
    assert len(friends.list_friends(fan, now=desk.now)) == 1
    friend.hidden_from_search = True
    friend.save()
    assert friends.list_friends(fan, now=desk.now) == ()
    assert friends.list_event_keys(fan) == []
    for nobody in (friend, fan.player):
        with pytest.raises(NotAllowed):
            people.follow(user=fan, player=nobody, now=desk.now)


def test_who_begins_to_hide_can_still_be_unfollowed(desk: Desk, fan: User, client: Client) -> None:
    desk.announce(a_plan("single-elimination"), 2)
    friend = desk.player(1)
    people.follow(user=fan, player=friend, now=desk.now)
    friend.hidden_from_search = True
    friend.save()
    client.force_login(fan)
    own = friend.get_absolute_url()
    assert "Stop following" in client.get(own).content.decode()
    client.post(reverse("players:follow", args=[friend.key]), {"follow": "no"})
    said = client.get(own).content.decode()
    assert "Stop following" not in said
    assert reverse("players:follow", args=[friend.key]) not in said


def test_who_leaves_for_good_is_followed_by_nobody(desk: Desk, fan: User) -> None:
    bo = accounts.register(email="bo@example.org", password=None, name="Bo Lindqvist", now=desk.now)
    people.follow(user=fan, player=bo.player, now=desk.now)
    accounts.erase(user=bo, now=desk.now)
    assert not Follow.objects.exists()


def test_whoever_had_to_sign_in_first_comes_back_to_the_player(desk: Desk, fan: User, client: Client) -> None:
    desk.announce(a_plan("single-elimination"), 2)
    friend = desk.player(1)
    client.force_login(fan)
    answer = client.get(reverse("players:follow", args=[friend.key]))
    assert answer.headers["Location"] == friend.get_absolute_url()
    assert not Follow.objects.exists()


def test_who_is_merged_stays_followed(desk: Desk, fan: User) -> None:
    guest = clubs.add_guest(club=desk.club, by=desk.director, name="Bo", now=desk.now)
    bo = desk.member("Bo Lindqvist").player
    people.follow(user=fan, player=guest, now=desk.now)
    merging.merge_guest(kept=bo, dropped=guest, by=desk.director, now=desk.now)
    people.follow(user=fan, player=bo, now=desk.now)
    assert [each.name for each in friends.list_friends(fan, now=desk.now)] == ["Bo Lindqvist"]
    people.unfollow(user=fan, player=bo)
    assert not Follow.objects.exists()


def test_it_is_part_of_ones_data_and_goes_with_the_account(desk: Desk, fan: User) -> None:
    started(desk)
    people.follow(user=fan, player=desk.player(1), now=desk.now)
    export = exports.request_export(user=fan, now=desk.now)
    exports.write_export({"export_id": export.pk}, now=desk.now)
    told = json.loads(bytes(Export.objects.get().content))
    assert [each["player__name"] for each in told["follows"]] == ["Guest 1"]
    accounts.erase(user=fan, now=desk.now)
    assert not Follow.objects.exists()


def test_the_page_follows_events_of_friends(desk: Desk, fan: User, client: Client) -> None:
    started(desk)
    people.follow(user=fan, player=desk.player(1), now=desk.now)
    client.force_login(fan)
    page = client.get("/me/")
    assert page.context["topics"] == [f"event.{desk.event.key}"]
    assert f'data-live="event.{desk.event.key} user.{fan.pk}"' in page.content.decode()


def test_a_draw_that_is_not_public_is_not_told(desk: Desk, fan: User) -> None:
    desk.announce(a_plan("single-elimination"), 4)
    people.follow(user=fan, player=desk.player(1), now=desk.now)
    (shown,) = friends.list_friends(fan, now=desk.now)
    assert shown.matches == ()
    desk.do(drawing.publish)
    (shown,) = friends.list_friends(fan, now=desk.now)
    assert len(shown.matches) == 1
