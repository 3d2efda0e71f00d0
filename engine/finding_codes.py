"""The table of finding codes: severity, the rule that was broken, and the sentence."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple


class Severity(StrEnum):
    """The severity of a finding. A record with a FAULT is rejected, one with a NOTE is accepted."""

    NOTE = "note"
    FAULT = "fault"


class FindingCode(NamedTuple):
    """A kind of finding: severity, quirk number in ``docs/formats.md``, broken rule, and sentence."""

    severity: Severity
    quirk: str
    rule: str
    sentence: str


def _(sentence: str) -> str:
    """Mark a sentence to be translated, which pages do."""
    return sentence


def _build_fault(rule: str, sentence: str, quirk: str = "") -> FindingCode:
    return FindingCode(Severity.FAULT, quirk, rule, sentence)


def _build_note(quirk: str, sentence: str, rule: str = "") -> FindingCode:
    return FindingCode(Severity.NOTE, quirk, rule, sentence)


CODES: Final[dict[str, FindingCode]] = {
    # A play that the dice or the board do not allow.
    "illegal-dice": _build_fault("R11", _("{who} cannot have rolled {dice}: a die shows 1 to 6."), "Q-27"),
    "dice-mismatch": _build_fault(
        "R12", _("with {dice} {who} played {played}, which is not what the dice say."), "Q-27"
    ),
    "empty-source": _build_fault(
        "R01", _("with {dice} {who} played {played}, but had no checker on {point}."), "Q-27"
    ),
    "blocked": _build_fault(
        "R14", _("with {dice} {who} played {played}, but the opponent holds {point}."), "Q-27"
    ),
    "bar-ignored": _build_fault(
        "R26", _("with {dice} {who} played {played}, but had to enter from the bar first."), "Q-27"
    ),
    "early-bearoff": _build_fault(
        "R32", _("with {dice} {who} played {played}, bearing off before every checker was home."), "Q-27"
    ),
    "wrong-bearoff": _build_fault(
        "R34",
        _("with {dice} {who} played {played}, bearing off {point} while a higher point was held."),
        "Q-27",
    ),
    "backwards": _build_fault(
        "R17", _("with {dice} {who} played {played}, which moves a checker backwards."), "Q-27"
    ),
    "partial-play": _build_fault("R19", _("with {dice} {who} played {played} and {left}."), "Q-27"),
    "smaller-die": _build_fault(
        "R21", _("with {dice} {who} played {played}, but the larger number had to be played."), "Q-27"
    ),
    "cannot-move-but-could": _build_fault("R24", _("with {dice} {who} did not move, but could."), "Q-13"),
    "unknown-play": _build_fault(
        "R24", _("{who} rolled {dice}, and the record does not say what was played.")
    ),
    "plays-not-written": _build_fault(
        "R24", _("from here on the record does not say what was played."), "Q-12"
    ),
    "illegal-play": _build_fault(
        "R12", _("with {dice} {who} played {played}, which the rules do not allow."), "Q-27"
    ),
    # The order of play.
    "opening-double": _build_fault("R10", _("{who} opened with {dice}; equal dice are thrown again.")),
    "out-of-turn": _build_fault("R11", _("{who} rolled {dice} when it was {other}'s turn.")),
    "play-after-end": _build_fault("R40", _("the game was over before {text}.")),
    # The cube.
    "double-out-of-turn": _build_fault("R45", _("{who} doubled, but a double comes before one's own roll.")),
    "double-by-nonowner": _build_fault("R45", _("{who} doubled, but the cube belonged to {other}.")),
    "double-in-crawford": _build_fault("R51", _("{who} doubled in the Crawford game.")),
    "cube-stopped": _build_fault(
        "R69", _("{who} doubled in a game in which a penalty had stopped the cube.")
    ),
    "no-cube": _build_fault("R53", _("{who} doubled in a game without a cube.")),
    "dead-cube": _build_note("", _("{who} doubled though the cube won the match already."), "R48"),
    "dead-double": _build_fault(
        "R48", _("{who} doubled though the cube won the match already; that is refused here.")
    ),
    "wrong-cube-value": _build_fault("R47", _("{who} doubled to {value}, but the next value was {right}.")),
    "double-unanswered": _build_fault("R47", _("{who} doubled, and play went on without an answer.")),
    "take-without-double": _build_fault("R47", _("{who} took, but there was no double.")),
    "drop-without-double": _build_fault("R46", _("{who} dropped, but there was no double.")),
    "beaver-without-double": _build_fault("R47", _("{who} turned the cube back, but there was no double.")),
    "no-beavers": _build_fault("R47", _("{who} turned the cube back; beavers belong to unlimited play.")),
    "automatic-double": _build_fault(
        "R10", _("the cube was turned by equal opening dice; that belongs to unlimited play.")
    ),
    # Results and the score.
    "wrong-points": _build_fault(
        "R49", _("the record gives {who} {points}, but the game was worth {right}.")
    ),
    "wrong-winner": _build_fault("R40", _("the record gives the game to {who}, but {other} won it."), "Q-29"),
    "two-results": _build_fault(
        "R40", _("the record gives the game to {who} after it had its result."), "Q-29"
    ),
    "score-jump": _build_fault("R55", _("the record begins at {score}, but the score was {right}."), "Q-29"),
    "unfinished-game": _build_fault("R40", _("the record stops before the game was won."), "Q-32"),
    "no-length": _build_note(
        "", _("The record does not say how long the match is; it is read as unlimited play."), "R52"
    ),
    "bad-length": _build_fault("R52", _("A match cannot be {value} points long.")),
    "wrong-length": _build_fault("R52", _("The record is of {value}, but the match was to be {right}.")),
    "wrong-variant": _build_fault("R02", _("The record is of {value}, but the match was to be {right}.")),
    "unknown-variant": _build_fault("R02", _("{value} is not played here.")),
    "corrupt-row": _build_fault("", _("the row cannot be read."), "Q-33"),
    "bad-position": _build_fault("R01", _("the position set here cannot be.")),
    "other-dice": _build_fault("R11", _("{who} rolled {dice}, but dice lay there: {right}.")),
    "impossible-ruling": _build_fault("R12", _("a comment says: {text}; but {right}.")),
    "position-changed": _build_fault("R01", _("the position was set by hand while the game was on.")),
    "bad-score": _build_fault("R55", _("{score} is no score of this match.")),
    # Problems that do not make the record unusable.
    "phantom-hit": _build_note(
        "Q-07", _("{who} marked a hit in {played} where there was nothing to hit."), "R25"
    ),
    "missing-hit": _build_note("Q-07", _("{who} hit with {played}, and the mark is missing."), "R25"),
    "forced-play-omitted": _build_note(
        "Q-11", _("{who}'s only play with {dice} was not written: {forced}."), "R20"
    ),
    "ambiguous-play": _build_note(
        "Q-09", _("with {dice} {who} played {played}, which can mean two plays."), "R12"
    ),
    "last-checker-die": _build_note(
        "", _("with {dice} {who} played {played}; both dice could be played."), "R19"
    ),
    "closed-out": _build_note("Q-10", _("{who} was closed out and did not roll; taken as 6-6."), "R28"),
    "cut-play": _build_note("Q-34", _("{who} resigned before the whole of {dice} was played.")),
    "repeated-play": _build_note("Q-15", _("{played} repeats {other}'s play; it was not counted.")),
    "declared-illegal": _build_note(
        "Q-28", _("the record itself calls {who}'s play illegal; the position after it is taken.")
    ),
    "set-position": _build_note("Q-26", _("the position was set by hand.")),
    "drop-omitted": _build_note(
        "Q-25", _("{who} doubled and won; that {other} dropped is not written."), "R46"
    ),
    "result-omitted": _build_note(
        "Q-32", _("the result is not written; the next score says {who} won {points}.")
    ),
    "unplayed-game": _build_note("", _("the record gives the game to {who}, and has no roll of it.")),
    "resigner-unclear": _build_note(
        "Q-17", _("the record does not say plainly who resigned; it gives the game to {who}.")
    ),
    "resign-odd-value": _build_note(
        "Q-19", _("{who} resigned {points} with the cube at {value}; read as {right}.")
    ),
    "absurd-points": _build_note(
        "Q-18", _("{who} is said to have lost {points} with the cube at {value}; read as {right}.")
    ),
    "capped-points": _build_note(
        "Q-19",
        _("the record writes {points}, the points that were needed; the game was worth {right}."),
    ),
    "length-as-points": _build_note(
        "Q-19",
        _("the record writes {points}, the length of the match; the game was worth {right}."),
    ),
    "jacoby-inferred": _build_note(
        "Q-21", _("gammons counted once while the cube was not turned: the Jacoby rule.")
    ),
    "score-past-length": _build_note(
        "Q-30", _("the match was over at {score}; this game does not count."), "R55"
    ),
    "score-not-kept": _build_note(
        "Q-41",
        _("The record writes 0-0 before every game of the session; the points are added up."),
    ),
    "starts-mid-match": _build_note("Q-31", _("The record begins at {score}.")),
    "match-unfinished": _build_note("Q-31", _("The record ends at {score}, before the match was won.")),
    "crawford-mismatch": _build_note("", _("the record is wrong about the Crawford game."), "R51"),
    "empty-name": _build_note("Q-04", _("A player has no name.")),
    "name-mismatch": _build_note("Q-06", _("The players are named differently in the heading.")),
    "position-mismatch": _build_note(
        "", _("the file's own board is not what its plays lead to; the plays are believed.")
    ),
    "wrong-checksum": _build_note("", _("A checksum is wrong; the match itself is whole.")),
    "out-of-time": _build_note("", _("a player ran out of time.")),
    "ruling": _build_note("", _("a comment says: {text}.")),
    "settlement": _build_note("", _("the game was settled.")),
    "more-findings": _build_note("", _("{number} more findings are not told.")),
    "unread-line": _build_note("Q-26", _("a line says nothing that is known.")),
}
