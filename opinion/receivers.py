"""Signal receivers, bots, sweeps and page slots of opinion."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from django.db.models import F, Q
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from engine.rules import Rules
from matches import hooks as match_hooks
from matches.hooks import match_reopened, record_changed
from opinion.analyses import analyses, analysing, availability
from opinion.analyses import analysis_views as parts
from opinion.deck import deck
from opinion.figures import evidence_views as evidence
from opinion.figures import player_statistics_views as pooled
from opinion.judging import bot_decisions, spots
from opinion.positions import daily_position as daily_positions
from opinion.positions import evaluation_requests
from opinion.positions import position_views as positions
from opinion.practice import lesson_views as lesson_pages
from opinion.practice import live_engine, tutoring
from players import hooks as player_hooks
from players.hooks import player_erased
from players.models import Player
from runtime import hooks as runtime_hooks
from runtime.hooks import SlotPart
from runtime.models import Queue
from runtime.work import sweeps

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@receiver(match_reopened, dispatch_uid="opinion.drop")
def drop_analysis(*, match_id: int, **_signal: object) -> None:
    analysing.drop_analysis(match_id=match_id)


@receiver(record_changed, dispatch_uid="opinion.refresh_record")
def refresh_record_analysis(*, key: str, now: datetime, **_signal: object) -> None:
    analysing.refresh_record_analysis(key=key, now=now)


@receiver(player_erased, dispatch_uid="opinion.forget_cards")
def delete_answers(*, player: Player, **_signal: object) -> None:
    """Delete an erased player's answers to cards and positions of the day."""
    deck.delete_answers(player=player)
    daily_positions.delete_answers(player=player)


def show_daily_position(_request: HttpRequest) -> object | None:
    found = daily_positions.compute_version_key()
    return None if found is None else positions.build_home_part(found[1])


def explain_missing_levels() -> StrOrPromise:
    """Return why bots with an engine are not available; "" if they are."""
    return "" if availability.is_available() else NO_LEVELS


def explain_unsupported_rules(rules: Rules) -> StrOrPromise:
    """Return why bots with an engine do not support the rules; "" if they do."""
    return NOT_SO if spots.explain_unsupported(rules) or rules.beavers else ""


NO_LEVELS = _("The other levels need an analysis engine, and there is none here.")
NOT_SO = _("This bot plays backgammon and nackgammon with the doubling cube, and without beavers.")
# Names of the player and of the level.
CALLED = {
    bot_decisions.BEGINNER: ("Beginner (bot)", _("Beginner")),
    bot_decisions.CASUAL: ("Casual (bot)", _("Casual")),
    bot_decisions.INTERMEDIATE: ("Intermediate (bot)", _("Intermediate")),
    bot_decisions.EXPERT: ("Expert (bot)", _("Expert")),
    bot_decisions.WORLD_CLASS: ("World class (bot)", _("World class")),
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
            decide=partial(live_engine.decide, level.name),
            is_quick=False,
            why_not=explain_missing_levels,
            why_no_rules=explain_unsupported_rules,
        ),
    )
match_hooks.REVIEWERS.add(
    "tutor",
    match_hooks.Reviewer(
        tutoring.must_wait,
        tutoring.evaluate_last_play,
        # The player must answer the tutor, and has not acted since.
        waits=Q(lesson__waits_at=F("head")),
        matches=Q(lesson__isnull=False),
    ),
)
match_hooks.MATCH_FOOT.add("tutor", SlotPart("opinion/_tutor.html", lesson_pages.build_board_part))
match_hooks.LOBBY_PRACTICE.add(
    "tutor", SlotPart("opinion/_tutor_link.html", lambda _request: availability.is_available() or None)
)
match_hooks.MATCH_SIDE.add("bot", SlotPart("opinion/_bot.html", parts.build_bot_part))
match_hooks.MATCH_SIDE.add("opinion", SlotPart("opinion/_part.html", parts.build_board_part))
match_hooks.REPLAY_UNDER.add("opinion", SlotPart("opinion/_part.html", parts.build_replay_part))
if availability.is_available():
    sweeps.register(
        "opinion.analyses",
        timedelta(seconds=2),
        analysing.sweep,
        queue=Queue.SLOW,
        due=analyses.query_due,
        is_background=True,
    )
    sweeps.register(
        "opinion.positions",
        timedelta(seconds=1),
        evaluation_requests.sweep,
        queue=Queue.SLOW,
        due=analyses.query_due_questions,
        is_background=True,
    )
    sweeps.register(
        "opinion.daily", timedelta(minutes=10), daily_positions.sweep, queue=Queue.SLOW, is_background=True
    )
match_hooks.HOME_DAILY.add("opinion", SlotPart("opinion/_daily.html", show_daily_position))
match_hooks.HOME_HERO.add(
    "opinion",
    SlotPart("opinion/_hero.html", show_daily_position, cache_key=daily_positions.compute_version_key),
)
player_hooks.PLAYER_PAGE.add("opinion", SlotPart("opinion/_player_card.html", pooled.build_player_part))
player_hooks.PLAYER_PAGE.add(
    "opinion evidence", SlotPart("opinion/_evidence_link.html", evidence.build_player_part)
)
player_hooks.EXPORTS.add("answers_to_cards", deck.export_answers)
player_hooks.EXPORTS.add("answers_to_positions_of_the_day", daily_positions.export_answers)
player_hooks.RATING_CARD.add("opinion", SlotPart("opinion/_pr_row.html", pooled.part_beside_rating))
player_hooks.RATING_FIGURES.add("opinion", SlotPart("opinion/_pr_figure.html", pooled.part_beside_rating))
match_hooks.REPLAY_SHARE.add("opinion", SlotPart("opinion/_share.html", positions.part_to_share))
match_hooks.ARCHIVE_POSITION.add("opinion", SlotPart("opinion/_link.html", positions.part_to_share))
runtime_hooks.VERIFIERS.add("opinion", analyses.verify_analyses)
