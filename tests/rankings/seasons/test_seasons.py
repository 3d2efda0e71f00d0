"""Seasons follow the finishing orders of their events after every change."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse
from rest_framework.test import APIClient

from players.accounts import accounts
from players.clubs import clubs, merging
from players.models import Player
from rankings import verifiers
from rankings.errors import BadDays, BadSeason, NotKeeper, SeasonNameTaken
from rankings.models import Season, SeasonPoints, SeasonStanding
from rankings.seasons import season_pages as selectors
from rankings.seasons import seasons
from rankings.seasons.season_forms import SeasonForm
from rankings.seasons.seasons import SeasonTerms
from rankings.seasons.seasons_api import SeasonViewSet
from runtime.models import Outbox
from tests.clubs import change_club
from tests.deliveries import deliver
from tests.rankings.rating_lists import open_list
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser, strip_tags
from tournaments.models import Entry, Tournament
from tournaments.play import arrivals, corrections


@pytest.fixture
def year(desk: Desk) -> SeasonTerms:
    day = desk.now.date()
    return SeasonTerms("2026", day, day + timedelta(days=300), rules={"best": 2})


@pytest.fixture
def opened(desk: Desk, year: SeasonTerms) -> Season:
    """A season of which nothing has been played."""
    return seasons.open_season(club=desk.club, by=desk.director, terms=year, now=desk.now)


def play(desk: Desk, players: int = 4, weeks: int = 1) -> Tournament:
    """Play a round robin, so many weeks after the last."""
    desk.now += timedelta(weeks=weeks)
    desk.start(a_plan("round-robin"), players)
    desk.play_out()
    return desk.event


def table(season: Season) -> list[tuple[int, str, Decimal]]:
    rows = selectors.list_standings(season)
    return [(row.place, row.player.name, row.points) for row in rows]


def sound(season: Season) -> bool:
    return list(seasons.find_problems(season)) == []


@pytest.mark.long
def test_a_finished_event_counts_by_the_outbox(desk: Desk, opened: Season) -> None:
    play(desk)
    assert table(opened) == []
    assert seasons.is_behind(opened)
    assert list(verifiers.verify_seasons()) == []
    deliver(desk.now)
    # The lower entry number wins every match here: 10, 7, 5 and 3 points, and one for attendance.
    assert table(opened) == [(1, "Guest 1", 11), (2, "Guest 2", 8), (3, "Guest 3", 6), (4, "Guest 4", 4)]
    assert sound(opened)
    assert seasons.update_season(season_id=opened.pk) == 0


@pytest.mark.long
def test_a_season_of_master_points_counts_matches_and_says_how(
    desk: Desk, opened: Season, year: SeasonTerms, client: Browser
) -> None:
    opened = seasons.amend(
        season=opened,
        by=desk.director,
        terms=replace(year, rules={"scheme": "master", "attendance": "0"}),
        now=desk.now,
    )
    play(desk)
    deliver(desk.now)
    # Of four players 0.6 x 2 for the first; a match to 5 points gives sqrt(5) / 3, and the first won three.
    first = desk.event.pairings.select_related("a").order_by("pk").first()
    length = first.length
    due = round(1.2 + round(3 * length**0.5 / 3, 2), 2)
    assert float(table(opened)[0][2]) == pytest.approx(due)
    assert sound(opened)
    told = strip_tags(
        client.get(reverse("rankings:season", args=[desk.club.slug, opened.key])).content.decode()
    )
    assert "Master points. A match won gives the square root of its length" in told
    assert f"For matches won {3 * length**0.5 / 3:.2f}" in told
    # A correction is followed as ever.
    desk.do(corrections.correct_result, key=first.key, score=(0, length), reason="Misread")
    deliver(desk.now)
    assert sound(opened)


@pytest.mark.long
def test_master_points_for_what_a_substitute_did_not_play_are_of_the_player_who_did(
    desk: Desk, opened: Season, year: SeasonTerms
) -> None:
    terms = replace(year, rules={"scheme": "master", "attendance": "1"})
    opened = seasons.amend(season=opened, by=desk.director, terms=terms, now=desk.now)
    desk.start(a_plan("round-robin"), 4)
    length = desk.open()[0].length
    desk.play(next(key for key, two in desk.pairs().items() if 1 in two), winner=1)
    desk.now += timedelta(minutes=5)
    desk.do(arrivals.substitute_player, entry=1, name="Sub Sally", reason="Ill")
    desk.now += timedelta(minutes=5)
    desk.play_out()
    deliver(desk.now)

    points = {name: float(points) for _place, name, points in table(opened)}
    assert points["Guest 1"] == pytest.approx(round(length**0.5 / 3, 2))
    # The place and the point for taking part, and two matches.
    assert points["Sub Sally"] == pytest.approx(1 + 1.2 + round(2 * length**0.5 / 3, 2))
    assert sound(opened)

    kept = clubs.add_guest(club=desk.club, name="Ada Bright", by=desk.director, now=desk.now)
    replaced = Player.objects.get(name="Guest 1")
    merging.merge_guest(kept=kept, dropped=replaced, by=desk.director, now=desk.now)
    deliver(desk.now)
    assert "Ada Bright" in {name for _place, name, _points in table(opened)}
    assert sound(opened)


def test_a_running_event_writes_nothing_down(desk: Desk, opened: Season) -> None:
    desk.start(a_plan("round-robin"), 4)
    desk.play(desk.open()[0].key)
    assert not Outbox.objects.filter(kind=seasons.FOLLOW).exists()


@pytest.mark.long
def test_the_best_two_events_count(desk: Desk, opened: Season) -> None:
    for players in (2, 4, 3):
        play(desk, players)
    deliver(desk.now)
    shown = selectors.load_season_page(opened, desk.director, number=1, now=desk.now)
    second = shown.page.rows[1]
    said = selectors.format_points(second.row.points)
    assert (second.row.player.public_name, said, second.row.events) == ("Guest 2", "16", 3)
    assert [(selectors.format_points(one.points), one.counts) for one in second.results] == [
        ("8", False),
        ("8", True),
        ("8", True),
    ]
    assert shown.events == 3
    assert sound(opened)


@pytest.mark.long
def test_a_correction_counts_again_and_the_restored_result_gives_what_stood(
    desk: Desk, opened: Season
) -> None:
    play(desk)
    deliver(desk.now)
    before = table(opened)
    rows = desk.event.pairings.select_related("a", "winner")
    row = rows.filter(a__number__in=(1, 2), b__number__in=(1, 2)).first()
    score = (0, row.length) if row.winner_id == row.a_id else (row.length, 0)
    ruling = desk.do(corrections.correct_result, key=row.key, score=score, reason="Misread")
    deliver(desk.now)
    assert table(opened) != before
    assert sound(opened)
    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="It was right")
    deliver(desk.now)
    assert table(opened) == before
    # A reopened event does not count until it is finished again.
    desk.do(corrections.correct_result, key=row.key, kind="", reason="Never played")
    deliver(desk.now)
    assert table(opened) == []
    assert not SeasonPoints.objects.exists()
    assert sound(opened)


@pytest.mark.long
def test_a_merge_takes_the_points_along(desk: Desk, opened: Season) -> None:
    play(desk)
    deliver(desk.now)
    kept = clubs.add_guest(club=desk.club, name="Ada Bright", by=desk.director, now=desk.now)
    merging.merge_guest(kept=kept, dropped=desk.player(1), by=desk.director, now=desk.now)
    deliver(desk.now)
    assert table(opened)[0] == (1, "Ada Bright", 11)
    assert sound(opened)


@pytest.mark.long
def test_the_results_of_a_season_are_found_by_the_key_of_who_was_merged(desk: Desk, opened: Season) -> None:
    play(desk)
    kept = clubs.add_guest(club=desk.club, name="Ada Bright", by=desk.director, now=desk.now)
    dropped = desk.player(1)
    merging.merge_guest(kept=kept, dropped=dropped, by=desk.director, now=desk.now)
    deliver(desk.now)
    address = f"/api/v1/seasons/{opened.key}/results/"

    for key in (kept.key, dropped.key):
        (row,) = APIClient().get(address, {"player": key}).json()["results"]
        assert (row["place"], row["player"]) == (1, kept.key)
    assert APIClient().get(address, {"player": "nobody"}).status_code == 404


@pytest.mark.long
def test_only_events_of_its_days_and_its_series_count(desk: Desk, year: SeasonTerms) -> None:
    play(desk)
    first = desk.now.date()
    play(desk, 2)
    Tournament.objects.filter(pk=desk.event.pk).update(name="Grand Prix", folded_name=" grand prix")

    def events(**said: Any) -> int:
        terms = SeasonTerms(
            **{"name": f"S{Season.objects.count()}", "from_day": first, "to_day": first, **said}
        )
        made = seasons.open_season(club=desk.club, by=desk.director, terms=terms, now=desk.now)
        return SeasonPoints.objects.filter(season=made).values("event").distinct().count()

    later = desk.now.date()
    assert events() == 1
    assert events(to_day=later) == 2
    assert events(to_day=later - timedelta(days=1)) == 1
    assert events(from_day=first + timedelta(days=1), to_day=later) == 1
    assert events(to_day=later, series="grand PRIX") == 1
    assert events(to_day=later, series="Tuesday") == 0


def test_another_time_zone_of_the_club_changes_the_days_of_a_season(desk: Desk, year: SeasonTerms) -> None:
    terms = replace(year, to_day=desk.now.date())
    opened = seasons.open_season(club=desk.club, by=desk.director, terms=terms, now=desk.now)
    # In UTC it begins on the day after the season, in New York on its last.
    desk.now += timedelta(hours=6)
    desk.start(a_plan("round-robin"), 2)
    desk.play_out()
    deliver(desk.now)
    assert table(opened) == []

    change_club(desk.club, by=desk.director, time_zone="America/New_York", now=desk.now)
    assert [place for place, *_rest in table(opened)] == [1, 2]
    assert list(verifiers.verify_seasons()) == []


def test_who_did_not_take_part_gets_nothing(desk: Desk, opened: Season) -> None:
    play(desk)
    Entry.objects.filter(tournament=desk.event, number=4).update(
        left="now", left_at=desk.now, is_disqualified=True
    )
    seasons.update_season(season_id=opened.pk)
    assert [name for _, name, _ in table(opened)] == ["Guest 1", "Guest 2", "Guest 3"]


def test_only_directors_open_seasons_that_can_be(desk: Desk, opened: Season, year: SeasonTerms) -> None:
    stranger = accounts.register(email="s@example.org", password=None, name="Sten Far", now=desk.now)
    with pytest.raises(NotKeeper):
        seasons.open_season(club=desk.club, by=stranger, terms=year, now=desk.now)
    with pytest.raises(NotKeeper):
        seasons.amend(season=opened, by=stranger, terms=year, now=desk.now)
    with pytest.raises(SeasonNameTaken):
        seasons.open_season(club=desk.club, by=desk.director, terms=year, now=desk.now)
    for days in (-1, 800):
        terms = SeasonTerms("Other", year.from_day, year.from_day + timedelta(days=days))
        with pytest.raises(BadDays):
            seasons.open_season(club=desk.club, by=desk.director, terms=terms, now=desk.now)
    terms = SeasonTerms("Other", year.from_day, year.to_day, rules={"best": -1})
    with pytest.raises(BadSeason, match=r"rules\.best"):
        seasons.open_season(club=desk.club, by=desk.director, terms=terms, now=desk.now)
    assert Season.objects.count() == 1


@pytest.mark.long
@pytest.mark.share
def test_the_check_tells_what_is_wrong_and_a_rebuild_mends_it(desk: Desk, opened: Season) -> None:
    play(desk)
    deliver(desk.now)
    SeasonStanding.objects.filter(place=1).update(points=99)
    SeasonPoints.objects.filter(place=4).delete()
    told = list(seasons.find_problems(opened))
    assert told == [
        f"season {opened.key}: 1 rows of SeasonPoints are missing or others, 0 are too many",
        f"season {opened.key}: 1 rows of SeasonStanding are missing or others, 1 are too many",
    ]
    assert list(verifiers.verify_seasons()) == told
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("rebuild_ratings", "--check", stdout=out, stderr=out)
    assert told[0] in out.getvalue()
    assert "1 of 1 rating lists and seasons differ from a recomputation." in out.getvalue()
    call_command("rebuild_ratings", opened.key, stdout=out)
    assert "3 rows written or taken away" in out.getvalue()
    call_command("rebuild_ratings", "--check", stdout=out)
    assert "1 seasons counted again: all as their events say." in out.getvalue()
    assert sound(opened)


# Pages and programs


@pytest.mark.long
def test_the_page_shows_the_table_what_is_dropped_and_how_it_is_counted(desk: Desk, opened: Season) -> None:
    for players in (2, 4, 3):
        play(desk, players)
    deliver(desk.now)
    address = reverse("rankings:season", args=[desk.club.slug, opened.key])
    html = Browser().get(address).content.decode()
    told = strip_tags(html)
    assert "1 Guest 1 11 dropped 11 11 3 22" in told
    assert "Points from first place down: 10, 7, 5, 3." in told
    assert "The best 2 events of each player count." in told
    assert "Guest 1, place 1 For the place 10 For taking part 1 In all 10 + 1 = 11" in told
    assert reverse("rankings:amend_season", args=[desk.club.slug, opened.key]) not in html


def test_a_season_that_is_over_has_a_champion_and_ties_are_ties(desk: Desk, opened: Season) -> None:
    play(desk, 2)
    deliver(desk.now)
    every = reverse("rankings:seasons", args=[desk.club.slug])
    rankings = reverse("rankings:club", args=[desk.club.slug])
    assert "In the lead Guest 1" in strip_tags(Browser().get(every).content.decode())
    Season.objects.update(
        from_day=desk.now.date() - timedelta(days=9), to_day=desk.now.date() - timedelta(days=1)
    )
    (link,) = selectors.list_seasons(desk.club, now=desk.now)
    assert (link.is_over, [who.player.public_name for who in link.first]) == (True, ["Guest 1"])
    assert "Won by" in strip_tags(Browser().get(every).content.decode())
    SeasonStanding.objects.update(place=1, points=9)
    (link,) = selectors.list_seasons(desk.club, now=desk.now)
    assert [who.player.public_name for who in link.first] == ["Guest 1", "Guest 2"]
    assert Browser().get(rankings).status_code == 200


@pytest.mark.parametrize(
    ("name", "marked"),
    [("club", 'aria-current="page">Rankings'), ("seasons", 'aria-current="true">Rankings')],
)
def test_rankings_alone_are_marked_in_the_navigation(desk: Desk, name: str, marked: str) -> None:
    open_list(desk)
    html = Browser().get(reverse(f"rankings:{name}", args=[desk.club.slug])).content.decode()
    nav = re.sub(
        r"<svg.*?</svg>", "", html.split('<nav class="site-nav"')[1].split("</nav>")[0], flags=re.DOTALL
    )
    nav = re.sub(r"\s*(?=>)|(?<=>)\s+", "", nav)
    assert marked in nav
    assert nav.count("aria-current") == 1


@pytest.mark.long
def test_a_director_opens_a_season_and_changes_it(desk: Desk) -> None:
    play(desk, 2)
    browser = Browser(desk.director)
    form = reverse("rankings:create_season", args=[desk.club.slug])
    assert browser.get(form).status_code == 200
    said = {
        "name": "Winter", "from_day": "2026-01-01", "to_day": "2026-12-31", "series": "", "places": "10 7,5 5",
        "attendance": "1", "sharing": "average", "best": 0, "decay": 0,
    }  # fmt: skip
    for wrong in ({"places": "5 7"}, {"attendance": "many"}, {"to_day": "2025-01-01"}, {"places": "1,2,3,x"}):
        assert browser.post(form, {**said, **wrong}).status_code == 422
    answer = browser.post(form, said)
    made = Season.objects.get()
    assert answer["Location"] == reverse("rankings:season", args=[desk.club.slug, made.key])
    assert made.rules["places"] == ["10", "7.5", "5"]
    assert [points for _, _, points in table(made)] == [11, Decimal("8.5")]
    assert browser.post(form, said).status_code == 422
    change = reverse("rankings:amend_season", args=[desk.club.slug, made.key])
    assert 'value="10 7.5 5"' in browser.get(change).content.decode()
    seen = selectors.compute_version_key(made)
    assert browser.post(change, {**said, "places": "3,2,1", "seen": seen}).status_code == 302
    assert [points for _, _, points in table(made)] == [4, 3]
    member = accounts.register(email="m@example.org", password=None, name="Mo Ember", now=desk.now)
    browser.force_login(member)
    assert browser.get(form).status_code == browser.get(change).status_code == 403


def test_a_director_is_told_that_another_has_changed_the_season(
    desk: Desk, opened: Season, year: SeasonTerms
) -> None:
    browser = Browser(desk.director)
    change = reverse("rankings:amend_season", args=[desk.club.slug, opened.key])
    form = browser.get(change).context["form"]
    typed = {name: form[name].value() for name in form.fields} | {"name": "Typed", "by_field": ""}
    seasons.amend(season=opened, by=desk.director, terms=replace(year, series="Cup"), now=desk.now)

    refused = browser.post(change, typed)

    opened.refresh_from_db()
    assert refused.status_code == 422
    assert (opened.series, opened.name) == ("Cup", year.name)
    assert "This has changed in the meantime." in refused.content.decode()
    again = refused.context["form"]
    assert again["name"].value() == "Typed"
    assert browser.post(change, {**typed, "seen": again["seen"].value()}).status_code == 302
    opened.refresh_from_db()
    assert opened.name == "Typed"


def test_of_two_changes_through_the_api_at_once_both_are_kept(
    desk: Desk, opened: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, read = f"/api/v1/seasons/{opened.key}/", SeasonViewSet.get_object

    def patch(said: dict[str, str]) -> None:
        director = APIClient()
        director.force_authenticate(desk.director)
        assert director.patch(address, said, format="json").status_code == 200

    def read_before_the_other_saves(view: SeasonViewSet) -> Season:
        found = read(view)
        monkeypatch.setattr(SeasonViewSet, "get_object", read)
        patch({"series": "Cup"})
        return found

    monkeypatch.setattr(SeasonViewSet, "get_object", read_before_the_other_saves)
    patch({"name": "Spring"})

    opened.refresh_from_db()
    assert (opened.name, opened.series, opened.rules) == ("Spring", "Cup", {"best": 2})


@pytest.mark.long
def test_the_api_tells_a_season_and_lets_directors_make_one(desk: Desk, opened: Season) -> None:
    event = play(desk)
    deliver(desk.now)
    anyone, address = APIClient(), f"/api/v1/seasons/{opened.key}/"
    (listed,) = anyone.get(f"/api/v1/seasons/?club={desk.club.slug}").json()["results"]
    assert anyone.get(address).json() == listed
    assert listed["rules"]["places"] == ["10", "7", "5", "3"]
    rows = anyone.get(f"{address}standings/").json()["results"]
    assert [(row["place"], row["points"], row["events"]) for row in rows][:2] == [
        (1, "11.00", 1),
        (2, "8.00", 1),
    ]
    found = anyone.get(f"{address}results/?event={event.key}&player={desk.player(2).key}").json()["results"]
    assert [(one["place"], one["for_place"], one["earned"], one["counts"]) for one in found] == [
        (2, "7.00", "8.00", True)
    ]
    said = {"club": desk.club.slug, "name": "New", "from_day": "2026-01-01", "to_day": "2026-12-31"}
    assert anyone.post("/api/v1/seasons/", said, format="json").status_code == 401
    director = APIClient()
    director.force_login(desk.director)
    made = director.post("/api/v1/seasons/", {**said, "rules": {"places": ["3", "1"]}}, format="json")
    assert (made.status_code, made.json()["rules"]["places"]) == (201, ["3", "1"])
    again = director.post("/api/v1/seasons/", said, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "season_name_taken")
    changed = director.patch(
        f"/api/v1/seasons/{made.json()['key']}/", {"to_day": "2025-01-01"}, format="json"
    )
    assert (changed.status_code, changed.json()["code"]) == (400, "bad_days")
    for days in (
        {"from_day": "9999-01-01", "to_day": "9999-12-31"},
        {"from_day": "0001-01-01", "to_day": "0001-12-31"},
    ):
        wrong = director.patch(f"/api/v1/seasons/{made.json()['key']}/", days, format="json")
        assert (wrong.status_code, set(wrong.json()["context"]["fields"])) == (400, set(days))
        assert set(days) <= set(SeasonForm(days).errors)
    changed = director.patch(address, {"rules": {"attendance": "2"}}, format="json")
    assert changed.json()["rules"]["best"] == 0
    assert table(opened)[0] == (1, "Guest 1", 12)
