"""The analysis section on a match's page and replay, and requests for one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_POST

from engine.side import Side
from matches import hooks as match_hooks
from matches.bots import minds
from matches.journal import replays
from matches.journal.replays import Replay, ReplaySubject
from matches.models import Bot
from matches.play import match_access, visitor_sessions
from matches.state.errors import MatchError
from matches.state.status import ENDED
from opinion.analyses import analyses, analysing, availability, subjects
from opinion.analyses.analyses import AnalysedSide, AnalysisView, RemarkView
from opinion.errors import OpinionError
from opinion.judging.figures import LEAST_COUNTED
from opinion.judging.formulas import Grade
from opinion.models import StandIn
from players.access.requests import AccountRequest, refusals_shown_to

# Value of "from" for requests that return to the replay instead of the board.
REPLAY: Final = "replay"
FAULTS: Final = {
    "opening": _("In the opening"),
    "contact": _("With contact"),
    "race": _("In the race"),
    "bear-off": _("Bearing off"),
    "missed double": _("Missed double"),
    "wrong double": _("Wrong double"),
    "wrong take": _("Wrong take"),
    "wrong pass": _("Wrong pass"),
}
LABELS: Final = {
    "grandmaster": _("grandmaster"),
    "master": _("master"),
    "advanced": _("advanced"),
    "intermediate": _("intermediate"),
    "beginner": _("beginner"),
}
GRADES: Final = {Grade.GOOD: _("Good"), Grade.ERROR: _("An error"), Grade.BLUNDER: _("A blunder")}
# Why a match is not analysed; all other reasons are rules that the engine does not know.
UNJUDGED: Final = {
    analyses.VOID: _("The match is declared void."),
    analysing.NO_DECISION: _("There is no decision in this match."),
}
CUBE_WORDS: Final = {
    "no double": pgettext_lazy("cube", "no double"),
    "double": pgettext_lazy("cube", "double"),
    "take": pgettext_lazy("cube", "take"),
    "pass": pgettext_lazy("cube", "pass"),
}
WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, BOTTOM = 58, 12, 12, 34
PERCENTS: Final = (0, 25, 50, 75, 100)


@dataclass(frozen=True, slots=True)
class ShownSide:
    name: str
    figures: AnalysedSide
    label: Promise | str
    # The side's luck-adjusted share of match winning chance, in percent.
    luck_adjusted: float | None
    luck_percent: float | None


@dataclass(frozen=True, slots=True)
class ShownFault:
    title: Promise | str
    errors: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ShownBlunder:
    remark: RemarkView
    name: str
    fault: Promise | str
    decided: Promise | str
    best: Promise | str
    # The replay entry and its URL.
    place: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class BotPart:
    """The bot of a match: its strength, and how often it played without its engine."""

    title: Promise | str
    pr: float
    stand_ins: int
    # Polled while the match goes on and the bot uses an engine; otherwise "".
    address: str


@dataclass(frozen=True, slots=True)
class AnalysisPart:
    found: AnalysisView
    sides: tuple[ShownSide, ...]
    faults: tuple[ShownFault, ...]
    blunders: tuple[ShownBlunder, ...]
    graph: ChanceGraph | None
    # Why the match is not analysed, if it never is.
    why_unjudged: Promise | str
    # The URL for requesting an analysis; "" if there is one or the viewer may not request it.
    asks_at: str = ""
    # `replay` if the request comes from the replay page.
    asks_from: str = ""
    least: int = LEAST_COUNTED


def build_board_part(request: HttpRequest, key: str, *, asks_from: str = "") -> AnalysisPart | None:
    """Return the analysis part of a finished match's page, for viewers with access to the match."""
    if not availability.is_enabled():
        return None
    seen = match_access.find_view(key, request.user)
    found = None if seen is None else analyses.load_analysis(seen.row, timezone.now())
    if seen is None or found is None:
        return None
    part = _build_part(found, reverse("matches:replay", args=[key]), lambda: replays.load_replay(seen.row))
    if found.progress != analyses.NONE or not analysing.may_request(seen):
        return part
    return replace(part, asks_at=reverse("opinion:ask_match", args=[key]), asks_from=asks_from)


def build_replay_part(request: HttpRequest, subject: ReplaySubject) -> AnalysisPart | None:
    """Return the analysis part of a replay: of a match here, or of a record that the viewer may see."""
    if subject.kind == subjects.MATCH:
        return build_board_part(request, subject.key, asks_from="replay")
    records = match_hooks.RECORDS.get()
    row = records.find_visible(request.user, subject.key) if availability.is_enabled() else None
    if row is None:
        return None
    found = analyses.load_record_analysis(row, timezone.now())
    part = _build_part(found, records.address(request.user, row.key), lambda: records.replay(row.key))
    if found.progress != analyses.NONE:
        return part
    return replace(part, asks_at=reverse("opinion:ask_record", args=[row.key]))


