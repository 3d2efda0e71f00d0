"""A match by its code, on a phone at the table: choice of player, score sheet, report, and answer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial, wraps
from typing import Any, Final

from allauth.account.adapter import get_adapter
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from draw.rules_of_play import RulesOfPlay
from players.access import attempts
from players.access.permissions import require_permission
from players.access.requests import AccountRequest
from players.errors import PlayersError
from players.models import Club
from records.base import errors
from records.sheets import (
    after_match,
    coded_matches,
    photos,
    sheet_views,
    short_codes,
    stored_sheets,
)
from records.sheets.coded_matches import CodedMatchPage, OpenedMatch, Visitor
from runtime import stream
from runtime.install import reach
from runtime.refusals import Refusal, build_form_error
from tournaments.base import codes
from tournaments.base.errors import BadScore, CodeExpired, TournamentError
from tournaments.desk import printed_codes
from tournaments.hooks import TABLES, match_opened_by_code
from tournaments.models import Entry, Pairing, Tournament
from tournaments.pages import access, event_page, table_device

REFUSALS: Final = (errors.RecordError, TournamentError, PlayersError)
GONE: Final = 410
CONFLICT: Final = 409


class ShortCodeForm(forms.Form):
    letters = forms.CharField(
        label=gettext_lazy("Letters"),
        max_length=20,
        help_text=gettext_lazy("The seven letters beside the QR code, such as BCD FGHJ."),
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "characters",
                "autofocus": True,
                "class": "letters-field",
                "spellcheck": "false",
            }
        ),
    )


class ReportForm(forms.Form):
    """A reported result: the points of both, or the winner."""

    a = forms.IntegerField(min_value=0, max_value=99, required=False)
    b = forms.IntegerField(min_value=0, max_value=99, required=False)
    winner = forms.IntegerField(min_value=1, max_value=99_999, required=False)

    def __init__(self, row: Pairing, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.row = row

    def claim(self) -> dict[str, Any]:
        """Return the reported score, or without one the winner.

        :raises BadScore: neither was given.
        """
        cleaned = self.cleaned_data if self.is_valid() else {}
        a, b, winner = (cleaned.get(name) for name in ("a", "b", "winner"))
        if a is None and b is None and winner is not None:
            return {"winner": winner}
        if a is None or b is None:
            play = RulesOfPlay.from_match_rules(self.row.rules)
            raise BadScore(length=self.row.length, best_of=play.best_of)
        return {"score": (a, b)}


def require_code(
    view: Callable[..., HttpResponse],
    *,
    is_of_one: bool = False,
    instead: Callable[[HttpRequest, str, datetime], HttpResponse | None] = lambda *_: None,
) -> Callable[..., HttpResponseBase]:
    """Decorate a view to receive the match of its code, and the visitor.

    If the code opens no match, respond with *instead*, or else with an explanation. *is_of_one*: the page stays
    with the match it was opened for, and shows its result.
    """

    @wraps(view)
    def opened(request: HttpRequest, code: str, **more: str) -> HttpResponse:
        now = timezone.now()
        try:
            match = (request.POST.get("match") or request.GET.get("match", "")) if is_of_one else ""
            held = coded_matches.load_opened_match(code, now=now, match=match)
            visit = coded_matches.identify_visitor(held, request.user, table_device.get_device(request))
            return view(request, held, visit, now, **more)
        except REFUSALS as refusal:
            is_good = not isinstance(refusal, errors.CodeUnreadable | CodeExpired)
            return (instead(request, code, now) if is_good else None) or render_refusal(request, refusal)

    return never_cache(table_device.set_device_cookie(opened))


def render_refusal(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """Explain why a code does not open a match."""
    status = CONFLICT
    if isinstance(refusal, errors.CodeUnreadable):
        status = 404
    elif isinstance(refusal, CodeExpired):
        status = GONE
    if sheet_views.is_script_request(request):
        return JsonResponse({"code": refusal.code, "problem": str(refusal)}, status=status)
    return render(request, "records/code_refused.html", {"refusal": refusal}, status=status)


@require_http_methods(["GET", "POST"])
@never_cache
def type_code(request: HttpRequest) -> HttpResponse:
    """Show the form for the letters beside a QR code; redirect to the page of the code."""
    form, status = ShortCodeForm(request.POST if request.method == "POST" else None), 200
    if form.is_valid():
        address, typed = get_adapter().get_client_ip(request), form.cleaned_data["letters"]
        try:
            return redirect(
                "records:at_table", short_codes.resolve_letters(typed, address=address, now=timezone.now())
            )
        except errors.TooManyShortCodes as refusal:
            request.META[attempts.RETRY_AFTER] = refusal.context["seconds"]
            form.add_error("letters", build_form_error(refusal))
        except errors.UnknownShortCode as refusal:
            status = 404
            form.add_error("letters", build_form_error(refusal))
    elif form.is_bound:
        status = 422
    return render(request, "records/type_code.html", {"form": form}, status=status)


def show_own_page(request: HttpRequest, code: str, now: datetime, problem: str = "") -> HttpResponse | None:
    """Show a known player their last result and next match; None if this browser's player is unknown."""
    own = None
    if "change" not in request.GET:
        own = after_match.find_page(code, request.user, table_device.get_device(request), now=now)
    if own is None:
        return None
    topic = f"event.{own.event.key}"
    values = {"own": own, "problem": problem, "topic": topic, "live_topics": [own.position]}
    return render(request, "records/at_table_own.html", values, status=CONFLICT if problem else 200)


