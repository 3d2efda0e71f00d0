"""Our own record format: a JSON document with the players, the rules and every fact of the match.

It is lossless and strict: unknown keys, duplicate keys and values of the wrong type are refused. The referee
decides whether the facts are legal.
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final, cast

from engine.actions import from_json, to_json
from engine.board import Board
from engine.errors import Impossible, Unreadable
from engine.formats.decoding import decode
from engine.formats.limits import LIMITS, Limits
from engine.record import Record
from engine.rules import DeadCube, Rules
from engine.side import BySide

if TYPE_CHECKING:
    from collections.abc import Iterable

NAME: Final = "barpoint-record"
VERSION: Final = 1
KEYS: Final = frozenset({"format", "version", "players", "rules", "tags", "actions"})
LONGEST: Final = LIMITS.letters
HEAD: Final = 200


def sniff(data: bytes) -> bool:
    head = data[:HEAD].lstrip(b"\xef\xbb\xbf \t\r\n")
    return head.startswith(b"{") and NAME.encode() in head


def write(record: Record) -> bytes:
    """Serialize *record*, one fact on each line.

    >>> print(write(Record(BySide("Ann", "Ben"), Rules(length=5))).decode(), end="")
    {"format": "barpoint-record", "version": 1,
     "players": ["Ann", "Ben"],
     "rules": {"length": 5},
     "tags": [],
     "actions": [
    ]}
    """
    lines = ",\n".join(_dumped(to_json(action)) for action in record.actions)
    tags = [list(tag) for tag in record.tags]
    return (
        f'{{"format": "{NAME}", "version": {VERSION},\n'
        f' "players": {_dumped([*record.players])},\n'
        f' "rules": {_dumped(rules_to_json(record.rules))},\n'
        f' "tags": {_dumped(tags)},\n'
        f' "actions": [\n{lines}{lines and chr(10)}]}}\n'
    ).encode()


def parse(data: bytes, limits: Limits = LIMITS) -> tuple[Record, ...]:
    """Parse the record in a document.

    >>> record = Record(BySide("Ann", "Ben"), Rules.unlimited(beavers=True))
    >>> parse(write(record)) == (record,)
    True
    """
    document = _document(decode(data, limits).text)
    if document.keys() != KEYS or document["format"] != NAME:
        raise _refused(f"a record has these keys: {', '.join(sorted(KEYS))}")
    if document["version"] != VERSION:
        raise _refused(f"only version {VERSION} can be read here")
    actions = _list(document["actions"], "actions")
    limits.check("claims", len(actions))
    left, right = _pair(document["players"])
    return (
        Record(
            players=BySide(left, right),
            rules=rules_from_json(document["rules"]),
            actions=tuple(map(from_json, actions)),
            tags=tuple(map(_pair, _list(document["tags"], "tags"))),
        ),
    )


def rules_to_json(rules: Rules) -> dict[str, Any]:
    """Serialize the length, and all values other than the default.

    >>> rules_to_json(Rules(length=7, crawford=False))
    {'length': 7, 'crawford': False}
    """
    given = {each.name: getattr(rules, each.name) for each in fields(Rules)}
    return {
        name: value.text() if isinstance(value, Board) else value
        for name, value in given.items()
        if name == "length" or value != USUAL[name]
    }


USUAL: Final[dict[str, Any]] = {each.name: each.default for each in fields(Rules)}


def rules_from_json(value: object) -> Rules:
    """Parse the output of `rules_to_json`."""
    try:
        told: dict[str, Any] = {name: _rule(name, each) for name, each in _object(value, "rules").items()}
        return Rules(**told)
    except (KeyError, ValueError) as error:
        raise _refused(f"the rules do not read so: {error}") from error
    except Impossible as error:
        raise Unreadable("bad-record", f"These rules cannot be: {error}") from error


def _rule(name: str, told: object) -> object:
    usual = USUAL[name]
    if isinstance(usual, Board):
        return Board.parse(_text(told))
    if isinstance(usual, DeadCube):
        return DeadCube(_text(told))
    if type(told) is not type(usual):
        raise ValueError(f"{name} is {told!r}")
    return told


def _document(text: str) -> dict[str, object]:
    try:
        document = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
        # A lone surrogate is not a character, and could not be encoded again.
        json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise _refused(f"it is no JSON: {error}") from error
    return _object(document, "a record")


def _once(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    read: dict[str, object] = {}
    for key, value in pairs:
        if key in read:
            raise ValueError(f"{key!r} is said twice")
        read[key] = value
    return read


def _no_number(word: str) -> object:
    raise ValueError(f"{word} is no number")


def _object(value: object, what: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise _refused(f"{what} must be an object")
    return cast("dict[str, object]", value)


def _list(value: object, what: str) -> list[object]:
    if not isinstance(value, list):
        raise _refused(f"{what} must be a list")
    return cast("list[object]", value)


def _pair(value: object) -> tuple[str, str]:
    pair = _list(value, "a pair")
    if len(pair) != 2:
        raise _refused(f"{pair!r} is no pair")
    return _text(pair[0]), _text(pair[1])


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > LONGEST:
        raise _refused(f"a text of at most {LONGEST:,} letters is wanted")
    return value


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _refused(why: str) -> Unreadable:
    return Unreadable("bad-record", f"This record cannot be read: {why}.")
