"""The parameters of a system, refused where they make no sense."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final, TypeVar

from rankings.formulas.fibs import READINGS
from rankings.formulas.values import BadMatches

if TYPE_CHECKING:
    from collections.abc import Mapping

    from _typeshed import DataclassInstance

# Far beyond every list, and every sum with it is still a number.
LARGEST: Final = 10_000.0
# What is divided by, or measured against.
POSITIVE: Final = frozenset({"k_per", "scale", "deviation", "volatility", "tau"})
SMALLEST: Final = 0.001

A_SYSTEM = TypeVar("A_SYSTEM", bound="DataclassInstance")


def checked(kind: type[A_SYSTEM], name: str, given: Mapping[str, object]) -> A_SYSTEM:
    """Return the system with the parameters given.

    :raises BadMatches: it has no such parameter, or the parameter no such value.
    """
    known = {field.name: field.default for field in fields(kind)}
    for key in given:
        if key not in known:
            raise BadMatches(f"params.{key}: {name} knows only {', '.join(known)}")
    values: dict[str, Any] = {key: _value(key, value, known[key]) for key, value in given.items()}
    return kind(**values)


def _value(name: str, value: object, default: object) -> object:
    if isinstance(default, float):
        least = SMALLEST if name in POSITIVE else 0.0
        return number(value, f"params.{name}", least=least)
    if isinstance(default, bool) and not isinstance(value, bool):
        raise BadMatches(f"params.{name}: true or false is expected, not {value!r}")
    if isinstance(default, str) and value not in READINGS:
        raise BadMatches(f"params.{name}: {' or '.join(READINGS)} is expected, not {value!r}")
    return value


def number(value: object, where: str, *, least: float = -LARGEST, most: float = LARGEST) -> float:
    """Return a value as a number between bounds.

    :raises BadMatches: it is none.
    """
    if isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most:
        return float(value)
    raise BadMatches(f"{where}: a number from {least:g} to {most:g} is expected, not {value!r}")
