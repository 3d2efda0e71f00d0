"""Whole matches in browsers, foreseen by the engine: by mouse, by thumb, by keyboard, and as a guest with the bot."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from engine import formats
from engine.actions import Doubled, Played, ResignAccepted, ResignOffered, Took
from engine.board import BAR, OFF, Step
from engine.plays import format_steps
from engine.rules import VARIANTS
from engine.sheet import Sheet, Turn
from engine.side import BySide, Side
from matches.journal import journal
from matches.models import Match
from matches.watch import exports
from tests.browser.acting import perform
from tests.browser.boards import (
    Hands,
    Keyboard,
    Mouse,
    Thumb,
    act,
    by_dice,
    come,
    match_of,
    moves,
    place,
    press_if_there,
    wish,
)
from tests.browser.chosen_dice import (
    SHORT,
    Scene,
    Story,
    best,
    eventful,
    foresee,
    is_eventful,
    let_draw,
    play_of,
)
from tests.browser.people import PHONE, account, listening, overflow

# Of one player, in a match of three points at most.
MOST_TURNS = 150
KINDS: dict[str, type[Hands]] = {"mouse": Mouse, "touch": Thumb, "keyboard": Keyboard}


def listed(story: Story) -> list[str]:
    """Return the list of moves as the page should have it."""
    words = []
    for before, action in story.scenes:
        match action:
            case Played():
                words.append(play_of(before.game, action).notation or "no move")
            case Doubled():
                words.append(f"doubles to {2 * before.game.cube.value}")
            case Took():
                words.append("takes")
            case ResignOffered():
                words.append("offers a single game")
            case ResignAccepted():
                words.append("accepts")
    return words


def from_file(row: Match) -> list[str]:
    """The expected announcement of every play, from the match's file, which other programs read as well."""
    [sheet] = formats.read(formats.write(exports.build_record(row), "mat"))
    assert isinstance(sheet, Sheet)
    names = BySide(row.white.public_name, row.black.public_name)
    games = [[each for each in game.claims if isinstance(each, Turn)] for game in sheet.games]
    # A player who resigns with dice on the table has made no play; no game ends with a dance.
    turns = [turn for game in games for turn in (game if game[-1].hops else game[:-1])]
    return [f"{names[turn.side]}: {in_words(turn)}." for turn in turns]


def in_words(turn: Turn) -> str:
    """The spoken notation of a play; the file lists each step."""
    steps = [step for hop in turn.hops for step in hop.times * [*pairwise(hop.points)]]
    hits = [point for hop in turn.hops for point in hop.starred]
    return format_steps(tuple(Step(*step) for step in steps), tuple(hits)) or "no move"


# What is said of plays, in the order in which it is said.
LISTEN = """() => {
  window.said = [];
  new MutationObserver(changes => changes.forEach(change => change.addedNodes.forEach(
    node => window.said.push(node.textContent)))).observe(
    document.querySelector("#table > [aria-live=polite]"), {childList: true});
}"""


def begins_on_the_board(scene: Scene) -> bool:
    """Is it a play of several steps whose first can be seen from both its ends?"""
    if not isinstance(scene.action, Played) or len(scene.action.steps) != 2:
        return False
    step = by_dice(scene.before.game, play_of(scene.before.game, scene.action))[0].step
    return step.source != BAR and step.target != OFF


def undo_by_dragging_back(hands: Mouse, scene: Scene) -> None:
    """Make the first step of a play, carry the checker back to where it came from, which is lit."""
    page, game = hands.page, scene.before.game
    assert isinstance(scene.action, Played)
    expect(page.locator("[data-act=confirm]:visible")).to_be_visible()
    play = play_of(game, scene.action)
    source, target = by_dice(game, play)[0].step
    expect(place(page, source)).to_have_attribute("aria-label", re.compile("can go to"))
    before = place(page, source).get_attribute("aria-label")
    hands.drag(source, target)
    expect(act(page, "undo")).to_be_visible()
    hands.carry(target, source)
    expect(page.locator(".target--back")).to_have_count(1)
    hands.let_go()
    expect(page.locator("[data-act=undo]:visible")).to_be_disabled()
    expect(place(page, source)).to_have_attribute("aria-label", before or "")
    assert game.dice is not None
    expect(page.locator(".table-acts__prompt")).to_contain_text(f"You rolled {game.dice}")


