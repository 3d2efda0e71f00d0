"""Refusals of positions, cards and the tutor, with code, message and help section."""

from __future__ import annotations

from functools import partial

from django.utils.translation import gettext_lazy as _

from runtime.refusals import Refusal


class OpinionError(Refusal):
    """A refusal about a position, a card or the tutor; str() is the message."""

    code = "position-refused"
    anchor = "play#position"


class TooManyQuestions(OpinionError):
    """Too many evaluations requested. *wait*: seconds until the next request is accepted."""

    code = "too-many-questions"
    status = 429
    sentence = _("You have asked about many positions within an hour. Ask again in a few minutes.")

    def __init__(self, wait: int) -> None:
        super().__init__(seconds=wait)
        self.wait = wait


# A refusal that fits into 130 characters is one line.
# fmt: off
refusal = partial(OpinionError.define, anchor="play#position")
UnknownPosition = refusal(
    "unknown-position", _("This is neither an XGID nor a Position ID (with or without a Match ID)."), status=400
)
ImpossiblePosition = refusal(
    "impossible-position", _("This position cannot occur in a game. Check the checkers, the cube and the score."), status=400
)
GameOver = refusal("position-over", _("In this position the game is over, so there is nothing to decide."), status=400)
PositionInPlay = refusal(
    "position-in-play",
    _("This position occurs in a match that is being played. The engine answers once that match is over."),
)
CardNotDue = refusal("card-not-due", _("You have answered this card. It comes again later."))
UnknownChoice = refusal(
    "unknown-choice", _("This cannot be played here. Make the play on the board, or write it like 8/5 6/5."), status=400
)
NoEngine = refusal("no-engine", _("There is no analysis on this machine: it has no engine."))
NotOfADay = refusal("not-of-a-day", _("Answers are counted only for positions of the day."))
AnswerUnknown = refusal("answer-unknown", _("Choose one of the answers."))
TooManyAnswers = refusal("too-many-answers", _("Many answers have come from your network. Try again in a minute."))

refusal = partial(OpinionError.define, anchor="play#tutor")
NoHint = refusal("no-hint", _("The tutor does not ask about a play at the moment."))
BadLimit = refusal("bad-limit", _("Choose a limit between 0.01 and 1."), status=400)
