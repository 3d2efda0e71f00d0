"""Wording of findings on pages, next to a link to the rule."""

from __future__ import annotations


def sentence(message: str, rule: str | None) -> str:
    """The message without the rule at its end, because pages show the rule as a separate link.

    >>> sentence("Game 1, roll 3: This play is not legal. R12.", "R12")
    'Game 1, roll 3: This play is not legal.'
    """
    return message.removesuffix(f" {rule}.") if rule else message
