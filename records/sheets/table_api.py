"""API of phones at the table: the score sheet of a match, and the match by its code without an account."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.urls import URLPattern, path
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from rest_framework import permissions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from matches.play import callers
from players.access.callers import get_account, read_body
from players.models import User
from records.base.errors import WhoAreYou
from records.base.operations import describe
from records.sheets import coded_matches, sheet_pages, tap_storage
from records.sheets import sheet_shapes as shapes
from records.sheets.callers import CODES, SPEAKING, CodedView, get_device, load_match
from tournaments.models import OPEN_REPORTS, Pairing, Tournament
from tournaments.pages import table_device
from tournaments.play.code_holders import CodeHolder

TAPS = {
    "other_game": "the sheet is at another game: somebody else has written. Read it again",
    "not_offered": "no game can end like that at this score; `offers` says how it can",
    "match_won": "the match is over; also `result_stands`, `not_open`",
    "adjourned": "the match is adjourned: `take-up` resumes it; also `not_adjourned`",
    "bad_position": "`position` is no XGID; also `other_score`, which says both scores",
    "clock_moved": "the clock stands otherwise: another phone was faster. Read the sheet again",
    "flag_fallen": "the time had run out before the tap",
    "no_clock": "the event has no clock for a table",
    "nothing_to_undo": "no game has been written yet",
    "on_a_board": "the match is played on a board here, and its score comes from there",
    "event_refused": "the event does not run now; the code and the sentence say why",
}

REUSED = {422: {"idempotency_key_reused": "this `key` was used before, for another tap"}}
NOT_YOURS = {403: {"not_your_sheet": "others keep it"}}


@method_decorator([never_cache, table_device.set_device_cookie], name="dispatch")
class ScoreSheetView(APIView):
    permission_classes = (permissions.IsAuthenticated,)

    @describe("sheet_read", shapes.SheetAnswer, NOT_YOURS)
    def get(self, request: Request, uid: str) -> Response:
        """The score of a match, game by game, and the possible ends of its next game."""
        event, row = load_match(uid, request)
        return _build_sheet_response(event, row, get_account(request), now=callers.get_arrival_time(request))

    @describe("sheet_tap", shapes.SheetAnswer, NOT_YOURS | REUSED | {409: TAPS}, request=shapes.TapRequest)
    def post(self, request: Request, uid: str) -> Response:
        """Write a game down, take the last one back, or touch the clock; the same tap again, under its `key`, changes nothing.

        The last game becomes the sender's report of the result; from a director it is the result.
        """
        event, row = load_match(uid, request)
        return _process_tap(request, event, row, get_account(request))


class CodedMatchView(CodedView):
    @describe("code_read", shapes.CodedMatchAnswer, CODES)
    def get(self, request: Request, code: str) -> Response:
        """The match that a code leads to, who you said you are, and what was reported."""
        held, (_who, own), now = self.held(request, code)
        reports = held.row.reports.filter(status__in=OPEN_REPORTS).order_by("pk")
        page = coded_matches.load_page(held, own, now=now)
        return Response(shapes.CodedMatchAnswer.read(page, reports=reports))

    @describe("code_act", shapes.CodedMatchAnswer, SPEAKING, request=shapes.CodeActRequest)
    def post(self, request: Request, code: str) -> Response:
        """Say which player you are, then report, confirm or dispute: no account is needed.

        The answer to `who` sets a cookie that identifies the device, because a device cannot confirm its own report. A
        caller who is signed in with an account that plays here need not say who they are.
        """
        held, (who, _own), now = self.held(request, code)
        data = read_body(shapes.CodeActRequest, request)
        device = get_device(request)
        coded_matches.require_match(held, str(data["match"]))
        if data["act"] == shapes.WHO:
            person = held.holder(held.entry_numbered(data["player"]), device)
            coded_matches.choose_player(event=held.event, match=held.row.key, who=person, now=now)
        elif who is None:
            raise WhoAreYou
        else:
            claim: dict[str, Any] = {name: data[name] for name in ("score", "winner") if name in data}
            coded_matches.answer_report(
                held=held, do=data["act"], who=who, claim=claim, device=device, now=now
            )
        return self.get(request, code)


class CodedSheetView(CodedView):
    @describe("code_sheet_read", shapes.SheetAnswer, SPEAKING)
    def get(self, request: Request, code: str) -> Response:
        """The score of the match, game by game, for a browser that has chosen a player."""
        held, who, _own = self.side(request, code)
        now = callers.get_arrival_time(request)
        return _build_sheet_response(held.event, held.row, who, now=now)

    @describe(
        "code_sheet_tap",
        shapes.SheetAnswer,
        SPEAKING | REUSED | {409: {**SPEAKING[409], **TAPS}},
        request=shapes.TapRequest,
    )
    def post(self, request: Request, code: str) -> Response:
        """Write a game down, take the last one back, or touch the clock; the same tap again, under its `key`, changes nothing."""
        held, who, _own = self.side(request, code)
        return _process_tap(request, held.event, held.row, who)


def _process_tap(request: Request, event: Tournament, row: Pairing, who: User | CodeHolder) -> Response:
    data = read_body(shapes.TapRequest, request)
    now = callers.get_arrival_time(request)
    tap_storage.store_tap(
        tournament_id=event.pk,
        match=row.key,
        key=data["key"],
        what=shapes.read_tap(data),
        by=who,
        now=now,
        device=get_device(request),
        seats=data["seats"],
    )
    return _build_sheet_response(event, row, who, now=now)


def _build_sheet_response(
    event: Tournament, row: Pairing, who: User | CodeHolder, *, now: datetime
) -> Response:
    shown = sheet_pages.load_page(event, row.key, who, now=now)
    if shown is None:
        raise AssertionError(f"{row.key} has two")
    return Response(shapes.serialize_sheet(shown))


paths: list[URLPattern] = [
    path("sheets/<uuid:uid>/", ScoreSheetView.as_view(), name="score-sheet"),
    path("codes/<str:code>/", CodedMatchView.as_view(), name="coded-match"),
    path("codes/<str:code>/sheet/", CodedSheetView.as_view(), name="coded-sheet"),
]
