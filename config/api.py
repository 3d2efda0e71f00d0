"""The table that maps errors to HTTP problems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import set_rollback

from config import problems
from matches.state import errors as matches_errors
from money import errors as money_errors
from opinion import errors as opinion_errors
from players import errors as players_errors
from rankings import errors as rankings_errors
from records.base import errors as records_errors
from runtime import pictures
from runtime.idempotency import KeyReused
from runtime.transactions import TransactionTooLong
from runtime.work import child_processes
from tournaments.base import errors as tournaments_errors
from venue import errors as venue_errors

# Most specific first. Exceptions that are neither here nor REST framework's are bugs and become 500.
STATUS_OF: tuple[tuple[type[Exception], int], ...] = (
    (players_errors.NotAllowed, status.HTTP_403_FORBIDDEN),
    (players_errors.ByInvitationOnly, status.HTTP_403_FORBIDDEN),
    (players_errors.InvalidText, status.HTTP_400_BAD_REQUEST),
    (players_errors.BadSheet, status.HTTP_400_BAD_REQUEST),
    (players_errors.InvitationUnknown, status.HTTP_404_NOT_FOUND),
    (players_errors.WelcomeLinkUsed, status.HTTP_404_NOT_FOUND),
    (players_errors.PlayersError, status.HTTP_409_CONFLICT),
    (matches_errors.NotAPlayer, status.HTTP_403_FORBIDDEN),
    (matches_errors.NotAllowed, status.HTTP_403_FORBIDDEN),
    (matches_errors.TooMuchTalk, status.HTTP_429_TOO_MANY_REQUESTS),
    (matches_errors.BadTerms, status.HTTP_400_BAD_REQUEST),
    (matches_errors.MatchError, status.HTTP_409_CONFLICT),
    (money_errors.BadTerms, status.HTTP_400_BAD_REQUEST),
    (tournaments_errors.NotDirector, status.HTTP_403_FORBIDDEN),
    (tournaments_errors.BadSeries, status.HTTP_400_BAD_REQUEST),
    (tournaments_errors.CodeExpired, status.HTTP_410_GONE),
    (tournaments_errors.NotAMember, status.HTTP_403_FORBIDDEN),
    (tournaments_errors.TournamentError, status.HTTP_409_CONFLICT),
    (opinion_errors.UnknownPosition, status.HTTP_400_BAD_REQUEST),
    (opinion_errors.ImpossiblePosition, status.HTTP_400_BAD_REQUEST),
    (opinion_errors.UnknownChoice, status.HTTP_400_BAD_REQUEST),
    (opinion_errors.BadLimit, status.HTTP_400_BAD_REQUEST),
    (opinion_errors.GameOver, status.HTTP_400_BAD_REQUEST),
    (opinion_errors.TooManyQuestions, status.HTTP_429_TOO_MANY_REQUESTS),
    (opinion_errors.OpinionError, status.HTTP_409_CONFLICT),
    (rankings_errors.NotKeeper, status.HTTP_403_FORBIDDEN),
    (rankings_errors.NotOperator, status.HTTP_403_FORBIDDEN),
    (rankings_errors.BadSystem, status.HTTP_400_BAD_REQUEST),
    (rankings_errors.BadPolicy, status.HTTP_400_BAD_REQUEST),
    (rankings_errors.BadSeason, status.HTTP_400_BAD_REQUEST),
    (rankings_errors.BadDays, status.HTTP_400_BAD_REQUEST),
    (rankings_errors.BadOpenings, status.HTTP_400_BAD_REQUEST),
    (rankings_errors.BadDivisions, status.HTTP_400_BAD_REQUEST),
    (rankings_errors.BadRequirement, status.HTTP_400_BAD_REQUEST),
    (rankings_errors.RankingError, status.HTTP_409_CONFLICT),
    (records_errors.CodeUnreadable, status.HTTP_404_NOT_FOUND),
    (records_errors.UnknownShortCode, status.HTTP_404_NOT_FOUND),
    (records_errors.TooManyShortCodes, status.HTTP_429_TOO_MANY_REQUESTS),
    (records_errors.NotYourSheet, status.HTTP_403_FORBIDDEN),
    (records_errors.NotAMemberHere, status.HTTP_403_FORBIDDEN),
    (records_errors.NothingHandedIn, status.HTTP_400_BAD_REQUEST),
    (child_processes.RetryLater, status.HTTP_429_TOO_MANY_REQUESTS),
    (pictures.PictureTooComplex, status.HTTP_413_REQUEST_ENTITY_TOO_LARGE),
    (pictures.PictureTooLarge, status.HTTP_413_REQUEST_ENTITY_TOO_LARGE),
    (pictures.BadPicture, status.HTTP_400_BAD_REQUEST),
    (records_errors.TooMuchUnpacked, status.HTTP_413_REQUEST_ENTITY_TOO_LARGE),
    (records_errors.DayQuotaReached, status.HTTP_429_TOO_MANY_REQUESTS),
    (records_errors.TooManyFiles, status.HTTP_413_REQUEST_ENTITY_TOO_LARGE),
    (records_errors.RecordError, status.HTTP_409_CONFLICT),
    (venue_errors.BadTables, status.HTTP_400_BAD_REQUEST),
    (venue_errors.UnknownLetters, status.HTTP_404_NOT_FOUND),
    (venue_errors.TooManyTries, status.HTTP_429_TOO_MANY_REQUESTS),
    (venue_errors.BadProgramme, status.HTTP_400_BAD_REQUEST),
    (venue_errors.VenueError, status.HTTP_409_CONFLICT),
    (KeyReused, status.HTTP_422_UNPROCESSABLE_ENTITY),
    (TransactionTooLong, status.HTTP_503_SERVICE_UNAVAILABLE),
)


def handle_error(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Convert an exception to problem+json (RFC 9457) with a stable code."""
    headers: dict[str, str] = {}
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    body = _build_body(error)
    if body is None:
        return None
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(round(wait))
    if scheme := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = scheme
    set_rollback()
    response = Response(body, status=body["status"], headers=headers)
    response.content_type = problems.MEDIA_TYPE
    return response


def _build_body(error: Exception) -> dict[str, Any] | None:
    if isinstance(error, exceptions.ValidationError):
        return problems.build_fields_body(error.get_full_details())
    if isinstance(error, exceptions.APIException):
        detail: Any = error.get_full_details()
        return problems.build_body(error.status_code, detail["code"], detail["message"])
    for kind, number in STATUS_OF:
        if isinstance(error, kind):
            code = getattr(error, "code", "conflict")
            context = dict(getattr(error, "context", {}))
            if fields := context.get("fields"):
                context["fields"] = {name: [{"message": told, "code": code}] for name, told in fields.items()}
            return problems.build_body(number, code, str(error) or code, context)
    return None


@csrf_exempt
def not_found(request: HttpRequest) -> JsonResponse:
    """Return 404 as problem+json for unknown paths under /api/."""
    return problems.build_response(404, _("There is nothing at this address."))