@require_http_methods(["GET", "POST"])
@partial(require_code, instead=show_own_page)
def match_at_table(request: HttpRequest, held: OpenedMatch, visit: Visitor, now: datetime) -> HttpResponse:
    if visit.who is None and request.user.has_perm("tournaments.direct", held.event.club):
        return redirect("tournaments:pairing", key=held.event.key, match=held.row.key)
    if visit.who is None and access.find_helper(request, held.event, now=now):
        return redirect("records:helper_sheet", key=held.event.key, match=held.row.key)
    if coded_matches.is_open(held.row):
        match_opened_by_code.send(sender=Pairing, row=held.row, entry=visit.own, now=now)
    problem, status, form = "", 200, ReportForm(held.row)
    if request.method == "POST":
        form = ReportForm(held.row, request.POST)
        try:
            messages.success(request, _process_action(request, held, visit, form, now=now))
        except REFUSALS as refusal:
            problem, status = str(refusal), CONFLICT
        else:
            return redirect(held.address)
    topic = f"event.{held.event.key}"
    position = stream.record_positions(topic)
    held = coded_matches.load_opened_match(held.code, now=now)
    if visit.own is None and (own := show_own_page(request, held.code, now, problem)):
        return own
    shown = coded_matches.load_page(held, None if "change" in request.GET else visit.own, now=now)
    values = {"page": shown, "problem": problem, "code": _draw_code(request, held.address)}
    values["points"] = [(form[field], name) for field, name in shown.fields]
    values |= {"topic": topic, "live_topics": [position]}
    if shown.own is not None:
        values |= _build_own_values(request, held, shown.own, shown, now=now)
    return render(request, "records/at_table.html", values, status=status)


@require_http_methods(["GET", "POST"])
@partial(require_code, is_of_one=True)
def score_sheet(request: HttpRequest, held: OpenedMatch, visit: Visitor, now: datetime) -> HttpResponse:
    if visit.who is None:
        if sheet_views.is_script_request(request):
            raise errors.WhoAreYou
        return redirect(held.address)
    here = reverse("records:code_sheet", args=[held.code])
    pictures = reverse("records:code_photos", args=[held.code])
    return sheet_views.keep_score(
        request,
        held.event,
        held.row.key,
        visit.who,
        now=now,
        here=here,
        back=held.address,
        photos_of=pictures,
    )


