"""Pages of a single position, entered or linked: its board, legal plays and evaluation."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy, pgettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from engine.layout import compute_offered_value
from engine.side import Side
from engine.situation import Situation
from engine.svg import svg_board
from matches.play.boards import draw_mini_board
from opinion.analyses.analysis_views import CUBE_WORDS, GRADES
from opinion.errors import OpinionError, TooManyAnswers
from opinion.judging.formulas import grade_loss
from opinion.judging.positions import Advice, Question, compute_key, find_question, turn_situation
from opinion.models import Progress
from opinion.positions import daily_position, evaluation_requests, positions
from opinion.positions.daily_position import ChoiceCount, Respondent
from opinion.positions.positions import PositionView
from players.access.requests import AccountRequest, refusals_shown_to

NAMES: Final = {Side.WHITE: pgettext_lazy("side", "White"), Side.BLACK: pgettext_lazy("side", "Black")}
ADVICE: Final = {
    Advice.NO_DOUBLE: gettext_lazy("No double; a double would be taken."),
    Advice.DOUBLE_TAKE: gettext_lazy("Double, and take."),
    Advice.DOUBLE_PASS: gettext_lazy("Double, and pass."),
    Advice.TOO_GOOD: gettext_lazy("Too good to double: play on for the gammon. A double would be passed."),
}
WHY_NO_DOUBLE: Final = {
    "no-cube": gettext_lazy("There is no cube in this match."),
    "double-in-crawford": gettext_lazy("You cannot double in the Crawford game."),
    "double-by-nonowner": gettext_lazy("The cube is on the other side."),
    "dead-cube": gettext_lazy("The cube goes no higher."),
}
# Query parameters: show the evaluation, and the viewer's choice.
OPEN: Final = "answer"
CHOICE: Final = "choice"
# Identifies respondents without an account; limited to these pages.
COOKIE: Final = "answers"
COOKIE_LASTS: Final = 400 * 24 * 3600


@dataclass(frozen=True, slots=True)
class ChoiceView:
    words: Promise | str
    # The page with its evaluation.
    url: str


@dataclass(frozen=True, slots=True)
class ChosenView:
    words: Promise | str
    loss: float | None
    grade: Promise | str


@dataclass(frozen=True, slots=True)
class GivenAnswersView:
    count: int
    # Each choice in words, and how often it was chosen.
    choices: tuple[tuple[Promise | str, ChoiceCount], ...]


@dataclass(frozen=True, slots=True)
class PositionPage:
    found: PositionView
    board: SafeString
    title: str
    asked: Promise | str
    score: str
    cube: str
    pips: tuple[tuple[Promise | str, int], ...]
    doubling: Promise | str
    advice: Promise | str
    # For cube decisions: the equity of each choice for the side on roll, and the chances in percent.
    worths: tuple[tuple[Promise | str, float], ...]
    percents: tuple[float, ...]
    is_open: bool
    # Absolute URL, for sharing.
    link: str
    choices: tuple[ChoiceView, ...] = ()
    chosen: ChosenView | None = None
    # For a position of the day: the statistics, or True if the viewer's answer is still to be counted.
    given: GivenAnswersView | None = None
    is_to_be_counted: bool = False

    @property
    def is_waiting(self) -> bool:
        return self.found.progress == Progress.WAITING


@require_safe
def find(request: HttpRequest) -> HttpResponse:
    """Show the form for a position, or redirect to the page of the one entered."""
    text = request.GET.get("position", "").replace("\x00", "").strip()
    if not text:
        return render(request, "opinion/find.html", {"asked": ""})
    try:
        situation = positions.parse_position(text)
    except OpinionError as refusal:
        return _render_unknown(request, text, refusal, status=400)
    return redirect("opinion:position", xgid=positions.to_address(situation))


@require_safe
@never_cache
def position(request: HttpRequest, xgid: str) -> HttpResponse:
    try:
        situation = positions.read_address(xgid)
    except OpinionError as refusal:
        return _render_unknown(request, xgid, refusal, status=404)
    if positions.to_address(situation) != xgid:
        return redirect("opinion:position", xgid=positions.to_address(situation))
    link = request.build_absolute_uri(request.path)
    choice = request.GET.get(CHOICE, "")
    page = build_asking_page(situation, link=link, is_open=OPEN in request.GET, choice=choice)
    if page.chosen and daily_position.is_daily_position(compute_key(situation)):
        given = _load_given_answers(page.found, _build_respondent(request))
        page = replace(page, given=given, is_to_be_counted=given is None)
    return render(request, "opinion/position.html", {"page": page, "choice": choice})


@require_POST
@never_cache
def answer(request: HttpRequest, xgid: str) -> HttpResponse:
    """Count an answer to a position of the day, and show the statistics."""
    token = request.COOKIES.get(COOKIE, "")[:64] or secrets.token_urlsafe(18)
    who = _build_respondent(request, token)
    choice = request.POST.get(CHOICE, "")[:60]
    address = get_adapter().get_client_ip(request)
    try:
        situation = positions.read_address(xgid)
        daily_position.count_answer(
            situation=situation, choice=choice, who=who, address=address, now=timezone.now()
        )
    except TooManyAnswers as refusal:
        response = render(request, "opinion/_given.html", {"refusal": refusal}, status=429)
        response["Retry-After"] = str(refusal.context["seconds"])
        return response
    except OpinionError as refusal:
        return render(request, "opinion/_given.html", {"refusal": refusal}, status=400)
    if request.headers.get("HX-Request"):
        response = render(
            request,
            "opinion/_given.html",
            {"given": _load_given_answers(positions.load_view(situation), who)},
        )
    else:
        here = reverse("opinion:position", kwargs={"xgid": positions.to_address(situation)})
        response = redirect(f"{here}?{urlencode({CHOICE: choice})}#opinion")
    if who.user is None:
        response.set_cookie(
            COOKIE,
            token,
            max_age=COOKIE_LASTS,
            path=reverse("opinion:find_position"),
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response


def _build_respondent(request: HttpRequest, token: str = "") -> Respondent:
    user = request.user
    respondent = token or request.COOKIES.get(COOKIE, "")[:64]
    browser = sha256(respondent.encode()).hexdigest() if respondent else ""
    return Respondent(user if user.is_authenticated else None, browser)


def _load_given_answers(found: PositionView, who: Respondent) -> GivenAnswersView | None:
    """Return the statistics of all answers, if the respondent has answered."""
    position = compute_key(found.situation)
    mine = who.rows().filter(position=position).values_list("choice", flat=True).first()
    if not mine or found.answer is None:
        return None
    best = [
        each
        for each in positions.list_choices(found)
        if positions.compute_choice_loss(found.answer, each) == 0
    ]
    counted = daily_position.count_answers(position, best=best, mine=mine)
    return GivenAnswersView(
        counted.count, tuple((CUBE_WORDS.get(each.choice, each.choice), each) for each in counted.choices)
    )


@login_required
def request_evaluation(request: AccountRequest, xgid: str) -> HttpResponse:
    """Request the evaluation of a position; a GET, for example after signing in, redirects to its page."""
    to = reverse("opinion:position", kwargs={"xgid": xgid})
    if request.method != "POST":
        return redirect(to)
    with refusals_shown_to(request):
        situation = positions.read_address(xgid)
        evaluation_requests.queue_evaluation(user=request.user, situation=situation, now=timezone.now())
        address = reverse("opinion:position", kwargs={"xgid": positions.to_address(situation)})
        to = f"{address}?{OPEN}=1#opinion"
    return redirect(to)


def part_to_share(_request: HttpRequest, named: str) -> str | None:
    """Return the URL of a position's page, for links from other pages; "" if it has none."""
    try:
        situation = positions.parse_position(named)
    except OpinionError:
        # A finished game, or one with a different number of checkers.
        return ""
    return reverse("opinion:position", kwargs={"xgid": positions.to_address(situation)})


