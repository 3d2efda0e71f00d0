"""How the shares of the dice go between two browsers: kept back while a person could double, left where that
is idle."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Response, Route, expect

from engine.actions import Action, Doubled, Opened, Played, Rolled, Took
from engine.fair import Party
from engine.fair_check import verify_log
from engine.fair_log import ShareMode
from engine.game import Phase
from engine.match import Match as Game
from engine.side import BySide, Side
from matches.journal import journal
from matches.models import Match
from tests.browser import tables
from tests.browser.acting import perform
from tests.browser.boards import Mouse, act, come, match_of
from tests.browser.chosen_dice import FEW, SHORT, Story, foresee, let_draw
from tests.browser.eyes import faults
from tests.browser.people import account, overflow, snap
from tests.engine.test_fair import chains, changed, codes, epoch_of, match_log, rolled
from tests.matches.lobby.test_begun import played

PRESENT = {"isSomeoneAway": False}
APART = {"isSomeoneAway": True}
LIVE, DEAD = ["white", "black"], list[str]()
COUNT = """async cases => {
  const { countShares } = await import("/static/js/board/sharing.js");
  return cases.map(([command, snapshot, { isSomeoneAway }]) => countShares(command, { snapshot, me: "white", isSomeoneAway }));
}"""


def seen(phase: str, turn: str | None, alive_for: list[str]) -> dict[str, Any]:
    return {"phase": phase, "turn": turn, "cube": {"alive_for": alive_for}}


# Of white: the command, the table, whether one of the two is away; how many shares go along.
SHARES = [
    ("roll", seen("opening", None, LIVE), PRESENT, 1),
    ("roll", seen("opening", None, LIVE), APART, 3),
    ("roll", seen("to-roll", "white", LIVE), PRESENT, 1),
    ("roll", seen("to-roll", "white", LIVE), APART, 2),
    ("share", seen("to-roll", "black", LIVE), PRESENT, 1),
    ("move", seen("to-play", "white", LIVE), PRESENT, 0),
    ("move", seen("to-play", "white", ["white"]), PRESENT, 1),
    ("move", seen("to-play", "white", ["black"]), PRESENT, 0),
    ("move", seen("to-play", "white", DEAD), PRESENT, 1),
    ("move", seen("to-play", "white", LIVE), APART, 2),
    # Who answers a double must not know what comes; who took it has nothing to hide.
    ("double", seen("to-roll", "white", LIVE), PRESENT, 0),
    ("double", seen("to-roll", "white", LIVE), APART, 0),
    ("take", seen("doubled", "black", LIVE), PRESENT, 1),
    ("beaver", seen("doubled", "black", LIVE), APART, 0),
    # One's own double was beavered: the roll is one's own.
    ("take", seen("doubled", "white", LIVE), PRESENT, 0),
    ("resign", seen("to-play", "white", LIVE), APART, 0),
]


def test_how_many_shares_go_with_a_command(site: str, page: Page) -> None:
    tables.serve(page, site)
    cases = [[command, snapshot, where] for command, snapshot, where, _ in SHARES]

    assert page.evaluate(COUNT, cases) == [number for *_, number in SHARES]


CHECK = """async documents => {
  const { checkLog } = await import("/static/js/board/dice_check.js");
  return documents.map(each => checkLog(each).problems.map(([code]) => code).sort());
}"""


def test_the_page_finds_what_the_verifier_finds(site: str, page: Page) -> None:
    tables.serve(page, site)
    log = match_log()
    [epoch] = log.epochs
    logs = [
        log,
        # Two sets were sealed, and one of them was chosen.
        replace(log, epochs=(epoch_of(chains(seeds=(12, 13, 11))), epoch)),
        replace(log, epochs=(replace(epoch, first=2),)),
        replace(log, epochs=()),
    ]
    # Any party can forge the value that replaces the server's share; the verifier does not even read it.
    made = rolled(epoch, chains(), 4, without=(Party.SERVER,))
    silent = changed(log, 4, links=made.links, dice=made.dice)
    documents = [json.loads(each.text()) for each in (*logs, silent)]

    assert codes(logs[1]) == ["epoch-order"]
    assert page.evaluate(CHECK, documents) == [*(sorted(codes(each)) for each in logs), ["wrong-link"]]


NOTED = """async document => {
  const { checkLog } = await import("/static/js/board/dice_check.js");
  return checkLog(document).notes;
}"""


def test_the_page_notes_chains_that_were_begun_early(site: str, page: Page) -> None:
    tables.serve(page, site)
    early = epoch_of(chains(seeds=(12, 13, 11)), first=3, reason="A plays on another device")
    log = match_log(2)
    log = replace(log, epochs=(*log.epochs, early))

    assert [note.roll for note in verify_log(log).notes] == [3]
    assert page.evaluate(NOTED, json.loads(log.text())) == [{"n": 3, "why": "A plays on another device"}]


def test_a_document_that_is_chosen_takes_the_place_of_the_published_one(site: str, page: Page) -> None:
    match = played(account("Ada Okafor").player, account("Bo Lindqvist").player, timezone.now())
    held: list[Route] = []
    page.route("**/dice.json", lambda route: held.append(route))
    page.goto(f"/matches/{match.key}/dice/")
    chosen = {
        "name": "m1.dice.json",
        "mimeType": "application/json",
        "buffer": match_log().text().encode(),
    }
    page.locator("#file").set_input_files(chosen)
    verdict = expect(page.locator("#verdict"))
    verdict.to_contain_text("This is the document of match m1. Every roll is correct")
    while not held:
        page.evaluate("null")
    with page.expect_event("requestfinished", lambda request: request == held[0].request):
        held[0].continue_()
    page.evaluate("() => new Promise(requestAnimationFrame)")
    verdict.to_contain_text("This is the document of match m1. Every roll is correct")
    expect(page.locator("#rolls tr")).to_have_count(8)


FORGONE = """async () => {
  const { DiceAgent } = await import("/static/js/board/dice_agent.js");
  const parties = { A: "ann", B: "bob" };
  const set = { match: "m", parties, first: 1, length: 8, commitments: { A: "ab", B: null } };
  const snapshot = { dice_set: set, roll: { stage: "ready" } };
  const client = { me: "white", isOver: false, snapshot, you: { share_for: null }, addEventListener() {} };
  const agent = new DiceAgent(client);
  const found = [agent.isChainMissing];
  // A line of the opponent: what is open is not known for a moment.
  client.you = null;
  found.push(agent.isChainMissing);
  client.snapshot = { ...snapshot, dice_set: { ...set, first: 9 } };
  return [...found, agent.isChainMissing];
}"""


def test_who_went_on_without_a_chain_is_asked_again_in_the_next_set_only(site: str, page: Page) -> None:
    tables.serve(page, site)
    assert page.evaluate(FORGONE) == [False, False, True]


def doubled_once(found: Game) -> Action | None:
    """Plan a match in which the cube is turned once, and taken."""
    game = found.game
    if game.phase is Phase.DOUBLED:
        return Took(game.actor)  # type: ignore[arg-type]
    if game.phase is Phase.TO_ROLL and game.cube.value == 1 and found.facts > FEW and game.turn is not None:
        return Doubled(game.turn)
    return None


def is_over_soon(story: Story) -> bool:
    """Are there some rolls before and after the double, and no dance that would cut a turn short?"""
    kinds = [type(scene.action) for scene in story.scenes]
    plays = [scene.action for scene in story.scenes if isinstance(scene.action, Played)]
    at = kinds.index(Doubled) if Doubled in kinds else 0
    return (
        kinds[:at].count(Rolled) >= 1 and kinds[at:].count(Rolled) >= 2 and all(each.steps for each in plays)
    )


def modes() -> dict[str, list[ShareMode]]:
    """The share modes of the rolls: the opening, with the cube centred, and after the cube was turned."""
    found: dict[str, list[ShareMode]] = {"opening": [], "alive": [], "dead": []}
    for step in journal.iterate_steps(Match.objects.get()):
        if step.line.thrown is not None:
            is_opening = isinstance(step.line.fact, Opened)
            kind = "opening" if is_opening else "alive" if step.before.match.game.cube.value == 1 else "dead"
            found[kind].append(step.line.thrown.mode)
    return found


@pytest.fixture
def pages(page: Page, another: Callable[..., Page]) -> BySide[Page]:
    return BySide(page, another())


def sit_down(site: str, pages: BySide[Page]) -> tuple[Match, Story]:
    """Two people come to the board of a match of two points, and see each other there."""
    people = BySide(account("Ada Okafor"), account("Bo Lindqvist"))
    row = match_of(people.white, people.black, length=2, start=SHORT)
    story = foresee(row, doubled_once, is_over_soon)
    for side in Side:
        let_draw(pages[side], story.secrets[side])
        come(pages[side], site, people[side], row)
    for each in pages:
        expect(each.locator(".seat--above .seat__here")).to_have_text("at the board")
    return row, story


@pytest.mark.long
def test_rolls_are_strict_while_the_cube_lives_and_sealed_once_it_is_dead(
    site: str, pages: BySide[Page]
) -> None:
    _row, story = sit_down(site, pages)
    hands = BySide(Mouse(pages.white), Mouse(pages.black))
    for scene in story.scenes:
        perform(hands, scene)
    for each in pages:
        expect(each.locator("#ask")).to_contain_text("won the match")
        expect(each.locator("#dice-alarm")).to_be_hidden()
    found = modes()
    assert set(found["alive"]) == {ShareMode.STRICT}
    assert set(found["dead"]) == {ShareMode.SEALED}
    assert set(found["opening"]) == {ShareMode.SEALED}

    page = pages.black
    page.locator("[data-panel=dice]").click()
    expect(page.locator("#verdict")).to_contain_text("Every roll is correct")
    labels = page.locator("#rolls tr td:nth-child(4)").all_inner_texts()
    assert [each.split("\n")[0] for each in labels] == [
        mode.value for kind in found.values() for mode in kind
    ]
    assert "an opening roll" in labels[0]
    assert "when the roll was asked for" in next(each for each in labels if each.startswith("strict"))
    assert "no double could matter" in labels[-1]
    snap(page, "dice-1-reasons")
    page.set_viewport_size({"width": 375, "height": 812})
    assert overflow(page) <= 0
    assert faults(page) == []
    snap(page, "dice-2-phone")


TURN_AWAY = """() => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def is_share(answer: Response) -> bool:
    """Is it the answer to a share of the dice?"""
    if "/commands/" not in answer.url:
        return False
    said = json.loads(answer.request.post_data or "{}")
    return bool(said["command"]["type"] == "share")