def build_bot_part(request: HttpRequest, key: str) -> BotPart | None:
    """Return the bot part of a match's page, for viewers with access to the match."""
    seen = match_access.find_view(key, visitor_sessions.get_viewer(request))
    if seen is None or not seen.row.has_bot:
        return None
    row = seen.row
    bot = Bot.objects.filter(player__in=(row.white_id, row.black_id)).first()
    if bot is None:
        return None
    mind = minds.get_mind(bot.mind)
    return BotPart(
        mind.title,
        mind.pr,
        StandIn.objects.filter(match=row).count(),
        "" if row.status in ENDED or mind.is_quick else request.path,
    )


def _build_part(found: AnalysisView, address: str, replay: Callable[[], Replay]) -> AnalysisPart:
    # Computing the replay is expensive and only needed for links to blunders.
    film = replay() if found.blunders else None
    names = [side.name for side in found.sides]
    points = [(each.game, each.chance) for each in found.remarks if each.chance is not None]
    return AnalysisPart(
        found,
        tuple(_build_side(each, is_match=found.is_match) for each in found.sides),
        tuple(_list_faults(found)),
        tuple(
            ShownBlunder(
                each,
                names[each.side],
                FAULTS.get(each.fault, each.fault),
                CUBE_WORDS.get(each.decided, each.decided),
                CUBE_WORDS.get(each.best, each.best),
                place=(place := "" if film is None else film.key_of_line(each.seq)),
                address=f"{address}?at={place}" if place else "",
            )
            for each in found.blunders
        ),
        draw_graph(points) if found.is_match else None,
        UNJUDGED.get(found.why, _("The engine cannot analyse matches of this kind.")),
    )


def _build_side(each: AnalysedSide, *, is_match: bool) -> ShownSide:
    return ShownSide(
        each.name,
        each,
        LABELS.get(each.label, ""),
        None if each.luck_adjusted is None else 100 * each.luck_adjusted,
        100 * each.totals.luck_cost if is_match else None,
    )


def _list_faults(found: AnalysisView) -> list[ShownFault]:
    by_side = [{fault.fault: fault for fault in each.faults} for each in found.sides]
    shown: list[ShownFault] = []
    for name, title in FAULTS.items():
        pair = [by_side[side].get(name) for side in Side] if by_side else []
        if any(pair):
            shown.append(ShownFault(title, tuple(each.error if each else 0.0 for each in pair)))
    return shown


@require_POST
@login_required
def ask_match(request: AccountRequest, key: str) -> HttpResponse:
    seen = match_access.get_or_404(key, request.user)
    try:
        analysing.submit_match_request(seen, now=timezone.now())
    except (MatchError, OpinionError) as refusal:
        messages.error(request, str(refusal), extra_tags=refusal.code)
    page = "matches:replay" if request.POST.get("from") == REPLAY else "matches:match"
    return redirect(f"{reverse(page, args=[key])}#analysis")


@require_POST
@login_required
def ask_record(request: AccountRequest, key: str) -> HttpResponse:
    with refusals_shown_to(request):
        analysing.submit_record_request(request.user, key, now=timezone.now())
    return redirect(f"{match_hooks.RECORDS.get().address(request.user, key)}#analysis")


@dataclass(frozen=True, slots=True)
class PercentLine:
    percent: int
    y: str


@dataclass(frozen=True, slots=True)
class GameStart:
    """The first decision of a game."""

    game: int
    x: str


@dataclass(frozen=True, slots=True)
class ChanceGraph:
    """The graph; coordinates are strings, so that no locale formats them with a comma."""

    line: str
    levels: tuple[PercentLine, ...]
    games: tuple[GameStart, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


def draw_graph(points: Sequence[tuple[int, float]]) -> ChanceGraph | None:
    """Draw (game, chance) points; None for fewer than two.

    >>> found = draw_graph([(1, 0.5), (1, 0.75), (2, 1.0)])
    >>> found.line, [game.x for game in found.games]
    ('M58.0,99.0L343.0,55.5L628.0,12.0', ['58.0', '628.0'])
    """
    if len(points) < 2:
        return None

    def x(number: int) -> str:
        return f"{LEFT + (WIDTH - LEFT - RIGHT) * number / (len(points) - 1):.1f}"

    def y(chance: float) -> str:
        return f"{HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * chance:.1f}"

    begun: dict[int, int] = {}
    for number, (game, _chance) in enumerate(points):
        begun.setdefault(game, number)
    return ChanceGraph(
        line="M" + "L".join(f"{x(number)},{y(chance)}" for number, (_game, chance) in enumerate(points)),
        levels=tuple(PercentLine(percent, y(percent / 100)) for percent in PERCENTS),
        games=tuple(GameStart(game, x(number)) for game, number in begun.items()),
    )
