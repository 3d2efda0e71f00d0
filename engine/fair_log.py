"""The dice of one match as a public document: commitments, revealed links and rolls.

The document format is called ``barpoint-dice``; `docs/dice.md` describes it and `engine.fair_check` verifies
it. Parsing checks only the form: every claim in the document may still be false.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final, TypeVar, cast

from engine.dice import Dice
from engine.errors import Unreadable
from engine.fair import LINK_BYTES, LONGEST_CHAIN, LONGEST_NAME, SCHEME, ByParty, Party
from engine.side import Side

T = TypeVar("T")

FORMAT: Final = "barpoint-dice"
VERSION: Final = 1
LARGEST: Final = 16_000_000
MOST_ROLLS: Final = 50_000
NOT_TYPED: Final[ByParty[str | None]] = ByParty(None, None, None)


class ShareMode(StrEnum):
    """The time at which the opponent's share of a roll was submitted."""

    STRICT = "strict"  # after the roll request, by a client that had seen it
    SEALED = "sealed"  # in advance, deposited with the server


@dataclass(frozen=True, slots=True)
class Epoch:
    """A set of chains and their commitments; *first* is the first roll they are used for.

    A player without a chain has neither commitment nor head, but may have typed words as a seed.
    """

    first: int
    length: int
    commitments: ByParty[bytes | None]
    heads: ByParty[bytes | None]
    seeds: ByParty[str | None] = NOT_TYPED
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Roll:
    """One roll as claimed. The roller is None for an opening roll, whose first die is A's."""

    number: int
    roller: Party | None
    mode: ShareMode
    links: ByParty[bytes | None]
    dice: tuple[int, int]
    taken_back: bool = False

    @property
    def is_tie(self) -> bool:
        """True if this is an opening roll of equal dice, which is repeated (R10)."""
        return self.roller is None and self.dice[0] == self.dice[1]


@dataclass(frozen=True, slots=True)
class FairLog:
    """All commitments, links and rolls of one match. *digest* is the digest stated in the document."""

    match: str
    users: ByParty[str]
    epochs: tuple[Epoch, ...]
    rolls: tuple[Roll, ...]
    digest: bytes | None = None

    @classmethod
    def parse(cls, data: bytes) -> FairLog:
        if len(data) > LARGEST:
            raise Unreadable("dice-too-large", f"More than {LARGEST} bytes of dice are not read.")
        try:
            return cls.from_json(json.loads(data, object_pairs_hook=_refuse_duplicate_keys))
        except (ValueError, RecursionError) as error:
            raise Unreadable("bad-dice-document", f"This is no JSON: {error}.") from error

    @classmethod
    def from_json(cls, document: object) -> FairLog:
        given = _read_object(
            document, "format", "version", "scheme", "match", "parties", "epochs", "rolls", "digest"
        )
        named = (given["format"], given["version"], given["scheme"])
        if named != (FORMAT, VERSION, SCHEME):
            raise _build_error(f"only {FORMAT}, version {VERSION}, of {SCHEME} can be verified here")
        return cls(
            _read_name(given["match"]),
            _read_by_party(given["parties"], _read_name),
            tuple(_read_epoch(each) for each in _read_list(given["epochs"])),
            tuple(_read_roll(each) for each in _read_list(given["rolls"])),
            _read_bytes(given["digest"]),
        )

    def to_json(self) -> dict[str, Any]:
        """Serialize the document, including its digest."""
        return self._serialize_body() | {"digest": self.computed_digest().hex()}

    def text(self) -> str:
        return json.dumps(self.to_json(), ensure_ascii=False, indent=1) + "\n"

    def computed_digest(self) -> bytes:
        """Return the hash of everything but the digest, in canonical JSON."""
        spelled = json.dumps(
            self._serialize_body(), ensure_ascii=False, sort_keys=True, separators=(",", ":")
        )
        return sha256(b"bgdice/v1/log|" + spelled.encode()).digest()

    def counted(self) -> tuple[tuple[Side, Dice], ...]:
        """Return the rolls that count, each with its player: no ties, none taken back.

        In an opening roll the player is the side with the higher die (R09).
        """
        return tuple(
            (_get_player(roll), Dice.from_numbers(*roll.dice))
            for roll in self.rolls
            if not (roll.is_tie or roll.taken_back)
        )

    def _serialize_body(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "scheme": SCHEME,
            "match": self.match,
            "parties": _serialize_by_party(self.users),
            "epochs": [
                {
                    "first": epoch.first,
                    "length": epoch.length,
                    "commitments": _serialize_by_party(epoch.commitments.map(_format_hex)),
                    "heads": _serialize_by_party(epoch.heads.map(_format_hex)),
                    "seeds": _serialize_by_party(epoch.seeds),
                    "reason": epoch.reason,
                }
                for epoch in self.epochs
            ],
            "rolls": [
                {
                    "number": roll.number,
                    "roller": roll.roller,
                    "mode": roll.mode,
                    "links": _serialize_by_party(roll.links.map(_format_hex)),
                    "dice": list(roll.dice),
                    "taken_back": roll.taken_back,
                }
                for roll in self.rolls
            ],
        }


