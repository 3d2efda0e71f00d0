"""Scenes of a match that is known in advance, acted out by hands at its pages."""

from __future__ import annotations

from playwright.sync_api import expect

from engine.actions import Doubled, Opened, Played, ResignAccepted, ResignOffered, Rolled, Took
from engine.side import BySide, Side
from tests.browser.boards import Hands
from tests.browser.chosen_dice import Scene, play_of


def perform(hands: BySide[Hands], scene: Scene) -> None:
    """Perform the next action of the scene in the browsers. Automatic actions need no input."""
    game, action = scene.before.game, scene.action
    match action:
        case Opened() if game.ties == 0:
            for side in Side:
                hands[side].press("ready")
        case Rolled(side=side) if game.why_no_double is None:
            hands[side].press("roll")
        case Doubled(side=side):
            hands[side].press("double")
        case Took(side=side):
            hands[side].press("take")
        case Played(side=side, steps=steps) if steps:
            hands[side].move(game, play_of(game, action))
        case ResignOffered(side=side):
            expect(hands[side].page.locator("[data-act=confirm]:visible")).to_be_visible()
            hands[side].resign("A single game")
        case ResignAccepted(side=side):
            hands[side].press("accept")
