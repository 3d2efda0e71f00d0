"""Errors of the API: problem+json (RFC 9457) with a stable code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext as _

from help import refusals

MEDIA_TYPE = "application/problem+json"
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
    said: dict[str, Any] = {"type": "about:blank", "status": status, "code": code, "title": str(sentence)}
    if context:
        said["context"] = context
    if explained := refusals.find_address(code, str((context or {}).get("rule", ""))):
        said["help"] = explained
    return said


def build_fields_body(errors: Any) -> dict[str, Any]:
    if isinstance(errors, dict):
        # Serializers raise a list of errors for a field, views often a single one.
        errors = {
            name: [told] if isinstance(told, dict) and isinstance(told.get("message"), str) else told
            for name, told in errors.items()
        }
    return build_body(400, "invalid", _("Some fields need another look."), {"fields": errors})


def build_response(status: int, sentence: str, *, code: str | None = None) -> JsonResponse:
    """Return a problem response outside of REST framework's views."""
    return build_response_of_body(build_body(status, code or CODES[status], sentence))


def build_response_of_body(said: dict[str, Any]) -> JsonResponse:
    """Return a problem's body as a response, outside of REST framework's views."""
    return JsonResponse(said, status=said["status"], content_type=MEDIA_TYPE)
