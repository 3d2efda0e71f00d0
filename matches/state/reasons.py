"""Reasons of the server: codes in the journal, sentences for people.

A journal contains no language or names, since these may change; a director's words are stored verbatim.
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from engine.side import BySide, Side
from matches.state.rulings import Verdict

NOBODY_CAME: Final = "nobody-came"
BOTH_AWAY: Final = "both-away"
DICE_LOST: Final = "dice-lost"
DID_NOT_COME: Final = "did-not-come"
STAYED_AWAY: Final = "stayed-away"
LEFT: Final = "left-the-site"
CALLED_OFF: Final = "called-off"
LATE: Final = "late"
NOT_LATE: Final = "not-late"
FLAG: Final = "flag"
LEFT_LYING: Final = "left-lying"
OWN_PLAY: Final = "own-play"
DECIDED: Final = "decided-by-event"

SENTENCES: Final = {
    NOBODY_CAME: _("Nobody came."),
    BOTH_AWAY: _("Both players stayed away for too long between two games."),
    DICE_LOST: _("The server could not go on with its dice."),
    FLAG: _("Time ran out."),
    LEFT_LYING: _("Nobody went on playing."),
    DECIDED: _("The match is decided in its event."),
}
# Reasons about one side.
OF_ONE: Final = {
    DID_NOT_COME: _("%(name)s did not come."),
    STAYED_AWAY: _("%(name)s stayed away for too long."),
    LEFT: _("%(name)s has deleted their account."),
    CALLED_OFF: _("%(name)s called the match off before it began."),
    OWN_PLAY: _("%(name)s took a play back."),
    LATE: _("%(name)s came late."),
    NOT_LATE: _("Penalty points of %(name)s were taken back."),
}
# Verdicts on a whole match; a director's words follow after a colon.
VERDICTS: Final = {
    Verdict.FORFEIT.value: _("Forfeit"),
    Verdict.WALKOVER.value: _("Walkover"),
    Verdict.DISQUALIFICATION.value: _("Disqualification"),
    Verdict.DECISION.value: _("Decision"),
}


def build_reason(word: str, side: Side) -> str:
    return f"{word}:{side.word}"


def translate_reason(reason: str, names: BySide[str]) -> str:
    if (sentence := find_sentence(reason, names)) is not None:
        return sentence
    word, colon, rest = reason.partition(":")
    if word in VERDICTS and colon:
        return f"{VERDICTS[word]}: {rest.strip()}"
    return reason


def find_sentence(reason: str, names: BySide[str]) -> str | None:
    """Return the sentence for a reason of the server; None for a director's words."""
    if reason in SENTENCES:
        return str(SENTENCES[reason])
    word, _colon, rest = reason.partition(":")
    if word in OF_ONE and rest in {"white", "black"}:
        return str(OF_ONE[word]) % {"name": names.black if rest == "black" else names.white}
    return None
