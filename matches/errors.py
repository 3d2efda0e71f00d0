"""What a match refuses, and why; each with a stable code. The API's table turns them into HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.errors import CannotMerge, InvalidText

if TYPE_CHECKING:
    from engine.errors import EngineError


class MatchError(Exception):
    """Something a match will not do."""

    code = "match"

    def __init__(self, sentence: str = "", *, code: str = "", **context: Any) -> None:
        super().__init__(sentence or self.sentence())
        self.code = code or self.code
        self.context = context

    def sentence(self) -> str:
        """Return what to say where nothing more particular is known."""
        return _("That cannot be done.")


class Refused(MatchError):
    """The rules, or the state of the match, do not allow it; nothing has changed."""

    code = "refused"

    @classmethod
    def by_rules(cls, error: EngineError) -> Refused:
        """Return the engine's refusal as ours."""
        plain = {key: value for key, value in error.context.items() if isinstance(value, str | int | bool)}
        rule = {"rule": error.rule} if error.rule else {}
        return cls(str(error), code=error.code, **plain, **rule)


class Stale(MatchError):
    """The command was given on a board that is not the present one any more."""

    code = "stale"

    def __init__(self, head: int) -> None:
        super().__init__(head=head)
        self.head = head

    def sentence(self) -> str:
        """Say it."""
        return _("The match has moved on. Look at the board again.")


class NotAPlayer(MatchError):
    """Only the two at the board may do that."""

    code = "not-a-player"

    def sentence(self) -> str:
        """Say it."""
        return _("Only the players of this match may do that.")


class NotAllowed(MatchError):
    """Only a director may do that."""

    code = "not-allowed"

    def sentence(self) -> str:
        """Say it."""
        return _("Only a director of this club may do that.")


class BadTerms(MatchError):
    """No match can be played under these terms."""

    code = "bad-terms"


class PlayedEachOther(CannotMerge):
    """They sat at one board, so they are two people."""

    code = "played_each_other"
    sentence = gettext_lazy("%(one)s and %(other)s have played a match against each other.")


class LostSecret(MatchError):
    """The secret of our dice cannot be derived any more; a director must void the match."""

    code = "lost-secret"

    def sentence(self) -> str:
        """Say it."""
        return _("The server has lost its secret for the dice of this match. A director must decide.")


class EmptyLine(InvalidText):
    """Nothing was said."""

    code = "empty_line"
    sentence = gettext_lazy("Write something first.")


class TooMuchTalk(MatchError):
    """Somebody says more than others can read. *wait*: so many seconds."""

    code = "too-much-talk"

    def __init__(self, wait: float) -> None:
        super().__init__(seconds=max(1, round(wait)))
        self.wait = max(1.0, wait)

    def sentence(self) -> str:
        """Say it."""
        return _("That was too much at once. Wait a moment.")
