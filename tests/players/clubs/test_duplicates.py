"""Possible duplicates in a club's list: suggested with evidence, then merged or marked as two people."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from players.clubs import clubs, merging
from players.clubs import duplicates as selectors
from players.clubs.duplicates import PossibleDuplicate
from players.errors import CannotMerge, NotAllowed, NotMember, PlayedEachOther
from players.models import Club, Membership, Player, Role, TwoPeople, User
from tests.clients import signed_in
from tests.tournaments.event_desk import Desk, a_plan

PAGE = "/clubs/bristol-backgammon/members/duplicates/"
API = "/api/v1/clubs/bristol-backgammon/duplicates/"


@pytest.fixture
def guest(club: Club, ada: User, now: datetime) -> Callable[[str], Player]:
    return lambda name: clubs.add_guest(club=club, name=name, by=ada, now=now)


def found(club: Club) -> list[tuple[str, str]]:
    rows = selectors.list_duplicates(club=club).rows
    return [(row.dropped.name, row.kept.name) for row in rows]


def of_desk(desk: Desk) -> dict[frozenset[str], PossibleDuplicate]:
    rows = selectors.list_duplicates(club=desk.club).rows
    return {frozenset({row.kept.name, row.dropped.name}): row for row in rows}


def test_an_account_stays_and_the_guest_goes(club: Club, guest: Callable[[str], Player]) -> None:
    guest("Okafor, Ada")
    guest("Nadia Haddad")
    assert found(club) == [("Okafor, Ada", "Ada Okafor")]


def test_two_accounts_are_no_matter_of_the_directors(club: Club, enrol: Callable[..., User]) -> None:
    enrol(club, "Ada Okafor ")
    assert found(club) == []


def test_two_people_are_never_suggested_again(
    club: Club, ada: User, guest: Callable[[str], Player], now: datetime
) -> None:
    one, other = guest("Nadia Haddad"), guest("Nadia Hadad")
    assert len(found(club)) == 1
    merging.tell_apart(club=club, one=other, other=one, by=ada, now=now)
    merging.tell_apart(club=club, one=one, other=other, by=ada, now=now)
    assert found(club) == []
    assert TwoPeople.objects.count() == 1
    # Nor under whom one of them was merged into, until that is undone.
    third = guest("Nadia Haddad")
    assert len(found(club)) == 2
    merging.merge_guest(kept=third, dropped=one, by=ada, now=now)
    assert found(club) == []
    merging.unmerge(merge_id=third.merges.get().pk, by=ada, now=now)
    assert len(found(club)) == 2


def test_only_directors_tell_members_apart(
    club: Club, ada: User, bo: User, guest: Callable[[str], Player], now: datetime
) -> None:
    one, other = guest("Nadia Haddad"), guest("Nadia Hadad")
    with pytest.raises(NotAllowed):
        merging.tell_apart(club=club, one=one, other=other, by=bo, now=now)
    with pytest.raises(NotMember):
        merging.tell_apart(club=club, one=one, other=bo.player, by=ada, now=now)
    with pytest.raises(CannotMerge):
        merging.tell_apart(club=club, one=one, other=one, by=ada, now=now)
    assert not TwoPeople.objects.exists()


@pytest.mark.long
@pytest.mark.django_db
def test_what_they_have_played_speaks_for_it_or_against(desk: Desk, now: datetime) -> None:
    desk.start(a_plan("round-robin"), 4)
    names = ("Nadia Haddad", "Nadia Hadad", "Bob Smith", "Kim Lee")
    for number, name in enumerate(names, start=1):
        clubs.rename_guest(club=desk.club, player=desk.player(number), name=name, by=desk.director, now=now)
    # In one event, and not at one table yet: the names alone would be surer.
    together = of_desk(desk)[frozenset({"Nadia Haddad", "Nadia Hadad"})]
    assert (together.together, together.percent) == (1, 60)
    desk.play_out()
    assert frozenset({"Nadia Haddad", "Nadia Hadad"}) not in of_desk(desk)

    desk.now += timedelta(days=7)
    desk.announce(a_plan("round-robin"))
    robert = clubs.add_guest(club=desk.club, name="Robert Smith", by=desk.director, now=desk.now)
    kim = clubs.add_guest(club=desk.club, name="Lee Kim", by=desk.director, now=desk.now)
    assert [(row.dropped.name, row.kept.name) for row in of_desk(desk).values()] == [
        ("Lee Kim", "Kim Lee"),
        ("Robert Smith", "Bob Smith"),
    ]
    from tournaments.plan import drawing
    from tournaments.play import directing

    desk.do(directing.admit_members, player_keys=[robert.key, kim.key])
    desk.do(drawing.publish)
    desk.play_out()
    shown = of_desk(desk)[frozenset({"Bob Smith", "Robert Smith"})]
    assert (shown.kept.matches, shown.dropped.matches) == (3, 1)
    assert shown.never_together
    assert shown.percent == 97
    assert shown.dropped.last_seen == desk.now


@pytest.mark.django_db
def test_two_who_have_played_each_other_over_the_board_are_not_merged(desk: Desk, now: datetime) -> None:
    desk.start(a_plan("single-elimination"), 2)
    kept, dropped = desk.player(1), desk.player(2)
    desk.play("main/1.1")

    with pytest.raises(PlayedEachOther, match="Guest 1 and Guest 2 have played a match"):
        merging.merge_guest(kept=kept, dropped=dropped, by=desk.director, now=now)

    assert set(desk.club.memberships.values_list("player", flat=True)) > {kept.pk, dropped.pk}


def test_the_page_merges_with_one_press(club: Club, ada: User, guest: Callable[[str], Player]) -> None:
    dropped, other = guest("Ada Okafr"), guest("A. Okafor")
    browser = signed_in(ada)
    page = browser.get(PAGE).content.decode()
    assert "spelt a little differently" in page
    assert "an initial" in page
    said = {"kept": ada.player.key, "dropped": dropped.key, "act": "merge"}
    page = browser.post(f"{PAGE}decide/", said, follow=True).content.decode()
    assert "Ada Okafr is merged into Ada Okafor" in page
    dropped.refresh_from_db()
    assert dropped.merged_into == ada.player
    said = {"kept": ada.player.key, "dropped": other.key, "act": "apart"}
    page = browser.post(f"{PAGE}decide/", said, follow=True).content.decode()
    assert "No duplicates found" in page
    assert browser.post(f"{PAGE}decide/", {"kept": ada.player.key}).status_code == 404


def test_a_new_guest_with_nearly_a_members_name_is_let_in_and_pointed_out(
    club: Club, ada: User, guest: Callable[[str], Player]
) -> None:
    guest("Nadia Haddad")
    browser = signed_in(ada)
    page = browser.post(
        "/clubs/bristol-backgammon/members/guest/",
        {"name": "Nadai Haddad"},
        headers={"HX-Request": "true", "HX-Target": "members"},
    ).content.decode()
    assert "Nadia Haddad is a member with nearly the same name." in page
    new = Player.objects.get(name="Nadai Haddad")
    assert f"dropped={new.key}" in page
    page = browser.post(
        "/clubs/bristol-backgammon/members/guest/", {"name": "N Haddad"}, follow=True
    ).content.decode()
    assert "merge them under Members" in page


def test_the_list_comes_in_pages(club: Club, now: datetime) -> None:
    rows = [
        Player(name=f"{letter}{letter}{other}son Number", created_at=now)
        for letter in "bcdfghjklmn"
        for other in "aei"
    ]
    Player.objects.bulk_create([*rows, *(Player(name=row.name, created_at=now) for row in rows)])
    Membership.objects.bulk_create(
        Membership(club=club, player=row, role=Role.MEMBER, joined_at=now)
        for row in Player.objects.filter(user__isnull=True)
    )
    first = selectors.list_duplicates(club=club)
    last = selectors.list_duplicates(club=club, page=99)
    assert first.pages > 1
    assert len(first.rows) == selectors.PAGE_SIZE
    assert last.number == last.pages
    assert first.rows[0].percent >= last.rows[-1].percent
    assert not {(row.kept.key, row.dropped.key) for row in first.rows} & {
        (row.kept.key, row.dropped.key) for row in last.rows
    }


def test_programs_see_and_decide(club: Club, ada: User, bo: User, guest: Callable[[str], Player]) -> None:
    dropped, other = guest("Ada Okafr"), guest("A. Okafor")
    assert signed_in(bo).get(API).status_code == 403
    browser = signed_in(ada)
    told = browser.get(API).json()
    assert (told["count"], told["next"], told["previous"]) == (3, None, None)
    first = told["results"][0]
    second = browser.get(f"{API}?page=2&page_size=1").json()
    assert second["results"] == told["results"][1:2]
    assert second["next"].endswith("?page=3&page_size=1")
    assert (first["kept"]["key"], first["dropped"]["key"]) == (ada.player.key, dropped.key)
    assert (first["percent"], first["whys"], first["together"]) == (90, ["spelling"], 0)

    def post(what: str, **said: str) -> int:
        return browser.post(f"{API}{what}/", said, content_type="application/json").status_code

    assert post("merge", kept=ada.player.key, dropped=dropped.key) == 204
    assert post("merge", kept=ada.player.key, dropped=dropped.key) == 404
    assert post("two-people", kept=ada.player.key, dropped=other.key) == 204
    assert post("two-people", kept=ada.player.key) == 400
    assert browser.get(API).json()["count"] == 0
