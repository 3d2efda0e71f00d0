"""Screens: letters, a name, a programme; what each shows of an evening, and that it comes back by itself."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from players.accounts import accounts
from players.clubs import clubs
from players.models import NameStyle, Player
from runtime import stream
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import local_times
from tournaments.base.errors import NotDirector
from tournaments.play import incidents
from venue.calls import calling
from venue.errors import BadProgramme, ScreenNameTaken, TooManyTries, UnknownLetters
from venue.models import Screen, Show
from venue.rooms import breaks, rooms
from venue.rooms.breaks import PlannedBreak
from venue.screens import screens, wall


@pytest.fixture(autouse=True)
def no_tries() -> None:
    cache.clear()


def waiting(now: datetime) -> tuple[Screen, str]:
    return screens.open_screen(address="192.0.2.7", now=now)


def bound(desk: Desk, name: str = "Bar", shows: Iterable[Show] = ()) -> Screen:
    screen, _token = waiting(desk.now)
    found = screens.bind(club=desk.club, by=desk.director, letters=screen.code, name=name, now=desk.now)
    if shows:
        found = screens.change_settings(screen=found, by=desk.director, programme=shows, now=desk.now)
    return found


def shown(screen: Screen, now: datetime) -> list[tuple[str, int]]:
    return [(slide.show, len(slide.rows)) for slide in wall.build_wall(screen, now=now).slides]


def count_updates(screen: Screen) -> int:
    return stream.record_positions(screen.topic).positions[0][1]


def test_letters_bind_a_browser_once_and_the_token_brings_its_screen_back(desk: Desk) -> None:
    screen, token = waiting(desk.now)
    assert len(screen.code) == 4
    assert screen.code.isalpha()
    letters = f" {screen.code[:2].lower()} {screen.code[2:]}"
    found = screens.bind(club=desk.club, by=desk.director, letters=letters, name="Bar", now=desk.now)
    again = screens.find_screen(token)
    assert again == found
    assert (again.name, again.club, again.code) == ("Bar", desk.club, "")
    with pytest.raises(UnknownLetters):
        screens.bind(club=desk.club, by=desk.director, letters=letters, name="Door", now=desk.now)
    assert screens.find_screen("") is None
    assert screens.find_screen(token + "x") is None


def test_letters_are_over_after_ten_minutes_and_make_room_for_new_ones(desk: Desk) -> None:
    screen, token = waiting(desk.now)
    old = screen.code
    later = desk.now + timedelta(minutes=10)
    with pytest.raises(UnknownLetters):
        screens.bind(club=desk.club, by=desk.director, letters=old, name="Bar", now=later)
    assert screens.renew_letters(screen=screen, now=desk.now + timedelta(minutes=9)).code == old
    renewed = screens.renew_letters(screen=screen, now=later)
    assert renewed.code_until == later + timedelta(minutes=10)
    assert screens.find_screen(token) == renewed
    waiting(later + timedelta(minutes=11))
    assert screens.find_screen(token) is None, "nobody came for it"


def test_a_screen_that_is_bound_while_its_letters_are_renewed_stays_bound(desk: Desk) -> None:
    screen, token = waiting(desk.now)
    late = desk.now + timedelta(minutes=10) - timedelta(seconds=1)
    screens.bind(club=desk.club, by=desk.director, letters=screen.code, name="Bar", now=late)
    screens.renew_letters(screen=screen, now=desk.now + timedelta(minutes=10))
    again = screens.find_screen(token)
    assert (again.name, again.club, again.code) == ("Bar", desk.club, "")


def test_letters_are_tried_slowly_and_browsers_come_slowly(desk: Desk) -> None:
    for _ in range(screens.TRIES.free):
        with pytest.raises(UnknownLetters):
            screens.bind(club=desk.club, by=desk.director, letters="BBBB", name="Bar", now=desk.now)
    # The next is let through, too, and closes the way behind it.
    with pytest.raises(UnknownLetters):
        screens.bind(club=desk.club, by=desk.director, letters="BBBB", name="Bar", now=desk.now)
    right, _token = waiting(desk.now)
    with pytest.raises(TooManyTries):
        screens.bind(club=desk.club, by=desk.director, letters=right.code, name="Bar", now=desk.now)
    for _ in range(screens.OPENINGS.free):
        waiting(desk.now)
    with pytest.raises(TooManyTries):
        waiting(desk.now)


def test_another_browser_takes_the_place_of_a_screen_with_its_programme(desk: Desk) -> None:
    first = bound(desk, shows=[Show.CLOCK])
    fresh, token = waiting(desk.now)
    found = screens.bind(club=desk.club, by=desk.director, letters=fresh.code, name="Bar", now=desk.now)
    assert found.pk == first.pk
    assert found.programme == ["clock"]
    assert screens.find_screen(token) == first
    assert Screen.objects.count() == 1


def test_only_directors_of_the_club_bind_steer_and_release(desk: Desk) -> None:
    guest = accounts.register(email="g@example.org", password=None, name="Gus", now=desk.now)
    screen = bound(desk)
    fresh, _token = waiting(desk.now)
    for act in (
        lambda: screens.bind(club=desk.club, by=guest, letters=fresh.code, name="X", now=desk.now),
        lambda: screens.change_settings(screen=screen, by=guest, programme=[Show.CLOCK], now=desk.now),
        lambda: screens.release(screen=screen, by=guest, now=desk.now),
    ):
        with pytest.raises(NotDirector):
            act()


def test_a_programme_has_something_in_it_and_belongs_to_the_club(desk: Desk) -> None:
    screen = bound(desk)
    bound(desk, "Door")
    elsewhere = clubs.create(owner=desk.director, name="There", now=desk.now)
    foreign = rooms.open_room(club=elsewhere, by=desk.director, name="Cellar", labels="1", now=desk.now)
    for wrong in (
        {"programme": []},
        {"programme": [Show.CLOCK], "seconds": 4},
        {"programme": [Show.CLOCK], "seconds": 121},
        {"programme": [Show.CLOCK], "room": foreign},
    ):
        with pytest.raises(BadProgramme, match="5 to 120 seconds"):
            screens.change_settings(screen=screen, by=desk.director, now=desk.now, **wrong)  # type: ignore[arg-type]
    with pytest.raises(ScreenNameTaken):
        screens.change_settings(
            screen=screen, by=desk.director, now=desk.now, programme=[Show.CLOCK], name="Door"
        )
    screen.refresh_from_db()
    assert screen.programme == [show.value for show in screens.FIRST_PROGRAMME]


def test_a_screen_that_is_steered_or_released_is_told(desk: Desk) -> None:
    screen = bound(desk)
    before = count_updates(screen)
    screens.change_settings(screen=screen, by=desk.director, programme=[Show.CLOCK], now=desk.now)
    screens.release(screen=screen, by=desk.director, now=desk.now)
    assert count_updates(screen) == before + 2
    assert not Screen.objects.exists()


def test_what_has_nothing_to_show_is_passed_over_and_nothing_at_all_is_the_club(desk: Desk) -> None:
    screen = bound(desk, shows=[Show.CALLS, Show.BOARD, Show.ANNOUNCEMENT])
    assert shown(screen, desk.now) == [("picture", 0)]


def test_every_page_of_an_evening_has_twelve_lines_at_most(desk: Desk) -> None:
    desk.start(a_plan("progressive-consolation"), 23)
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1-14", now=desk.now)
    for table, match in zip(room.tables.all(), desk.open(), strict=False):
        calling.call(table=table, event=desk.event, key=match.key, by=desk.director, now=desk.now)
    screen = bound(desk, shows=[show for show in Show if show != Show.ANNOUNCEMENT])
    seen = wall.build_wall(screen, now=desk.now)
    most = {"calls": 4, "tables": 12, "bracket": 3, "round": 9, "standings": 9}
    counts: dict[str, int] = {}
    for slide in seen.slides:
        assert len(slide.rows) <= most.get(slide.show, 0), slide
        counts[slide.show] = counts.get(slide.show, 0) + len(slide.rows)
        if slide.show == "bracket":
            assert all(len(column.boxes) <= 4 for column in slide.rows)  # type: ignore[attr-defined]
    assert counts["calls"] == min(len(desk.open()), 14)
    assert counts["tables"] == 14
    assert counts["standings"] == 23
    assert {f"club.{desk.club.slug}", f"event.{desk.event.key}", screen.topic} <= set(seen.topics)


def test_a_round_says_a_loss_without_points_in_two_letters(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 8)
    first, second, *_ = desk.open()
    desk.play(first.key)
    desk.do(incidents.record_no_show, key=second.key, loser=second.a.number)
    slides = wall.build_wall(bound(desk, shows=[Show.ROUND]), now=desk.now).slides
    told = {row.told for slide in slides for row in slide.rows}  # type: ignore[attr-defined]
    assert "n.s." in told
    assert all(len(each) <= 5 for each in told)


def test_a_held_thing_is_alone_and_an_announcement_ends(desk: Desk) -> None:
    screen = bound(desk)
    until = desk.now + timedelta(minutes=5)
    held = screens.change_settings(
        screen=screen,
        by=desk.director,
        now=desk.now,
        programme=[Show.CLOCK],
        held=Show.ANNOUNCEMENT,
        announcement="Last  orders",
        announced_until=until,
    )
    seen = wall.build_wall(held, now=desk.now)
    assert ([slide.show for slide in seen.slides], seen.announcement) == (["announcement"], "Last orders")
    assert seen.until == until, "the screen looks again by itself"
    assert shown(held, until) == [("picture", 0)]


def test_the_clock_tells_breaks_until_they_are_over(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    screen = screens.change_settings(
        screen=bound(desk), by=desk.director, now=desk.now, programme=[Show.CLOCK]
    )
    begins, ends = desk.now + timedelta(seconds=30), desk.now + timedelta(minutes=40)
    dinner = PlannedBreak(begins, ends, "Dinner")
    breaks.change_breaks(event=desk.event, change=lambda _before: [dinner], by=desk.director, now=desk.now)
    seen = wall.build_wall(screen, now=desk.now)
    assert [(line.name, line.is_on) for line in seen.breaks] == [("Dinner", False)]
    assert seen.until == begins, "it looks again when the break begins"
    assert [line.is_on for line in wall.build_wall(screen, now=begins).breaks] == [True]
    assert wall.build_wall(screen, now=ends).breaks == ()


def test_a_screen_of_a_room_shows_the_calls_and_tables_of_that_room(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 8)
    one = rooms.open_room(club=desk.club, by=desk.director, name="One", labels="1-2", now=desk.now)
    two = rooms.open_room(club=desk.club, by=desk.director, name="Two", labels="7-9", now=desk.now)
    first, second, *_rest = desk.open()
    for room, match in ((one, first), (two, second)):
        table = room.tables.first()
        assert table is not None
        calling.call(table=table, event=desk.event, key=match.key, by=desk.director, now=desk.now)
    screen = screens.change_settings(
        screen=bound(desk), by=desk.director, now=desk.now, programme=[Show.CALLS, Show.TABLES], room=two
    )
    found = wall.build_wall(screen, now=desk.now).slides
    assert [row.table for row in found[0].rows] == ["7"]  # type: ignore[attr-defined]
    assert [row.label for row in found[1].rows] == ["7", "8", "9"]  # type: ignore[attr-defined]
    desk.play(second.key)
    assert [slide.show for slide in wall.build_wall(screen, now=desk.now).slides] == ["tables"]


def test_names_stand_for_a_whole_minute_although_both_are_there(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    room = rooms.open_room(club=desk.club, by=desk.director, name="One", labels="1", now=desk.now)
    match, called_at = desk.open()[0], desk.now
    calling.call(table=room.tables.get(), event=desk.event, key=match.key, by=desk.director, now=called_at)
    screen = bound(desk, shows=[Show.CALLS])
    desk.now += timedelta(seconds=10)
    for entry in (match.a, match.b):
        desk.do(incidents.record_arrival, key=match.key, entry=entry.number)
    found = wall.build_wall(screen, now=desk.now)
    assert [slide.show for slide in found.slides] == ["calls"]
    # It looks again by itself: nothing happens then.
    assert found.until == called_at + timedelta(minutes=1)
    assert shown(screen, called_at + timedelta(seconds=59)) == [("calls", 1)]
    assert shown(screen, called_at + timedelta(minutes=1)) == [("picture", 0)]


def test_a_voice_names_the_room_where_the_club_has_several(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1-2", now=desk.now)
    table = room.tables.get(label="1")
    calling.call(table=table, event=desk.event, key=desk.open()[0].key, by=desk.director, now=desk.now)
    said = {"by": desk.director, "programme": [Show.CALLS], "speaks": True, "now": desk.now}
    screen = screens.change_settings(screen=bound(desk), **said)

    def heard(screen: Screen) -> str:
        (call,) = wall.build_wall(screen, now=desk.now).spoken
        return call.words.partition(":")[0]

    assert heard(screen) == "Table 1"
    rooms.open_room(club=desk.club, by=desk.director, name="Cellar", labels="1-2", now=desk.now)
    assert heard(screen) == "Table 1, Lamp Room"
    # People in front of a room's screen know the room, so it is not named.
    screen = screens.change_settings(screen=screen, room=room, **said)
    assert heard(screen) == "Table 1"


def test_a_call_on_the_wall_says_names_as_the_club_writes_them(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    for number, name in enumerate(("Anna Meyer", "Bo Holm", "Cleo Diaz", "Anna Mohr"), 1):
        Player.objects.filter(entries__tournament=desk.event, entries__number=number).update(name=name)
    desk.club.name_style = NameStyle.LAST_INITIAL
    desk.club.save()
    room = rooms.open_room(club=desk.club, by=desk.director, name="One", labels="1-2", now=desk.now)
    for table, match in zip(room.tables.all(), desk.open(), strict=True):
        calling.call(table=table, event=desk.event, key=match.key, by=desk.director, now=desk.now)

    screen = bound(desk, shows=[Show.CALLS])
    screen = Screen.objects.get(pk=screen.pk)
    [slide] = wall.build_wall(screen, now=desk.now).slides
    said = {name for row in slide.rows for name in (row.one, row.other)}  # type: ignore[attr-defined]
    assert said == {"Anna Meyer", "Bo H.", "Cleo D.", "Anna Mohr"}


def test_pages_bind_steer_and_release_and_the_browser_follows(desk: Desk, client: Client) -> None:
    browser = type(client)()
    letters = browser.get("/tv")
    code = Screen.objects.get().code
    assert code in letters.content.decode()
    assert letters.cookies["screen"]["httponly"]
    client.force_login(desk.director)
    page = reverse("venue:screens", args=[desk.club.slug])
    wrong = client.post(page, {"letters": "BBBB" if code != "BBBB" else "CCCC", "name": "Bar"})
    assert wrong.status_code == 422
    made = client.post(page, {"letters": code.lower(), "name": "Bar"})
    screen = Screen.objects.get()
    assert made.url == reverse("venue:screen", args=[desk.club.slug, screen.key])
    desk.announce(a_plan("single-elimination"))
    day = local_times.format_full_day(desk.event.starts_at, desk.club.time_zone)
    assert f">Thursday · {day}</option>" in client.get(made.url).content.decode()
    said = {"name": "Bar", "programme": ["clock"], "seconds": "15", "held": "announcement", "minutes": "5"}
    client.post(made.url, said | {"announcement": "*Bar* <b>closes</b> at **ten**"})
    assert (
        "<em>Bar</em> &lt;b&gt;closes&lt;/b&gt; at <strong>ten</strong>"
        in browser.get("/tv").content.decode()
    )
    client.post(made.url, said | {"announcement": "Bar closes at ten"})
    assert "Bar closes at ten" in browser.get("/tv").content.decode()
    assert "Bar closes at ten" in browser.get("/tv/picture").content.decode()
    client.post(made.url, {"release": "1"})
    assert Screen.objects.count() == 0
    assert "Bar closes at ten" not in browser.get("/tv").content.decode()
