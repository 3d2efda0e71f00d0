"""Divisions of a league: set up, filled, closed at the end of a season, and the next season follows."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.db.models import F
from django.urls import reverse
from rest_framework.test import APIClient

from players.accounts import accounts
from players.clubs import clubs, merging
from players.models import Player
from rankings import errors, verifiers
from rankings.models import ClosingMove, DivisionMember, Season, SeasonClosing, SeasonDivision, SeasonMove
from rankings.seasons import division_pages as selectors
from rankings.seasons import divisions, season_pages, seasons
from rankings.seasons.divisions import DivisionTerms, Overrule, Placing
from rankings.seasons.seasons import SeasonTerms
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser, strip_tags
from tournaments.models import Tournament
from tournaments.status import Status

LEAGUE = [DivisionTerms("First", 0, 1), DivisionTerms("Second", 1, 0)]


@pytest.fixture
def league(desk: Desk) -> Season:
    """Six players, three in each division; the lower the entry number, the more wins."""
    desk.announce(a_plan("round-robin"), 6)
    # This test needs only the places; other tests play for them.
    desk.event.entries.update(place=F("number"))
    Tournament.objects.filter(pk=desk.event.pk).update(
        status=Status.FINISHED, started_at=desk.now, finished_at=desk.now
    )
    day = desk.now.date()
    terms = SeasonTerms(
        "Autumn", day, day, rules={"places": ["6", "5", "4", "3", "2", "1"], "attendance": "0"}
    )
    season = seasons.open_season(club=desk.club, by=desk.director, terms=terms, now=desk.now)
    divisions.set_up_divisions(season=season, terms=LEAGUE, by=desk.director, now=desk.now)
    for number, players in ((1, (1, 3, 5)), (2, (2, 4, 6))):
        put(desk, season, number, *players)
    desk.now += timedelta(days=2)
    return season


@pytest.fixture
def spring(desk: Desk, league: Season) -> Season:
    """The season that follows, without divisions yet."""
    terms = SeasonTerms("Spring", league.to_day + timedelta(days=1), league.to_day + timedelta(days=100))
    return seasons.open_season(club=desk.club, by=desk.director, terms=terms, now=desk.now)


def put(desk: Desk, season: Season, number: int | None, *players: int) -> int:
    there = dict(DivisionMember.objects.filter(season=season).values_list("player__key", "division__number"))
    keys = [desk.player(each).key for each in players]
    placings = [Placing(key, there.get(key), number) for key in keys]
    return divisions.place_players(season=season, placings=placings, by=desk.director, now=desk.now)


def close(desk: Desk, season: Season, following: Season, **said: object) -> SeasonClosing:
    shown = selectors.load_divisions_page(season, desk.director, now=desk.now)
    given: dict[str, object] = {"seen": shown.seen, "by": desk.director, "now": desk.now, **said}
    return divisions.close_season(season=season, following=following, **given)  # type: ignore[arg-type]


def table(season: Season) -> dict[str, list[str]]:
    rows = DivisionMember.objects.filter(season=season).order_by("division__number", "player__name")
    found: dict[str, list[str]] = {}
    for row in rows.select_related("division", "player"):
        found.setdefault(row.division.name, []).append(row.player.name)
    return found


def sound() -> bool:
    return list(verifiers.verify_seasons()) == []


def test_the_table_proposes_and_a_director_confirms(desk: Desk, league: Season, spring: Season) -> None:
    shown = selectors.load_divisions_page(league, desk.director, now=desk.now)
    told = [
        [(row.move.place, row.move.player.public_name, row.goes.value, row.why) for row in each.rows]
        for each in shown.tables
    ]
    assert told == [
        [
            (1, "Guest 1", "stays", ""),
            (2, "Guest 3", "stays", ""),
            (3, "Guest 5", "down", "The last goes down."),
        ],
        [
            (1, "Guest 2", "up", "The first goes up."),
            (2, "Guest 4", "stays", ""),
            (3, "Guest 6", "stays", ""),
        ],
    ]
    close(desk, league, spring)
    assert table(spring) == {
        "First": ["Guest 1", "Guest 2", "Guest 3"], "Second": ["Guest 4", "Guest 5", "Guest 6"]
    }  # fmt: skip
    copied = SeasonDivision.objects.filter(season=spring).order_by("number")
    assert [(row.name, row.up, row.down) for row in copied] == [("First", 0, 1), ("Second", 1, 0)]
    assert sound()
    # A confirmed table does not change with later results.
    before = selectors.load_divisions_page(league, desk.director, now=desk.now).tables
    desk.event.entries.update(place=1)
    seasons.update_season(season_id=league.pk)
    assert selectors.load_divisions_page(league, desk.director, now=desk.now).tables == before


def test_a_director_decides_otherwise_with_a_reason(desk: Desk, league: Season, spring: Season) -> None:
    two, four, six = (desk.player(number).key for number in (2, 4, 6))
    with pytest.raises(errors.MoveNeedsReason, match="Guest 2"):
        close(desk, league, spring, overrules={two: Overrule("stays", " ")})
    for nowhere in ("down", "sideways"):
        with pytest.raises(errors.NoDivision):
            close(desk, league, spring, overrules={two: Overrule(nowhere, "Why not")})
    with pytest.raises(errors.StandingChanged):
        close(desk, league, spring, overrules={"0" * 10: Overrule("out", "Moved away")})
    assert not SeasonClosing.objects.exists()
    overrules = {
        two: Overrule("stays", "Does not want to go up"),
        four: Overrule("up", "Goes up in place of Guest 2"),
        six: Overrule("out", "Has moved away"),
    }
    close(desk, league, spring, overrules=overrules)
    assert table(spring) == {"First": ["Guest 1", "Guest 3", "Guest 4"], "Second": ["Guest 2", "Guest 5"]}
    row = ClosingMove.objects.get(player=desk.player(4))
    assert (row.proposed, row.goes, row.reason) == ("stays", SeasonMove.UP, "Goes up in place of Guest 2")
    html = strip_tags(
        Browser().get(reverse("rankings:divisions", args=[desk.club.slug, league.key])).content.decode()
    )
    assert "Decided by a director: Has moved away" in html


def test_nobody_confirms_what_they_have_not_seen(desk: Desk, league: Season, spring: Season) -> None:
    seen = selectors.load_divisions_page(league, desk.director, now=desk.now).seen
    put(desk, league, 1, 6)
    with pytest.raises(errors.StandingChanged):
        close(desk, league, spring, seen=seen)
    put(desk, league, 2, 6)
    # A correction counts although the season has not been updated since.
    one, six = desk.event.entries.get(number=1), desk.event.entries.get(number=6)
    desk.event.entries.filter(pk=one.pk).update(place=6)
    desk.event.entries.filter(pk=six.pk).update(place=1)
    with pytest.raises(errors.StandingChanged):
        close(desk, league, spring, seen=seen)
    seasons.update_season(season_id=league.pk)
    close(desk, league, spring)
    assert table(spring)["First"] == ["Guest 3", "Guest 5", "Guest 6"]


def test_when_a_season_can_be_closed_and_into_which(desk: Desk, league: Season, spring: Season) -> None:
    with pytest.raises(errors.SeasonRuns):
        close(desk, league, spring, now=desk.now - timedelta(days=2))
    for wrong in (league, other_season(desk, league, "Before", -50)):
        with pytest.raises(errors.NoNextSeason):
            close(desk, league, wrong)
    three = [*LEAGUE, DivisionTerms("Third")]
    divisions.set_up_divisions(season=spring, terms=three, by=desk.director, now=desk.now)
    with pytest.raises(errors.NoNextSeason):
        close(desk, league, spring)
    assert not SeasonClosing.objects.exists()
    divisions.set_up_divisions(season=spring, terms=LEAGUE, by=desk.director, now=desk.now)
    close(desk, league, spring)
    for refused in (
        lambda: close(desk, league, spring),
        lambda: put(desk, league, 1, 2),
        lambda: divisions.set_up_divisions(season=league, terms=[], by=desk.director, now=desk.now),
    ):
        with pytest.raises(errors.SeasonClosed):
            refused()
    other = other_season(desk, league, "Other", 0)
    divisions.set_up_divisions(season=other, terms=LEAGUE, by=desk.director, now=desk.now)
    with pytest.raises(errors.NoNextSeason):
        close(desk, other, spring)
    with pytest.raises(errors.NoDivision):
        close(desk, other_season(desk, league, "Empty", 0), other_season(desk, league, "Last", 200))


def other_season(desk: Desk, league: Season, name: str, days: int) -> Season:
    day = league.from_day + timedelta(days=days)
    terms = SeasonTerms(name, day, day)
    return seasons.open_season(club=desk.club, by=desk.director, terms=terms, now=desk.now)


def test_it_can_be_taken_back_until_the_next_season_is_closed(
    desk: Desk, league: Season, spring: Season
) -> None:
    with pytest.raises(errors.CannotReopen):
        divisions.reopen_season(season=league, by=desk.director, now=desk.now)
    close(desk, league, spring)
    put(desk, spring, 2, 1)
    divisions.reopen_season(season=league, by=desk.director, now=desk.now)
    # Who was placed by hand since stays there.
    assert table(spring) == {"Second": ["Guest 1"]}
    close(desk, league, spring)
    assert table(spring)["First"] == ["Guest 1", "Guest 2", "Guest 3"]
    late = desk.now + timedelta(days=200)
    summer = other_season(desk, league, "Summer", 150)
    close(
        desk,
        spring,
        summer,
        seen=selectors.load_divisions_page(spring, desk.director, now=late).seen,
        now=late,
    )
    with pytest.raises(errors.CannotReopen):
        divisions.reopen_season(season=league, by=desk.director, now=late)
    assert sound()


def test_divisions_keep_their_players_whatever_they_are_called(desk: Desk, league: Season) -> None:
    def set_up(*terms: DivisionTerms, **said: str) -> list[SeasonDivision]:
        return divisions.set_up_divisions(season=league, terms=terms, by=desk.director, now=desk.now, **said)

    seen = selectors.compute_version_key(list(SeasonDivision.objects.filter(season=league)), [])
    set_up(DivisionTerms("Zero"), DivisionTerms("Two", 1, 0, was=2), DivisionTerms("One", was=1))
    assert table(league) == {
        "Two": ["Guest 2", "Guest 4", "Guest 6"], "One": ["Guest 1", "Guest 3", "Guest 5"]
    }  # fmt: skip
    with pytest.raises(errors.StandingChanged):
        set_up(*LEAGUE, seen=seen)
    with pytest.raises(errors.DivisionNotEmpty, match="One"):
        set_up(DivisionTerms("two"))
    for wrong in (
        [DivisionTerms("A"), DivisionTerms("a")],
        [DivisionTerms("A", 65)],
        [DivisionTerms("A", was=2), DivisionTerms("B", was=2)],
        [DivisionTerms(str(at)) for at in range(21)],
    ):
        with pytest.raises(errors.BadDivisions, match="At most 64 players"):
            set_up(*wrong)
    set_up(DivisionTerms("Two"), DivisionTerms("One"))
    assert [row.name for row in SeasonDivision.objects.filter(season=league)] == ["Two", "One"]
    assert sound()


def test_two_directors_place_players_and_neither_undoes_the_other(desk: Desk, league: Season) -> None:
    one = desk.player(1).key
    put(desk, league, 2, 1)
    with pytest.raises(errors.StandingChanged):
        divisions.place_players(
            season=league, placings=[Placing(one, 1, None)], by=desk.director, now=desk.now
        )
    outsider = Player.objects.create(name="Far Away")
    for wrong in (Placing(outsider.key, None, 1), Placing(one, 2, 9), Placing("nobody", None, 1)):
        with pytest.raises(errors.NoDivision):
            divisions.place_players(season=league, placings=[wrong], by=desk.director, now=desk.now)
    assert put(desk, league, None, 1, 2) == 2
    assert table(league) == {"First": ["Guest 3", "Guest 5"], "Second": ["Guest 4", "Guest 6"]}


def test_only_directors_act(desk: Desk, league: Season, spring: Season) -> None:
    stranger = accounts.register(email="s@example.org", password=None, name="Sten Far", now=desk.now)
    acts: list[Callable[[], object]] = [
        lambda: divisions.set_up_divisions(season=league, terms=[], by=stranger, now=desk.now),
        lambda: divisions.place_players(season=league, placings=[], by=stranger, now=desk.now),
        lambda: close(desk, league, spring, by=stranger),
        lambda: divisions.reopen_season(season=league, by=stranger, now=desk.now),
    ]
    for act in acts:
        with pytest.raises(errors.NotKeeper):
            act()


def test_a_merge_brings_the_division_along_and_an_unmerge_gives_it_back(
    desk: Desk, league: Season, spring: Season
) -> None:
    close(desk, league, spring)
    kept = clubs.add_guest(club=desk.club, name="Ada Bright", by=desk.director, now=desk.now)
    before = table(league), table(spring)
    for dropped in (desk.player(2), desk.player(4)):
        merging.merge_guest(kept=kept, dropped=dropped, by=desk.director, now=desk.now)
    # She is in the higher division already; the second one is kept for later.
    assert table(spring)["First"] == ["Ada Bright", "Guest 1", "Guest 3"]
    assert table(spring)["Second"] == ["Guest 5", "Guest 6"]
    assert sound()
    for merge in kept.merges.order_by("-pk"):
        merging.unmerge(merge_id=merge.pk, by=desk.director, now=desk.now)
    assert (table(league), table(spring)) == before
    assert set(ClosingMove.objects.values_list("player__name", flat=True)) == {
        f"Guest {number}" for number in range(1, 7)
    }


@pytest.mark.long
def test_a_merge_is_undone_though_the_season_was_reopened_in_between(
    desk: Desk, league: Season, spring: Season
) -> None:
    close(desk, league, spring)
    kept = clubs.add_guest(club=desk.club, name="Ada Bright", by=desk.director, now=desk.now)
    for dropped in (desk.player(1), desk.player(2)):
        merging.merge_guest(kept=kept, dropped=dropped, by=desk.director, now=desk.now)
    divisions.reopen_season(season=league, by=desk.director, now=desk.now)
    for merge in kept.merges.order_by("-pk"):
        merging.unmerge(merge_id=merge.pk, by=desk.director, now=desk.now)
    assert table(league)["First"] == ["Guest 1", "Guest 3", "Guest 5"]
    assert table(spring) == {}
    assert sound()


# Two at once


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_of_two_directors_who_confirm_at_once_one_does(desk: Desk, league: Season, spring: Season) -> None:
    seen = selectors.load_divisions_page(league, desk.director, now=desk.now).seen
    four = desk.player(4).key
    said = [{}, {four: Overrule("out", "Has left")}]
    gate, refused = threading.Barrier(2), []

    def act(overrules: dict[str, Overrule]) -> None:
        try:
            gate.wait(60)
            close(desk, league, spring, seen=seen, overrules=overrules)
        except errors.RankingError as refusal:
            refused.append(refusal.code)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=act, args=(each,)) for each in said]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert refused == ["season_closed"]
    assert SeasonClosing.objects.count() == 1
    left = ClosingMove.objects.filter(goes=SeasonMove.OUT).count()
    assert DivisionMember.objects.filter(season=spring).count() == 6 - left
    assert ClosingMove.objects.count() == 6
    assert sound()


# Pages and programs


@pytest.mark.long
def test_directors_do_all_of_it_on_pages(desk: Desk, league: Season, spring: Season) -> None:
    def page(name: str, season: Season = league) -> str:
        return reverse(f"rankings:{name}", args=[desk.club.slug, season.key])

    anyone, browser = Browser(), Browser()
    browser.force_login(desk.director)
    told = strip_tags(anyone.get(page("divisions")).content.decode())
    assert "Guest 5 ▼ goes down The last goes down." in told
    assert "Up and down" not in told
    assert "goes up" in strip_tags(anyone.get(page("divisions_sheet")).content.decode())
    assert page("divisions") in anyone.get(page("season")).content.decode()
    assert "No divisions" in anyone.get(page("divisions", spring)).content.decode()
    for name in ("amend_divisions", "division_players", "close_divisions"):
        assert browser.get(page(name)).status_code == browser.get(page(name, spring)).status_code == 200

    one = desk.player(1).key
    answer = browser.post(page("division_players"), {f"in_{one}": "", f"was_{one}": "2"})
    assert (answer.status_code, "This has changed" in answer.content.decode()) == (422, True)
    assert browser.post(page("division_players"), {f"in_{one}": "2", f"was_{one}": "1"}).status_code == 302
    assert browser.post(page("division_players"), {f"in_{one}": "1", f"was_{one}": "2"}).status_code == 302
    html = browser.get(page("amend_divisions")).content.decode()
    seen = re.search(r'name="seen" value="(\w+)"', html)
    form = {
        "seen": seen[1],
        **{f"name_{at}": name for at, name in enumerate(("Gold", "Silver", "", ""))},
        **{f"{way}_{at}": "0" for way in ("up", "down") for at in range(4)},
        **{"up_1": "1", "down_0": "1", "was_0": "1", "was_1": "2"},
    }
    assert browser.post(page("amend_divisions"), {**form, "up_1": "x"}).status_code == 422
    assert browser.post(page("amend_divisions"), form).status_code == 302
    assert set(table(league)) == {"Gold", "Silver"}
    assert browser.post(page("amend_divisions"), form).status_code == 422

    seen = re.search(r'name="seen" value="(\w+)"', browser.get(page("close_divisions")).content.decode())
    two = desk.player(2).key
    said = {"next": spring.key, "seen": seen[1], f"goes_{two}": "stays", f"reason_{two}": ""}
    answer = browser.post(page("close_divisions"), said)
    assert (answer.status_code, "Give a short reason why Guest 2" in answer.content.decode()) == (422, True)
    answer = browser.post(page("close_divisions"), {**said, f"reason_{two}": "Wants to stay"})
    assert answer["Location"] == page("divisions", spring)
    assert "confirmed already" in browser.get(page("close_divisions")).content.decode()
    assert "Decided by a director: Wants to stay" in strip_tags(
        anyone.get(page("divisions")).content.decode()
    )
    assert browser.post(page("reopen_divisions")).status_code == 302
    assert not SeasonClosing.objects.exists()
    browser.post(page("reopen_divisions"))
    assert "cannot be taken back" in browser.get(page("divisions")).content.decode()


def test_what_was_chosen_stays_when_another_director_was_faster(desk: Desk, league: Season) -> None:
    browser = Browser(desk.director)
    page = reverse("rankings:division_players", args=[desk.club.slug, league.key])
    guest = clubs.add_guest(club=desk.club, name="Zoe Late", by=desk.director, now=desk.now)
    one, two, three, four = (desk.player(number).key for number in (1, 2, 3, 4))
    said = {f"was_{one}": "1", f"in_{one}": "2", f"was_{two}": "2", f"in_{two}": "1"}
    said |= {f"was_{guest.key}": "", f"in_{guest.key}": "2", f"was_{four}": "2", f"in_{four}": "2"}
    said |= {f"was_{three}": "1", f"in_{three}": ""}
    put(desk, league, 1, 2, 4)

    refused = browser.post(page, said)

    shown = {row.key: row for row in [*refused.context["placed"], *refused.context["others"]]}
    assert refused.status_code == 422
    rows = [shown[key] for key in (one, two, three, four, guest.key)]
    assert [(row.number, row.chosen) for row in rows] == [(1, 2), (1, 1), (1, None), (1, 1), (None, 2)]
    assert [row.moved_to for row in rows] == ["", "First", "", "", ""]
    assert guest.key in [row.key for row in refused.context["others"]]
    html = refused.content.decode()
    assert f'name="was_{two}" value="1"' in html
    assert "Moved in the meantime: First" in strip_tags(html)
    again = {}
    for key in shown:
        field = html.split(f'name="was_{key}"')[1].split("</select>")[0]
        selected = re.search(r'value="(\d+)" selected', field)
        was = re.match(r' value="(\d*)"', field)
        again |= {f"was_{key}": was[1], f"in_{key}": selected[1] if selected else ""}
    assert browser.post(page, again).status_code == 302
    assert table(league)["Second"] == ["Guest 1", "Guest 6", "Zoe Late"]


def test_divisions_that_another_director_set_up_are_never_overwritten_unseen(
    desk: Desk, league: Season
) -> None:
    browser = Browser(desk.director)
    page = reverse("rankings:amend_divisions", args=[desk.club.slug, league.key])

    def read(answer: Any) -> dict[str, str]:
        values = {field.html_name: field.value() for row in answer.context["form"].rows for field in row}
        told = {name: "" if value is None else str(value) for name, value in values.items()}
        return {**told, "seen": answer.context["seen"]}

    typed = {**read(browser.get(page)), "name_1": "Silver", "up_1": "x"}
    # The other director puts a division before both.
    terms = [DivisionTerms("Zero"), *(DivisionTerms(one.name, one.up, one.down) for one in LEAGUE)]
    divisions.set_up_divisions(season=league, terms=terms, by=desk.director, now=desk.now)
    before = table(league)

    wrong = browser.post(page, typed)
    assert (wrong.status_code, read(wrong)) == (422, typed)
    refused = browser.post(page, {**read(wrong), "up_1": "2"})

    assert refused.status_code == 422
    told = strip_tags(refused.content.decode())
    assert "This has changed in the meantime." in told
    assert "Silver · Go up: 2 · Go down: 0" in told
    fresh = read(refused)
    assert [fresh[f"name_{at}"] for at in range(3)] == ["Zero", "First", "Second"]
    assert [fresh[f"was_{at}"] for at in range(3)] == ["1", "2", "3"]
    assert table(league) == before
    assert browser.post(page, {**fresh, "name_2": "Silver"}).status_code == 302
    assert table(league) == {"First": before["First"], "Silver": before["Second"]}
    assert [row.name for row in SeasonDivision.objects.filter(season=league).order_by("number")] == [
        "Zero", "First", "Silver"
    ]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize(("language", "shown"), [("en", "6.5"), ("de", "6,5")])
def test_points_are_shown_as_they_are_typed_and_programs_get_a_point(
    desk: Desk, league: Season, language: str, shown: str
) -> None:
    browser = Browser(headers={"Accept-Language": language})
    browser.force_login(desk.director)

    def page(name: str) -> str:
        return browser.get(reverse(f"rankings:{name}", args=[desk.club.slug, league.key])).content.decode()

    days = {name: str(getattr(league, name)) for name in ("from_day", "to_day")}
    said = {**days, "name": "Autumn", "attendance": "0,5", "sharing": "average", "best": 0, "decay": 0}
    change = reverse("rankings:amend_season", args=[desk.club.slug, league.key])
    seen = season_pages.compute_version_key(league)
    assert browser.post(change, {**said, "places": f"{shown} 5 4", "seen": seen}).status_code == 302
    league.refresh_from_db()
    assert (league.rules["places"], league.rules["attendance"]) == (["6.5", "5", "4"], "0.5")

    form = page("amend_season")
    assert f'value="{shown} 5 4"' in form
    assert f'value="{shown.replace("6", "0")}"' in form
    assert f"{shown}, 5, 4." in page("season")
    for name in ("divisions", "season_sheet", "divisions_sheet"):
        # The second of all has 5 and a half for taking part.
        assert shown.replace("6", "5") in strip_tags(page(name))
        assert ("5,5" if shown == "6.5" else "5.5") not in strip_tags(page(name))

    def get(address: str) -> Any:
        return browser.get(f"/api/v1/seasons/{league.key}{address}")

    assert get("/").json()["rules"]["places"] == ["6.5", "5", "4"]
    players = [each["players"] for each in get("/divisions/").json()["divisions"]]
    assert [row["points"] for rows in players for row in rows] == ["7", "4.5", "0.5", "5.5", "0.5", "0.5"]
    assert f"Guest 2,{desk.player(2).key},5.5,1" in get("/standings.csv").content.decode()
    assert f"Guest 2,{desk.player(2).key},5.5,1" in get("/divisions.csv").content.decode()


@pytest.mark.long
def test_programs_read_and_do_the_same(desk: Desk, league: Season, spring: Season) -> None:
    anyone, director = APIClient(), APIClient()
    director.force_login(desk.director)
    address = f"/api/v1/seasons/{league.key}/divisions/"
    shown = anyone.get(address).json()
    assert [row["name"] for each in shown["divisions"] for row in each["players"]] == [
        "Guest 1", "Guest 3", "Guest 5", "Guest 2", "Guest 4", "Guest 6"
    ]  # fmt: skip
    for act in (anyone.put, anyone.patch):
        assert act(address, {}, format="json").status_code == 401
    said = {"divisions": [{"name": "First", "down": 1}, {"name": "Second", "up": 1}, {"name": "Third"}]}
    assert len(director.put(address, said, format="json").json()["divisions"]) == 3
    del said["divisions"][2]
    assert len(director.put(address, said, format="json").json()["divisions"]) == 2
    one = desk.player(1).key
    wrong = director.patch(address, {"players": [{"player": one, "was": 2, "number": 1}]}, format="json")
    assert (wrong.status_code, wrong.json()["code"]) == (409, "standing_changed")
    shown = director.patch(
        address, {"players": [{"player": one, "was": 1, "number": None}]}, format="json"
    ).json()
    assert [row["player"] for row in shown["divisions"][0]["players"]] == [
        desk.player(3).key,
        desk.player(5).key,
    ]
    end = f"/api/v1/seasons/{league.key}/end/"
    closing = {"next": spring.key, "seen": "0" * 16}
    assert director.post(end, closing, format="json").json()["code"] == "standing_changed"
    three = {"player": desk.player(3).key, "goes": "out", "reason": "Has moved"}
    done = director.post(end, {**closing, "seen": shown["seen"], "overrules": [three]}, format="json").json()
    assert (done["next"], done["divisions"][0]["players"][0]["goes"]) == (spring.key, "out")
    csv = anyone.get(f"/api/v1/seasons/{league.key}/divisions.csv").content.decode()
    assert f"First,1,Guest 3,{three['player']},4,1,stays,out,,Has moved" in csv
    assert director.delete(end).status_code == 204
    assert director.delete(end).json()["code"] == "cannot_reopen"
    missing = other_season(desk, league, "None", 0)
    assert anyone.get(f"/api/v1/seasons/{missing.key}/divisions/").json()["divisions"] == []


def test_a_program_names_each_player_once(desk: Desk, league: Season, spring: Season) -> None:
    director = APIClient()
    director.force_login(desk.director)
    before = table(league)
    one = {"player": desk.player(1).key}
    address = f"/api/v1/seasons/{league.key}"
    away = {**one, "was": 1, "number": None}
    moves = {"players": [away, {**one, "was": 1, "number": 2}]}
    decisions = {
        "next": spring.key,
        "seen": "0" * 16,
        "overrules": [{**one, "goes": goes, "reason": "As agreed"} for goes in ("down", "out")],
    }

    answers = {
        "players": director.patch(f"{address}/divisions/", moves, format="json"),
        "overrules": director.post(f"{address}/end/", decisions, format="json"),
    }

    for field, answer in answers.items():
        (said,) = answer.json()["context"]["fields"][field]
        assert (answer.status_code, said["code"]) == (400, "repeated_field")
    assert table(league) == before


def test_the_page_costs_the_same_however_many_play(
    desk: Desk, league: Season, django_assert_max_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    found = Season.objects.select_related("club").get(pk=league.pk)
    with django_assert_max_num_queries(6):
        shown = selectors.load_divisions_page(found, desk.director, now=desk.now)
    assert shown.players == 6
