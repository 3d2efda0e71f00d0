"""Acts at a match's table besides the plays: resignations, beavers, habits, titles, sounds, another match."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from engine.actions import Opened, Played
from engine.board import Board
from engine.rules import Rules
from engine.side import BySide, Side
from matches.journal import journal
from matches.lobby import challenges
from matches.models import Habits, Match
from matches.play import terms_validation
from players.models import User
from tests.browser.boards import Mouse, act, come, match_of, moves
from tests.browser.chosen_dice import SHORT, Story, foresee, let_draw, play_of
from tests.browser.eyes import faults
from tests.browser.people import account

Others = Callable[..., Page]

# Black has six points closed and white is on the bar: white has no legal move with any roll.
CLOSED = Board.from_counts({25: 1, 6: 1}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2})


def propose_match(
    site: str,
    page: Page,
    another: Others,
    wanted: Callable[[Story], bool],
    plays: int,
    is_ready: bool = True,
    **agreed: Any,
) -> tuple[BySide[Page], Story, Match]:
    """Two people sit down at a match that begins as is wanted."""
    people = BySide(account("Ada Okafor"), account("Bo Lindqvist"))
    row = match_of(people.white, people.black, **agreed)
    story = foresee(row, lambda _match: None, wanted, plays=plays)
    pages = BySide(page, another())
    for side in Side:
        let_draw(pages[side], story.secrets[side])
        come(pages[side], site, people[side], row)
    for each in pages if is_ready else ():
        act(each, "ready").click()
    return pages, story, row


def opening(story: Story) -> Opened:
    """Return the opening roll that counted."""
    return next(each.action for each in reversed(story.scenes) if isinstance(each.action, Opened))


def can_move(story: Story) -> list[bool]:
    """Return of every play whether there was one."""
    return [bool(each.action.steps) for each in story.scenes if isinstance(each.action, Played)]


def white_begins(story: Story) -> bool:
    """True if white wins the opening roll and every roll has a legal move."""
    return opening(story).white > opening(story).black and all(can_move(story))


def black_begins(story: Story) -> bool:
    """Does black win the opening roll, and open one of its points at most?"""
    return opening(story).white < opening(story).black and can_move(story) == [True, False]


def black_dances(story: Story) -> bool:
    """Does white win the opening roll, and dances black before it plays?"""
    return opening(story).white > opening(story).black and can_move(story) == [True, False, True, True]


def play(page: Page, story: Story, number: int) -> None:
    scene = [each for each in story.scenes if isinstance(each.action, Played)][number]
    assert isinstance(scene.action, Played)
    Mouse(page).move(scene.before.game, play_of(scene.before.game, scene.action))


def standing(row: Match) -> Any:
    return journal.load(Match.objects.select_related("white", "black").get(pk=row.pk)).match


# -- giving up


@pytest.mark.long
def test_every_level_of_giving_up_is_refused_or_accepted(site: str, page: Page, another: Others) -> None:
    (ada, bo), story, row = propose_match(site, page, another, white_begins, 3, length=7)
    for number, (level, words) in enumerate(
        [("A single game", "a single game"), ("A gammon", "a gammon"), ("A backgammon", "a backgammon")]
    ):
        mover, other = (bo, ada) if number % 2 else (ada, bo)
        name = "Bo Lindqvist" if number % 2 else "Ada Okafor"
        if number:
            act(mover, "roll").click()
        expect(mover.locator("[data-act=confirm]:visible")).to_be_visible()
        Mouse(mover).resign(level)
        expect(other.locator("#ask")).to_have_text(f"{name} offers to resign {words}.")
        expect(mover.locator("#ask")).to_contain_text(f"You offered to resign {words}.")
        assert faults(other) == []
        if number == 2:
            break
        act(other, "decline").click()
        # Refused: one plays on, and may not offer the same again at once.
        expect(mover.locator("[data-act=confirm]:visible")).to_be_visible()
        mover.locator("#resign-open").click()
        expect(mover.get_by_label("The whole match, at once")).to_be_visible()
        expect(mover.get_by_label("A single game")).to_be_hidden()
        mover.get_by_role("button", name="Play on").click()
        play(mover, story, number)
    act(bo, "accept").click()
    expect(bo.locator("#ask")).to_contain_text("Bo Lindqvist won by resignation: 3 points.")
    assert standing(row).score == BySide(0, 3)
    expect(ada.locator(".moves__words")).to_have_count(8)
    said = moves(ada)
    assert said == [
        "offers a single game",
        "declines",
        said[2],
        "offers a gammon",
        "declines",
        said[5],
        "offers a backgammon",
        "accepts",
    ]


def test_who_offers_to_resign_sees_that_it_was_declined(site: str, page: Page, another: Others) -> None:
    (ada, bo), story, _ = propose_match(site, page, another, white_begins, 1, length=7)
    prompt = ada.locator(".table-acts__prompt")
    expect(ada.locator("[data-act=confirm]:visible")).to_be_visible()
    Mouse(ada).resign("A single game")
    act(bo, "decline").click()
    declined = re.compile(r"^Your offer to resign was declined\. You rolled \d\d\.")
    expect(prompt).to_have_text(declined)
    expect(ada.locator("[aria-live] p", has_text="Bo Lindqvist: resignation declined.")).to_be_attached()
    ada.reload()
    expect(prompt).to_have_text(declined)
    assert faults(ada) == []
    play(ada, story, 0)
    expect(prompt).to_have_text("Bo Lindqvist to roll.")


@pytest.mark.long
def test_money_play_ends_with_its_score(site: str, page: Page, another: Others) -> None:
    (ada, bo), _, _ = propose_match(site, page, another, white_begins, 1, length=0, clock="correspondence")
    expect(ada.locator("[data-act=confirm]:visible")).to_be_visible()
    Mouse(ada).resign("The whole match, at once")
    for each in (ada, bo):
        expect(each.locator("#ask")).to_contain_text(
            "The match was resigned. Final score: Ada Okafor 0\u20131 Bo Lindqvist."
        )


@pytest.mark.long
def test_a_click_counts_although_the_question_changes_under_it(
    site: str, page: Page, another: Others
) -> None:
    """Between the press and the release of "Accept" the page learns that the offer may also be declined."""
    (ada, bo), _story, row = propose_match(site, page, another, white_begins, 1, length=7)
    expect(ada.locator("[data-act=confirm]:visible")).to_be_visible()
    held: list[Route] = []
    whole_match = re.compile(rf"/api/v1/matches/{row.key}/$")
    bo.route(whole_match, lambda route: held.append(route), times=1)
    with bo.expect_request(whole_match):
        Mouse(ada).resign("A single game")
    decline = bo.locator("[data-panel=decline]")
    expect(decline).to_be_disabled()
    act(bo, "accept").hover()
    bo.mouse.down()
    held.pop().continue_()
    expect(decline).to_be_enabled()
    bo.mouse.up()
    expect(bo.locator("#ask")).to_contain_text("Bo Lindqvist won by resignation: 1 point.")


@pytest.mark.long
def test_a_whole_match_is_given_up_at_once(site: str, page: Page, another: Others) -> None:
    people = BySide(account("Ada Okafor"), account("Bo Lindqvist"))
    pages, _row = challenged(site, page, another, people)
    for each in pages:
        act(each, "ready").click()
    pages.white.locator("#resign-open").click()
    pages.white.get_by_label("The whole match, at once").check()
    pages.white.get_by_role("dialog").get_by_role("button", name="Resign").click()
    for side in Side:
        expect(pages[side].locator("#ask")).to_contain_text("The match was resigned.")
        assert faults(pages[side]) == []


@pytest.mark.long
def test_who_gives_up_waits_for_the_command_that_is_on_its_way(
    site: str, page: Page, another: Others
) -> None:
    people = BySide(account("Ada Okafor"), account("Bo Lindqvist"))
    (ada, bo), _row = challenged(site, page, another, people)
    expect(act(ada, "ready")).to_be_visible()
    held: list[Route] = []
    ada.route("**/commands/", lambda route: route.continue_() if held else held.append(route))
    act(ada, "ready").click()
    come_to(ada, held, 1)
    ada.locator("#resign-open").click()
    resign = ada.get_by_role("dialog").get_by_role("button", name="Resign")
    ada.get_by_label("The whole match, at once").check()
    expect(resign).to_be_disabled()

    held[0].continue_()
    resign.click()
    expect(bo.locator("#ask")).to_contain_text("The match was resigned.")


def challenged(site: str, page: Page, another: Others, people: BySide[User]) -> tuple[BySide[Page], Match]:
    """Two people sit down at a match that one challenged the other to."""
    offer = challenges.offer(
        challenger=people.white.player,
        opponent=people.black.player,
        terms=terms_validation.read_terms(length=3),
        now=timezone.now(),
        side="white",
    )
    taken = challenges.accept(challenge_id=offer.pk, player=people.black.player, now=timezone.now())
    assert taken.match is not None
    pages = BySide(page, another())
    for side in Side:
        come(pages[side], site, people[side], taken.match)
    return pages, taken.match


# -- without a length


@pytest.mark.long
def test_a_double_is_beavered_and_gammons_wait_for_the_cube(site: str, page: Page, another: Others) -> None:
    rules = Rules.unlimited(jacoby=True, beavers=True)
    (ada, bo), story, row = propose_match(site, page, another, white_begins, 2, rules=rules)
    expect(ada.locator(".match__facts")).to_contain_text("without end")
    # With the cube in the middle every game counts once (Jacoby).
    assert levels(ada) == ["A single game (1 point)", "The whole match, at once"]
    play(ada, story, 0)
    Mouse(bo).press("double")
    expect(ada.locator(".table-acts__prompt")).to_have_text(
        "Bo Lindqvist doubles to 2. Take, drop or beaver?"
    )
    assert faults(ada) == []
    Mouse(ada).press("beaver")
    expect(bo.locator(".table-acts__prompt")).to_have_text(
        "Ada Okafor turned the cube back to 4. Take or drop?"
    )
    act(bo, "take").click()
    # Anyone who beavered keeps the cube.
    expect(bo.locator("[data-act=confirm]:visible")).to_be_visible()
    expect(ada.locator(".cube__value")).to_have_text("4")
    assert standing(row).game.cube.owner is Side.WHITE
    expect(bo.locator(".moves__words").last).to_have_text("takes")
    assert moves(bo)[-3:] == ["doubles to 2", "beavers", "takes"]
    assert levels(bo)[:2] == ["A single game (4 points)", "A gammon (8 points)"]


def levels(page: Page) -> list[str]:
    """Return the levels at which one may give up, and put the dialog away."""
    expect(page.locator("[data-act=confirm]:visible")).to_be_visible()
    page.locator("#resign-open").click()
    labels = page.locator("#resign-form label:visible").all_inner_texts()
    page.get_by_role("button", name="Play on").click()
    return [" ".join(each.split()) for each in labels]


@pytest.mark.long
def test_a_match_with_a_length_has_no_beavers(site: str, page: Page, another: Others) -> None:
    (ada, bo), story, _row = propose_match(site, page, another, white_begins, 1, start=SHORT, length=3)
    # Checkers are off already: a gammon cannot be lost any more.
    assert levels(ada) == ["A single game (1 point)", "The whole match, at once"]
    play(ada, story, 0)
    Mouse(bo).press("double")
    expect(act(ada, "take")).to_be_visible()
    expect(ada.locator("[data-act=beaver]")).to_be_hidden()


# -- as a person likes it


@pytest.mark.long
def test_a_dance_costs_nobody_a_press_where_there_is_no_double(
    site: str, page: Page, another: Others
) -> None:
    (ada, bo), story, _row = propose_match(site, page, another, black_dances, 4, start=SHORT, length=1)
    play(ada, story, 0)
    play(ada, story, 2)
    expect(bo.locator("[data-act=roll]")).to_be_hidden()
    play(bo, story, 3)


@pytest.mark.long
def test_nothing_is_done_for_those_who_do_it_themselves(site: str, page: Page, another: Others) -> None:
    (ada, bo), story, row = propose_match(
        site, page, another, black_begins, 2, is_ready=False, start=CLOSED, length=1
    )
    ada.get_by_role("button", name="Board and sound").click()
    dialog = ada.get_by_role("dialog")
    for habit in ("Roll when I cannot double", "Pass when I cannot move"):
        expect(dialog.get_by_label(habit)).to_be_checked()
        dialog.get_by_label(habit).uncheck()
    expect(dialog.get_by_label("Make the only legal play")).not_to_be_checked()
    assert faults(ada) == []
    dialog.get_by_role("button", name="Close").click()
    for each in (ada, bo):
        act(each, "ready").click()
    play(bo, story, 0)
    act(ada, "roll").click()
    expect(ada.locator(".table-acts__prompt")).to_contain_text("no move")
    expect(act(ada, "confirm")).to_have_text("Pass")
    ada.wait_for_timeout(300)
    assert row.journal.filter(fact__fact="played").count() == 1, "nobody passed for her"
    act(ada, "confirm").click()
    # The other has left it to the server, and plays at once.
    expect(bo.locator("[data-act=confirm]:visible")).to_be_visible()
    habits = Habits.objects.get()
    assert (habits.auto_roll, habits.auto_pass, habits.auto_play) == (False, False, False)


def come_to(page: Page, held: list[Route], number: int) -> None:
    """Wait until this many requests are held."""
    while len(held) < number:
        page.evaluate("null")


@pytest.mark.long
def test_an_answer_that_comes_late_does_not_undo_a_later_choice(
    site: str, page: Page, another: Others
) -> None:
    (ada, _bo), _story, _row = propose_match(
        site, page, another, black_begins, 2, is_ready=False, start=CLOSED, length=1
    )
    changes: list[Route] = []
    ada.get_by_role("button", name="Board and sound").click()
    roll, pass_ = [
        ada.get_by_role("dialog").get_by_label(each)
        for each in ("Roll when I cannot double", "Pass when I cannot move")
    ]
    expect(pass_).to_be_checked()
    ada.route(
        f"**{reverse('api:own-habits')}",
        lambda route: changes.append(route) if route.request.method == "PATCH" else route.continue_(),
    )
    roll.uncheck()
    come_to(ada, changes, 1)
    answer = changes[0].fetch()
    pass_.uncheck()
    changes[0].fulfill(response=answer)
    # The second change is requested when the answer to the first has been read.
    come_to(ada, changes, 2)
    ada.evaluate("() => new Promise(requestAnimationFrame)")
    expect(pass_).not_to_be_checked()
    with ada.expect_response(lambda each: each.request.method == "PATCH"):
        changes[1].continue_()
    for each in (roll, pass_):
        expect(each).not_to_be_checked()
    habits = Habits.objects.get()
    assert (habits.auto_roll, habits.auto_pass) == (False, False)


@pytest.mark.long
def test_a_whole_play_is_sent_at_once_by_those_who_wish_it(site: str, page: Page, another: Others) -> None:
    (ada, bo), story, _row = propose_match(site, page, another, white_begins, 1, start=SHORT, length=3)
    ada.get_by_role("button", name="Board and sound").click()
    dialog = ada.get_by_role("dialog")
    dialog.get_by_label("Confirm every turn").uncheck()
    dialog.get_by_role("button", name="Close").click()
    scene = next(each for each in story.scenes if isinstance(each.action, Played))
    assert isinstance(scene.action, Played)
    # Letters and figures are a play as soon as there is one to make.
    expect(ada.locator("[data-act=confirm]:visible")).to_be_visible()
    ada.locator(".place[tabindex='0']").focus()
    ada.keyboard.type(play_of(scene.before.game, scene.action).notation)
    ada.keyboard.press("Enter")
    expect(act(bo, "roll")).to_be_visible()


@pytest.mark.long
def test_titles_and_sounds_say_no_more_than_they_should(site: str, page: Page, another: Others) -> None:
    (ada, bo), story, _row = propose_match(site, page, another, white_begins, 2, start=SHORT, length=3)
    expect(ada).to_have_title(re.compile(r"^\(1\) Ada Okafor"))
    expect(bo).to_have_title(re.compile(r"^Bo Lindqvist"))
    play(ada, story, 0)
    expect(ada).to_have_title(re.compile(r"^Ada Okafor"))
    expect(bo).to_have_title(re.compile(r"^\(1\) "))
    bo.get_by_role("button", name="Board and sound").click()
    expect(bo.get_by_role("dialog").get_by_label("Sound")).to_have_value("0")