def _get_player(roll: Roll) -> Side:
    opener = Side.WHITE if roll.dice[0] > roll.dice[1] else Side.BLACK
    return opener if roll.roller is None else Side.WHITE if roll.roller is Party.A else Side.BLACK


def _serialize_by_party(values: ByParty[T]) -> dict[str, T]:
    return {party.value: value for party, value in values.items()}


def _format_hex(value: bytes | None) -> str | None:
    return None if value is None else value.hex()


def _read_epoch(value: object) -> Epoch:
    given = _read_object(value, "first", "length", "commitments", "heads", "seeds", "reason")
    commitments = _read_by_party(given["commitments"], _allow_none(_read_bytes))
    heads = _read_by_party(given["heads"], _allow_none(_read_bytes))
    seeds = _read_by_party(given["seeds"], _allow_none(_read_text))
    if heads.server is None:
        raise _build_error("the server has no chain")
    for party, head in heads.items():
        if (head is None) != (commitments[party] is None):
            raise _build_error(f"{party} has a commitment or a head without the other")
        if head is not None and seeds[party] is not None:
            raise _build_error(f"{party} has a chain and typed words as well")
    length = _read_number(given["length"], LONGEST_CHAIN)
    reason = _read_text(given["reason"])
    return Epoch(_read_number(given["first"], MOST_ROLLS), length, commitments, heads, seeds, reason)


def _read_roll(value: object) -> Roll:
    given = _read_object(value, "number", "roller", "mode", "links", "dice", "taken_back")
    links = _read_by_party(given["links"], _allow_none(_read_bytes))
    dice = [_read_number(die, 6) for die in _read_list(given["dice"])]
    if len(dice) != 2:
        raise _build_error("a roll is two dice")
    if links.server is None:
        raise _build_error("a roll has no link of the server")
    if given["roller"] not in ("A", "B", None) or given["mode"] not in ("strict", "sealed"):
        raise _build_error("a roll has no roller or no mode that is known here")
    if not isinstance(given["taken_back"], bool):
        raise _build_error("a roll is taken back or not")
    roller = None if given["roller"] is None else Party(given["roller"])
    number = _read_number(given["number"], MOST_ROLLS)
    return Roll(number, roller, ShareMode(given["mode"]), links, (dice[0], dice[1]), given["taken_back"])


def _read_object(value: object, *keys: str) -> dict[str, object]:
    if not isinstance(value, dict) or set(cast("dict[str, object]", value)) != set(keys):
        raise _build_error(f"something should have exactly {', '.join(keys)}")
    return cast("dict[str, object]", value)


def _read_list(value: object) -> list[object]:
    if not isinstance(value, list) or len(cast("list[object]", value)) > MOST_ROLLS:
        raise _build_error(f"something should be a list of no more than {MOST_ROLLS}")
    return cast("list[object]", value)


def _read_by_party(value: object, read: Callable[[object], T]) -> ByParty[T]:
    given = _read_object(value, *Party)
    return ByParty(read(given["A"]), read(given["B"]), read(given["S"]))


def _allow_none(read: Callable[[object], T]) -> Callable[[object], T | None]:
    return lambda value: None if value is None else read(value)


def _read_text(value: object) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_NAME:
        raise _build_error("a text is missing or too long")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise _build_error("a text holds half a letter")
    return value


def _read_name(value: object) -> str:
    name = _read_text(value)
    # The bar separates the fields that are hashed.
    if not name or "|" in name:
        raise _build_error(f"{name!r} is no name of a match or a person")
    return name


def _read_number(value: object, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise _build_error(f"{value!r:.40} is no number from 1 to {most}")
    return value


def _read_bytes(value: object) -> bytes:
    text = _read_text(value)
    if len(text) != 2 * LINK_BYTES or not set(text) <= set("0123456789abcdef"):
        raise _build_error(f"{text:.20}... is not {LINK_BYTES} bytes in lower-case hexadecimal digits")
    return bytes.fromhex(text)


def _refuse_duplicate_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    # Two programs may interpret a duplicate key differently.
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return dict(pairs)


def _build_error(message: str) -> Unreadable:
    return Unreadable("bad-dice-document", f"This document of dice cannot be read: {message}.")
