"""The minds that decide for the bots, by strength. Packages above add theirs to `hooks.MINDS`.

Slow minds decide in a separate thread without locks (`matches.bots.bots`). If one has no answer, the
built-in mind decides (ADR 73). `hooks.REVIEWERS` may delay a bot until the person's last decision has been
reviewed.
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from matches import brain, hooks
from matches.hooks import DecisionRequest, Mind
from matches.state.commands import Command


class NoAnswer(Exception):
    """The mind cannot decide now: it timed out, crashed or is not installed. The message gives the reason."""


def _decide(thought: DecisionRequest) -> Command | None:
    command: Command | None = brain.decide(thought.match, thought.side)
    return command


CLUB: Final = Mind("club", "practice", "Pip (bot)", 4, _("Advanced"), 6.5, _decide)

hooks.MINDS.add(CLUB.name, CLUB)


def get_mind(name: str) -> Mind:
    """Return the mind of this name, or the built-in one if the name is unknown."""
    return dict(hooks.MINDS.items()).get(name, CLUB)


def list_minds() -> list[Mind]:
    return sorted(hooks.MINDS, key=lambda mind: mind.rank)