@pytest.mark.long
@pytest.mark.parametrize("kind", ["mouse", "touch", "keyboard"])
def test_a_whole_match_with_everything_in_it(
    site: str, page: Page, another: Callable[..., Page], kind: str
) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    match = match_of(ada, bo, length=3, start=SHORT)
    story = foresee(match, eventful, is_eventful)
    options = PHONE if kind == "touch" else {}
    pages = BySide(another(**options), another(**options))
    for side, user in zip(Side, (ada, bo), strict=True):
        let_draw(pages[side], story.secrets[side])
        come(pages[side], site, user, match)
    come(page, site, None, match)
    page.evaluate(LISTEN)
    hands: BySide[Hands] = BySide(KINDS[kind](pages.white), KINDS[kind](pages.black))
    undone = next(scene for scene in story.scenes if begins_on_the_board(scene))
    for scene in story.scenes:
        mover = hands[scene.before.game.turn or Side.WHITE]
        if scene is undone and isinstance(mover, Mouse):
            undo_by_dragging_back(mover, scene)
        perform(hands, scene)
    winner = story.end.winner
    loser_score = story.end.score[winner.other]
    score = f"{story.end.score[winner]}\N{EN DASH}{loser_score}"
    name = (ada, bo)[winner].player.public_name
    expect(pages[winner].locator("#ask")).to_have_text(f"You won the match {score}.")
    for other in (pages[winner.other], page):
        expect(other.locator("#ask")).to_have_text(f"{name} won the match {score}.")
    expected = listed(story)
    for each in (*pages, page):
        expect(each.locator(".moves__words")).to_have_count(len(expected))
        assert moves(each) == expected
        expect(each.locator("#dice-alarm")).to_be_hidden()
        assert overflow(each) <= 0
    row = Match.objects.select_related("white", "black").get()
    page.wait_for_function("last => said.at(-1) === last", arg=from_file(row)[-1])
    assert [each for each in page.evaluate("said") if re.search("/|no move", each)] == from_file(row)
    assert [*map(repr, journal.replay(row).match.results)] == [*map(repr, story.end.results)]
    pages.black.locator("[data-panel=dice]").click()
    expect(pages.black.locator("#verdict")).to_contain_text("Every roll is correct")


@pytest.mark.long
def test_a_guest_plays_the_bot_to_the_end(site: str, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(VARIANTS, "backgammon", SHORT)
    wish(page, speed=0)
    page.goto("/")
    page.get_by_role("button", name="Play against the bot").first.click()
    listening(page)
    row = Match.objects.get()
    hands = Mouse(page)
    end = page.locator("[data-panel=again]:visible")
    asked = act(page, "ready").or_(act(page, "roll")).or_(act(page, "take")).or_(act(page, "accept"))
    turn = page.locator("[data-act=confirm]:visible")
    for _ in range(MOST_TURNS):
        expect(end.or_(turn).or_(asked).first).to_be_visible()
        if end.count():
            break
        if turn.count():
            game = journal.load(Match.objects.select_related("white", "black").get()).match.game
            hands.move(game, best(game))
        else:
            press_if_there(asked)
        expect(page.locator(".table-acts__prompt")).not_to_have_text("One moment \N{HORIZONTAL ELLIPSIS}")
    expect(page.locator("#ask")).to_contain_text("won the match")
    expect(page.locator("#dice-mark")).to_contain_text("checked in this browser")
    key = page.url
    page.locator("[data-panel=dice]").click()
    expect(page.locator("#verdict")).to_contain_text("Every roll is correct")
    page.go_back()
    end.click()
    expect(act(page, "ready")).to_be_visible()
    assert page.url != key
    assert Match.objects.exclude(pk=row.pk).count() == 1
