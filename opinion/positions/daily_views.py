"""The position of the day, on the front page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from engine.svg import svg_board
from matches.play.boards import draw_mini_board
from opinion.judging.positions import find_question, turn_situation
from opinion.positions import positions
from opinion.positions.position_views import ChoiceView, build_choice_views, describe_score, describe_task


@dataclass(frozen=True, slots=True)
class DailyPart:
    """The card: small for members, large on the public home page."""

    board: SafeString
    large: SafeString
    task: str
    score: str
    url: str
    # For cube decisions. Plays are chosen on the position's own page.
    choices: tuple[ChoiceView, ...]


def build_home_part(position: str) -> DailyPart:
    return _build_part(position, get_language())


# More than enough for the positions of two days in each language.
@lru_cache(maxsize=16)
def _build_part(position: str, _language: str | None) -> DailyPart:
    # Thumbnails are drawn from White's view, so White must be on roll.
    situation = turn_situation(positions.parse_position(position))
    decision = find_question(situation)
    asked = describe_task(situation, decision)
    return DailyPart(
        board=draw_mini_board(situation),
        large=mark_safe(svg_board(situation, title=asked)),  # noqa: S308 - drawn by us; the words in it are escaped
        task=asked,
        score=describe_score(situation),
        choices=build_choice_views(situation, positions.CUBE_CHOICES.get(decision, ())),
        url=reverse("opinion:position", kwargs={"xgid": positions.to_address(situation)}),
    )
