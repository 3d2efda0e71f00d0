"""A finding as pages say it, beside the rule that it names."""

from __future__ import annotations


def sentence(message: str, rule: str | None) -> str:
    """Return the sentence without the rule at its end: on a page it stands beside it, and leads to the rules.

    >>> sentence("Game 1, roll 3: This play is not legal. R12.", "R12")
    'Game 1, roll 3: This play is not legal.'
    """
    return message.removesuffix(f" {rule}.") if rule else message
