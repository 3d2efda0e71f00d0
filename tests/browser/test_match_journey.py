"""Two people play from the offer to the rematch, with all incidents of a table.

A director sets the positions.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final
from uuid import uuid4

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from engine.board import STANDARD, Board
from engine.clock import SECOND, DelayMethod, TimeControl
from engine.cube import Cube
from engine.dice import Dice
from engine.game import Termination
from engine.rules import Rules
from engine.side import BySide, Side
from matches.journal import journal, lifecycle
from matches.models import Match
from matches.play import deadlines, directing
from matches.state import terms
from matches.state.match_state import MatchState
from matches.state.rulings import Ruling, SetPosition, SetScore, Start, TakeBack
from players.models import User
from tests.browser.boards import Mouse, act, come, wish
from tests.browser.chosen_dice import best
from tests.browser.eyes import REST, faults
from tests.browser.people import PICTURES, account, club_of, listening, snap, toast, wear

Others = Callable[..., Page]

# White bears off its last two with 21, and black has not borne off any.
GAMMON: Final = Board.from_counts({2: 1, 1: 1}, {13: 5, 8: 5, 6: 5})
# White's checkers are all past the point where black could win a backgammon.
PAST: Final = Board.from_counts({12: 5, 8: 5, 6: 5}, {12: 5, 8: 5, 6: 5})
# White has borne off a checker.
SAFE: Final = Board.from_counts({6: 7, 5: 7}, {12: 5, 8: 5, 6: 5})
SINGLE, DOUBLE, TRIPLE, ALL = "A single game", "A gammon", "A backgammon", "The whole match, at once"
SCREENS: Final = ((375, 812), (1280, 720))
CLOCK: Final = TimeControl(DelayMethod.SIMPLE, 3 * SECOND, 0)


@dataclass
class Table:
    """A match in a club, the pages of those who play it, and the hand of the director."""

    director: User
    pages: BySide[Page]
    key: str

    @property
    def state(self) -> MatchState:
        return journal.load(Match.objects.get(key=self.key))

    def rule(self, ruling: Ruling) -> None:
        """Let the director rule, and wait until both have heard of it: what follows is done on the new board."""
        row = Match.objects.get(key=self.key)
        directing.rule(
            match_id=row.pk,
            user=self.director,
            ruling=ruling,
            reason="As it stood",
            after=row.head,
            now=timezone.now(),
            request=journal.RequestIdentity("director", uuid4().hex, ""),
        )
        facts = row.journal.values_list("fact__fact", flat=True)
        rulings = [each for each in facts if each == "taken-back" or each.startswith("ruled-")]
        for page in self.pages:
            heard = page.locator("#moves .moves__words", has_text="ruling of the director")
            expect(heard).to_have_count(len(rulings))

    def lay(self, board: Board, side: Side, dice: str | None = None, cube: Cube | None = None) -> None:
        """Set a position, with dice or to roll."""
        self.rule(SetPosition(board, side, cube or Cube(), Dice.parse(dice) if dice else None))
        if dice:
            expect(self.pages[side].locator(".table-acts__prompt")).to_contain_text(f"You rolled {dice}")

    def begin(self) -> None:
        """Both are ready for the next game, and a person has a play to make."""
        for page in self.pages:
            act(page, "ready").click()
        for page in self.pages:
            expect(page.locator("#panel")).to_be_hidden()

    def play(self, side: Side) -> None:
        """Make a play with the dice that lie."""
        game = self.state.match.game
        Mouse(self.pages[side]).move(game, best(game))

    def offers(self, side: Side, levels: list[str]) -> None:
        """These may be resigned and nothing else; put the dialog away."""
        page = self.pages[side]
        page.locator("#resign-open").click()
        # The page may not have heard yet what can be lost.
        expect(page.locator("#resign-form label:visible")).to_have_text(
            [re.compile(rf"^\s*{each}") for each in levels]
        )
        expect(page.get_by_text("Your opponent may decline")).to_be_visible(visible=levels != [ALL])
        expect(page.get_by_text("only resign the whole match")).to_be_visible(visible=levels == [ALL])
        look(page, "6-levels")
        page.get_by_role("button", name="Play on").click()


def look(page: Page, name: str) -> None:
    """Keep pictures on a desk and on a phone, by day and by night, if pictures are wanted."""
    for width, height in SCREENS if PICTURES else ():
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.evaluate(REST)
            snap(page, f"journey-{name}-{width}-{scheme}", full=False)
    page.emulate_media(color_scheme="light")


def seated(site: str, page: Page, another: Others, control: TimeControl | None = None, **rules: Any) -> Table:
    """Two come to the board of a match in a club."""
    dora, *people = (account(name) for name in ("Dora Lind", "Ada Okafor", "Bo Lindqvist"))
    club = club_of(dora, *people)
    agreed = terms.build_terms(Rules(**rules), control)
    row = lifecycle.create(
        white=people[0].player, black=people[1].player, terms=agreed, now=timezone.now(), club=club
    )
    pages = BySide(page, another())
    for each, user in zip(pages, people, strict=True):
        come(each, site, user, row)
    return Table(dora, pages, row.key)


def offered_and_accepted(site: str, page: Page, another: Others) -> Table:
    """One offers by the form, the other accepts in the lobby, and both are at the board."""
    dora, ada, bo = (account(name) for name in ("Dora Lind", "Ada Okafor", "Bo Lindqvist"))
    club = club_of(dora, ada, bo)
    people = (page, another())
    for each, user in zip(people, (ada, bo), strict=True):
        wish(each, speed=0)
        wear(each, site, user)
        each.goto("/play/")
    # An opponent who is chosen during a running search stays chosen.
    under_way: list[Route] = []
    page.route("**/opponents/**", lambda route: under_way.append(route))
    with page.expect_request("**/opponents/**"):
        page.get_by_label("Search for a player").fill("lindq")
    page.get_by_role("radio", name="Bo Lindqvist").check()
    with page.expect_response("**/opponents/**"):
        under_way[0].continue_()
    expect(page.locator("#opponents.htmx-added, #opponents.htmx-settling")).to_have_count(0)
    expect(page.get_by_role("radio", name="Bo Lindqvist")).to_be_checked()
    page.get_by_text("Rules, sides and spectators").click()
    page.get_by_label("On behalf of a club").select_option(label=club.name)
    page.get_by_role("radio", name="Other", exact=True).check()
    page.get_by_role("radio", name="No clock").check()
    page.get_by_label("Another length").fill("4")
    page.get_by_label("Another length").press("Enter")
    expect(toast(page, "Your challenge has been sent to Bo Lindqvist.")).to_be_visible()
    listening(page)
    people[1].goto("/play/")
    people[1].get_by_role("button", name="Accept Ada Okafor").click()
    # Who offered is taken there.
    for each in people:
        each.wait_for_url(re.compile(r"/matches/"))
        expect(act(listening(each), "ready")).to_be_visible()
    row = Match.objects.get()
    pages = BySide(*people) if row.white_id == ada.player.pk else BySide(*reversed(people))
    return Table(dora, pages, row.key)


def test_from_the_offer_through_a_gammon_and_crawford_to_the_rematch(
    site: str, page: Page, another: Others
) -> None:
    table = offered_and_accepted(site, page, another)
    white, black = table.pages
    table.begin()

    # A gammon with the cube in the middle; a director has set the score before.
    table.rule(SetScore(1, 1))
    table.begin()
    table.lay(GAMMON, Side.WHITE, "21")
    table.play(Side.WHITE)
    for each in table.pages:
        expect(each.locator("#ask")).to_contain_text("a gammon: 2 points.")
        expect(each.locator("#crawford")).to_be_visible()
    look(black, "1-gammon")
    assert faults(black) == []

    # One point short of the match: in the Crawford game there is no doubling, so the dice roll automatically.
    table.begin()
    table.lay(STANDARD, Side.BLACK)
    expect(black.locator("[data-act=confirm]:visible")).to_be_visible()
    for each in table.pages:
        expect(each.locator("#crawford")).to_be_visible()
        expect(each.locator("#post-crawford")).to_be_hidden()
        expect(each.locator("[data-act=double]")).to_be_hidden()
        expect(each.locator(".cube.is-dead")).to_be_attached()
    look(black, "2-crawford")
    assert faults(black) == []

    # A play is made and taken back by the director: it is to be made again, by the same dice.
    # Other dice than those that lie, so that the page is seen to change.
    dice = next(each for each in ("31", "42") if Dice.parse(each) != table.state.match.game.dice)
    table.lay(STANDARD, Side.BLACK, dice)
    before = table.state.match.game
    table.play(Side.BLACK)
    expect(white.locator("[data-act=confirm]:visible")).to_be_visible()
    table.rule(TakeBack(to_start_of=Start.TURN))
    expect(black.locator(".table-acts__prompt")).to_contain_text(f"You rolled {dice}")
    expect(black.locator("[data-act=confirm]:visible")).to_be_visible()
    expect(white.locator("[data-act=confirm]")).to_be_hidden()
    look(black, "3-taken-back")
    assert (table.state.match.game.board, table.state.match.game.dice) == (before.board, before.dice)
    table.play(Side.BLACK)
    expect(white.locator("[data-act=confirm]:visible")).to_be_visible()

    # White gives up; after the Crawford game the cube lives again, and one game is all that black can lose.
    Mouse(white).resign(SINGLE)
    act(black, "accept").click()
    for each in table.pages:
        expect(each.locator("#post-crawford")).to_be_visible()
        expect(each.locator("#crawford")).to_be_hidden()
    table.begin()
    table.lay(STANDARD, Side.BLACK)
    expect(act(black, "double")).to_be_visible()
    table.offers(Side.BLACK, [SINGLE, ALL])
    table.offers(Side.WHITE, [ALL])
    Mouse(black).resign(SINGLE)
    act(white, "accept").click()
    expect(white.locator("#ask")).to_contain_text("You won the match 4\N{EN DASH}2.")
    expect(black.locator("#ask")).to_contain_text("won the match 4\N{EN DASH}2.")
    look(black, "4-over")

    act(black, "rematch").click()
    expect(white.locator("#ask")).to_contain_text("wants a rematch.")
    look(white, "5-rematch")
    act(white, "accept").click()
    for each in table.pages:
        each.wait_for_url(lambda address: table.key not in address)
        expect(act(each, "ready")).to_be_visible()
    assert white.url == black.url


@pytest.mark.long
def test_every_level_is_offered_declined_and_accepted(site: str, page: Page, another: Others) -> None:
    table = seated(site, page, another, length=9)
    white, black = table.pages
    table.begin()
    for level, words, points in (
        (SINGLE, "a single game", 1),
        (DOUBLE, "a gammon", 2),
        (TRIPLE, "a backgammon", 3),
    ):
        before = table.state.match.score.black
        for answer in ("decline", "accept"):
            table.lay(STANDARD, Side.WHITE, "31")
            table.offers(Side.WHITE, [SINGLE, DOUBLE, TRIPLE, ALL])
            Mouse(white).resign(level)
            expect(black.locator("#ask")).to_have_text(f"Ada Okafor offers to resign {words}.")
            look(black, "7-offered")
            act(black, answer).click()
            if answer == "decline":
                # One plays on.
                table.play(Side.WHITE)
                expect(act(black, "roll")).to_be_visible()
        for each in table.pages:
            expect(each.locator("#ask")).to_contain_text(
                f"won by resignation: {points} point{'s' * (points > 1)}."
            )
        assert table.state.match.score == BySide(0, before + points)
        table.begin()


@pytest.mark.long
def test_what_cannot_be_lost_is_not_offered(site: str, page: Page, another: Others) -> None:
    table = seated(site, page, another, length=5)
    table.begin()
    for dice, board, cube, levels in (
        ("31", STANDARD, Cube(), [SINGLE, DOUBLE, TRIPLE, ALL]),
        ("42", PAST, Cube(), [SINGLE, DOUBLE, ALL]),
        ("53", SAFE, Cube(), [SINGLE, ALL]),
        # Two games at four end the match, and so does one at eight.
        ("61", STANDARD, Cube(4, Side.BLACK), [SINGLE, DOUBLE, ALL]),
        ("65", STANDARD, Cube(8, Side.BLACK), [SINGLE, ALL]),
    ):
        table.lay(board, Side.WHITE, dice, cube)
        table.offers(Side.WHITE, levels)


@pytest.mark.long
def test_what_is_chosen_in_the_dialog_stays_chosen(site: str, page: Page, another: Others) -> None:
    table = seated(site, page, another, length=5)
    player = table.pages.black
    single, whole = player.get_by_label(SINGLE), player.get_by_label(ALL)
    table.begin()
    table.lay(STANDARD, Side.WHITE, "31")
    player.locator("#resign-open").click()
    expect(whole).to_be_checked()
    table.lay(STANDARD, Side.BLACK, "42")
    expect(single).to_be_visible()
    expect(whole).to_be_checked()
    player.get_by_role("button", name="Play on").click()

    player.locator("#resign-open").click()
    expect(single).to_be_checked()
    held: list[Route] = []
    player.route(f"**/api/v1/matches/{table.key}/", lambda route: held.append(route))
    # What can be given up is not known as long as its answer is held.
    table.rule(SetPosition(STANDARD, Side.BLACK, Cube(), Dice.parse("53")))
    while not held:
        player.evaluate("null")
    expect(single).to_be_checked()
    table.lay(STANDARD, Side.WHITE, "31")
    expect(single).to_be_hidden()
    # It cannot be given up any more, and nothing else was chosen.
    expect(whole).not_to_be_checked()
    expect(player.get_by_role("dialog").get_by_role("button", name="Resign")).to_be_disabled()


@pytest.mark.long
def test_a_flag_falls_and_both_see_it(site: str, page: Page, another: Others) -> None:
    table = seated(site, page, another, CLOCK, length=3)
    table.begin()
    # Anyone who is to play does nothing; both see their time run out, and then the sweep comes by.
    late = table.state.match.game.turn
    loser, winner = table.pages[late], table.pages[late.other]
    expect(loser.locator(".seat--below .seat__reserve")).to_have_text("0:00")
    expect(winner.locator(".seat--above .seat__reserve")).to_have_text("0:00")
    while not deadlines.sweep(timezone.now()):
        winner.wait_for_timeout(50)

    expect(winner.locator("#ask")).to_have_text(re.compile("^Time ran out. You won the match"))
    expect(loser.locator("#ask")).to_have_text(re.compile("^Time ran out. .+ won the match"))
    outcome = table.state.match.outcome
    assert (outcome.winner, outcome.how) == (late.other, Termination.FLAG)
    look(loser, "8-flag")
    assert faults(loser) == []
    for each in table.pages:
        expect(each.locator("[data-act]:visible")).to_have_count(0)
