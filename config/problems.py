"""Errors of the API: problem+json (RFC 9457) with a stable code."""

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

from help import refusals
from matches.state.errors import MatchError
from runtime.idempotency import KeyReused
from runtime.refusals import Refusal

MEDIA_TYPE = "application/problem+json"
# Exceptions that are neither these nor REST framework's are bugs and become 500.
REFUSALS: Final = (Refusal, MatchError, KeyReused)
# Default codes.
CODES = {
    400: "bad_request",
    403: "permission_denied",
    404: "not_found",
    409: "conflict",
    413: "too_large",
    429: "throttled",
    500: "server_error",
    503: "unavailable",
}


def is_api_request(request: HttpRequest) -> bool:
    return request.path_info.startswith("/api/")


def build_body(
    status: int, code: str, sentence: str, context: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the body of a problem, with a link to help if there is one."""
    body: dict[str, Any] = {"type": "about:blank", "status": status, "code": code, "title": str(sentence)}
    if context:
        body["context"] = context
    if explained := refusals.find_address(code, str((context or {}).get("rule", ""))):
        body["help"] = explained
    return body


def build_fields_body(errors: Any) -> dict[str, Any]:
    if isinstance(errors, dict):
        # Serializers raise a list of errors for a field, views often a single one.
        errors = {
            name: [value] if isinstance(value, dict) and isinstance(value.get("message"), str) else value
            for name, value in errors.items()
        }
    return build_body(400, "invalid", _("Some fields need another look."), {"fields": errors})


def build_response(status: int, sentence: str, *, code: str | None = None) -> JsonResponse:
    """Return a problem response outside of REST framework's views."""
    return build_response_of_body(build_body(status, code or CODES[status], sentence))


def build_response_of_body(body: dict[str, Any]) -> JsonResponse:
    """Return a problem's body as a response, outside of REST framework's views."""
    return JsonResponse(body, status=body["status"], content_type=MEDIA_TYPE)


def handle_error(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Convert an exception to problem+json (RFC 9457) with a stable code."""
    headers: dict[str, str] = {}
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    body = _describe_error(error)
    if body is None:
        return None
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(round(wait))
    if scheme := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = scheme
    set_rollback()
    response = Response(body, status=body["status"], headers=headers)
    response.content_type = MEDIA_TYPE
    return response


def _describe_error(error: Exception) -> dict[str, Any] | None:
    if isinstance(error, exceptions.ValidationError):
        return build_fields_body(error.get_full_details())
    if isinstance(error, exceptions.APIException):
        detail: Any = error.get_full_details()
        return build_body(error.status_code, detail["code"], detail["message"])
    if not isinstance(error, REFUSALS):
        return None
    context = dict(getattr(error, "context", {}))
    if fields := context.get("fields"):
        context["fields"] = {
            name: [{"message": message, "code": error.code}] for name, message in fields.items()
        }
    return build_body(error.status, error.code, str(error) or error.code, context)


@csrf_exempt
def not_found(request: HttpRequest) -> JsonResponse:
    """Return 404 as problem+json for unknown paths under /api/."""
    return build_response(404, _("There is nothing at this address."))
