"""Bot levels that a page offers."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from matches.bots import bots, minds
from matches.lobby import visitors
from matches.state.errors import Refused


@dataclass(frozen=True, slots=True)
class BotLevel:
    key: str
    # Value in forms.
    slug: str
    name: str
    title: str
    pr: float
    # The default level.
    is_usual: bool


@dataclass(frozen=True, slots=True)
class PracticeOptions:
    levels: tuple[BotLevel, ...]
    # Why some levels are missing; "" if all are available.
    why_fewer: str
    lengths: tuple[int, ...] = visitors.LENGTHS


def load_practice_options() -> PracticeOptions:
    found = []
    for bot in bots.list_available():
        mind = minds.get_mind(bot.mind)
        name = bot.player.public_name
        found.append(
            BotLevel(bot.player.key, bot.slug, name, str(mind.title), mind.pr, bot.slug == bots.PRACTICE)
        )
    return PracticeOptions(tuple(found), bots.explain_missing_levels())


def find_slug(key: str) -> str:
    """Return the slug of the bot with this key.

    :raises Refused: there is no such bot.
    """
    found = next((bot.slug for bot in bots.list_available() if bot.player.key == key), None)
    if found is None:
        raise Refused(_("There is no bot of this level here."), code="no-bot")
    return found
