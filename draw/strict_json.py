"""JSON in which unread names are errors: a misspelt name must not be ignored silently."""

from __future__ import annotations

import json
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, cast

from draw.json_objects import BadFile

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence


class ReadObject(dict[str, object]):
    """A JSON object that records the names that were looked up, present or not."""

    def __init__(self, pairs: Sequence[tuple[str, object]]) -> None:
        super().__init__(pairs)
        self.asked: set[str] = set()
        if len(self) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            message = f"{twice!r} is there twice in one object"
            raise BadFile(message)

    def __getitem__(self, name: str) -> object:
        self.asked.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: object = None) -> object:
        self.asked.add(name)
        return super().get(name, default)

    def __iter__(self) -> Iterator[str]:
        self.asked.update(super().keys())
        return super().__iter__()

    def keys(self) -> Any:
        """Return all names and record them; the caller checks them itself."""
        self.asked.update(super().keys())
        return super().keys()

    def items(self) -> Any:
        self.asked.update(super().keys())
        return super().items()

    def peek(self) -> list[tuple[str, object]]:
        """Return all names with their values without recording a look-up."""
        return [*super().items()]

    def values(self) -> Any:
        self.asked.update(super().keys())
        return super().values()


def parse_strict_json(text: str) -> object:
    """Parse a JSON text into objects that record looked-up names.

    :raises BadFile: an object has a duplicate name.
    """
    return json.loads(text, object_pairs_hook=ReadObject)


def require_all_read(data: object, path: str = "", *, also: Collection[str] = ()) -> None:
    """Refuse names that were never looked up.

    Names in *also*, at the top, are for other commands on the same file.

    :raises BadFile: there is one; the message suggests the nearest known name.
    """
    if isinstance(data, ReadObject):
        known = {*data.asked, *also}
        for name, value in data.peek():
            if name not in known:
                raise BadFile(_describe(path, name, known))
            if name in data.asked:
                require_all_read(value, f"{path}{name}.")
    elif isinstance(data, list):
        for at, value in enumerate(cast("list[object]", data)):
            require_all_read(value, f"{path.removesuffix('.')}[{at}].")


def _describe(path: str, name: str, known: Collection[str]) -> str:
    nearest = get_close_matches(name[:40], known, n=1)
    return f"{path}{name[:40]} is not known" + (f"; the nearest is {nearest[0]}" if nearest else "")
