"""Every address of the project, who may go there, and what they meet: the reading of `access.csv`."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from django.urls import URLPattern, URLResolver, get_resolver

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLE = Path(__file__).with_name("access.csv")
# Somebody without an account; an account of no club; the club's people; another club's owner; the back office.
ROLES = ("anonymous", "outsider", "member", "director", "owner", "elsewhere", "staff")


@dataclass(frozen=True, slots=True)
class Row:
    """What each role meets at one address with one method."""

    address: str
    method: str
    # Which of several rows of the same kind: a draft event, somebody else's notice.
    case: str
    meets: dict[str, str]


def addresses() -> list[str]:
    """Return every address of the project by its name, or by its pattern where it has none."""
    return sorted(set(_walk(get_resolver(), "", "")))


def _walk(resolver: URLResolver, prefix: str, namespace: str) -> Iterator[str]:
    for pattern in resolver.url_patterns:
        where = prefix + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            # DRF's second spelling with a suffix is the same view.
            if "<drf_format_suffix" not in where:
                yield f"{namespace}{pattern.name}" if pattern.name else where
        else:
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from _walk(pattern, where, inner)


def rows() -> list[Row]:
    """Return the table."""
    with TABLE.open(newline="") as file:
        return [
            Row(line["address"], line["method"], line["case"], {role: line[role] for role in ROLES})
            for line in csv.DictReader(file)
        ]
