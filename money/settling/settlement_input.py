"""An event's money read from a JSON file (docs/money.md); errors name the place of the mistake."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, cast

from draw.prizes import Finish
from money.settling.auction import Auction, SoldLot
from money.settling.values import MAIN, WHOLE, BadMoney, Event, Pool, Prize

FIELDS: Final = (
    "decimals", "entries", "added", "expenses", "rake_percent", "prizes", "order", "pools",
)  # fmt: skip
AUCTION_FIELDS: Final = ("decimals", "lots", "rake_percent", "prizes", "order")
MOST: Final = 10**18
DECIMALS: Final = 2
MOST_DECIMALS: Final = 4
# 12, 33.3 or 100/3: limited in length, so that a number cannot exhaust the memory.
PERCENT: Final = re.compile(r"\d{1,3}(\.\d{1,24})?|\d{1,6}/[1-9]\d{0,5}", re.ASCII)


def parse_json(text: str) -> object:
    """Parse JSON with exact numbers: 33.3 is 333/10."""
    return json.loads(
        text,
        parse_float=_parse_decimal,
        parse_constant=_refuse_constant,
        object_pairs_hook=_refuse_duplicate_keys,
    )


def read(data: object) -> tuple[Event, int]:
    """Read the input of `python -m money settle`: the event, and the decimals of its amounts.

    :raises BadMoney: the input is invalid.
    """
    file = _require_object(data, "the file", FIELDS, needed=("entries", "order"))
    decimals = _read_decimals(file.get("decimals", DECIMALS))
    paid, players = _read_entries(_require_list(file["entries"], "entries"))
    finish = _read_order(_require_list(file["order"], "order"), players)
    pools = _require_list(file.get("pools", []), "pools")
    event = Event(
        fees=tuple(paid),
        added=_require_amount(file.get("added", 0), "added"),
        expenses=_require_amount(file.get("expenses", 0), "expenses"),
        rake_percent=_read_percent(file.get("rake_percent", 0), "rake_percent"),
        prizes=_read_prizes(file.get("prizes", []), "prizes"),
        finish={MAIN: finish},
        pools=tuple(_read_pool(one, f"pools[{at}]", players) for at, one in enumerate(pools)),
    )
    return event, decimals


def read_auction(data: object) -> tuple[Auction, int]:
    """Read the input of `python -m money auction`: the auction, and the decimals of its amounts.

    :raises BadMoney: the input is invalid.
    """
    file = _require_object(data, "the file", AUCTION_FIELDS, needed=("lots", "order"))
    lots = _require_list(file["lots"], "lots")
    auction = Auction(
        lots=tuple(_read_lot(lot, f"lots[{at}]") for at, lot in enumerate(lots)),
        rake_percent=_read_percent(file.get("rake_percent", 0), "rake_percent"),
        prizes=_read_prizes(file.get("prizes", []), "prizes"),
        # The order may contain players who were not sold; they are ignored (A3).
        finish=_read_order(_require_list(file["order"], "order")),
    )
    return auction, _read_decimals(file.get("decimals", DECIMALS))


def _read_lot(row: object, where: str) -> SoldLot:
    needed = ("players", "price", "buyer")
    lot = _require_object(row, where, (*needed, "back"), needed=needed)
    players = _read_players(lot["players"], f"{where}.players")
    if not players:
        raise BadMoney(f"{where}.players: at least one name is expected")
    back: dict[str, Fraction] = {}
    for at, part in enumerate(_require_list(lot.get("back", []), f"{where}.back")):
        here = f"{where}.back[{at}]"
        share = _require_object(part, here, ("player", "percent"), needed=("player", "percent"))
        player = _require_name(share["player"], f"{here}.player")
        if player not in players:
            raise BadMoney(f"{here}.player: {player} is not a player of this lot")
        if player in back:
            raise BadMoney(f"{here}.player: {player} is there twice")
        back[player] = _read_percent(share["percent"], f"{here}.percent")
    return SoldLot(
        players,
        _require_amount(lot["price"], f"{where}.price"),
        _require_name(lot["buyer"], f"{where}.buyer"),
        back,
    )


def _read_entries(rows: Sequence[object]) -> tuple[list[int], set[str]]:
    """Read the payments and the players; a player who is listed twice has re-entered (M2)."""
    paid: list[int] = []
    players: set[str] = set()
    for at, row in enumerate(rows):
        entry = _require_object(row, f"entries[{at}]", ("player", "paid"), needed=("player", "paid"))
        players.add(_require_name(entry["player"], f"entries[{at}].player"))
        paid.append(_require_amount(entry["paid"], f"entries[{at}].paid"))
    return paid, players


def _read_order(groups: Sequence[object], players: set[str] | None = None) -> Finish:
    finish = tuple(_read_players(group, f"order[{at}]", players) for at, group in enumerate(groups))
    seen: set[str] = set()
    for at, tied in enumerate(finish):
        if not tied:
            raise BadMoney(
                f"order[{at}]: at least one name is expected; those after a tie come in the next list"
            )
        if again := sorted(seen.intersection(tied)):
            raise BadMoney(f"order[{at}]: {again[0]} is in the order twice")
        seen.update(tied)
    return finish


def _read_pool(row: object, where: str, players: set[str]) -> Pool:
    pool = _require_object(row, where, ("players", "stake", "prizes"), needed=("players", "stake"))
    return Pool(
        players=_read_players(pool["players"], f"{where}.players", players),
        stake=_require_amount(pool["stake"], f"{where}.stake"),
        prizes=_read_prizes(pool.get("prizes", [WHOLE]), f"{where}.prizes"),
    )


def _read_players(value: object, where: str, known: set[str] | None = None) -> tuple[str, ...]:
    names = [_require_name(one, f"{where}[{at}]") for at, one in enumerate(_require_list(value, where))]
    for at, name in enumerate(names):
        if known is not None and name not in known:
            raise BadMoney(f"{where}[{at}]: {name} is not among the entries")
        if name in names[:at]:
            raise BadMoney(f"{where}[{at}]: {name} is there twice")
    return tuple(names)


def _read_prizes(value: object, where: str) -> tuple[Prize, ...]:
    percents = [_read_percent(one, f"{where}[{at}]") for at, one in enumerate(_require_list(value, where))]
    if sum(percents) > WHOLE:
        raise BadMoney(f"{where}: the percents are more than 100 together")
    return Prize.by_place(*percents)


def _require_object(
    value: object, where: str, fields: Sequence[str], *, needed: Sequence[str] = ()
) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadMoney(f"{where}: an object is expected, not {_format_value(value)}")
    entries = cast("dict[str, Any]", value)
    if unknown := sorted(entries.keys() - set(fields)):
        raise BadMoney(f"{where}: {unknown[0]!r} is not known; {', '.join(fields)} are")
    if missing := [name for name in needed if name not in entries]:
        raise BadMoney(f"{where}: {missing[0]} is missing")
    return entries


def _require_list(value: object, where: str) -> list[object]:
    if not isinstance(value, list):
        raise BadMoney(f"{where}: a list is expected, not {_format_value(value)}")
    return cast("list[object]", value)


def _require_name(value: object, where: str) -> str:
    if not isinstance(value, str) or not value.strip() or not _is_encodable(value):
        raise BadMoney(f"{where}: a name is expected, not {_format_value(value)}")
    return value


def _is_encodable(text: str) -> bool:
    """True unless the text has lone surrogates, which JSON allows."""
    return not any("\ud800" <= char <= "\udfff" for char in text)


def _read_decimals(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_DECIMALS:
        raise BadMoney(
            f"decimals: a whole number from 0 to {MOST_DECIMALS} is expected, not {_format_value(value)}"
        )
    return value


def _require_amount(value: object, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST:
        raise BadMoney(
            f"{where}: a whole number of the smallest unit, at least 0, is expected, not {_format_value(value)}"
        )
    return value


def _read_percent(value: object, where: str) -> Fraction:
    if isinstance(value, int | str | Decimal) and not isinstance(value, bool):
        written = f"{value:f}" if _is_short_number(value) else str(value)
        if PERCENT.fullmatch(written) and Fraction(written) <= WHOLE:
            return Fraction(written)
    raise BadMoney(f"{where}: a percent from 0 to 100 is expected, not {_format_value(value)}")


def _is_short_number(value: object) -> bool:
    """True if a number such as 1e1 is short enough when written out."""
    return isinstance(value, Decimal) and abs(cast("int", value.as_tuple().exponent)) <= 24


def _format_value(value: object) -> str:
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return str(value) if isinstance(value, Decimal) else json.dumps(value)[:60]


def _parse_decimal(written: str) -> Decimal:
    try:
        return Decimal(written)
    except ArithmeticError as problem:
        raise BadMoney(f"{written[:60]} is no number that can be used") from problem


def _refuse_constant(written: str) -> object:
    raise BadMoney(f"{written} is not a number")


def _refuse_duplicate_keys(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadMoney(f"{twice!r} is there twice in one object")
    return values
