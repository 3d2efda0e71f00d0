"""Our own record format: a JSON document with the players, the rules and every fact of the match.

It is lossless and strict: unknown keys, duplicate keys and values of the wrong type are refused. The referee
decides whether the facts are legal.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields
from typing import Any, Final, cast

from engine.actions import from_json, to_json
from engine.board import Board
from engine.errors import Impossible, Unreadable
from engine.formats.decoding import decode
from engine.formats.limits import LIMITS, Limits
from engine.record import Record
from engine.rules import DeadCube, Rules
from engine.side import BySide

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
    lines = ",\n".join(_dump_json(to_json(action)) for action in record.actions)
    tags = [list(tag) for tag in record.tags]
    return (
        f'{{"format": "{NAME}", "version": {VERSION},\n'
        f' "players": {_dump_json([*record.players])},\n'
        f' "rules": {_dump_json(rules_to_json(record.rules))},\n'
        f' "tags": {_dump_json(tags)},\n'
        f' "actions": [\n{lines}{lines and chr(10)}]}}\n'
    ).encode()


def parse(data: bytes, limits: Limits = LIMITS) -> tuple[Record, ...]:
    """Parse the record in a document.

    >>> record = Record(BySide("Ann", "Ben"), Rules.unlimited(beavers=True))
    >>> parse(write(record)) == (record,)
    True
    """
    document = _read_document(decode(data, limits))
    if document.keys() != KEYS or document["format"] != NAME:
        raise _build_error(f"a record has these keys: {', '.join(sorted(KEYS))}")
    if document["version"] != VERSION:
        raise _build_error(f"only version {VERSION} can be read here")
    actions = _read_list(document["actions"], "actions")
    limits.check("claims", len(actions))
    left, right = _read_pair(document["players"])
    return (
        Record(
            players=BySide(left, right),
            rules=rules_from_json(document["rules"]),
            actions=tuple(map(from_json, actions)),
            tags=tuple(map(_read_pair, _read_list(document["tags"], "tags"))),
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
    try:
        rules: dict[str, Any] = {
            name: _read_rule(name, each) for name, each in _read_object(value, "rules").items()
        }
        return Rules(**rules)
    except (KeyError, ValueError) as error:
        raise _build_error(f"the rules do not read so: {error}") from error
    except Impossible as error:
        raise Unreadable("bad-record", f"These rules cannot be: {error}") from error


def _read_rule(name: str, value: object) -> object:
    usual = USUAL[name]
    if isinstance(usual, Board):
        return Board.parse(_read_text(value))
    if isinstance(usual, DeadCube):
        return DeadCube(_read_text(value))
    if type(value) is not type(usual):
        raise ValueError(f"{name} is {value!r}")
    return value


def _read_document(text: str) -> dict[str, object]:
    try:
        document = json.loads(text, object_pairs_hook=_refuse_duplicate_keys, parse_constant=_refuse_constant)
        # A lone surrogate is not a character, and could not be encoded again.
        json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise _build_error(f"it is no JSON: {error}") from error
    return _read_object(document, "a record")


def _refuse_duplicate_keys(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    read: dict[str, object] = {}
    for key, value in pairs:
        if key in read:
            raise ValueError(f"{key!r} is said twice")
        read[key] = value
    return read


def _refuse_constant(word: str) -> object:
    raise ValueError(f"{word} is no number")


def _read_object(value: object, what: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise _build_error(f"{what} must be an object")
    return cast("dict[str, object]", value)


def _read_list(value: object, what: str) -> list[object]:
    if not isinstance(value, list):
        raise _build_error(f"{what} must be a list")
    return cast("list[object]", value)


def _read_pair(value: object) -> tuple[str, str]:
    pair = _read_list(value, "a pair")
    if len(pair) != 2:
        raise _build_error(f"{pair!r} is no pair")
    return _read_text(pair[0]), _read_text(pair[1])


def _read_text(value: object) -> str:
    if not isinstance(value, str) or len(value) > LONGEST:
        raise _build_error(f"a text of at most {LONGEST:,} letters is wanted")
    return value


def _dump_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _build_error(why: str) -> Unreadable:
    return Unreadable("bad-record", f"This record cannot be read: {why}.")
