"""Base of the API views of a match at a table: callers, and errors of its code."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from rest_framework import permissions
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.play import callers
from players.models import User
from records.base.errors import WhoAreYou
from records.models import MatchPhoto
from records.sheets import coded_matches
from records.sheets.coded_matches import OpenedMatch, Visitor
from tournaments.models import Entry, Pairing, Tournament
from tournaments.pages import access, table_device
from tournaments.play.code_holders import CodeHolder

CODES = {
    404: {"code_unreadable": "this is no code of ours, or a part of it is missing"},
    409: {
        "match_decided": "the match is over; the sentence says how it ended",
        "code_moved": "others meet here by now; also `nobody_at_table`",
        "other_event": "the table's code was printed for another event than the one that is played there",
    },
    410: {"code_expired": "the code was good until `until`"},
}
SPEAKING = CODES | {
    409: {
        **CODES[409],
        "who_are_you": "say first which player you are, and keep the cookie that comes with the answer",
        "same_device": "it was reported from this device; the opponent confirms it on another one or signed in",
        "reported_elsewhere": "another device or an account has reported for this player",
        "other_match": "`match` is not the match that the code leads to now",
        "changed_meanwhile": "the opponent has reported something else by now",
    },
}


@method_decorator([never_cache, table_device.set_device_cookie], name="dispatch")
class CodedView(APIView):
    """Base of the views of the match that a code opens; the browser is known by its cookie, as on the page."""

    permission_classes = (permissions.AllowAny,)

    def held(self, request: Request, code: str) -> tuple[OpenedMatch, Visitor, datetime]:
        now = callers.get_arrival_time(request)
        found = coded_matches.load_opened_match(code, now=now)
        return found, coded_matches.identify_visitor(found, request.user, get_device(request)), now

    def side(self, request: Request, code: str) -> tuple[OpenedMatch, User | CodeHolder, Entry]:
        """Load the match of the code, the actor for services, and the caller's entry.

        :raises WhoAreYou: the browser has not chosen a player.
        """
        held, (who, own), _now = self.held(request, code)
        if who is None or own is None:
            raise WhoAreYou
        return held, who, own


def load_match(uid: str, request: Request) -> tuple[Tournament, Pairing]:
    """Load a match with two players, of an event that the caller may see.

    :raises Http404: there is none.
    """
    rows = Pairing.objects.select_related("tournament").filter(a__isnull=False, b__isnull=False)
    row = get_object_or_404(rows, uid=uid)
    return access.load_event(row.tournament.key, request.user), row


def get_device(request: Request) -> str:
    return table_device.get_device(request._request)  # noqa: SLF001 - DRF's own way to the request that has the cookies


def build_picture_response(found: MatchPhoto) -> HttpResponse:
    """Build a private response with a photo, safe against content sniffing."""
    answer = HttpResponse(bytes(found.content), content_type="image/jpeg")
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Security-Policy"] = "default-src 'none'; sandbox"
    answer["Cache-Control"] = "private, no-store"
    return answer
