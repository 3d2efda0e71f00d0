"""The minds that decide for our bots, from the weakest to the strongest. Ours needs nothing; packages above bring theirs.

A mind that takes its time is asked in a thread of its own and with nothing held (`matches.bots.bots`); where it does not
answer, ours decides (ADR 73). Somebody may also want to look at what a person has played before the bot goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from matches import brain, hooks
from matches.hooks import Mind

if TYPE_CHECKING:
    from matches.hooks import Thought
    from matches.state.commands import Command


class NoAnswer(Exception):
    """A mind cannot decide now: it hangs, has died, or is not there; the sentence says why."""


def _decide(thought: Thought) -> Command | None:
    command: Command | None = brain.decide(thought.match, thought.side)
    return command


CLUB: Final = Mind("club", "practice", "Pip (bot)", 4, _("Advanced"), 6.5, _decide)

hooks.MINDS.add(CLUB.name, CLUB)


def of(name: str) -> Mind:
    """Return the mind of that name; ours where it is not known (any more)."""
    return dict(hooks.MINDS.items()).get(name, CLUB)


def known() -> list[Mind]:
    """Return all of them, the weakest first."""
    return sorted(hooks.MINDS, key=lambda mind: mind.rank)
