"""What the engine refuses, and why.

Every refusal has a stable ``code`` for programs, a sentence for people, the rule it comes from
where there is one, and a ``context`` with the figures the sentence speaks of.
"""

from __future__ import annotations


class EngineError(Exception):
    """Something the engine will not do.

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
    """The rules do not allow this now; nothing has changed."""


class Impossible(EngineError):
    """No such value can exist: sixteen checkers, a die of seven, a match of minus five points."""


class Unreadable(EngineError):
    """Text or bytes that do not say what they should, or are more than will be read."""
