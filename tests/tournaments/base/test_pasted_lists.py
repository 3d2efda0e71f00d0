"""Pasted lists of names: recognised entries, lines that are left unchanged, and undo."""

from __future__ import annotations

import pytest
from django.test import Client

from players.clubs import clubs
from players.models import Membership, Player
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text, url
from tournaments.base import pasted_lists
from tournaments.base.settings import Settings
from tournaments.models import Entry
from tournaments.play import directing


@pytest.mark.parametrize(
    ("typed", "name", "rating", "club"),
    [
        ("1. Alice Marsh", "Alice Marsh", None, ""),
        ("2.Bernd Köhler", "Bernd Köhler", None, ""),
        ("3) Carla Ruiz", "Carla Ruiz", None, ""),
        ("12 Ewa Nowak", "Ewa Nowak", None, ""),
        ("#4 Farid Haddad", "Farid Haddad", None, ""),
        ("- Bob", "Bob", None, ""),
        ("• Bob", "Bob", None, ""),
        ("•Bob", "Bob", None, ""),
        ("* 7. Bob Lind", "Bob Lind", None, ""),
        ("[x] Bob Lind", "Bob Lind", None, ""),
        ("Dmitri Volkov (1720)", "Dmitri Volkov", 1720.0, ""),
        ("Dmitri Volkov [Elo 1720.5]", "Dmitri Volkov", 1720.5, ""),
        ("Volkov, 1720", "Volkov", 1720.0, ""),
        ("Dmitri Volkov 1720", "Dmitri Volkov", 1720.0, ""),
        ("Dmitri Volkov\t1720", "Dmitri Volkov", 1720.0, ""),
        ("5\tDmitri Volkov\t1720\tRiverside", "Dmitri Volkov", 1720.0, "Riverside"),
        ("Dmitri Volkov; Riverside; 1720", "Dmitri Volkov", 1720.0, "Riverside"),
        ("Henrik Lund;", "Henrik Lund", None, ""),
        ("Henrik Lund,", "Henrik Lund", None, ""),
        ("Guest 12", "Guest 12", None, ""),
        ("Guest 1024", "Guest 1024", None, ""),
        ("Grace O'Neill", "Grace O'Neill", None, ""),
        ("Jean-Luc Petit", "Jean-Luc Petit", None, ""),
        ("Robert (Bob) Smith", "Robert (Bob) Smith", None, ""),
    ],
)
def test_a_line_says_who_and_perhaps_how_good(typed: str, name: str, rating: float | None, club: str) -> None:
    found = pasted_lists.parse_line(typed)

    assert (found.name, found.rating, found.club, found.is_unsure) == (name, rating, club, False)


@pytest.mark.parametrize("typed", ["Volkov, Dmitri", "Ines Duarte, Lisbon", "Dmitri\tVolkov"])
def test_what_may_be_two_things_is_not_guessed(typed: str) -> None:
    found = pasted_lists.parse_line(typed)

    assert found.is_unsure
    assert set(found.name) >= set(typed) - {"\t"}


def test_headings_and_empty_lines_name_nobody() -> None:
    assert [one.name for one in pasted_lists.parse_list("Name\n\n---\n 1. \nAnn Lee\n")] == ["Ann Lee"]


def paste(desk: Desk, window: Client, names: str) -> str:
    return text(window.post(url("admit_named", desk.event.key), {"names": names}, follow=True))


def test_the_roster_says_what_was_understood(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination"))

    page = paste(
        desk,
        window,
        "1. Alice Marsh\nDmitri Volkov (1720)\nVolkov, Dmitri\nBob Lind; Riverside\nDuarte, Lisbon",
    )

    entries = {entry.player.name: entry for entry in desk.event.entries.select_related("player")}
    # "Volkov, Dmitri" is Dmitri Volkov, since he is known by then.
    assert set(entries) == {"Alice Marsh", "Dmitri Volkov", "Bob Lind", "Duarte, Lisbon"}
    assert (entries["Dmitri Volkov"].rating, entries["Bob Lind"].club) == (1720.0, "Riverside")
    assert "1. Alice Marsh" in page
    assert "rating 1720" in page
    assert page.count("as typed") == 1, "what is left as it stood is said too"


def test_a_paste_is_undone_at_a_click(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination"), 2)
    known = clubs.add_guest(club=desk.club, name="Old Otto", by=desk.director, now=desk.now)
    paste(desk, window, "1. Alice Marsh\nOld Otto\nGuest 1")

    window.post(url("take_out_pasted", desk.event.key))

    assert {
        entry.player.name for entry in Entry.objects.filter(tournament=desk.event, withdrawn_at=None)
    } == {
        "Guest 1",
        "Guest 2",
    }
    members = Membership.objects.filter(club=desk.club)
    assert members.filter(player=known).exists()
    assert not members.filter(player__name="Alice Marsh").exists(), "nobody is left behind by a mistake"
    window.post(url("take_out_pasted", desk.event.key))


def test_the_last_of_a_list_wait_even_if_the_club_has_known_them_longest(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination", Settings(has_waiting_list=True)), capacity=2)
    desk.member("Ann")

    def entered() -> list[tuple[str, bool]]:
        there = Entry.objects.filter(tournament=desk.event, withdrawn_at=None).order_by("number")
        return list(there.values_list("player__name", "waits"))

    paste(desk, window, "Zoe\nYan\nAnn\nzoe")
    assert entered() == [("Zoe", False), ("Yan", False), ("Ann", True)]

    # The same for those who have entered before.
    window.post(url("take_out_pasted", desk.event.key))
    paste(desk, window, "Xia\nYan\nAnn")
    assert sorted(entered()) == [("Ann", True), ("Xia", False), ("Yan", False)]


def test_known_people_are_found_without_their_accents_and_keep_them(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination"))
    desk.member("Zoë Ångström")
    clubs.add_guest(club=desk.club, name="Søren Łódź", by=desk.director, now=desk.now)

    paste(desk, window, "ZOE ANGSTROM\nsoren lodz\nSøren Łódź")

    assert sorted(entry.player.name for entry in desk.event.entries.select_related("player")) == [
        "Søren Łódź",
        "Zoë Ångström",
    ]


def test_a_member_who_plays_under_an_alias_is_found_by_name(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"))
    duke = desk.member("Zoë Ångström").player
    duke.alias, duke.shown_as = "The Duke", "alias"
    duke.save()

    desk.do(directing.admit_named, names=["zoe angstrom"])

    assert [entry.player for entry in desk.event.entries.all()] == [duke]


def test_the_exact_spelling_comes_first(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"))
    plain = clubs.add_guest(club=desk.club, name="Muller", by=desk.director, now=desk.now)
    dotted = clubs.add_guest(club=desk.club, name="Müller", by=desk.director, now=desk.now)

    desk.do(directing.admit_named, names=["müller"])

    assert [entry.player for entry in desk.event.entries.all()] == [dotted]
    assert Player.objects.filter(pk=plain.pk).exists()


def test_who_was_only_ever_taken_out_is_not_offered(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination"), 3)
    gone = desk.player(2)

    desk.do(directing.withdraw_player, player_key=gone.key)

    assert gone.name not in text(window.get(url("roster", desk.event.key)))
