"""Learning from what was played: the deck by mouse, finger and keyboard, and what an engine says, looked at on phone and desk."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from engine.game import Game
from engine.plays import Play, legal_plays
from matches.models import Match
from opinion.deck import deck
from opinion.judging.positions import build_game
from opinion.models import Analysis, Card, Remark
from opinion.positions import positions
from players.clubs import clubs
from players.models import Club, User
from records.archive import archiving
from records.models import RecordMatch
from records.submissions import submissions
from records.submissions.submissions import SentFile
from runtime.work import outbox
from tests.browser.boards import Keyboard, Mouse, Thumb, wish
from tests.browser.eyes import faults
from tests.browser.people import PHONE as HANDHELD
from tests.browser.people import overflow, snap, wear
from tests.browser.test_pages import DESK, PHONE
from tests.matches.support import Table, club_terms
from tests.opinion.analyses.test_analysing import engine
from tests.opinion.engine_here import put_in
from tests.opinion.fakes import PipOracle
from tests.opinion.figures.test_player_statistics import again, judged
from tests.records.conftest import CLEAN

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

THEMES = ("light", "dark")


def analyse() -> None:
    """Run all pending analyses."""
    from opinion.analyses import analysing

    for _ in range(40):
        if not analysing.sweep(now=timezone.now(), opening=lambda: engine(PipOracle())):
            return


@pytest.fixture
def table(site: str, settings: SettingsWrapper, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A match that is over and analysed."""
    put_in(PipOracle(), settings, monkeypatch)
    played = Table(timezone.now() - timedelta(hours=8), agreed=club_terms(1))
    played.begin()
    played.play_out()
    analyse()
    return played


def player(table: Table) -> User:
    user: User | None = table.white.user
    assert user is not None
    return user


def card(user: User) -> tuple[Remark, Game, Play]:
    """The next card of the user's deck, its game, and the best play according to the engine."""
    found = deck.load_deck(user, timezone.now()).card
    row = Remark.objects.get(pk=found.id)
    situation = positions.parse_position(row.position)
    assert situation.dice is not None
    plays = legal_plays(situation.board, situation.actor, situation.dice)
    best = next(play for play in plays if play.notation == row.best)
    return row, replace(build_game(situation), dice=situation.dice), best


def come(page: Page, site: str, user: User) -> None:
    wish(page, speed=0)
    wear(page, site, user)
    page.goto("/deck/")
    expect(page.locator("[data-act=confirm]:visible")).to_be_visible()


def expect_best_answer(page: Page, row: Remark) -> None:
    expect(page.get_by_role("heading", name="Good", exact=True)).to_be_visible()
    expect(page.locator("dl").first).to_contain_text(row.best)
    assert Card.objects.get(remark=row).choice == row.best


@pytest.mark.long
@pytest.mark.parametrize("hands", [Mouse, Keyboard])
def test_a_play_is_made_on_the_board_and_then_judged(
    site: str, page: Page, table: Table, hands: type[Mouse] | type[Keyboard]
) -> None:
    come(page, site, player(table))
    row, game, best = card(player(table))
    expect(page.get_by_role("main")).not_to_contain_text("Equity")
    hands(page).move(game, best)
    expect_best_answer(page, row)
    page.get_by_role("link", name="Next card").click()
    expect(page.locator("[data-act=confirm]:visible")).to_be_visible()


@pytest.mark.long
def test_a_thumb_does_it_on_a_phone(site: str, browser: Browser, table: Table) -> None:
    context = browser.new_context(base_url=site, **HANDHELD)  # type: ignore[arg-type]
    page = context.new_page()
    come(page, site, player(table))
    row, game, best = card(player(table))
    assert overflow(page) <= 0
    Thumb(page).move(game, best)
    expect_best_answer(page, row)
    assert overflow(page) <= 0
    context.close()


