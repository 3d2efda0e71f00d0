"""The levels of bots that a page offers, each with its strength."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from matches.bots import bots, minds
from matches.lobby import visitors
from matches.state.errors import Refused


@dataclass(frozen=True, slots=True)
class BotLevel:
    """A bot that may be challenged here."""

    key: str
    # What a form calls the level.
    slug: str
    name: str
    title: str
    pr: float
    # Where nobody has chosen.
    is_usual: bool


@dataclass(frozen=True, slots=True)
class Practice:
    """What there is to choose before one sits down with a bot."""

    levels: tuple[BotLevel, ...]
    # Why there are no more; "" where there are all.
    why_fewer: str
    lengths: tuple[int, ...] = visitors.LENGTHS


def offered() -> Practice:
    """Return it."""
    found = []
    for bot in bots.available():
        mind = minds.of(bot.mind)
        name = bot.player.public_name
        found.append(
            BotLevel(bot.player.key, bot.slug, name, str(mind.title), mind.pr, bot.slug == bots.PRACTICE)
        )
    return Practice(tuple(found), bots.why_fewer())


def slug_of(key: str) -> str:
    """Return what a form calls the level of the bot with this key.

    :raises Refused: there is no such bot here.
    """
    found = next((bot.slug for bot in bots.available() if bot.player.key == key), None)
    if found is None:
        raise Refused(_("There is no bot of this level here."), code="no-bot")
    return found
