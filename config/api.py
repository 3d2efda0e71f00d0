"""The API's errors as HTTP problems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from config import problems
from matches.state.errors import MatchError
from runtime.idempotency import KeyReused
from runtime.refusals import Refusal

# Exceptions that are neither these nor REST framework's are bugs and become 500.
REFUSALS: Final = (Refusal, MatchError, KeyReused)


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
    if not isinstance(error, REFUSALS):
        return None
    context = dict(getattr(error, "context", {}))
    if fields := context.get("fields"):
        context["fields"] = {name: [{"message": told, "code": error.code}] for name, told in fields.items()}
    return problems.build_body(error.status, error.code, str(error) or error.code, context)


@csrf_exempt
def not_found(request: HttpRequest) -> JsonResponse:
    """Return 404 as problem+json for unknown paths under /api/."""
    return problems.build_response(404, _("There is nothing at this address."))
