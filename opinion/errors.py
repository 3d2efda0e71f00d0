"""What is refused of positions, and why; each with a stable code."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from runtime.refusals import Refusal


class OpinionError(Refusal):
    """Something that is not told or done about a position; str() is the sentence to show."""

    code = "position-refused"


class UnknownPosition(OpinionError):
    """What was pasted is written in no way that is known here."""

    code = "unknown-position"
    sentence = _("This is no XGID, and no Position ID with or without a Match ID.")


class ImpossiblePosition(OpinionError):
    """It is written as it should be, but there is no such position in a game."""

    code = "impossible-position"
    sentence = _("There is no such position in a game: look at the checkers, the cube and the score.")


class GameOver(OpinionError):
    """Somebody has borne off everything."""

    code = "position-over"
    sentence = _("In this position the game is over, so there is nothing to decide.")


class PositionInPlay(OpinionError):
    """It stands in a match that is being played between people."""

    code = "position-in-play"
    sentence = _(
        "This position stands in a match that is being played. Until that is over, no engine answers."
    )


class CardNotDue(OpinionError):
    """It was answered, and has not come again."""

    code = "card-not-due"
    sentence = _("You have answered this card. It comes again later.")


class UnknownChoice(OpinionError):
    """What was answered cannot be done there."""

    code = "unknown-choice"
    sentence = _("This cannot be played here. Make the play on the board, or write it like 8/5 6/5.")


class NoEngine(OpinionError):
    """There is no engine here."""

    code = "no-engine"
    sentence = _("There is no analysis on this machine: it has no engine.")


class NoHint(OpinionError):
    """The tutor has pointed nothing out, or it has been answered."""

    code = "no-hint"
    sentence = _("The tutor does not ask about a play at the moment.")


class BadLimit(OpinionError):
    """Nobody can lose so much by a play, or so little means nothing."""

    code = "bad-limit"
    sentence = _("The tutor can point out plays that lose between 0.01 and 1.")


class TooManyQuestions(OpinionError):
    """Somebody asks more than a worker can answer. *wait*: so many seconds."""

    code = "too-many-questions"
    sentence = _("You have asked about many positions within an hour. Ask again in a few minutes.")

    def __init__(self, wait: int) -> None:
        super().__init__(seconds=wait)
        self.wait = wait


class NotOfADay(OpinionError):
    """Answers are counted for positions of the day alone."""

    code = "not-of-a-day"
    sentence = _("Answers are counted for positions of the day alone.")


class AnswerUnknown(OpinionError):
    """What was answered was not among the choices of the position."""

    code = "answer-unknown"
    sentence = _("This is none of the choices.")


class TooManyAnswers(OpinionError):
    """Too many answers came from one address. *seconds*: until the next is counted."""

    code = "too-many-answers"
    sentence = _("Many answers have come from your network. Try again in a minute.")
