"""One act that a program may ask for, and one time that it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.serializers import fields

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from players.models import User
    from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class Call:
    """One request: which event, who asks, when, and what was given."""

    event: Tournament
    user: User
    now: datetime
    given: Mapping[str, Any]

    @property
    def by_player(self) -> dict[str, Any]:
        """Return what every service wants to know that players call for themselves."""
        return {"tournament_id": self.event.pk, "user": self.user, "now": self.now}

    @property
    def by_director(self) -> dict[str, Any]:
        """Return what every service wants to know that directors call."""
        return {"tournament_id": self.event.pk, "by": self.user, "now": self.now}


@dataclass(frozen=True, slots=True)
class Act:
    """Something that may be done: its name, what it does, its fields, and the service."""

    word: str
    about: str
    fields: Mapping[str, Any]
    do: Callable[[Call], object]
    # Fields of which one has to be said.
    one_of: tuple[str, ...] = ()

    def shape(self) -> type[serializers.Serializer[Any]]:
        """Return the serializer that reads and describes it."""

        @extend_schema_field({"type": "string", "enum": [self.word]})
        class Word(serializers.CharField):
            pass

        shape = {
            "act": Word(),
            **self.fields,
            "expects": (fields.MatchExpects if "key" in self.fields else fields.Expects)(
                default=dict, help_text="What you have seen: if it is otherwise by now, nothing is done."
            ),
            "foresee": serializers.BooleanField(
                default=False, help_text="Only say what would change; nothing is done."
            ),
        }
        name = "".join(part.capitalize() for part in self.word.split("-")) + "Act"
        return type(name, (serializers.Serializer,), {"__doc__": self.about, **shape})


def given(call: Call, *names: str) -> dict[str, Any]:
    """Return some of what was given, by the names of the service."""
    return {name: call.given[name] for name in names}


def director(service: Callable[..., object], *names: str) -> Callable[[Call], object]:
    """Return what lets a director call a service with these fields."""
    return lambda call: service(**call.by_director, **given(call, *names))


def player(service: Callable[..., object], *names: str) -> Callable[[Call], object]:
    """Return what lets a player call a service with these fields."""
    return lambda call: service(**call.by_player, **given(call, *names))
