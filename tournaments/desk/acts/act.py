"""One act, and one time that it is done."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from tournaments.base import act_fields as fields
from tournaments.base.errors import NotDirector
from tournaments.play.changes import Helping

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from django_stubs_ext import StrOrPromise

    from players.models import User
    from tournaments.base.act_fields import Field
    from tournaments.models import RulingKind, Tournament


class Doer(Enum):
    """Who may do it; the services hold them to it."""

    PLAYER = auto()  # of themselves
    DIRECTOR = auto()
    EITHER = auto()  # a player of themselves, a director of anybody


class AsksWhy(Enum):
    """Whether it asks for a reason."""

    NOT_ASKED = auto()
    PERHAPS = auto()
    MUST = auto()


@dataclass(frozen=True, slots=True)
class Call:
    """One time that something is done: to which event, by whom, when, and what was said about it."""

    event: Tournament
    user: User | Helping
    now: datetime
    given: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something that may be done to an event."""

    name: str
    # The name that a page shows, where the page of all acts does it: these are asked for, previewed and done there.
    title: StrOrPromise = ""
    # The message after it is done.
    done: StrOrPromise = ""
    # One sentence: under the title, and in the description of the API.
    about: StrOrPromise
    service: Callable[..., object]
    who: Doer = Doer.DIRECTOR
    asks: tuple[Field, ...] = ()
    # Fields of which one has to be said.
    one_of: tuple[str, ...] = ()
    why: AsksWhy = AsksWhy.NOT_ASKED
    # What has to be as it was seen, in the words of `expectations`.
    answers: tuple[str, ...] = ()
    # The rulings it leaves: their words are how it is told.
    leaves: tuple[RulingKind, ...] = ()
    # The address where pages do it, if not that of all acts.
    page: str = "act"
    # The match has a result already.
    is_afterwards: bool = False
    # Only where a stage is paired round by round; what was agreed stands on the roster.
    needs_rounds: bool = False
    is_danger: bool = False
    # Done without a second look: it changes no match but its own.
    is_at_once: bool = False
    # Its page offers to skip the preview; if results would be lost, the preview is shown all the same.
    may_skip_preview: bool = False
    # The letter that leads there on the desk.
    key: str = ""
    # For helpers of the event, too; the service holds them to it by `changes.assist`.
    is_for_helpers: bool = False

    @property
    def fields(self) -> tuple[Field, ...]:
        """Return what it asks for, with the reason."""
        if self.why is AsksWhy.NOT_ASKED:
            return self.asks
        return (*self.asks, fields.reason(must=self.why is AsksWhy.MUST))

    @property
    def is_of_match(self) -> bool:
        """Say whether it is about one match; or about the event and its players."""
        return any(isinstance(field, fields.Key) for field in self.asks)

    def do(self, call: Call) -> object:
        """Carry it out with what was given; what was not is as the service has it.

        :raises NotDirector: it is not for helpers, and one asks.
        """
        if isinstance(call.user, Helping) and not self.is_for_helpers:
            raise NotDirector
        given = {field.name: call.given[field.name] for field in self.fields if field.name in call.given}
        by = "user" if self.who is Doer.PLAYER else "by"
        return self.service(tournament_id=call.event.pk, now=call.now, **{by: call.user}, **given)
