"""The doubling cube: its value, its owner, and the right to turn it (R44-R48)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import Impossible
from engine.side import Side

HIGHEST = 1 << 20


@dataclass(frozen=True, slots=True)
class Cube:
    value: int = 1
    owner: Side | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.value <= HIGHEST or self.value & (self.value - 1):
            raise Impossible("wrong-cube-value", f"No cube shows {self.value}.", value=self.value)

    @property
    def log(self) -> int:
        """The number of times that the cube has been turned."""
        return self.value.bit_length() - 1

    def is_open_to(self, side: Side) -> bool:
        """True if *side* may turn the cube, which is in the middle or owned by *side* (R45)."""
        return self.owner is None or self.owner is side


CENTRED = Cube()