@require_safe
@never_cache
@login_required
def card(request: HttpRequest, key: str, match: str) -> HttpResponse:
    """Show the code of a match, enlarged, to its players and directors."""
    event = access.load_event(key, request.user)
    row = get_object_or_404(
        Pairing.objects.select_related("a__player", "b__player"), tournament=event, key=match
    )
    now = timezone.now()
    try:
        stored_sheets.find_entry(event, row, access.require_user(request), now=now)
    except errors.NotYourSheet as refusal:
        raise Http404 from refusal
    address = codes.build_match_address(row, now=now)
    if not address:
        raise Http404
    held = coded_matches.load_opened_match(codes.extract_code(address), now=now)
    shown = coded_matches.load_page(held, row.a, now=now)
    values = {"event": event, "page": shown, "until": held.until, "code": _draw_code(request, address)}
    values["typed"] = printed_codes.build_typed_code(request, event, address, now=now)
    return render(request, "records/code.html", values)


@require_safe
@never_cache
@require_permission("tournaments.direct")
def table_card(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    """Show the code of a table, enlarged, for printing."""
    label = TABLES.get().label(club.pk, key)
    if not label:
        raise Http404
    now, event_id = timezone.now(), TABLES.get().event_at(key)
    event = None if event_id is None else Tournament.objects.get(pk=event_id)
    values: dict[str, object] = {"club": club, "label": label, "event": event}
    if event is not None:
        address = codes.build_table_address(key, now=now)
        values["code"] = _draw_code(request, address)
        values["typed"] = printed_codes.build_typed_code(request, event, address, now=now)
    return render(request, "records/table_code.html", values)


def build_match_part(_request: HttpRequest, event: Tournament, key: str) -> str | None:
    """Return the URL of the code of an open match, for the page of its directors."""
    row = Pairing.objects.filter(tournament=event, key=key).first()
    if row is None or not coded_matches.is_open(row):
        return None
    return reverse("records:code", args=[event.key, key])


def build_table_part(_request: HttpRequest, slug: str, key: str) -> str | None:
    return reverse("records:table_code", args=[slug, key])


def _build_own_values(
    request: HttpRequest, held: OpenedMatch, own: Entry, shown: CodedMatchPage, *, now: datetime
) -> dict[str, object]:
    """Return the values for one of the two players only: ruling, next match, photos, transcription."""
    values = _build_transcription_values(request, held, own)
    if shown.result:
        values["own"] = after_match.load_page(own, held.row, now=now)
    else:
        values["ruling"] = after_match.find_ruling(held.row, own)
    if photos.may_add_photos(held.row):
        values["photos"] = reverse("records:code_photos", args=[held.code])
    if shown.is_open:
        values["typed"] = printed_codes.build_typed_code(request, held.event, held.address, now=now)
    return values


def _build_transcription_values(request: HttpRequest, held: OpenedMatch, own: Entry) -> dict[str, object]:
    """Return the link to transcribe the match, with a member's account or with the code."""
    club = held.event.club
    if request.user.has_perm("records.hand_in", club):
        return {"transcribe": f"{reverse('records:transcribe', args=[club.slug])}?match={held.row.uid}"}
    if coded_matches.find_transcription(held, own) is not None:
        return {"transcribe": reverse("records:code_transcription", args=[held.code]), "is_begun": True}
    return {"begin": reverse("records:code_transcription", args=[held.code])}


def _process_action(
    request: HttpRequest, held: OpenedMatch, visit: Visitor, form: ReportForm, *, now: datetime
) -> str:
    """Carry out the action; return the success message."""
    device, do = table_device.get_device(request), request.POST.get("do", "")
    # The page may be about an earlier match at this table.
    coded_matches.require_match(held, request.POST.get("match", ""))
    if do == "who":
        who = held.holder(held.entry_numbered(request.POST.get("player", "")), device)
        coded_matches.choose_player(event=held.event, match=held.row.key, who=who, now=now)
        return ""
    if visit.who is None:
        raise errors.WhoAreYou
    outcome = coded_matches.answer_report(
        held=held, do=do, who=visit.who, claim=form.claim(), device=device, now=now
    )
    if outcome is None:
        return _("Confirmed: the result stands.")
    if do == coded_matches.DISPUTE:
        return _("The director will decide.")
    return event_page.format_report_message(outcome)


def _draw_code(request: HttpRequest, address: str) -> str:
    """Draw the QR code of an address; "" if phones cannot reach this server."""
    link = reach.build_phone_url(request, address)
    return reach.render_qr_code(link) if link else ""
