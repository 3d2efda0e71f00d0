"""Two dice: the twenty-one rolls and their weights. Nothing here is random."""

from __future__ import annotations

from typing import NamedTuple

from engine.errors import Impossible, Unreadable


class Dice(NamedTuple):
    """A roll, the higher die first.

    >>> Dice.from_numbers(3, 5), Dice.parse("66").numbers, str(Dice(2, 1))
    (Dice(high=5, low=3), (6, 6, 6, 6), '21')
    """

    high: int
    low: int

    @classmethod
    def from_numbers(cls, first: int, second: int) -> Dice:
        """Return the roll of two dice in either order."""
        if not (1 <= first <= 6 and 1 <= second <= 6):
            raise Impossible("illegal-dice", f"{first} and {second} are no dice.", dice=[first, second])
        return ROLLED[first - 1][second - 1]

    @classmethod
    def parse(cls, text: str) -> Dice:
        """Parse ``65`` or ``6-5``."""
        digits = text.strip().replace("-", "")
        if len(digits) != 2 or not (digits.isascii() and digits.isdigit()):
            raise Unreadable("illegal-dice", f"{text!r} is no roll: write two digits, such as 65.", text=text)
        return cls.from_numbers(int(digits[0]), int(digits[1]))

    @property
    def is_double(self) -> bool:
        return self.high == self.low

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers to play: two, or the same one four times (R18)."""
        return (self.high,) * 4 if self.high == self.low else (self.high, self.low)

    @property
    def weight(self) -> int:
        """The number of throws, of the thirty-six, that give this roll."""
        return 1 if self.high == self.low else 2

    def __str__(self) -> str:
        return f"{self.high}{self.low}"


def remove_die(numbers: tuple[int, ...], die: int) -> tuple[int, ...]:
    place = numbers.index(die)
    return (*numbers[:place], *numbers[place + 1 :])


ROLLED = tuple(tuple(Dice(max(a, b), min(a, b)) for b in range(1, 7)) for a in range(1, 7))
ROLLS = tuple(Dice(high, low) for high in range(1, 7) for low in range(1, high + 1))
