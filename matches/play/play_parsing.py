"""Parsing of a player's play on the current board; a refusal names the rule that the play breaks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.board import Step
from engine.dice import Dice
from engine.errors import Unreadable
from engine.formats.notation import parse_play
from engine.game import Game, Phase
from engine.plays import Play, is_legal
from engine.resolve import PlayFault, find_nearest_plays, resolve_play
from engine.sheet import Hop
from engine.side import Side
from matches.state.commands import Move
from matches.state.errors import Refused

# Notations of a turn without a legal move.
NOTHING: Final = frozenset({"", "-", "pass", "dance", "no move", "cannot move", "can't move"})

ILLEGAL: Final = PlayFault("illegal-play", "R12")
SENTENCES: Final = {
    "dice-mismatch": gettext_lazy("That does not match the dice."),
    "empty-source": gettext_lazy("You have no checker there."),
    "blocked": gettext_lazy("The opponent holds a point on the way."),
    "bar-ignored": gettext_lazy("Your checker on the bar must enter first."),
    "early-bearoff": gettext_lazy("Bear off when all your checkers are home."),
    "wrong-bearoff": gettext_lazy("A checker on a higher point must be played first."),
    "backwards": gettext_lazy("No checker moves backwards."),
    "partial-play": gettext_lazy("You can play more of this roll, so you must."),
    "smaller-die": gettext_lazy("Only one die can be played, so it must be the larger."),
    "cannot-move-but-could": gettext_lazy("There is a legal play, so you must make it."),
}


def read_steps(game: Game, side: Side, command: Move) -> tuple[Step, ...]:
    """Return the steps of a play, sent as one step per die in the order played, or as lenient notation.

    :raises Refused: it cannot be read, or is not legal.
    """
    dice = game.dice
    if dice is None or game.phase is not Phase.TO_PLAY:  # the engine raises the error
        return command.steps
    if command.play is None and is_legal(game.board, side, dice, command.steps):
        return command.steps
    hops = (
        tuple(Hop(tuple(each)) for each in command.steps)
        if command.play is None
        else _parse_hops(command.play)
    )
    found = resolve_play(game.board, side, dice, hops)
    if found.fault is None and command.play is not None:
        return found.steps
    # Steps that would be legal in another order are refused.
    fault = found.fault or ILLEGAL
    raise _build_refusal(game, side, dice, hops, fault.code, fault.rule)


def read_play(game: Game, written: str) -> Play:
    """Return the legal play of the roll in this notation.

    :raises Refused: there is no roll, or the play cannot be read or is not legal.
    """
    side, dice = game.turn, game.dice
    if dice is None or side is None or game.phase is not Phase.TO_PLAY:
        raise Refused(_("There is no roll to play."), code="play-without-dice")
    hops = _parse_hops(written)
    found = resolve_play(game.board, side, dice, hops)
    if found.play is None:
        fault = found.fault or ILLEGAL
        raise _build_refusal(game, side, dice, hops, fault.code, fault.rule)
    return found.play


def _parse_hops(written: str) -> tuple[Hop, ...]:
    words = " ".join(written.replace(",", " ").split())
    if words.lower() in NOTHING:
        return ()
    try:
        return parse_play(words)
    except Unreadable as error:
        sentence = _("“%(text)s” cannot be read as a play. Write it like this: 13/7*/3 6/5(2) bar/22.")
        raise Refused(sentence % {"text": written}, code=error.code) from error


def _build_refusal(game: Game, side: Side, dice: Dice, hops: Sequence[Hop], code: str, rule: str) -> Refused:
    sentence = SENTENCES.get(code) or _("The dice do not allow this play.")
    near = list(find_nearest_plays(game.board, side, dice, hops))
    return Refused(str(sentence), code=code, rule=rule, dice=str(dice), nearest=near)
