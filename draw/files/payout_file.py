"""The `prizes` command of `python -m draw`: payouts from contributions, split and finish (P100)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction

from draw import prizes
from draw.json_objects import BadFile, JsonObject, get_list
from draw.prizes import Contribution, Finish, Payout, Split


def compute_payouts(data: object) -> Mapping[str, object]:
    """Compute the purse and the payouts.

    :raises BadFile: the file is invalid.
    :raises PrizeRefusal: the amounts are invalid.
    """
    file = JsonObject.parse(data, "")
    paid = [
        _read_contribution(one, f"contributions[{at}]") for at, one in enumerate(file.items("contributions"))
    ]
    purse = prizes.compute_purse(_read_terms(file.object("terms")), paid)
    parts = {one.entrant: one.part for one in paid}
    unit = file.integer("unit", 1) or 0
    due = prizes.compute_payouts(purse.pool, _read_split(file), _read_finish(file), parts=parts, unit=unit)
    return {"purse": asdict(purse) | {"pool": purse.pool}, "payouts": [_write_payout(one) for one in due]}


def _read_terms(terms: JsonObject) -> prizes.Terms:
    names = ("fee", "registration", "added", "rake", "reserve")
    return prizes.Terms(**{name: terms.integer(name, 0) or 0 for name in names})


def _read_contribution(value: object, path: str) -> Contribution:
    if isinstance(value, str):
        return prizes.Contribution(value)
    one = JsonObject.parse(value, f"{path}.")
    part = one.fraction("part")
    return prizes.Contribution(one.text("entrant"), Fraction(1) if part is None else part)


def _read_split(file: JsonObject) -> Split:
    split = file.get("split")
    if isinstance(split, str):
        if split not in prizes.SPLITS:
            raise file.refuse("split", f"one of {', '.join(prizes.SPLITS)}, or weights by part")
        return prizes.SPLITS[split]
    parts = file.object("split")
    return prizes.Split.from_weights(
        **{name: [_read_weight(one, parts, name) for one in parts.items(name)] for name in parts.values}
    )


def _read_weight(value: object, parts: JsonObject, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise parts.refuse(name, "a list of whole numbers")
    return value


def _read_finish(file: JsonObject) -> Mapping[str, Finish]:
    parts = file.object("finish")
    return {
        name: tuple(_read_tied(one, f"finish.{name}") for one in parts.items(name)) for name in parts.values
    }


def _read_tied(value: object, path: str) -> tuple[str, ...]:
    """Read the players who share a place: one name, or a list."""
    names = [value] if isinstance(value, str) else get_list(value)
    if not names or not all(isinstance(name, str) for name in names):
        message = f"{path}: a name, or a list of those who tie, is expected, not {value!r}"
        raise BadFile(message)
    return tuple(str(name) for name in names)


def _write_payout(one: Payout) -> dict[str, object]:
    return {
        "entrant": one.entrant,
        "prize": one.prize,
        "withheld": one.withheld,
        "paid": one.paid,
        "why": [{"part": part, "place": place, "shared": shared} for part, place, shared in one.why],
    }