def build_asking_page(situation: Situation, *, link: str, is_open: bool, choice: str) -> PositionPage:
    """Build a position's own page: possible answers, or the chosen one with its loss."""
    page = build_page(situation, link=link, is_open=is_open)
    offered = positions.list_choices(page.found)
    if page.found.answer is None or not offered:
        return page
    if choice not in offered:
        return page if is_open else replace(page, choices=build_choice_views(situation, offered))
    loss = positions.compute_choice_loss(page.found.answer, choice)
    words = GRADES[grade_loss(loss)] if loss is not None else _("Not among the best")
    chosen = ChosenView(CUBE_WORDS.get(choice, choice), loss, words)
    return replace(page, chosen=chosen, is_open=True)


def build_choice_views(situation: Situation, offered: tuple[str, ...]) -> tuple[ChoiceView, ...]:
    """Return the possible answers as links."""
    here = reverse("opinion:position", kwargs={"xgid": positions.to_address(situation)})
    return tuple(
        ChoiceView(CUBE_WORDS.get(each, each), f"{here}?{urlencode({CHOICE: each})}#opinion")
        for each in offered
    )


def build_page(situation: Situation, *, link: str, is_open: bool) -> PositionPage:
    """Build the page of a position, without answers."""
    found = positions.load_view(situation)
    names = {side: str(name) for side, name in NAMES.items()}
    title = describe_task(situation, found.question)
    answer = found.answer
    cube = answer.cube if answer else None
    why = found.why_no_double
    return PositionPage(
        found=found,
        # The SVG is ours, and its texts are escaped.
        board=mark_safe(svg_board(situation, title=title)),  # noqa: S308
        title=title,
        asked=_("What would you play?") if found.question is Question.PLAY else _("What would you do?"),
        score=describe_score(situation),
        cube=_describe_cube(situation, names),
        pips=tuple((NAMES[side], situation.board.pips(side)) for side in Side),
        doubling="" if why is None else WHY_NO_DOUBLE.get(why.code, str(why)),
        advice=ADVICE[answer.advice]
        if answer and answer.advice and found.question is not Question.ROLL
        else "",
        worths=_list_worths(found),
        percents=tuple(round(100 * chance, 1) for chance in cube.chances) if cube else (),
        is_open=is_open,
        link=link,
    )


