"""An act, and a call of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from players.models import User
from tournaments.base.act_fields import Field, Key
from tournaments.base.errors import NotDirector
from tournaments.models import Tournament
from tournaments.play.changes import HelperActor

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class Actor(Enum):
    """The users allowed to do an act; the services enforce it."""

    PLAYER = auto()  # for themselves
    DIRECTOR = auto()
    EITHER = auto()  # players for themselves, directors for any player


@dataclass(frozen=True, slots=True)
class ActCall:
    event: Tournament
    user: User | HelperActor
    now: datetime
    given: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """An act on an event: its service, its fields, its texts and its pages."""

    name: str
    # The heading of its form; "" for acts with a separate page, whose URL has the name of the act.
    title: StrOrPromise = ""
    # The text of its button, where the title is no verb.
    button: StrOrPromise = ""
    # The message after the act.
    done: StrOrPromise = ""
    # One sentence: under the title, and in the description of the API.
    about: StrOrPromise
    service: Callable[..., object]
    who: Actor = Actor.DIRECTOR
    fields: tuple[Field, ...] = ()
    # Fields of which at least one is required.
    one_of: tuple[str, ...] = ()
    # The names of the expected state that it compares (`expectations`).
    answers: tuple[str, ...] = ()
    # Only for matches that already have a result.
    is_afterwards: bool = False
    # Only for events with a stage that is paired round by round. The roster lists such agreements.
    needs_rounds: bool = False
    is_danger: bool = False
    # Run without a preview: it changes no other match.
    is_at_once: bool = False
    # Its page offers to skip the preview; the preview is still shown if the act would do harm.
    may_skip_preview: bool = False
    # Its shortcut key on the desk.
    key: str = ""
    # Helpers may do it too; the service enforces it by `changes.lock_for_helper`.
    is_for_helpers: bool = False

    @property
    def is_of_match(self) -> bool:
        return any(isinstance(field, Key) for field in self.fields)

    def do(self, call: ActCall) -> object:
        """Run the act with the given arguments; the service has defaults for the others.

        :raises NotDirector: the user is a helper, and the act is not for helpers.
        """
        if isinstance(call.user, HelperActor) and not self.is_for_helpers:
            raise NotDirector
        given = {field.name: call.given[field.name] for field in self.fields if field.name in call.given}
        by = "user" if self.who is Actor.PLAYER else "by"
        return self.service(tournament_id=call.event.pk, now=call.now, **{by: call.user}, **given)
