"""Every paper as a PDF, on A4 and on Letter, with 16 and with 128 players, in both languages: no row is lost, no glyph is cut."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page

from runtime.work import outbox
from tests.browser.test_pages import sign_in
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Entry, Pairing
from tournaments.plan import drawing

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(shutil.which("pdftotext") is None, reason="no pdftotext on this machine"),
]

MARGIN = 14 / 25.4 * 72  # points: the margin of static/css/print.css
SIZES = {"A4": (595, 842), "Letter": (612, 792)}
WORD = re.compile(r'<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">')
PAGE = re.compile(r'<page width="([\d.]+)" height="([\d.]+)">')
# What is cut off at the edge of a box: more text than its box shows.
CUT = """() => [...document.querySelectorAll("main *")].filter(each => {
  const style = getComputedStyle(each);
  const hides = [style.overflowX, style.overflowY].some(one => one === "hidden" || one === "clip")
    || style.textOverflow === "ellipsis";
  return hides && each.checkVisibility() && !each.closest(".visually-hidden") && !each.closest("svg")
    && (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1);
}).map(each => `${each.className}: ${each.textContent.trim().slice(0, 40)}`)"""

# Codes that are drawn larger than their picture, or without the white around them that scanners need.
CODES_CUT = """() => [...document.querySelectorAll("svg.segno")].filter(each => {
  const all = each.viewBox.baseVal, dark = each.querySelector(".qrline").getBBox();
  const white = [dark.x, dark.y, all.width - dark.x - dark.width, all.height - dark.y - dark.height];
  return white.some(edge => !(edge > 0));
}).map(each => each.textContent)"""

# Numbers of matches that overlap a box and cannot be read.
COVERED = """() => {
  const boxes = [...document.querySelectorAll(".box")].map(each => each.getBoundingClientRect());
  const lies = (one, other) => one.left < other.right - 1 && one.right > other.left + 1
    && one.top < other.bottom - 1 && one.bottom > other.top + 1;
  return [...document.querySelectorAll(".box__label")].filter(label =>
    boxes.some(box => lies(label.getBoundingClientRect(), box))).map(label => label.textContent);
}"""


class Printer:
    """Prints pages with the browser, and extracts the text of the sheets."""

    def __init__(self, page: Page, folder: Path, size: str) -> None:
        self.page, self.folder, self.size = page, folder, size
        self.pages = self.printed = 0
        self.sheets: list[str] = []

    def print(self, address: str) -> str:
        """Return all words of a paper; each lies on the page, within its margins."""
        self.page.emulate_media(media="print")
        answer = self.page.goto(address)
        assert answer.ok, f"{address}: {answer.status}"
        self.page.evaluate("document.fonts.ready")
        assert self.page.evaluate(CUT) == [], address
        assert self.page.evaluate(CODES_CUT) == [], address
        self.printed += 1
        file = self.folder / f"{self.printed:02}.pdf"
        self.page.pdf(path=file, format=self.size, prefer_css_page_size=False)
        boxes = subprocess.run(
            ["pdftotext", "-bbox", file, "-"], check=True, capture_output=True, text=True
        ).stdout
        self._is_within(boxes, address)
        told = subprocess.run(
            ["pdftotext", "-raw", file, "-"], check=True, capture_output=True, text=True
        ).stdout
        assert told.strip(), address
        self.pages, self.sheets = len(PAGE.findall(boxes)), told.split("\f")
        return " ".join(told.split())

    def _is_within(self, boxes: str, address: str) -> None:
        wide, high = SIZES[self.size]
        for size in PAGE.findall(boxes):
            assert [round(float(one)) for one in size] == pytest.approx([wide, high], abs=1), address
        for left, top, right, bottom in (map(float, found) for found in WORD.findall(boxes)):
            assert left >= MARGIN - 2, address
            assert right <= wide - MARGIN + 2, address
            assert top >= MARGIN - 4, address
            assert bottom <= high - MARGIN + 4, address


def missing(wanted: Iterable[str], told: str) -> list[str]:
    """The words that are not on paper. A name is found as a whole, even if it is broken into lines."""
    words, letters = set(told.split()), "".join(told.split())
    return [
        one for one in wanted if one not in words and (" " not in one or one.replace(" ", "") not in letters)
    ]


def name_all(desk: Desk) -> dict[int, str]:
    """Give everybody a name that no other paper's word can be taken for, some of them long; return them by number."""
    names = {}
    for row in Entry.objects.filter(tournament=desk.event).select_related("player").order_by("number"):
        long = "Featherstonehaugh-" if row.number % 9 == 0 else ""
        names[row.number] = f"Zed{row.number} {long}Quill{row.number}ő"
        row.player.name = names[row.number]
        row.player.save(update_fields=["name"])
        row.rating = 1500.0 + row.number
        row.save(update_fields=["rating"])
    return names


