"""The sentences that the pages' scripts say, handed over in the reader's language (the table's own: `board_words`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from matches.play.board_words import board_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django_stubs_ext import StrOrPromise

DASH: Final = "\N{EN DASH}"

# How long times are written, by the page's script and by ourselves.
HOURS: Final = _("{time} h")
DAYS_HOURS: Final = _("{days} d {hours} h")
ONE_DAY: Final = _("{n} day")
DAYS: Final = _("{n} days")
# From here on hours do not matter.
MANY_DAYS: Final = 10

PAGE: Final = {
    # what is expected, beside what the table says itself
    "ask.sealing": _("Sealing your dice…"),
    "ask.waiting": _("Waiting for {name} to come to the board."),
    "ask.ready": _("Ready? The opening roll decides who begins."),
    "ask.next": _("{result} Ready for the next game?"),
    "ask.not-ready": _("Waiting for {name} to be ready."),
    "ask.opening-watch": _("Both are getting ready for the opening roll."),
    "ask.air": _("Waiting for {name}: their browser has not sent its share of the roll yet."),
    "ask.air-clock": _(
        "Waiting for {name}: their browser has not sent its share of the roll yet, and their clock is "
        "running."
    ),
    "ask.giving": _("Sending your share of the roll…"),
    "ask.resigned": _("{name} offers to resign {what}."),
    "ask.wait-answer": _("You offered to resign {what}. {name} has to answer."),
    "ask.wait-answer-watch": _("{other} offered to resign {what}. {name} has to answer."),
    "ask.paused": _("The match is paused."),
    # somebody stays away from a board without a clock
    "away.gone": _("{name} is away."),
    "away.share": _("{name} has not sent their share of the roll."),
    "away.win": _("In {time} you can claim the win."),
    "away.void": _("In {time} you can have the match called off."),
    "away.resign": _("In {time} your offer can count as declined."),
    "away.adjourn": _("The match will wait until {date} at the latest."),
    "away.may.win": _("You can claim the win, or wait."),
    "away.may.void": _("You can have the match called off, or wait."),
    "away.may.resign": _("You can treat your offer as declined and play on."),
    "do.claim.win": _("Claim the win"),
    "do.claim.void": _("Call it off"),
    "do.claim.resign": _("Play on"),
    "ask.kept": _("You are offline. Your turn is kept and will be sent."),
    "ask.lost": _(
        "The dice of this match were sealed in another browser. Open it there, or go on "
        "without your share. Your rolls will then be made without it."
    ),
    "ask.replay": _("You are looking at an earlier position."),
    "what.1": _("a single game"),
    "what.2": _("a gammon"),
    "what.3": _("a backgammon"),
    # how games and matches end
    "won.bearoff.1": _("{name} won a single game: {points}."),
    "won.bearoff.2": _("{name} won a gammon: {points}."),
    "won.bearoff.3": _("{name} won a backgammon: {points}."),
    "won.drop": _("{name} won as the double was dropped: {points}."),
    "won.resign": _("{name} won by resignation: {points}."),
    "won.flag": _("{name} won on time: {points}."),
    "won.concession": _("The match was resigned: {points}."),
    "won.ruling": _("The director ruled for {name}: {points}."),
    "won.void": _("The game does not count."),
    "points.one": _("{n} point"),
    "points.other": _("{n} points"),
    "match.won": _("{name} won the match {score}."),
    "match.you-won": _("You won the match {score}."),
    "match.flag": _("Time ran out."),
    "match.concession": _("The match was resigned."),
    "match.ruling": _("The director decided this."),
    "match.void": _("The match does not count."),
    # who is there
    "here.yes": _("at the board"),
    "here.no": _("away"),
    "watching.one": _("{n} watching"),
    "watching.other": _("{n} watching"),
    "turn.mine": _("your turn"),
    "pips": _("pips {n}"),
    # the line to us
    "line.off": _("Reconnecting…"),
    "line.offline": _("You are offline. What you do is kept and sent when you are back."),
    "line.refused": _("That was no longer possible."),
    "line.why": _("Why?"),
    "why.rule": _("Why? {rule}"),
    "why.nearest": _("Legal near it: {plays}."),
    "line.signed-out": _("You have been signed out. Sign in again to play on."),
    # clocks
    "clock.low": _("{time} left"),
    "clock.say": _("You have {mine}, {name} has {theirs}."),
    "clock.none": _("This match has no clock."),
    "clock.delay": _("+{n}"),
    "clock.hours": HOURS,
    "clock.days-hours": DAYS_HOURS,
    "clock.days.one": ONE_DAY,
    "clock.days.other": DAYS,
    # the list of moves
    "moves.game": _("Game {n}"),
    "moves.number": _("Number"),
    "moves.score": _("at {score}"),
    "moves.double": _("doubles to {value}"),
    "moves.take": _("takes"),
    "moves.drop": _("drops"),
    "moves.beaver": _("beavers"),
    "moves.none": _("no move"),
    "moves.live": _("live"),
    "moves.at": _("{n} of {of}"),
    "moves.resigns": _("offers {what}"),
    "moves.declines": _("declines"),
    "moves.accepts": _("accepts"),
    "moves.concedes": _("resigns the match"),
    "moves.flag": _("out of time"),
    "moves.ruled": _("ruling of the director"),
    "moves.taken-back": _("taken back"),
    # dice
    "dice.checked.one": _("{n} roll checked in this browser"),
    "dice.checked.other": _("{n} rolls checked in this browser"),
    "dice.wrong": _("Roll {n} does not add up: {why}."),
    "dice.why.link": _("a share does not lead to the promise"),
    "dice.why.dice": _("the shares make other dice"),
    "dice.why.mine": _("your own share was not used"),
    # what is pressed
    "do.ready": _("Ready"),
    "do.accept": _("Accept"),
    "do.decline": _("Decline"),
    "do.rematch": _("Rematch"),
    "do.forgo": _("Go on without"),
    "do.live": _("Back to live"),
    "do.replay": _("Replay"),
    "do.again": _("Play again"),
    "do.dice": _("Check the dice"),
    "do.withdraw": _("Withdraw"),
    "rematch.offered": _("You have offered {name} a rematch."),
    "rematch.wanted": _("{name} wants a rematch."),
    "rematch.declined": _("{name} does not want a rematch now."),
    # a race that is played out
    "race.play": _("Play it out"),
    "race.agree": _("Agree to play it out"),
    "race.asked": _("{name} would like to play this race out."),
    "race.waiting": _("Offered: play it out"),
    "race.stop": _("Stop playing it out"),
    # said once, at one's first board
    "hint.sound": _("Would you like sound?"),
    "hint.seal": _("Sealed dice: nobody can choose what is rolled."),
    "hint.roll": _("While you cannot double, your dice are rolled for you."),
    "hint.ring": _("A tap on a checker plays the die with the gold ring."),
    "hint.yes": _("Sound on"),
    "hint.no": _("No sound"),
    "hint.ok": _("Got it"),
    "sound.on": _("Sound: on"),
    "sound.off": _("Sound: off"),
    # talk
    "talk.hidden": _("removed by a director"),
    "talk.empty": _("Nobody has said anything yet."),
}

# A match that is watched again, beside what it shares with a live one.
REPLAY: Final = {
    "replay.chance": _("Chance to win the match at this score: {a} {x}%, {b} {y}%."),
    "replay.dropped": _("If this double is dropped: {a} {x}%, {b} {y}%."),
    "replay.play": _("Autoplay"),
    "replay.stop": _("Stop"),
    "replay.at": _("Game {game}, {words}"),
}

DICE: Final = {
    "label.strict": pgettext_lazy("dice", "strict"),
    "label.sealed": pgettext_lazy("dice", "sealed"),
    "label.weaker": pgettext_lazy("dice", "weaker"),
    "reason.asked": _("both were at the board: the other share came when the roll was asked for"),
    "reason.opening": _("an opening roll: nobody has anything to decide before it"),
    "reason.no-double": _("no double could matter, so knowing the roll would have helped nobody"),
    "reason.correspondence": _("played by correspondence: the share was left with the last move"),
    "reason.bot": _("the bot belongs to the server, and so does its share"),
    "reason.ahead": _("one of the two was away, or a program left its share beforehand"),
    "reason.silent": _("one of the two gave no secret share"),
    "roller.opening": _("opening"),
    "state.holds": _("correct"),
    "state.wrong": _("wrong"),
    "progress": _("{done} of {all} rolls checked"),
    "verdict.holds": _(
        "Every roll is correct: {n} rolls were recomputed from their shares, and each matches "
        "the one that was played."
    ),
    "verdict.wrong": _("Something is wrong. The first problem: roll {n}, {why}."),
    "verdict.promise": _("Something is wrong: a promise does not match what was shown ({why})."),
    "verdict.digest": _(
        "The rolls are correct, but the document does not match its digest: it was changed along the way."
    ),
    "verdict.none": _("No roll was made in this match."),
    "file.bad": _("This file is not a dice document: {why}"),
    "file.format": _("it is not called barpoint-dice, version 1."),
    "file.other": _("This is the document of match {match}."),
    "fetch.failed": _("The document could not be fetched. Choose the file you downloaded instead."),
    "why.wrong-commitment": _("the head is not the one that was promised"),
    "why.equal-heads": _("two parties gave the same chain"),
    "why.wrong-number": _("rolls are missing or appear twice"),
    "why.tie-kept": _("a tie was not rolled again"),
    "why.chain-used-up": _("the chains were used up"),
    "why.wrong-link": _("a share does not lead to the promise"),
    "why.repeated-share": _("a share was used twice"),
    "why.equal-shares": _("two shares are equal"),
    "why.wrong-dice": _("the shares make other dice"),
}


def clock(milliseconds: int) -> str:
    """Return a reserve as the page's script spells it (`static/js/board/clock.js`), to the second.

    >>> clock(541_000), clock(3_723_000), clock(67_320_000), clock(187_200_000), clock(864_000_000)
    ('9:01', '1:02:03', '18:42 h', '2 d 4 h', '10 days')
    """
    seconds = -(-milliseconds // 1000)
    hours, minutes = divmod(milliseconds // 60_000, 60)
    if hours >= 24:
        return _days(*divmod(hours, 24))
    if hours >= 2:
        return str(HOURS).format(time=f"{hours}:{minutes:02}")
    minutes, left = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def _days(days: int, hours: int) -> str:
    if days < MANY_DAYS and hours:
        return str(DAYS_HOURS).format(days=days, hours=hours)
    return str(ONE_DAY if days == 1 else DAYS).format(n=days)


def of_the_table() -> dict[str, str]:
    """Return the table's own sentences; English ones it brings itself (`static/js/board/words.js`)."""
    return {} if (get_language() or "en").startswith("en") else board_words()


def told(*lists: Mapping[str, StrOrPromise]) -> dict[str, str]:
    """Return sentences for a script, in the language of this request."""
    return {name: str(sentence) for words in lists for name, sentence in words.items()}
