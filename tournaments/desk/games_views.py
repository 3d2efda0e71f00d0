"""The games of a match: read by everyone, reported by its players, entered by directors."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from draw.event import Kind
from draw.rules_of_play import RulesOfPlay
from players.errors import PlayersError
from players.models import User
from tournaments.base import event_view, expectations, rules_in_words
from tournaments.base.errors import AlreadyDone, TournamentError
from tournaments.base.event_view import EventView, MatchView
from tournaments.desk import running_views
from tournaments.models import Entry, PairingState, ReportedBy, Tournament
from tournaments.pages import access, bracket_display, event_page, reasons, table_device
from tournaments.pages import games as written
from tournaments.pages.bracket_display import MatchLine
from tournaments.pages.games_forms import GamesForm, ReplacementReasonForm
from tournaments.play import corrections, optimistic_locking, progress, results
from tournaments.play.changes import HelperActor
from tournaments.status import Status


class Access(Enum):
    READ = auto()
    REPORT = auto()
    ENTER = auto()
    MEND = auto()


@dataclass(frozen=True, slots=True)
class ScoreSheetPage:
    view: EventView
    play: MatchView
    line: MatchLine
    access: Access
    own: Entry | None
    # The helper who enters the games, by a helper's link.
    helper: HelperActor | None = None

    @property
    def event(self) -> Tournament:
        return self.view.event

    @property
    def players(self) -> tuple[str, str]:
        a, b = self.line.a, self.line.b
        return (a.name if a else "", b.name if b else "")

    @property
    def needs(self) -> tuple[str, ...]:
        """The expected state: the seats, and a recorded result if only its games are added."""
        return expectations.ENDED if self.access is Access.MEND else expectations.SEATS

    @property
    def back(self) -> str:
        if self.helper is not None:
            return reverse("tournaments:helping", args=[self.event.key])
        if self.access in {Access.ENTER, Access.MEND}:
            return reverse("tournaments:pairing", args=[self.event.key, self.play.key])
        return self.event.get_absolute_url()


@require_http_methods(["GET", "POST"])
@table_device.set_device_cookie
def games(request: HttpRequest, key: str, match: str) -> HttpResponse:
    event = access.load_event(key, request.user)
    return show_or_save_games(request, _load_page(request, event, match))


def show_or_save_games(request: HttpRequest, desk: ScoreSheetPage) -> HttpResponse:
    if request.method == "POST":
        if desk.access is not Access.READ:
            return _handle_post(request, desk)
        if not request.user.is_authenticated:
            return redirect_to_login(request.path)
        raise PermissionDenied
    is_read = desk.access is Access.READ
    started = () if is_read else written.list_recorded_games(desk.event, desk.play, desk.own)
    return _show_games(request, desk, _build_form(desk, None, started), ReplacementReasonForm())


def load_helper_page(event: Tournament, match: str, helper: HelperActor) -> ScoreSheetPage:
    """Load an open match for a helper to enter; read-only if it has a result.

    :raises Http404: there is no such match, or it lacks a player.
    """
    view = event_view.load_view(event)
    play = _require_match(view, match)
    is_open = play.is_open and event.status == Status.RUNNING
    access = Access.ENTER if is_open else Access.READ
    return ScoreSheetPage(view, play, bracket_display.build_match_line(view, play), access, None, helper)


def _require_match(view: EventView, match: str) -> MatchView:
    play = view.by_key.get(match)
    if play is None or view.who(play.a_id) is None or view.who(play.b_id) is None:
        raise Http404
    return play


def _load_page(request: HttpRequest, event: Tournament, match: str) -> ScoreSheetPage:
    user = request.user
    directs = user.is_authenticated and user.has_perm("tournaments.direct", event)
    view = event_view.load_view(event, with_drafts=directs)
    play = _require_match(view, match)
    own = None if directs else event_view.find_entry(event, user)
    if own is not None and own.pk not in {play.a_id, play.b_id}:
        own = None
    is_open, is_played = play.is_open and event.status == Status.RUNNING, play.kind == Kind.PLAYED
    access = Access.READ
    if directs and play.state == PairingState.DECIDED and is_played and event.status in progress.PLAYED:
        access = Access.MEND
    elif directs and is_open:
        access = Access.ENTER
    elif own is not None and is_open and play.board is None and event.reporting != ReportedBy.DIRECTOR:
        access = Access.REPORT
    return ScoreSheetPage(view, play, bracket_display.build_match_line(view, play), access, own)


def _build_form(desk: ScoreSheetPage, data: Any, started: Any = ()) -> GamesForm:
    play = desk.play
    rules = RulesOfPlay.from_match_rules(play.rules)
    return GamesForm(
        data, players=desk.players, length=play.length, begun=play.begun, games=started, play=rules
    )


def _handle_post(request: HttpRequest, desk: ScoreSheetPage) -> HttpResponse:
    form, do = _build_form(desk, request.POST), request.POST.get("do", "save")
    if do == "add":
        form.add()
    elif do == "remove":
        form.remove()
    if do in {"add", "remove"}:
        # The typed reason is kept, without validation.
        reason_form = ReplacementReasonForm(initial={"reason": request.POST.get("reason", "")})
        return _show_games(request, desk, form, reason_form)
    why = ReplacementReasonForm(request.POST if desk.access is Access.MEND else None)
    is_right = form.is_valid()
    if desk.access is Access.MEND:
        is_right = why.is_valid() and _is_same_result(desk, form) and is_right
    status = 422
    if is_right:
        try:
            return _save_and_redirect(request, desk, form, why)
        except (TournamentError, PlayersError) as refusal:
            # The match may have changed since the page was loaded: show its current state.
            status, key = access.get_refusal_status(refusal), desk.play.key
            desk = (
                load_helper_page(desk.event, key, desk.helper)
                if desk.helper is not None
                else _load_page(request, desk.event, key)
            )
            form = _build_form(desk, request.POST)
            form.problem = str(refusal)
    return _show_games(request, desk, form, why, status=status)


def _is_same_result(desk: ScoreSheetPage, form: GamesForm) -> bool:
    """True unless complete games add up to another result; that sets the form's problem.

    Another result than the recorded one needs a correction, which previews its consequences.
    """
    play, (a, b) = desk.play, form.total
    if form.problem or not form.is_over:
        return True
    if play.score_a is None:
        if play.winner_id == (play.a_id if a > b else play.b_id):
            return True
        who = desk.view.who(play.winner_id)
        form.problem = _(
            "By these games the other player has won, but %(name)s is entered as the winner. Correct the "
            "result first."
        ) % {"name": who.name if who else ""}
        return False
    if (a, b) == (play.score_a, play.score_b):
        return True
    stands = f"{play.score_a}–{play.score_b}"  # noqa: RUF001
    sentence = _("These games add up to %(found)s, but the result is %(stands)s. Correct it first.")
    form.problem = sentence % {"found": f"{a}–{b}", "stands": stands}  # noqa: RUF001
    return False


def _save_and_redirect(
    request: HttpRequest, desk: ScoreSheetPage, form: GamesForm, why: ReplacementReasonForm
) -> HttpResponse:
    by = desk.helper or access.require_user(request)
    arguments: dict[str, Any] = {
        "tournament_id": desk.event.pk,
        "key": desk.play.key,
        "score": form.total,
        "games": form.to_json(),
        "now": timezone.now(),
    }
    try:
        done = access.run_if_current(
            request,
            desk.event,
            lambda: _store_games(request, desk, arguments, by, why),
            needs=desk.needs,
            about=optimistic_locking.ActTarget(key=desk.play.key),
            by=by,
        )
    except AlreadyDone as refusal:
        messages.info(request, str(refusal), extra_tags=refusal.code)
    else:
        messages.success(request, done)
    if desk.access is Access.ENTER and desk.helper is None:
        return redirect(running_views.build_next_desk_url(desk.event, desk.play.key))
    return redirect(desk.back)


def _store_games(
    request: HttpRequest,
    desk: ScoreSheetPage,
    arguments: dict[str, Any],
    by: User | HelperActor,
    why: ReplacementReasonForm,
) -> str:
    if desk.access is Access.REPORT:
        user = access.require_user(request)
        return event_page.format_report_message(
            results.report_result(**arguments, user=user, device=table_device.get_device(request))
        )
    if desk.access is Access.MEND:
        corrections.correct_result(
            **arguments, by=access.require_user(request), reason=why.cleaned_data["reason"]
        )
        return _("The games are saved.")
    results.enter_result(**arguments, by=by)
    score = arguments["score"]
    return _("%(a)s–%(b)s is entered.") % {"a": score[0], "b": score[1]}  # noqa: RUF001


def _show_games(
    request: HttpRequest,
    desk: ScoreSheetPage,
    form: GamesForm,
    why: ReplacementReasonForm,
    *,
    status: int = 200,
) -> HttpResponse:
    about = {
        Access.READ: "",
        Access.REPORT: _("Waiting for your opponent to confirm the score."),
        Access.ENTER: _("The score follows from the games. What you save is the result."),
        Access.MEND: _("The result is entered. Here you can add the games that led to it."),
    }
    values = {
        "event": desk.event,
        "line": desk.line,
        "length": rules_in_words.describe_match(desk.play.length, desk.play.rules),
        "players": desk.players,
        "form": form,
        "rows": form.rows,
        "expects": expectations.serialize_state(
            expectations.build_view_state(desk.view, desk.play, desk.needs)
        ),
        "pattern": form.pattern,
        "total": form.total,
        "why": why if desk.access is Access.MEND else None,
        "may_write": desk.access is not Access.READ,
        "about": about[desk.access],
        "save": _("Report") if desk.access is Access.REPORT else _("Save"),
        "begun": any(desk.play.begun),
        "back": desk.back,
        "reasons": reasons.explain_match(
            desk.view, desk.play, directs=desk.access in {Access.ENTER, Access.MEND} and desk.helper is None
        ),
    }
    return render(request, "tournaments/games.html", values, status=status)
