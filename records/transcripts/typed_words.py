"""Messages for input that cannot be entered in a transcription."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _

from records.base.finding_words import sentence

if TYPE_CHECKING:
    from records.transcripts.entering import CannotBe

# Messages for codes that are not from the engine.
SENTENCES: Final = {
    "too-long": lambda: _("This is too long for one turn."),
    "match-over": lambda: _("The match is over."),
    "board-unknown": lambda: _("From here on, the position is unknown. Correct the first fault."),
    "not-understood": lambda: _(
        "Type a roll and its play, as in 31 8/5 6/5, or one of: double, take, drop, resign, resign gammon."
    ),
    "no-play": lambda: _("This is not written as a play. Write it as in 31 8/5 6/5."),
    "more-to-play": lambda: _("Several plays begin like this. Enter the whole play."),
    "ambiguous": lambda: _("This can mean two plays. Enter where each checker goes."),
    "double-unanswered": lambda: _("The double has not been answered: take or drop."),
    "who-resigns": lambda: _("Enter who resigns: w resign or b resign."),
    "no-match-to-resign": lambda: _("In unlimited play only a game can be resigned."),
}


def problem(refusal: CannotBe) -> dict[str, Any]:
    """The code, message, rule and nearest plays of a refusal."""
    said = SENTENCES.get(refusal.code)
    return {
        "code": refusal.code.replace("-", "_"),
        "sentence": said() if said else sentence(refusal.sentence, refusal.rule),
        "rule": refusal.rule,
        "nearest": list(refusal.nearest),
    }
