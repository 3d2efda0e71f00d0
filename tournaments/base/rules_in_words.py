"""Rules in words: labels and values of options, match length, and what players read before they enter (R69)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext, ngettext

from draw.options import Choice, Flag, Option
from draw.rules_of_play import RESPONSIBLE, RulesOfPlay
from engine.clock import MINUTE, SECOND
from matches.state import clock_words
from tournaments.base import event_rows, labels, local_times, settings
from tournaments.base.settings import DateAndTime, Lateness, Minutes
from tournaments.models import Stage, Tournament

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class RulesInWords:
    rules: tuple[str, ...]
    clock: tuple[str, ...]
    # Public settings that differ from the default: label and value.
    settings: tuple[tuple[str, str], ...]
    # Brackets and rounds with other rules: label and description.
    exceptions: tuple[tuple[str, str], ...]


def describe_rules(event: Tournament, stages: Sequence[Stage]) -> RulesInWords:
    play = RulesOfPlay.from_json(event.play)
    return RulesInWords(
        list_sentences(play),
        describe_clock({}, play) or _describe_stage_clock(stages, play),
        tuple(list_shown_settings(event)),
        tuple(list_exceptions(event, stages)),
    )


def _describe_stage_clock(stages: Sequence[Stage], play: RulesOfPlay) -> tuple[str, ...]:
    """Describe the clock of the first stage that has one for all its matches."""
    everywhere = (
        one for stage in stages for one in stage.rules if not one.get("bracket") and "round" not in one
    )
    return next((described for one in everywhere if (described := describe_clock(one, play))), ())


def format_length(points: int, play: RulesOfPlay) -> str:
    """Return "to 7 points", or "best of 3 games".

    >>> format_length(2, RulesOfPlay(best_of=3))
    'best of 3 games'
    """
    if play.best_of:
        return gettext("best of %(games)s games") % {"games": play.best_of}
    return labels.format_points(points)


def describe_pairing_length(points: int, rules: Mapping[str, Any]) -> str:
    return format_length(points, RulesOfPlay.from_match_rules(rules))


def describe_match(points: int, rules: Mapping[str, Any]) -> str:
    """Return the length of a match and its unusual rules, on one line.

    >>> describe_match(5, {"play": {"cube": False, "backgammons": False}})
    'to 5 points, no cube, backgammons count as gammons'
    """
    play = RulesOfPlay.from_match_rules(rules)
    return ", ".join((format_length(points, play), *_list_unusual_rules(play)))


def _list_unusual_rules(play: RulesOfPlay) -> Iterator[str]:
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


def describe_event_length(event: Tournament) -> str:
    return format_length(event.match_length, RulesOfPlay.from_json(event.play))


def list_sentences(play: RulesOfPlay) -> tuple[str, ...]:
    moves = (
        gettext("Responsible moves: the opponent decides whether an illegal move is corrected.")
        if play.moves == RESPONSIBLE
        else gettext("Legal moves: an illegal move is corrected until the opponent has rolled.")
    )
    pips = () if play.pips else (gettext("The board shows no pip count."),)
    return (*_list_counting_rules(play), moves, *pips)


def _list_counting_rules(play: RulesOfPlay) -> Iterator[str]:
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


def describe_clock(clock: Mapping[str, Any], play: RulesOfPlay) -> tuple[str, ...]:
    """Describe the clock and the penalty for running out of time; empty without a clock."""
    minutes, delay = clock.get("minutes_a_point"), clock.get("delay_seconds")
    if play.clock:
        words = clock_words.describe_preset(play.clock)
    elif minutes is not None:
        words = clock_words.describe_per_point(int(float(minutes) * MINUTE), int(delay or 0) * SECOND)
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


def list_exceptions(event: Tournament, stages: Sequence[Stage]) -> Iterator[tuple[str, str]]:
    """Yield brackets and rounds with other rules, and their description."""
    for stage in stages:
        for one in stage.rules:
            if not one.get("play"):
                continue
            play = RulesOfPlay.from_json(event_rows.merge_play_rules(event.play, one))
            length = format_length(play.length(one.get("length", event.match_length)), play)
            yield _describe_scope(stage, one), " ".join((f"{length}.", *_list_counting_rules(play)))


def _describe_scope(stage: Stage, one: Mapping[str, Any]) -> str:
    number, parts = one.get("round", 1), [stage.name] if stage.name else []
    if one.get("bracket"):
        parts.append(labels.format_bracket(one["bracket"]))
    if number == -1:
        parts.append(gettext("final"))
    elif number < 0:
        rounds = -1 - number
        before = ngettext(
            "from %(rounds)s round before the final", "from %(rounds)s rounds before the final", rounds
        )
        parts.append(before % {"rounds": rounds})
    elif number > 1:
        parts.append(gettext("from round %(number)s") % {"number": number})
    return " · ".join(parts) or gettext("all matches")


def translate_label(english: StrOrPromise) -> str:
    """Translate a label of the library `draw`; labels of models are lazy translations already."""
    return gettext(english) if isinstance(english, str) and english else str(english)


def format_minutes(count: int) -> str:
    return ngettext("%(count)s minute", "%(count)s minutes", count) % {"count": count}


def describe_lateness(steps: Sequence[Sequence[int | None]]) -> str:
    """Return the penalties for lateness in a sentence, "" if there are none.

    >>> describe_lateness([[1, 1], [6, None]])
    'After 1 minute 1 penalty point, after 6 minutes the match.'
    """
    described = ", ".join(
        _describe_lateness_step(format_minutes(minutes or 0), points) for minutes, points in steps
    )
    return f"{described[0].upper()}{described[1:]}." if described else ""


def _describe_lateness_step(minutes: str, points: int | None) -> str:
    if points is None:
        return gettext("after %(minutes)s the match") % {"minutes": minutes}
    sentence = ngettext(
        "after %(minutes)s %(points)s penalty point", "after %(minutes)s %(points)s penalty points", points
    )
    return sentence % {"minutes": minutes, "points": points}


def describe_value(option: Option[Any], value: Any, zone: str) -> str:
    """Format a value of an option; times are shown in *zone*."""
    match option:
        case Flag():
            return gettext("yes") if value else gettext("no")
        case Choice():
            return translate_label(option.choices[value])
        case Minutes():
            return format_minutes(value)
        case DateAndTime():
            return local_times.format_moment(value, zone, local_times.format_day)
        case Lateness():
            return describe_lateness(value)
        case _:
            return str(value)


def list_shown_settings(event: Tournament) -> Iterator[tuple[str, str]]:
    """Yield label and value of the settings on an event's page that differ from their default."""
    for name, each in settings.list_declared().items():
        value = getattr(event, name) if each.is_shown else None
        if value not in (None, [], each.option.default):
            yield translate_label(each.option.label), describe_value(each.option, value, event.club.time_zone)
