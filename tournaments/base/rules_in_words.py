"""The rules of play in words: how long a match is, and what the players are told before they enter (R69)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext, ngettext

from draw.play import RESPONSIBLE, RulesOfPlay
from engine.clock import MINUTE, SECOND
from matches.state import clock_words
from tournaments.base import event_rows, labels, option_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tournaments.models import Stage, Tournament


@dataclass(frozen=True, slots=True)
class Told:
    """What the players are told of how an event is played, in sentences."""

    rules: tuple[str, ...]
    clock: tuple[str, ...]
    # Settings that everybody may see and that are not as usual: label and value.
    settings: tuple[tuple[str, str], ...]
    # Brackets and rounds that are played otherwise, each with how.
    exceptions: tuple[tuple[str, str], ...]


def told(event: Tournament, stages: Sequence[Stage]) -> Told:
    """Say how an event of these stages is played."""
    play = RulesOfPlay.from_json(event.play)
    return Told(
        sentences(play),
        clock({}, play) or _clock_of_stages(stages, play),
        tuple(option_words.list_shown(event)),
        tuple(exceptions(event, stages)),
    )


def _clock_of_stages(stages: Sequence[Stage], play: RulesOfPlay) -> tuple[str, ...]:
    """Say the clock that a stage has for all its matches."""
    everywhere = (
        one for stage in stages for one in stage.rules if not one.get("bracket") and "round" not in one
    )
    return next((said for one in everywhere if (said := clock(one, play))), ())


def length(points: int, play: RulesOfPlay) -> str:
    """Return "to 7 points", or "best of 3 games".

    >>> length(2, RulesOfPlay(best_of=3))
    'best of 3 games'
    """
    if play.best_of:
        return gettext("best of %(games)s games") % {"games": play.best_of}
    return labels.points(points)


def of_pairing(points: int, rules: Mapping[str, Any]) -> str:
    """Return how long a match is by what was written into its pairing."""
    return length(points, RulesOfPlay.from_match_rules(rules))


def in_full(points: int, rules: Mapping[str, Any]) -> str:
    """Return how long a match is and what is unusual about it, on one line.

    >>> in_full(5, {"play": {"cube": False, "backgammons": False}})
    'to 5 points, no cube, backgammons count as gammons'
    """
    play = RulesOfPlay.from_match_rules(rules)
    return ", ".join((length(points, play), *_unusual(play)))


def _unusual(play: RulesOfPlay) -> Iterator[str]:
    if play.best_of:
        return
    if not play.cube:
        yield gettext("no cube")
    elif not play.crawford:
        yield gettext("no Crawford rule")
    if not play.gammons:
        yield gettext("gammons count as single games")
    elif not play.backgammons:
        yield gettext("backgammons count as gammons")
    if play.jacoby:
        yield gettext("Jacoby rule")


def of_event(event: Tournament) -> str:
    """Return how long the matches of an event are, where no round says otherwise."""
    return length(event.match_length, RulesOfPlay.from_json(event.play))


def sentences(play: RulesOfPlay) -> tuple[str, ...]:
    """Say the rules of play in full, a sentence each."""
    return tuple(_counting(play)) + tuple(_table(play))


def _counting(play: RulesOfPlay) -> Iterator[str]:
    if play.best_of:
        yield gettext("Only games count: no cube, and gammons and backgammons are single games.")
        return
    if not play.cube:
        yield gettext("No doubling cube.")
    elif play.crawford:
        yield gettext("With the doubling cube and the Crawford rule.")
    else:
        yield gettext("With the doubling cube, without the Crawford rule.")
    if play.backgammons:
        yield gettext("Gammons count double, backgammons triple.")
    elif play.gammons:
        yield gettext("Gammons count double, and so do backgammons.")
    else:
        yield gettext("Gammons and backgammons count as single games.")
    if play.jacoby:
        yield gettext("Jacoby rule: gammons count only after a double.")


def _table(play: RulesOfPlay) -> Iterator[str]:
    if play.moves == RESPONSIBLE:
        yield gettext("Responsible moves: the opponent decides whether an illegal move is corrected.")
    else:
        yield gettext("Legal moves: an illegal move is corrected until the opponent has rolled.")
    if not play.pips:
        yield gettext("The board shows no pip count.")


def clock(said: Mapping[str, Any], play: RulesOfPlay) -> tuple[str, ...]:
    """Say the clock, and what it costs to run out of time; nothing where there is none."""
    minutes, delay = said.get("minutes_a_point"), said.get("delay_seconds")
    if play.clock:
        words = clock_words.said_preset(play.clock)
    elif minutes is not None:
        words = clock_words.said_a_point(int(float(minutes) * MINUTE), int(delay or 0) * SECOND)
    else:
        return ()
    if not play.flag_points:
        return (words, gettext("A player who runs out of time loses the match."))
    costs = ngettext(
        "Running out of time costs %(points)s penalty point, and half the time is given back.",
        "Running out of time costs %(points)s penalty points, and half the time is given back.",
        play.flag_points,
    )
    return words, costs % {"points": play.flag_points}


def exceptions(event: Tournament, stages: Sequence[Stage]) -> Iterator[tuple[str, str]]:
    """Yield the brackets and rounds that are played otherwise, each with how."""
    for stage in stages:
        for one in stage.rules:
            if not one.get("play"):
                continue
            play = RulesOfPlay.from_json(event_rows.play_of(event.play, one))
            said = length(play.length(one.get("length", event.match_length)), play)
            yield _where(stage, one), " ".join((f"{said}.", *_counting(play)))


def _where(stage: Stage, one: Mapping[str, Any]) -> str:
    number, parts = one.get("round", 1), [stage.name] if stage.name else []
    if one.get("bracket"):
        parts.append(labels.bracket(one["bracket"]))
    if number == -1:
        parts.append(gettext("final"))
    elif number < 0:
        parts.append(gettext("from the round %(rounds)s before the last") % {"rounds": -1 - number})
    elif number > 1:
        parts.append(gettext("from round %(number)s") % {"number": number})
    return " · ".join(parts) or gettext("all matches")
