"""Screens on a wall: bound and steered through an evening, back after a crash, honest without a network, read from afar."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from engine.cube import Cube
from engine.side import Side
from engine.situation import Situation
from engine.svg_mini import render_mini_board
from tests.browser.people import listening, overflow, snap, wear
from tests.runtime.premises import Program
from tests.runtime.support import ROOT, answers, clean_environment, end, until
from tests.services import free_port
from tests.tournaments.event_desk import Desk, a_plan
from venue.calls import calling
from venue.models import Screen, Show
from venue.rooms import rooms
from venue.screens import screens

TELEVISION = {"viewport": {"width": 1920, "height": 1080}}
# What is required: the same picture is back within five seconds.
SOON_MS = 5_000
EVENING = """
from django.utils import timezone
from tests.tournaments.event_desk import Desk, a_plan
desk = Desk(timezone.now())
desk.start(a_plan("single-elimination"), 8)
"""
BIND = """
from django.utils import timezone
from players.models import Club, User
from venue.models import Show
import venue.screens.screens as screens
club, now = Club.objects.get(), timezone.now()
by = User.objects.get()
for letters, show in {wanted!r}:
    screen = screens.bind(club=club, by=by, letters=letters, name=show, now=now)
    screens.change_settings(screen=screen, by=by, programme=[Show(show)], now=now)
"""
# Every visible text, with the height of its capitals, its colour and its background.
TEXTS = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const grounds = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      const image = style.backgroundImage.match(/(rgba?|color)\\([^)]*\\)/g);
      if (image) return image.map(rgb);
      if (rgb(style.backgroundColor)[3] === 255) return [rgb(style.backgroundColor)];
    }
    return [[0, 0, 0]];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const words = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    if (!words || !element.checkVisibility() || element.closest(".visually-hidden, script, svg")) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const box = range.getBoundingClientRect();
    const style = getComputedStyle(element);
    canvas.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const ink = light(rgb(style.color));
    const contrast = Math.min(...grounds(element).map(light)
      .map((ground) => (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05)));
    found.push({
      words, contrast, height: canvas.measureText("H").actualBoundingBoxAscent,
      bottom: box.bottom, right: element.getBoundingClientRect().right,
      top: box.top, column: [...document.querySelectorAll(".tree__round")].indexOf(element.closest(".tree__round")),
    });
  }
  return found;
}"""

PUT_UP = """drawing => {
  const play = `<div class="play"><div class="play__board">${drawing}</div></div>`;
  document.querySelector(".wall").insertAdjacentHTML("beforeend", play);
}"""


def letters_of(page: Page) -> str:
    return page.locator(".wall__code").inner_text()


def hung(page: Page, site: str, desk: Desk, name: str, *shows: Show, **more: Any) -> Screen:
    """Open a screen and bind it, as a director does."""
    page.goto(f"{site}/tv")
    listening(page)
    now = timezone.now()
    screen = screens.bind(club=desk.club, by=desk.director, letters=letters_of(page), name=name, now=now)
    return screens.change_settings(screen=screen, by=desk.director, programme=shows, now=now, **more)


def called(desk: Desk) -> None:
    """Call the open matches to tables of a room."""
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1-14", now=desk.now)
    for table, match in zip(room.tables.all(), desk.open(), strict=False):
        calling.call(table=table, event=desk.event, key=match.key, by=desk.director, now=desk.now)


def lines_of(texts: list[dict[str, Any]]) -> int:
    """Count the lines a viewer reads from top to foot; of the rounds of a bracket the longest."""
    columns = {text["column"] for text in texts} - {-1}
    inside = [stacked([text for text in texts if text["column"] == column]) for column in columns]
    return stacked([text for text in texts if text["column"] == -1]) + max(inside, default=0)


def stacked(texts: list[dict[str, Any]]) -> int:
    """Count the texts that are below each other. A text beside two lines does not count."""
    count, foot = 0, -1.0
    for text in sorted(texts, key=lambda each: float(each["bottom"])):
        if text["top"] >= foot - 12:
            count, foot = count + 1, text["bottom"]
    return count


