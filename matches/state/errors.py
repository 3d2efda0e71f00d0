"""Errors of matches, each with a stable code and its HTTP status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.utils.translation import gettext_lazy as _

from engine.errors import EngineError
from players.errors import InvalidText

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class MatchError(Exception):
    """A refusal, with the message and code of the class or of the instance."""

    code = "match"
    status: ClassVar[int] = 409
    sentence: ClassVar[StrPromise] = _("That cannot be done.")

    def __init__(self, sentence: str = "", *, code: str = "", **context: Any) -> None:
        super().__init__(sentence or str(self.sentence))
        self.code = code or self.code
        self.context = context


class Refused(MatchError):
    """The rules or the state of the match do not allow it; nothing has changed."""

    code = "refused"

    @classmethod
    def by_rules(cls, error: EngineError) -> Refused:
        """Convert an error of the engine."""
        plain = {key: value for key, value in error.context.items() if isinstance(value, str | int | bool)}
        rule = {"rule": error.rule} if error.rule else {}
        return cls(str(error), code=error.code, **plain, **rule)


class Stale(MatchError):
    """The command was given on an outdated board."""

    code = "stale"
    sentence = _("The match has moved on. Look at the board again.")

    def __init__(self, head: int) -> None:
        super().__init__(head=head)
        self.head = head


class NotAPlayer(MatchError):
    code = "not-a-player"
    status = 403
    sentence = _("Only the players of this match may do that.")


class NotAllowed(MatchError):
    code = "not-allowed"
    status = 403
    sentence = _("Only a director of this club may do that.")


class BadTerms(MatchError):
    code = "bad-terms"
    status = 400


class LostSecret(MatchError):
    """The secret of the server's dice can no longer be derived; a director must void the match."""

    code = "lost-secret"
    sentence = _("The server has lost its secret for the dice of this match. A director must decide.")


class TooMuchTalk(MatchError):
    """A line or report over the rate limit. *wait*: seconds until the next one."""

    code = "too-much-talk"
    status = 429
    sentence = _("That was too much at once. Wait a moment.")

    def __init__(self, wait: float) -> None:
        super().__init__(seconds=max(1, round(wait)))
        self.wait = max(1.0, wait)


EmptyLine = InvalidText.define("empty_line", _("Write something first."), anchor="etiquette#talking")
