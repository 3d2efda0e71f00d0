"""Exercises: find a legal play. The engine checks it, and cites the rule it breaks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from engine.errors import Unreadable
from engine.formats.notation import parse_play
from engine.resolve import resolve_play
from engine.side import WHITE
from help import refusals
from help.positions import describe_position, format_roll, load_positions, render_board
from help.sections import Section, load_sections
from matches.journal.replays import serialize_decision
from matches.play import play_parsing

LONGEST: Final = 60


@dataclass(frozen=True, slots=True)
class CheckedPlay:
    written: str
    is_legal: bool
    sentence: str
    rule: str = ""

    @property
    def url(self) -> str:
        return refusals.find_address("", self.rule)


@dataclass(frozen=True, slots=True)
class Exercise:
    section: Section
    # For the server's drawing, and for the script's table.
    board: SafeString
    decision: dict[str, Any]
    words: str
    roll: str
    answer: CheckedPlay | None


def list_exercises(tried: str = "", written: str = "") -> tuple[Exercise, ...]:
    """Return all exercises; the one named *tried* has the verdict on the play *written*."""
    return tuple(
        _build_exercise(section, written if section.anchor == tried else None)
        for section in load_sections("exercises")[1:]
    )


def _build_exercise(section: Section, written: str | None) -> Exercise:
    situation = load_positions()[f"ex-{section.anchor}"].situation
    answer = None if written is None else check_play(section.anchor, written)
    return Exercise(
        section,
        render_board(situation),
        serialize_decision(situation),
        describe_position(situation),
        format_roll(situation),
        answer,
    )


def check_play(name: str, written: str) -> CheckedPlay:
    situation = load_positions()[f"ex-{name}"].situation
    written = written.strip()[:LONGEST]
    try:
        hops = () if written.lower() in play_parsing.NOTHING else parse_play(written)
    except Unreadable:
        sentence = _("That cannot be read. Write a play like this: 13/7 6/5, bar/22 or 6/off.")
        return CheckedPlay(written, is_legal=False, sentence=sentence)
    if situation.dice is None:
        raise LookupError(name)
    found = resolve_play(situation.board, WHITE, situation.dice, hops)
    if found.fault is None:
        return CheckedPlay(written, is_legal=True, sentence=_("Right: this play is legal."))
    why = play_parsing.SENTENCES.get(found.fault.code) or _("The dice do not allow this play.")
    return CheckedPlay(written, is_legal=False, sentence=str(why), rule=found.fault.rule)