@pytest.mark.long
def test_four_screens_are_bound_and_steered_while_an_evening_goes_on(
    site: str, page: Page, another: Callable[..., Page], desk: Desk
) -> None:
    desk.start(a_plan("single-elimination"), 8)
    walls = [another(**TELEVISION) for _ in range(4)]
    wear(page, site, desk.director)
    for wall, name in zip(walls, ("Bar", "Door", "Hall", "Stair"), strict=True):
        wall.goto(f"{site}/tv")
        listening(wall)
        page.goto(f"{site}/clubs/{desk.club.slug}/screens/")
        page.get_by_label("Letters").fill(letters_of(wall).lower())
        page.get_by_label("Name").fill(name)
        page.get_by_role("button", name="Put it on the wall").click()
        expect(page.get_by_role("heading", name=name)).to_be_visible()
        expect(wall.locator(".wall__event")).to_have_text("Thursday")
    for name, held in (
        ("Bar", "Calls"),
        ("Door", "Bracket"),
        ("Hall", "Round and pairings"),
        ("Stair", "Standings"),
    ):
        page.goto(f"{site}/clubs/{desk.club.slug}/screens/")
        page.get_by_role("link", name=name, exact=True).click()
        page.get_by_label("Show only one page").select_option(label=held)
        page.get_by_role("button", name="Show it").click()
        expect(page.get_by_role("heading", name="Screens", exact=True)).to_be_visible()
    bar, door, hall, stair = walls
    expect(bar.locator(".wall__club")).to_be_visible()
    expect(door.locator(".tree__box")).to_have_count(7)
    expect(hall.locator(".pairs__row")).to_have_count(4)
    expect(stair.locator(".order__row")).to_have_count(8)

    # A call comes to the wall, and a result takes it away again.
    called(desk)
    expect(bar.locator(".calls__row")).to_have_count(4)
    first = desk.open()[0]
    desk.play(first.key)
    expect(bar.locator(".calls__row")).to_have_count(3)
    expect(door.locator(".is-winner")).to_have_count(1)
    for number, wall in enumerate(walls):
        snap(wall, f"wall-{number}", full=False)

    # Another thing on the same wall.
    screen = Screen.objects.get(name="Bar")
    screens.change_settings(
        screen=screen,
        by=desk.director,
        now=timezone.now(),
        programme=[],
        held=Show.ANNOUNCEMENT,
        announcement="Last orders **now**",
    )
    expect(bar.locator(".wall__announcement")).to_have_text("Last orders now")
    # An emphasised word stays in its line.
    line, word = (bar.locator(f".wall__announcement {each}").bounding_box() for each in ("p", "strong"))
    assert line
    assert word
    assert line["height"] < 2 * word["height"]
    screens.release(screen=screen, by=desk.director, now=timezone.now())
    expect(bar.locator(".wall__code")).to_be_visible()


@pytest.mark.long
def test_a_list_turns_by_itself_and_one_thing_stays(
    site: str, another: Callable[..., Page], desk: Desk
) -> None:
    desk.start(a_plan("single-elimination"), 8)
    wall = another(**TELEVISION)
    hung(wall, site, desk, "Bar", Show.STANDINGS, Show.CLOCK, seconds=5)
    expect(wall.locator(".order__row").first).to_be_visible()
    expect(wall.locator(".wall__time")).to_be_visible()
    expect(wall.locator(".order__row").first).to_be_hidden()
    expect(wall.locator(".order__row").first).to_be_visible()


@pytest.mark.long
def test_a_cut_line_is_told_with_its_age_and_the_picture_stays_until_it_catches_up(
    site: str, another: Callable[..., Page], desk: Desk
) -> None:
    desk.start(a_plan("single-elimination"), 8)
    wall = another(**TELEVISION)
    hung(wall, site, desk, "Door", Show.BRACKET)
    expect(wall.locator(".tree__box")).to_have_count(7)
    state = wall.locator("#state")
    expect(state).to_be_hidden()
    wall.context.set_offline(True)
    expect(state).to_contain_text("No connection. This is how it was at")
    expect(state).to_have_text(re.compile(r"([5-9]|[1-5]\d) s ago\.$"))
    expect(wall.locator(".tree__box")).to_have_count(7)
    desk.play(desk.open()[0].key)
    expect(wall.locator(".is-winner")).to_have_count(0)
    snap(wall, "wall-offline", full=False)
    wall.context.set_offline(False)
    expect(wall.locator(".is-winner")).to_have_count(1)
    expect(state).to_be_hidden()
    # And from then on it hears of everything again.
    desk.play(desk.open()[0].key)
    expect(wall.locator(".is-winner")).to_have_count(2)


@pytest.mark.long
def test_everything_on_a_wall_can_be_read_from_afar(
    site: str, another: Callable[..., Page], desk: Desk
) -> None:
    desk.start(a_plan("progressive-consolation"), 23)
    called(desk)
    wall = another(**TELEVISION)
    shows = [show for show in Show if show != Show.BOARD]
    screen = hung(wall, site, desk, "Hall", *shows, seconds=120, announcement="The bar closes at ten.")
    expect(wall.locator("[data-slide]")).not_to_have_count(0)
    keys = wall.locator("[data-slide]").evaluate_all("all => all.map((each) => each.dataset.slide)")
    assert len(keys) >= 10, keys
    smallest: list[float] = []
    for at, key in enumerate(keys):
        wall.evaluate(
            "(at) => [...document.querySelectorAll('[data-slide]')].forEach((each, i) => each.hidden = i !== at)",
            at,
        )
        texts = wall.evaluate(TEXTS)
        assert texts, key
        for text in texts:
            assert text["height"] >= 1080 / 28, (key, text)
            assert text["contrast"] >= 4.5, (key, text)
            assert text["bottom"] <= 1080, (key, text)
            assert text["right"] <= 1920, (key, text)
        assert lines_of(texts) <= 12, (key, lines_of(texts))
        smallest.append(min(text["height"] for text in texts))
        snap(wall, f"wall-read-{at:02}", full=False)
    print(f"smallest capitals {min(smallest):.1f} px on {len(keys)} pages of {screen}")
    assert overflow(wall) <= 0


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    """A separate installation, with an evening that has begun."""
    found = Installation(tmp_path)
    yield found
    for program in found.programs:
        end(program.process)