@pytest.mark.long
def test_without_a_script_the_play_is_written(site: str, browser: Browser, table: Table) -> None:
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    wear(page, site, player(table))
    page.goto("/deck/")
    row, _game, best = card(player(table))
    page.get_by_label("Your play").fill(best.notation)
    page.get_by_role("button", name="Answer").click()
    expect_best_answer(page, row)
    context.close()


def hand_in(user: User, club: Club) -> str:
    """Hand in a record, have it judged and analysed; return the address of its replay."""
    now = timezone.now()
    [row] = submissions.hand_in(club=club, by=user, files=[SentFile("clean.mat", CLEAN)], now=now)
    for pk in list(outbox.list_due(now=now).values_list("pk", flat=True)):
        outbox.deliver(outbox_id=pk, now=now)
    analyse()
    match = RecordMatch.objects.get(file=row.file_id)
    return f"/records/{club.slug}/{row.key}/{match.number}/replay/"


def look(page: Page, path: str, name: str) -> None:
    """Look at a page on phone and desk, in both themes."""
    for size, where in ((PHONE, "phone"), (DESK, "desk")):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        for theme in THEMES:
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
            page.goto(path)
            page.wait_for_load_state("load")
            assert overflow(page) <= 0, (path, where)
            snap(page, f"{name}-{where}-{theme}")
            assert faults(page) == [], (path, where, theme)


@pytest.mark.long
def test_the_deck_and_its_answer_look_well(site: str, page: Page, table: Table) -> None:
    user = player(table)
    wish(page, speed=0)
    wear(page, site, user)
    look(page, "/deck/", "deck")
    row, game, best = card(user)
    page.goto("/deck/")
    Mouse(page).move(game, best)
    expect_best_answer(page, row)
    look(page, f"/deck/{row.pk}/answer/", "answered")


@pytest.mark.long
def test_an_analysed_record_and_evidence_look_well(site: str, page: Page, table: Table) -> None:
    user, dice = player(table), random.Random(8)
    club = clubs.create(owner=user, name="Lantern Street", now=timezone.now())
    Club.objects.filter(pk=club.pk).update(shows_evidence=True)
    for _ in range(3):
        judged(again(table, club=club), dice, of=300)
    wear(page, site, user)
    replay = hand_in(user, club)
    look(page, replay, "record")
    page.goto(replay)
    blunder = page.locator("#analysis details").first
    blunder.locator("summary").click()
    blunder.get_by_role("link", name="Show on the board").click()
    expect(
        page.locator("#move-" + (blunder.locator("a[data-key]").get_attribute("data-key") or ""))
    ).to_have_attribute("aria-current", "step")
    look(page, f"/clubs/{club.slug}/evidence/{user.player.key}/", "evidence")


@pytest.mark.long
def test_an_analysis_is_asked_for_where_nobody_has_made_one(site: str, page: Page, table: Table) -> None:
    where = f"/matches/{table.match.key}/replay/"
    Analysis.objects.all().delete()
    # A match that ended days ago is not analysed automatically.
    Match.objects.update(moved_at=timezone.now() - timedelta(days=3))
    wear(page, site, player(table))
    look(page, where, "not-analysed")
    page.goto(where)
    page.get_by_role("button", name="Request the analysis").click()
    expect(page.locator("#analysis")).to_contain_text("The analysis is under way")
    analyse()
    page.goto(where)
    expect(page.locator("#analysis .card__head")).to_contain_text("3 ply")


@pytest.mark.long
def test_the_archive_and_the_choice_of_a_level_look_well(site: str, page: Page, table: Table) -> None:
    user = player(table)
    club = clubs.create(owner=user, name="Lantern Street", now=timezone.now())
    hand_in(user, club)
    list(archiving.fill_archive())
    wear(page, site, user)
    look(page, "/archive/", "archive")
    page.goto("/archive/")
    expect(page.get_by_role("main")).to_contain_text("Ada")
    look(page, "/archive/positions/?position=4HPwATDgc/ABMA", "positions")
    look(page, "/archive/openings/", "openings")
    page.context.clear_cookies()
    look(page, "/play/", "levels")
    expect(page.locator("#practice")).to_contain_text("World class")
