"""The exceptions of the engine.

Every refusal has a stable ``code`` for programs, a sentence for people, the rule it comes from if there is
one, and a ``context`` with the values that the sentence mentions.
"""

from __future__ import annotations


class EngineError(Exception):
    """Base class of all refusals.

    >>> error = IllegalAction("not-your-turn", "It is the other side's turn.", rule="R11", side="white")
    >>> error.code, error.rule, error.context["side"], str(error)
    ('not-your-turn', 'R11', 'white', "It is the other side's turn.")
    """

    def __init__(self, code: str, message: str, /, *, rule: str = "", **context: object) -> None:
        super().__init__(message)
        self.code = code
        self.rule = rule
        self.context = context


class IllegalAction(EngineError):
    """The rules do not allow this action now; the state is unchanged."""


class Impossible(EngineError):
    """The value cannot exist: sixteen checkers, a die of seven, a match of minus five points."""


class Unreadable(EngineError):
    """Text or bytes that are malformed or larger than the limit."""
