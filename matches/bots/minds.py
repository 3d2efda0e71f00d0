"""The minds that decide for our bots, from the weakest to the strongest. Ours needs nothing; packages above bring theirs.

A mind that takes its time is asked in a thread of its own and with nothing held (`matches.bots.bots`); where it does not
answer, ours decides (ADR 102). Somebody may also want to look at what a person has played before the bot goes on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from django.utils.translation import gettext_lazy as _

from runtime.lazy_imports import Module

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import Q
    from django_stubs_ext import StrOrPromise

    from engine.match import Match
    from engine.rules import Rules
    from engine.side import Side
    from matches.models import Match as Row
    from matches.state.commands import Command

brain = Module("matches.brain")


class NoAnswer(Exception):
    """A mind cannot decide now: it hangs, has died, or is not there; the sentence says why."""


class Thought(NamedTuple):
    """What a mind is asked: what *side* does in a match."""

    # The match's, and after which line of its journal.
    key: str
    head: int
    match: Match
    side: Side


@dataclass(frozen=True, slots=True)
class Mind:
    """Something that decides for a bot."""

    # What `Bot.mind` says.
    name: str
    # Of the bot that plays by it: in addresses, and as the player is called.
    slug: str
    player: str
    # Among all minds, from 1.
    rank: int
    title: StrOrPromise
    # About which PR it plays.
    pr: float
    decide: Callable[[Thought], Command | None]
    # It answers within milliseconds, from this process: it may be asked while a match is held.
    is_quick: bool = True
    # Why nobody can play against it here; "" where they can.
    why_not: Callable[[], StrOrPromise] = lambda: ""
    # Why it does not know these rules; "" where it does.
    why_no_rules: Callable[[Rules], StrOrPromise] = lambda _rules: ""


class Look(NamedTuple):
    """Somebody who looks at what a person has played before the bot answers."""

    # Must the bot wait? Asked while the match is held.
    holds: Callable[[Row], bool]
    # Look, with nothing held.
    look: Callable[[int], object]
    # The matches in which the person has to answer first: no sweep need wake their bots.
    waits: Callable[[], Q]
    # All the matches in which it looks. Who practises without it goes on with none of these.
    matches: Callable[[], Q]


def _decide(thought: Thought) -> Command | None:
    command: Command | None = brain.decide(thought.match, thought.side)
    return command


CLUB: Final = Mind("club", "practice", "Pip (bot)", 4, _("Advanced"), 6.5, _decide)

_minds: Final[dict[str, Mind]] = {CLUB.name: CLUB}
looks: Final[dict[str, Look]] = {}


def register(mind: Mind) -> None:
    """Let bots play by this mind."""
    _minds[mind.name] = mind


def register_look(name: str, look: Look) -> None:
    """Have somebody look before bots answer."""
    looks[name] = look


def of(name: str) -> Mind:
    """Return the mind of that name; ours where it is not known (any more)."""
    return _minds.get(name, CLUB)


def known() -> list[Mind]:
    """Return all of them, the weakest first."""
    return sorted(_minds.values(), key=lambda mind: mind.rank)
