"""Rights to read topics, checked when a stream is opened and again when rights may have changed.

A token names its bearer. The accounts app identifies the person and checks that the session or API key is
still valid; the rule of each topic's family decides what the person may read. Both work on many streams at
once, so that a thousand reconnections need only a few queries.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from runtime.hooks import SingleHook

Identifier = Callable[[Collection["Bearer"]], Mapping["Bearer", "Person"]]
Rule = Callable[[Sequence["ReadRequest"]], Iterable["ReadRequest"]]
Mutes = Callable[[Collection[str]], Mapping[str, frozenset[str]]]

SESSION, KEY = "session.", "key."


@dataclass(frozen=True, slots=True)
class Bearer:
    """The holder named by a token, and the request's credential: the session key or the API token."""

    # "session.…", "key.…", or "" for public topics.
    who: str = ""
    secret: str = field(default="", repr=False)

    @property
    def is_genuine(self) -> bool:
        """True unless a session's token came without that session's cookie."""
        return not self.who.startswith(SESSION) or self.who == build_session_name(self.secret)


@dataclass(frozen=True, slots=True)
class Person:
    """The identified bearer, and the name by which changes of their rights are announced."""

    value: Any
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class ReadRequest:
    """A person's request to read a topic."""

    person: Any
    topic: str

    @property
    def key(self) -> str:
        """The part of the topic's name after the family."""
        return self.topic.split(".")[1]


@dataclass(frozen=True, slots=True)
class StreamCheck:
    """A stream to check: its bearer and its topics."""

    bearer: Bearer
    topics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Right:
    """The result of a check: whether the stream is allowed, its person's name, and the authors they mute."""

    is_allowed: bool
    name: str = ""
    # Keys of muted authors.
    muted: frozenset[str] = frozenset()


# Identifies bearers; those missing from its result are refused.
IDENTIFIER: Final[SingleHook[Identifier]] = SingleHook(lambda _bearers: {})
# Returns muted authors by person's name.
MUTES: Final[SingleHook[Mutes]] = SingleHook(lambda _names: {})
_rules: dict[str, Rule] = {}


def register_rule(family: str, rule: Rule) -> None:
    """Set the rule that grants requests to read topics named ``family.…``; without a rule all are refused."""
    _rules[family] = rule


def build_session_name(session_key: str) -> str:
    """Return a session's name in tokens, a hash that does not reveal the session key."""
    return SESSION + sha256(f"barpoint.live.{session_key}".encode()).hexdigest()[:32]


def check_rights(checks: Sequence[StreamCheck]) -> list[Right]:
    bearers = {each.bearer for each in checks if each.bearer.is_genuine}
    people = IDENTIFIER.get()(bearers)
    wishes: dict[tuple[Bearer, str], ReadRequest] = {}
    for each in checks:
        if person := people.get(each.bearer):
            for topic in each.topics:
                wishes.setdefault((each.bearer, topic), ReadRequest(person.value, topic))
    by_family: dict[str, list[ReadRequest]] = {}
    for wish in wishes.values():
        by_family.setdefault(wish.topic.partition(".")[0], []).append(wish)
    granted = {
        wish for family, some in by_family.items() if family in _rules for wish in _rules[family](some)
    }
    names = {person.name for person in people.values() if person.name}
    muted = MUTES.get()(names)
    return [
        Right(
            each.bearer in people and all(wishes[each.bearer, topic] in granted for topic in each.topics),
            name := people[each.bearer].name if each.bearer in people else "",
            muted.get(name, frozenset()),
        )
        for each in checks
    ]
