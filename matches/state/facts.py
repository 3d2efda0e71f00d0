"""Journal lines, and the facts that are not the engine's: dice, readiness, outages.

The engine's facts (`engine.actions`) describe the board. A server has further ones: dice are sealed and
opened, players get ready for the next game, the server was unreachable. They are stored in the same
journal, in the same kind of versioned JSON.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, TypeAlias

from engine import actions
from engine.errors import Unreadable
from engine.fair import ByParty, Party
from engine.fair_log import ShareMode
from engine.side import Side

VERSION: Final = 1
LABEL: Final = "barpoint/journal/v1"


@dataclass(frozen=True, slots=True)
class DiceBegun:
    """A set of chains begins, for *length* rolls from number *first* on, with the server's name in it."""

    first: int
    length: int
    server: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Promised:
    """*party* committed to a chain, or typed some words instead, or neither."""

    party: Party
    commitment: bytes | None = None
    words: str | None = None


@dataclass(frozen=True, slots=True)
class Unsealed:
    """*party* revealed the head of its chain."""

    party: Party
    head: bytes


@dataclass(frozen=True, slots=True)
class Forwent:
    """*side* has lost its chain; further rolls are made without it."""

    side: Side
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Readied:
    """*side* is ready for the opening roll."""

    side: Side


@dataclass(frozen=True, slots=True)
class Asked:
    """*side* requested roll *number* and gave its share; the opponent's is missing."""

    side: Side
    number: int
    link: bytes | None = None


@dataclass(frozen=True, slots=True)
class Excused:
    """The server was unreachable, or a pause begins before the clock runs: *milliseconds* are not charged."""

    milliseconds: int


@dataclass(frozen=True, slots=True)
class Held:
    """*side* was on turn and disconnected; it has used these *milliseconds* of its allowance."""

    side: Side
    milliseconds: int


@dataclass(frozen=True, slots=True)
class PlaysOut:
    """*side* agrees to let the server play out this race, or *stops* that."""

    side: Side
    stops: bool = False


ServerFact: TypeAlias = (
    DiceBegun | Promised | Unsealed | Forwent | Readied | Asked | Excused | Held | PlaysOut
)
Fact: TypeAlias = actions.Action | ServerFact


@dataclass(frozen=True, slots=True)
class Thrown:
    """How a roll was made: its number, its mode and its shares."""

    number: int
    mode: ShareMode
    links: ByParty[bytes | None]

    def to_json(self) -> dict[str, Any]:
        links = {party.value: None if link is None else link.hex() for party, link in self.links.items()}
        return {"number": self.number, "mode": self.mode.value, "links": links}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Thrown:
        links = (data["links"][party.value] for party in Party)
        return cls(
            data["number"],
            ShareMode(data["mode"]),
            ByParty(*(None if link is None else bytes.fromhex(link) for link in links)),
        )


@dataclass(frozen=True, slots=True)
class Line:
    """A journal line: a fact, its time by the server's clock in milliseconds, and its author.

    *by* is ``white``, ``black``, ``director`` or ``server``; *who* is the person's key. *lag* is the network
    lag that the clock did not charge.
    """

    seq: int
    at: int
    by: str
    fact: Fact
    who: str = ""
    lag: int = 0
    thrown: Thrown | None = None

    def body(self) -> dict[str, Any]:
        return {
            "seq": self.seq,
            "at": self.at,
            "by": self.by,
            "who": self.who,
            "fact": to_json(self.fact),
            "lag": self.lag,
            "thrown": None if self.thrown is None else self.thrown.to_json(),
        }


def compute_genesis(key: str, white: str, black: str, terms: Mapping[str, Any]) -> str:
    """Return the hash that the first line is chained to: of match, players and terms."""
    return compute_hash("", {"match": key, "white": white, "black": black, "terms": terms})


def compute_hash(before: str, data: Mapping[str, Any]) -> str:
    """Return the hash of a line's body, chained to the hash *before*."""
    return hashlib.sha256(f"{LABEL}|{before}|{to_canonical_json(data)}".encode()).hexdigest()


def to_canonical_json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


# The names are stored in journals.
KINDS: Final[dict[str, type[ServerFact]]] = {
    "dice-begun": DiceBegun,
    "promised": Promised,
    "unsealed": Unsealed,
    "forwent": Forwent,
    "readied": Readied,
    "asked": Asked,
    "excused": Excused,
    "held": Held,
    "plays-out": PlaysOut,
}
NAMES: Final = {kind: name for name, kind in KINDS.items()}


def to_json(fact: Fact) -> dict[str, Any]:
    """Return *fact* as JSON values.

    >>> to_json(Promised(Party.A, words="a fine day"))
    {'v': 1, 'fact': 'promised', 'party': 'A', 'words': 'a fine day'}
    """
    if not isinstance(fact, ServerFact):
        return actions.to_json(fact)
    plain: dict[str, Any] = {"v": VERSION, "fact": NAMES[type(fact)]}
    for each in fields(fact):
        value = getattr(fact, each.name)
        if value != each.default:
            plain[each.name] = _to_plain(value)
    return plain


def _to_plain(value: object) -> object:
    match value:
        case Side():
            return value.word
        case Party():
            return value.value
        case bytes():
            return value.hex()
        case _:
            return value


def from_json(data: Mapping[str, Any]) -> Fact:
    """Read a fact; raise Unreadable if it is malformed, or of another version."""
    kind = KINDS.get(data.get("fact", ""))
    if kind is None:
        return actions.from_json(data)
    if data.get("v") != VERSION:
        raise Unreadable("bad-action", f"Only version {VERSION} of the journal can be read here.")
    known = {each.name: str(each.type) for each in fields(kind)}
    try:
        values = {
            key: _parse_value(known[key], value) for key, value in data.items() if key not in {"v", "fact"}
        }
        return kind(**values)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Unreadable("bad-action", f"The fact {data['fact']} does not read so: {error}.") from error


def _parse_value(kind: str, value: Any) -> Any:
    if value is None and kind.endswith("| None"):
        return None
    return READERS[kind.removesuffix(" | None")](value)


READERS: Final[dict[str, Callable[[Any], object]]] = {
    "Side": lambda value: {"white": Side.WHITE, "black": Side.BLACK}[value],
    "Party": Party,
    "bytes": bytes.fromhex,
    "bool": lambda value: {True: True, False: False}[value],
    "int": lambda value: value + 0,
    "str": lambda value: value + "",
}
