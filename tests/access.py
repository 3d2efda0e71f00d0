"""All routes of the project, and the expected response of each role, from `access.csv`."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.urls import URLPattern, URLResolver, get_resolver

TABLE = Path(__file__).with_name("access.csv")
# Without account; account without club; the club's people; another club's owner; admin staff.
ROLES = ("anonymous", "outsider", "member", "director", "owner", "elsewhere", "staff")


@dataclass(frozen=True, slots=True)
class Row:
    """The expected response of each role for a route and a method."""

    address: str
    method: str
    # Distinguishes rows of the same route: a draft event, another user's notice.
    case: str
    meets: dict[str, str]


def addresses() -> list[str]:
    """Return all routes of the project, by name, or by pattern if they have none."""
    return sorted(set(_walk(get_resolver(), "", "")))


def _walk(resolver: URLResolver, prefix: str, namespace: str) -> Iterator[str]:
    for pattern in resolver.url_patterns:
        where = prefix + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            # DRF's duplicate routes with a format suffix.
            if "<drf_format_suffix" not in where:
                yield f"{namespace}{pattern.name}" if pattern.name else where
        else:
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from _walk(pattern, where, inner)


def rows() -> list[Row]:
    with TABLE.open(newline="") as file:
        return [
            Row(line["address"], line["method"], line["case"], {role: line[role] for role in ROLES})
            for line in csv.DictReader(file)
        ]
