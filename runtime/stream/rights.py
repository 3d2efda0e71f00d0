"""Who may read what: asked when a stream is opened, and again whenever somebody's rights may have changed.

A token says who holds it. Whether that person is still there (the session lives, the key was not revoked)
is for the app of the accounts to say, and what they may read for the family of each topic. Both are asked
about many streams at once, so that a thousand that come back together cost a handful of queries.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    Identifier = Callable[[Collection["Bearer"]], Mapping["Bearer", "Person"]]
    Rule = Callable[[Sequence["Wish"]], Iterable["Wish"]]
    Mutes = Callable[[Collection[str]], Mapping[str, frozenset[str]]]

SESSION, KEY = "session.", "key."


@dataclass(frozen=True, slots=True)
class Bearer:
    """Whom a token was given to, and what the request brought along: the key of its session, or its API token."""

    # "session.…", "key.…" or, for what everybody may read, nobody.
    who: str = ""
    secret: str = field(default="", repr=False)

    @property
    def is_genuine(self) -> bool:
        """Say whether a token of a session came with that session's cookie."""
        return not self.who.startswith(SESSION) or self.who == session_name(self.secret)


@dataclass(frozen=True, slots=True)
class Person:
    """Who a bearer turned out to be, and by which name their rights are spoken of."""

    value: Any
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Wish:
    """Somebody who wants to read a topic."""

    person: Any
    topic: str

    @property
    def key(self) -> str:
        """What stands behind the family."""
        return self.topic.split(".")[1]


@dataclass(frozen=True, slots=True)
class Ask:
    """One stream: who reads, and what."""

    bearer: Bearer
    topics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Right:
    """Whether a stream may be read, the name of the person who reads it, and what they leave out."""

    is_allowed: bool
    name: str = ""
    # Keys of authors whose words this person does not want.
    muted: frozenset[str] = frozenset()


_identifiers: list[Identifier] = []
_rules: dict[str, Rule] = {}
_mutes: list[Mutes] = []


def register_identifier(identifier: Identifier) -> None:
    """Have *identifier* say who bearers are; whom it leaves out may listen no more."""
    _identifiers[:] = [identifier]


def register_rule(family: str, rule: Rule) -> None:
    """Have *rule* return those wishes for topics called ``family.…`` that are granted; without one none is."""
    _rules[family] = rule


def register_mutes(mutes: Mutes) -> None:
    """Have *mutes* say, by the names of people, which authors they do not listen to."""
    _mutes[:] = [mutes]


def session_name(session_key: str) -> str:
    """Return what a session is called in a token, which does not tell its key."""
    return SESSION + sha256(f"barpoint.live.{session_key}".encode()).hexdigest()[:32]


def answers(asked: Sequence[Ask]) -> list[Right]:
    """Answer many questions at once."""
    bearers = {each.bearer for each in asked if each.bearer.is_genuine}
    people = {bearer: person for identify in _identifiers for bearer, person in identify(bearers).items()}
    wishes: dict[tuple[Bearer, str], Wish] = {}
    for each in asked:
        if person := people.get(each.bearer):
            for topic in each.topics:
                wishes.setdefault((each.bearer, topic), Wish(person.value, topic))
    granted = _granted(wishes.values())
    names = {person.name for person in people.values() if person.name}
    muted = {name: keys for find in _mutes for name, keys in find(names).items()}
    return [
        Right(
            each.bearer in people and all(wishes[each.bearer, topic] in granted for topic in each.topics),
            name := people[each.bearer].name if each.bearer in people else "",
            muted.get(name, frozenset()),
        )
        for each in asked
    ]


def _granted(wishes: Iterable[Wish]) -> set[Wish]:
    by_family: dict[str, list[Wish]] = {}
    for wish in wishes:
        by_family.setdefault(wish.topic.partition(".")[0], []).append(wish)
    return {wish for family, some in by_family.items() if family in _rules for wish in _rules[family](some)}