@pytest.mark.long
def test_who_turns_away_leaves_a_share_so_that_the_other_can_roll(site: str, pages: BySide[Page]) -> None:
    row, story = sit_down(site, pages)
    hands = BySide(Mouse(pages.white), Mouse(pages.black))
    first = next(at for at, scene in enumerate(story.scenes) if isinstance(scene.action, Rolled))
    for scene in story.scenes[:first]:
        perform(hands, scene)
    roller = story.scenes[first].before.game.turn
    away = pages[roller.other]
    expect(act(pages[roller], "roll")).to_be_visible()
    # The answer to their own play may be on its way still.
    with away.expect_response(is_share):
        away.evaluate(TURN_AWAY)
    away.close()
    act(pages[roller], "roll").click()
    expect(pages[roller].locator("[data-act=confirm]:visible")).to_be_visible()

    assert modes()["alive"] == [ShareMode.SEALED]
    assert journal.load(Match.objects.get(pk=row.pk)).asked is None


@pytest.mark.long
def test_a_share_that_does_not_come_is_said(site: str, pages: BySide[Page]) -> None:
    _row, story = sit_down(site, pages)
    hands = BySide(Mouse(pages.white), Mouse(pages.black))
    first = next(at for at, scene in enumerate(story.scenes) if isinstance(scene.action, Rolled))
    for scene in story.scenes[:first]:
        perform(hands, scene)
    roller = story.scenes[first].before.game.turn
    mute = pages[roller.other]
    mute.route("**/commands/", lambda route: route.abort())
    act(pages[roller], "roll").click()
    expect(pages[roller].locator("#ask")).to_contain_text("has not sent its share of the roll yet")
    expect(mute.locator("#ask")).to_have_text("Sending your share of the roll\N{HORIZONTAL ELLIPSIS}")
    mute.unroute("**/commands/")
    expect(pages[roller].locator("[data-act=confirm]:visible")).to_be_visible()
    assert modes()["alive"] == [ShareMode.STRICT]