@pytest.fixture(autouse=True)
def _within_reach(settings: SettingsWrapper) -> None:
    """Phones reach the site, so that papers have codes."""
    settings.OWN_ADDRESSES = ["192.0.2.7"]


@pytest.mark.parametrize(
    ("players", "size", "language"),
    [(16, "A4", "en"), (16, "Letter", "de"), (128, "A4", "de"), (128, "Letter", "en")],
)
def test_every_paper_of_a_knock_out(
    site: str, page: Page, context: BrowserContext, tmp_path: Path, players: int, size: str, language: str
) -> None:
    desk = Desk(timezone.now().replace(microsecond=0))
    plan = a_plan("progressive-consolation")
    desk.announce(plan, players)
    names = name_all(desk)
    in_language(desk, language)
    sign_in(context, site, desk.director)
    printer, where = Printer(page, tmp_path, size), f"{site}/events/{desk.event.key}/print"

    blank = printer.print(f"{where}/draw/?blank=yes")
    assert not missing([f"1.{at}" for at in range(1, players // 2 + 1)], blank)
    assert missing([names[1]], blank)
    for address in ("entries/", "entries/?by=rating"):
        told = printer.print(f"{where}/{address}")
        assert not missing(names.values(), told), address
    by_rating = printer.print(f"{where}/entries/?by=rating")
    assert by_rating.index(f"Zed{players} ") < by_rating.index("Zed1 ")

    desk.do(drawing.publish)
    give_tables(desk)
    played = desk.open()[0]
    desk.play(played.key)
    rows = desk.open()
    now_playing = [names[row.a.number] for row in rows if row.a] + [
        names[row.b.number] for row in rows if row.b
    ]

    assert not missing(names.values(), printer.print(f"{where}/draw/"))
    assert not missing(now_playing, printer.print(f"{where}/pairings/"))
    assert not missing(now_playing, printer.print(f"{where}/names/"))
    assert not missing(names.values(), printer.print(f"{where}/standings/"))
    assert not missing(now_playing, printer.print(f"{where}/slips/"))
    assert printer.pages == (len(rows) + 3) // 4, "four slips to a page"
    assert not missing(now_playing, printer.print(f"{where}/score-sheet/?of=matches"))
    assert printer.pages == len(rows), "a page for each match"
    printer.print(f"{where}/score-sheet/")
    assert printer.pages == 1


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_long_names_do_not_push_a_draw_off_its_page(
    site: str, page: Page, context: BrowserContext, tmp_path: Path, size: str
) -> None:
    desk = Desk(timezone.now().replace(microsecond=0))
    desk.announce(a_plan("single-elimination"), 32)
    for row in Entry.objects.filter(tournament=desk.event).select_related("player"):
        row.player.name = f"Kofi Featherstonehaugh-Wentworth {row.number}"
        row.player.save(update_fields=["name"])
    desk.do(drawing.publish)
    for played in desk.open()[:8]:
        desk.play(played.key)
    sign_in(context, site, desk.director)
    printer = Printer(page, tmp_path, size)
    printer.print(f"{site}/events/{desk.event.key}/print/draw/")
    assert printer.pages <= 2
    assert {"1.1", "1.16", "4.2"} <= set(printer.sheets[0].split()), (
        "the first table stands below the heading"
    )
    assert page.evaluate(COVERED) == []


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_a_list_has_a_line_for_each_row(
    site: str, page: Page, context: BrowserContext, tmp_path: Path, size: str
) -> None:
    desk = Desk(timezone.now().replace(microsecond=0))
    desk.start(a_plan("swiss", rounds=2), 24)
    for row in Entry.objects.filter(tournament=desk.event).select_related("player"):
        row.player.name = f"Hendrikje Vosselaar-Berg {row.number}"
        row.player.save(update_fields=["name"])
    sign_in(context, site, desk.director)
    printer, where = Printer(page, tmp_path, size), f"{site}/events/{desk.event.key}/print"
    for address in ("pairings/", "names/", "standings/"):
        printer.print(f"{where}/{address}")
        lines = "document.querySelector('tbody tr').offsetHeight / parseFloat(getComputedStyle(document.body).lineHeight)"
        assert page.evaluate(lines) < 2, address
    printer.print(f"{where}/cross-table/")
    sticky = "[...document.querySelectorAll('.cross th')].filter(each => getComputedStyle(each).position !== 'static')"
    assert page.evaluate(f"{sticky}.length") == 0, "what sticks covers the lines between rows"


@pytest.mark.parametrize(("players", "size", "language"), [(16, "Letter", "en"), (128, "A4", "de")])
def test_every_paper_of_rounds(
    site: str, page: Page, context: BrowserContext, tmp_path: Path, players: int, size: str, language: str
) -> None:
    desk = Desk(timezone.now().replace(microsecond=0))
    desk.announce(a_plan("swiss", rounds=2), players)
    names = name_all(desk)
    in_language(desk, language)
    desk.do(drawing.publish)
    for row in desk.open():
        desk.play(row.key)
    draw_the_next_round(desk)
    sign_in(context, site, desk.director)
    printer, where = Printer(page, tmp_path, size), f"{site}/events/{desk.event.key}/print"
    for address in ("pairings/", "names/", "slips/", "standings/", "cross-table/"):
        assert not missing(names.values(), printer.print(f"{where}/{address}")), address


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_a_double_elimination_and_a_round_robin(
    site: str, page: Page, context: BrowserContext, tmp_path: Path, size: str
) -> None:
    desk = Desk(timezone.now().replace(microsecond=0))
    desk.announce(a_plan("double-elimination"), 16)
    names = name_all(desk)
    desk.do(drawing.publish)
    sign_in(context, site, desk.director)
    printer = Printer(page, tmp_path, size)
    told = printer.print(f"{site}/events/{desk.event.key}/print/draw/")
    assert not missing(names.values(), told)
    keys = Pairing.objects.filter(tournament=desk.event).exclude(state="vacant").values_list("key", flat=True)
    assert not missing({key.rpartition("/")[2] for key in keys}, told), "each match has its box"

    desk.announce(a_plan("round-robin"), 16)
    names = name_all(desk)
    desk.do(drawing.publish)
    told = printer.print(f"{site}/events/{desk.event.key}/print/cross-table/")
    assert not missing(names.values(), told)


def test_a_bracket_that_was_zoomed_and_pushed_is_printed_whole(site: str, page: Page, tmp_path: Path) -> None:
    desk = Desk(timezone.now().replace(microsecond=0))
    desk.start(a_plan("single-elimination"), 128)
    page.goto(f"{site}/events/{desk.event.key}/bracket/")
    larger = page.get_by_role("button", name="Larger")
    for _step in range(3):
        larger.click()
    page.evaluate("document.querySelector('.sheet-pane').scrollTo(600, 900)")
    file = tmp_path / "bracket.pdf"
    page.pdf(path=file, format="A4")
    told = subprocess.run(["pdftotext", "-raw", file, "-"], check=True, capture_output=True, text=True).stdout
    words = " ".join(told.split())
    assert not [number for number in range(1, 129) if f"Guest {number} " not in f"{words} "]
    assert all(sheet.strip() for sheet in told.split("\f")[:-1]), "no sheet is empty"


def draw_the_next_round(desk: Desk) -> None:
    """Do what a worker does: a round of many is not drawn while a person waits for an answer."""
    while found := list(outbox.list_due(now=desk.now).values_list("pk", flat=True)):
        for pk in found:
            outbox.deliver(outbox_id=pk, now=desk.now)
    assert desk.open(), "the second round is there"


def in_language(desk: Desk, code: str) -> None:
    desk.director.language = code
    desk.director.save(update_fields=["language"])


def give_tables(desk: Desk) -> None:
    for number, row in enumerate(desk.open(), 1):
        Pairing.objects.filter(pk=row.pk).update(table=str(number))
