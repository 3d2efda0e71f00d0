"""Letters to type at `/m/` instead of a QR code (ADR 90).

They are assigned when a code is printed or shown, and valid for the evening.

There are 20**7 = 1.28e9 codes; a network can try about 30 an hour (`TRIES`), the /48 around an IPv6 network
about 200 (`WIDE_TRIES`). On an evening of six hours with 200 open matches, one network hits any of these with a
chance of 6 * 30 * 200 / 1.28e9, one in 35,000; a /48 one in 5,300; a thousand networks together one in 35. A
report made with a guessed code must still be confirmed on another device.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from players.access import attempts
from players.keys import LETTERS, new_letters
from records.base.errors import TooManyShortCodes, UnknownShortCode
from records.models import ShortCode
from records.models.sheets import LETTERS_LENGTH
from tournaments.base import codes
from tournaments.hooks import TypedLetters

TRIES: Final = attempts.RateLimit(free=12, first=5, most=300)
WIDE_TRIES: Final = attempts.RateLimit(free=96, first=1, most=37)
# Rounds of drawing letters until all are free; a collision is rare, one in 1.28e9 pairs.
DRAWS: Final = 3


def assign_letters(addresses: Collection[str], begins: datetime, now: datetime) -> dict[str, TypedLetters]:
    """Return the letters for each address of a code, new ones for codes that have none.

    *begins*: start of the event; cards may be printed before. A code keeps its letters while they are valid.
    """
    tonight = codes.compute_evening_expiry(max(begins, now))
    address_of = {codes.extract_code(address): address for address in addresses}
    until = {code: min(codes.get_expiry(code), tonight) for code in address_of}
    found = _load_valid(until, now=now)
    if len(found) < len(until):
        ShortCode.objects.filter(until__lte=now).delete()
    for _draw in range(DRAWS):
        # Sorted, so that concurrent prints do not deadlock.
        missing = sorted(until.keys() - found.keys())
        if not missing:
            break
        rows = [
            ShortCode(letters=new_letters(LETTERS_LENGTH), code=code, until=until[code]) for code in missing
        ]
        ShortCode.objects.bulk_create(rows, ignore_conflicts=True)
        found |= _load_valid(missing, now=now)
    earlier = [row for code, row in found.items() if row.until < until[code]]
    for row in earlier:
        row.until = until[row.code]
    ShortCode.objects.bulk_update(earlier, ["until"])
    return {
        address_of[code]: TypedLetters(f"{row.letters[:3]} {row.letters[3:]}", row.until)
        for code, row in found.items()
    }


def resolve_letters(typed: str, *, address: str, now: datetime) -> str:
    """Find the code of these letters; case and spaces are ignored.

    :raises UnknownShortCode: unknown or expired.
    :raises TooManyShortCodes: rate limit of the network; nothing was looked up.
    """
    letters = "".join(each for each in typed.upper() if each.isalnum())
    if len(letters) != LETTERS_LENGTH or not set(letters) <= set(LETTERS):
        raise UnknownShortCode
    lanes = attempts.build_network_buckets(TRIES, "short codes", address, wide_pace=WIDE_TRIES)
    try:
        turn = attempts.count_try(lanes, now=now)
    except attempts.TooManyTries as error:
        raise TooManyShortCodes(seconds=error.seconds) from None
    row = ShortCode.objects.filter(letters=letters, until__gt=now).first()
    if row is None:
        raise UnknownShortCode
    turn.give_back()
    return row.code


def _load_valid(wanted: Collection[str], *, now: datetime) -> dict[str, ShortCode]:
    return {row.code: row for row in ShortCode.objects.filter(code__in=wanted, until__gt=now)}
