"""Signal receivers, bots, sweeps and page slots of opinion."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.dispatch import receiver
from django.utils.translation import gettext_lazy as _

from matches import hooks as match_hooks
from matches.hooks import match_reopened, record_changed
from opinion import verifiers
from opinion.analyses import analysing, here, waiting
from opinion.analyses import analysis_views as parts
from opinion.deck import learning
from opinion.figures import evidence_views as evidence
from opinion.figures import pooled_views as pooled
from opinion.judging import spots, strengths
from opinion.positions import answering, asking, choosing
from opinion.positions import daily as daily_positions
from opinion.positions import daily_views as daily
from opinion.positions import position_views as positions
from opinion.practice import lesson_views as lesson_pages
from opinion.practice import lessons, playing, tutoring
from players import hooks as player_hooks
from players.hooks import player_erased
from runtime import hooks as runtime_hooks
from runtime.hooks import SlotPart
from runtime.models import Queue
from runtime.work import sweeps

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.http import HttpRequest
    from django_stubs_ext import StrOrPromise

    from engine.rules import Rules
    from matches.hooks import Thought
    from matches.state.commands import Command
    from players.models import Player


@receiver(match_reopened, dispatch_uid="opinion.drop")
def drop(*, match_id: int, **_signal: object) -> None:
    analysing.drop(match_id=match_id)


@receiver(record_changed, dispatch_uid="opinion.refresh_record")
def refresh_record(*, key: str, now: datetime, **_signal: object) -> None:
    """Analyse a recorded match again after its facts changed."""
    analysing.refresh_record(key=key, now=now)


@receiver(player_erased, dispatch_uid="opinion.forget_cards")
def forget_cards(*, player: Player, **_signal: object) -> None:
    """Delete the answers of an erased player."""
    learning.forget(player=player)
    answering.forget(player=player)


def analyse(now: datetime) -> int:
    return int(analysing.sweep(now=now))


def choose(now: datetime) -> int:
    return int(choosing.sweep(now=now))


def position_of_the_day(_request: HttpRequest) -> object | None:
    """The position of the day; without one, the drawing code is not used."""
    found = daily_positions.compute_version_key()
    return None if found is None else daily.part_of_home(found[1])


def answer(now: datetime) -> int:
    return int(asking.sweep(now=now))


def why_no_levels() -> StrOrPromise:
    """Why bots with an engine are not available; "" if they are."""
    return "" if here.is_on() else NO_LEVELS


def why_no_rules(rules: Rules) -> StrOrPromise:
    """Why these bots do not support the rules; "" if they do."""
    return NOT_SO if spots.explain_unsupported(rules) or rules.beavers else ""


def show_tutor(_request: HttpRequest) -> bool | None:
    """True if there is a tutor here, else None."""
    return True if here.is_on() else None


def decide(name: str) -> Callable[[Thought], Command | None]:
    """The decision function of a level's bot."""
    return lambda thought: playing.decide(name, thought)


NO_LEVELS = _("The other levels need an analysis engine, and there is none here.")
NOT_SO = _("This bot plays backgammon and nackgammon with the doubling cube, and without beavers.")
# Names of the player and of the level.
CALLED = {
    strengths.BEGINNER: ("Beginner (bot)", _("Beginner")),
    strengths.CASUAL: ("Casual (bot)", _("Casual")),
    strengths.INTERMEDIATE: ("Intermediate (bot)", _("Intermediate")),
    strengths.EXPERT: ("Expert (bot)", _("Expert")),
    strengths.WORLD_CLASS: ("World class (bot)", _("World class")),
}
for level, (player, title) in CALLED.items():
    match_hooks.MINDS.add(
        level.name,
        match_hooks.Mind(
            name=level.name,
            slug=level.name,
            player=player,
            rank=level.rank,
            title=title,
            pr=level.pr,
            decide=decide(level.name),
            is_quick=False,
            why_not=why_no_levels,
            why_no_rules=why_no_rules,
        ),
    )
match_hooks.LOOKS.add(
    "tutor",
    match_hooks.Look(
        tutoring.must_wait, tutoring.evaluate_last_play, waiting.filter_for_answers, lessons.filter_matches
    ),
)
match_hooks.MATCH_FOOT.add("tutor", SlotPart("opinion/_tutor.html", lesson_pages.part_of_board))
match_hooks.LOBBY_PRACTICE.add("tutor", SlotPart("opinion/_tutor_link.html", show_tutor))
match_hooks.MATCH_SIDE.add("bot", SlotPart("opinion/_bot.html", parts.part_of_bot))
match_hooks.MATCH_SIDE.add("opinion", SlotPart("opinion/_part.html", parts.part_of_board))
match_hooks.REPLAY_UNDER.add("opinion", SlotPart("opinion/_part.html", parts.part_of_replay))
if here.is_on():
    sweeps.register(
        "opinion.analyses",
        timedelta(seconds=2),
        analyse,
        queue=Queue.SLOW,
        due=waiting.query_due,
        is_background=True,
    )
    sweeps.register(
        "opinion.positions",
        timedelta(seconds=1),
        answer,
        queue=Queue.SLOW,
        due=waiting.query_due_questions,
        is_background=True,
    )
    sweeps.register("opinion.daily", timedelta(minutes=10), choose, queue=Queue.SLOW, is_background=True)
match_hooks.HOME_DAILY.add("opinion", SlotPart("opinion/_daily.html", position_of_the_day))
match_hooks.HOME_HERO.add(
    "opinion",
    SlotPart("opinion/_hero.html", position_of_the_day, cache_key=daily_positions.compute_version_key),
)
player_hooks.PLAYER_PAGE.add("opinion", SlotPart("opinion/_player_card.html", pooled.part_of_player))
player_hooks.PLAYER_PAGE.add(
    "opinion evidence", SlotPart("opinion/_evidence_link.html", evidence.part_of_player)
)
player_hooks.RATING_CARD.add("opinion", SlotPart("opinion/_pr_row.html", pooled.part_beside_rating))
player_hooks.RATING_FIGURES.add("opinion", SlotPart("opinion/_pr_figure.html", pooled.part_beside_rating))
match_hooks.REPLAY_SHARE.add("opinion", SlotPart("opinion/_share.html", positions.part_to_share))
match_hooks.ARCHIVE_POSITION.add("opinion", SlotPart("opinion/_link.html", positions.part_to_share))
runtime_hooks.VERIFIERS.add("opinion", verifiers.analyses)
