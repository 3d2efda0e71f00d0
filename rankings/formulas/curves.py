"""The logistic curve that all systems share."""

from __future__ import annotations

from typing import Final

# 10 to this power is still a float; beyond it nobody has a chance anyway.
LARGEST_POWER: Final = 300.0


def chance_against(lead: float) -> float:
    """Return the chance against an opponent who leads by so many scales.

    >>> chance_against(0.0), round(chance_against(1.0), 4)
    (0.5, 0.0909)
    """
    if lead > LARGEST_POWER:
        return 0.0
    return 1.0 / (float(10.0**lead) + 1.0)