class Installation:
    """Our own server, to be killed."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.env = clean_environment(
            DATA_DIR=str(folder),
            PORT=str(self.port),
            STATIC_ROOT=str(folder / "static"),
            PYTHONPATH=str(ROOT),
        )
        self.programs: list[Program] = []

    @property
    def site(self) -> str:
        return f"http://localhost:{self.port}"

    def open(self) -> Program:
        """Start it and wait until it serves pages."""
        program = Program([sys.executable, "manage.py", "serve"], self.env)
        self.programs.append(program)
        until(lambda: answers(self.port) or program.process.poll() is not None, within=120)
        assert program.process.poll() is None, program.text
        return program

    def do(self, what: str) -> None:
        """Have another process do something."""
        program = Program([sys.executable, "manage.py", "shell", "-v0", "-c", what], self.env)
        assert program.wait(120) == 0, program.text


@pytest.mark.long
def test_a_server_that_was_killed_and_screens_that_were_switched_off_show_the_same_again(
    another: Callable[..., Page], installation: Installation
) -> None:
    server = installation.open()
    installation.do(EVENING)
    shows = {
        "bracket": ".tree__box",
        "round": ".pairs__row",
        "standings": ".order__row",
        "clock": ".wall__time",
    }
    walls = {show: another(**TELEVISION) for show in shows}
    wanted = []
    for show, wall in walls.items():
        wall.goto(f"{installation.site}/tv")
        wanted.append((letters_of(wall), show))
    installation.do(BIND.format(wanted=wanted))
    seen = {}
    for show, wall in walls.items():
        expect(wall.locator(shows[show]).first).to_be_visible()
        expect(wall.locator("[data-slide]")).to_have_count(1)
        seen[show] = wall.locator("[data-slide]").get_attribute("data-slide")

    server.kill()
    for wall in walls.values():
        # The screens stay unchanged, and say so.
        expect(wall.locator("#state")).to_be_visible()
        expect(wall.locator("[data-slide]")).to_be_visible()
    installation.open()
    for wall in list(walls.values())[:2]:
        wall.reload()
    for show, wall in walls.items():
        expect(wall.locator(shows[show]).first).to_be_visible(timeout=SOON_MS)
        assert wall.locator("[data-slide]").get_attribute("data-slide") == seen[show]
        expect(wall.locator("#state")).to_be_hidden()


def test_the_figure_of_the_cube_lies_on_the_cube(site: str, page: Page) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{site}/tv")
    listening(page)
    drawing = render_mini_board(Situation(cube=Cube(64, Side.WHITE)), table="/static/img/mini.svg#table")
    page.evaluate(PUT_UP, drawing)
    figure, cube = page.locator(".mini__value").bounding_box(), page.locator(".mini__cube").bounding_box()
    assert figure
    assert cube
    assert figure["x"] > cube["x"]
    assert figure["x"] + figure["width"] < cube["x"] + cube["width"]
    middle = cube["y"] + cube["height"] / 2
    assert abs(figure["y"] + figure["height"] / 2 - middle) < cube["height"] / 8


@pytest.mark.parametrize("show", [Show.CALLS, Show.TABLES])
def test_long_names_of_two_events_stay_on_the_wall(site: str, page: Page, desk: Desk, show: Show) -> None:
    desk.start(a_plan("swiss", rounds=3), 4)
    first = desk.event
    first.name = "Great Autumn Championship of the Harbour Lights Club, Main Flight"
    first.save(update_fields=["name"])
    called(desk)
    desk.start(a_plan("round-robin"), 4)
    page.set_viewport_size({"width": 1280, "height": 720})
    hung(page, site, desk, "Bar", show)

    rows = page.locator(".calls__row, .plan__table")
    expect(rows.first).to_be_visible()
    snap(page, f"wall-long-{show}")
    assert overflow(page) == 0
    if show == Show.CALLS:
        expect(page.locator(".calls__what").first).to_contain_text("Great Autumn")
        assert page.locator(".calls__since").evaluate_all(
            "all => all.every((each) => each.getBoundingClientRect().right < innerWidth)"
        )