def describe_task(situation: Situation, question: Question) -> str:
    name = str(NAMES[situation.actor])
    match question:
        case Question.PLAY:
            return _("%(name)s to play %(dice)s") % {"name": name, "dice": situation.dice}
        case Question.TAKE:
            shown = {"name": name, "value": compute_offered_value(situation)}
            return _("%(name)s is offered the cube at %(value)s") % shown
        case Question.DOUBLE:
            return _("%(name)s to double or roll") % {"name": name}
        case _:
            return _("%(name)s to roll") % {"name": name}


def describe_score(situation: Situation) -> str:
    score = situation.score
    shown: dict[str, Any] = {"white": score.white, "black": score.black, "length": situation.length}
    if not situation.length:
        return _("Money play, Jacoby rule") if situation.jacoby else _("Money play")
    if situation.crawford:
        return _("White %(white)s, Black %(black)s, match to %(length)s, Crawford game") % shown
    return _("White %(white)s, Black %(black)s, match to %(length)s") % shown


def _describe_cube(situation: Situation, names: dict[Side, str]) -> str:
    cube = situation.cube
    if not situation.highest:
        return _("none")
    if cube.owner is None:
        return _("%(value)s, in the middle") % {"value": cube.value}
    return _("%(value)s, on the side of %(name)s") % {"value": cube.value, "name": names[cube.owner]}


def _list_worths(found: PositionView) -> tuple[tuple[Promise | str, float], ...]:
    cube = found.answer.cube if found.answer else None
    if cube is None:
        return ()
    if found.question is Question.ROLL:
        return ((_("Equity"), cube.no_double),)
    return ((_("No double"), cube.no_double), (_("Double, take"), cube.take), (_("Double, pass"), 1.0))


def _render_unknown(request: HttpRequest, text: str, refusal: OpinionError, status: int) -> HttpResponse:
    values = {"asked": text[: positions.LONGEST], "refusal": refusal}
    return render(request, "opinion/find.html", values, status=status)


@dataclass(frozen=True, slots=True)
class DailyPart:
    """The position of the day on the front page: small for members, large on the public home page."""

    board: SafeString
    large: SafeString
    task: str
    score: str
    url: str
    # For cube decisions. Plays are chosen on the position's own page.
    choices: tuple[ChoiceView, ...]


def build_home_part(position: str) -> DailyPart:
    return _build_daily_part(position, get_language())


# More than enough for the positions of two days in each language.
@lru_cache(maxsize=16)
def _build_daily_part(position: str, _language: str | None) -> DailyPart:
    # Thumbnails are drawn from White's view, so White must be on roll.
    situation = turn_situation(positions.parse_position(position))
    decision = find_question(situation)
    question = describe_task(situation, decision)
    return DailyPart(
        board=draw_mini_board(situation),
        large=mark_safe(svg_board(situation, title=question)),  # noqa: S308 - drawn by us; the words in it are escaped
        task=question,
        score=describe_score(situation),
        choices=build_choice_views(situation, positions.CUBE_CHOICES.get(decision, ())),
        url=reverse("opinion:position", kwargs={"xgid": positions.to_address(situation)}),
    )
