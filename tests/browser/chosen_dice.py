"""Matches with a predictable course: the players' secrets are chosen, and the product is unchanged.

The dice are derived from three chains (docs/dice.md). A test that knows all of them knows every roll. It
draws secrets for two browsers until they lead to a suitable game, computes that game with the engine alone,
and gives the browsers those secrets in place of random bytes.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.conf import settings
from playwright.sync_api import Page

from engine import fair, match
from engine.actions import (
    Action,
    Doubled,
    Opened,
    Played,
    ResignAccepted,
    ResignOffered,
    Rolled,
    Took,
)
from engine.board import Board
from engine.dice import Dice
from engine.fair import ByParty, Chain
from engine.game import Game, Phase, Termination
from engine.plays import Play, legal_plays
from engine.side import BySide, Side
from matches.journal import dice, journal
from matches.models import Match

# Three checkers less to bring home, and one each behind four that wait for it.
SHORT: Final = Board.from_counts({24: 1, 6: 2, 5: 2, 4: 2}, {24: 1, 6: 2, 5: 2, 4: 2})
# When the cube is turned, and when the game is given up, counted in facts.
FEW: Final = 4
MANY: Final = 10
MOST_TRIES: Final = 4000
# Anyone who requests a new chain gets this one; other random bytes, of keys for instance, stay random.
DRAWN: Final = """(() => {
  const drawn = crypto.getRandomValues.bind(crypto);
  crypto.getRandomValues = into => into.length === 32
    ? (into.set("SECRET".match(/../g).map(each => parseInt(each, 16))), into) : drawn(into);
})()"""


class Scene(NamedTuple):
    """One fact, and the match before it."""

    before: match.Match
    action: Action


@dataclass(frozen=True)
class Story:
    """Everything that happens in a match, and the secrets that make it happen."""

    secrets: BySide[bytes]
    scenes: tuple[Scene, ...]
    end: match.Match

    def plays(self) -> list[str]:
        """Return every play in notation, a dance as an empty one."""
        return [written(scene) for scene in self.scenes if isinstance(scene.action, Played)]


def written(scene: Scene) -> str:
    """Return a play in notation."""
    assert isinstance(scene.action, Played)
    return play_of(scene.before.game, scene.action).notation


def play_of(game: Game, played: Played) -> Play:
    """Return the play that was made."""
    assert game.dice is not None
    return next(
        each for each in legal_plays(game.board, played.side, game.dice) if each.steps == played.steps
    )


def best(game: Game) -> Play:
    """Choose a play as a person would who likes hits, and then to come home."""
    assert game.turn is not None
    assert game.dice is not None
    side = game.turn
    plays = legal_plays(game.board, side, game.dice)
    return max(plays, key=lambda play: (len(play.hits), play.board.off(side), play.notation))


class Teller:
    """Simulates a match with the engine alone, from known chains."""

    def __init__(
        self, row: Match, secrets: BySide[bytes], plan: Callable[[match.Match], Action | None]
    ) -> None:
        state = journal.load(row)
        length, key = state.dicing.length, row.key
        self.key, self.secrets, self.plan, self.number = key, secrets, plan, 0
        self.chains = ByParty(
            Chain.grow(secrets[Side.WHITE], length),
            Chain.grow(secrets[Side.BLACK], length),
            dice._derive_chain(settings.SECRET_KEY, key, row.salts[-1], length),
        )
        self.match = state.match
        self.scenes: list[Scene] = []

    def thrown(self) -> tuple[int, int]:
        """Make the next roll."""
        self.number += 1
        return fair.roll(self.key, self.number, self.chains.map(lambda chain: chain.share(self.number)))

    def act(self, action: Action) -> None:
        self.scenes.append(Scene(self.match, action))
        self.match = match.apply(self.match, action)

    def next(self) -> Action:
        """The next action: the one that the plan wants, otherwise the dice or the best play."""
        game = self.match.game
        if game.phase is Phase.OPENING:
            return Opened(*self.thrown())
        if (wanted := self.plan(self.match)) is not None:
            return wanted
        assert game.turn is not None
        if game.phase is Phase.TO_ROLL:
            return Rolled(game.turn, Dice.from_numbers(*self.thrown()))
        assert game.phase is Phase.TO_PLAY
        return Played(game.turn, best(game).steps)

    def tell(self, most: int, plays: int, is_wanted: Callable[[Story], bool]) -> Story | None:
        """Go on for so many plays, or to the end; None where a game, or all of it, is not as wanted."""
        for _ in range(most):
            self.act(self.next())
            plays -= isinstance(self.scenes[-1].action, Played)
            is_whole = plays == 0 or self.match.is_over
            if is_whole or len(self.scenes[-1].before.results) < len(self.match.results):
                story = Story(self.secrets, tuple(self.scenes), self.match)
                if is_whole or not is_wanted(story):
                    return story if is_wanted(story) else None
        return None


def foresee(
    row: Match,
    plan: Callable[[match.Match], Action | None],
    wanted: Callable[[Story], bool],
    *,
    most: int = 50,
    plays: int = 0,
    seed: int = 1,
) -> Story:
    """Choose the players' secrets so that the match becomes a wanted one of *most* facts at most.

    Where a number of *plays* is given, it matters only so far; every game on the way has to be a wanted one.
    """
    chance = random.Random(seed)
    for _ in range(MOST_TRIES):
        secrets = BySide(chance.randbytes(32), chance.randbytes(32))
        teller = Teller(row, secrets, plan)
        if (story := teller.tell(most, plays or most, wanted)) is not None:
            return story
    raise AssertionError("no secrets lead to such a match")


def let_draw(page: Page, secret: bytes) -> None:
    """Make the browser of *page* use this secret."""
    page.context.add_init_script(DRAWN.replace("SECRET", secret.hex()))


def eventful(found: match.Match) -> Action | None:
    """Plan a first game with everything in it: the cube is turned once, and given up after a hit and a dance."""
    game = found.game
    if game.phase is Phase.DOUBLED:
        return Took(game.actor)  # type: ignore[arg-type]
    if game.phase is Phase.RESIGNING:
        return ResignAccepted(game.actor)  # type: ignore[arg-type]
    if found.results or game.turn is None:
        return None
    if game.phase is Phase.TO_ROLL:
        return Doubled(game.turn) if game.cube.value == 1 and found.facts > FEW else None
    gives_up = game.phase is Phase.TO_PLAY and found.facts > MANY and best(game).steps
    return ResignOffered(game.turn) if gives_up else None


def is_eventful(story: Story) -> bool:
    """Are there a hit and a dance in a first game that is given up at 2, and is the last one borne off?"""
    plays = story.plays()
    first, *more = story.end.results
    has_all = any("*" in play for play in plays) and "" in plays
    return (
        has_all
        and (first.how, first.cube) == (Termination.RESIGN, 2)
        and all(each.how is Termination.BEAROFF for each in more)
    )
