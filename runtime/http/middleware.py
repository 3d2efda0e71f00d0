"""What every request gets: a number, a line in the log if it failed or was slow, a place in the figures, a content policy."""

from __future__ import annotations

import logging
import re
import time
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from uuid import uuid4

import structlog
from django.conf import settings

from runtime import transactions
from runtime.failure_log import DATABASE
from runtime.http import secret_addresses
from runtime.tally import COUNTERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

log = structlog.get_logger("request")

# A caller's own number is kept if it is one, so that a chain of services shares it.
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
# What a link's secret looks like, in a path that leads to no view.
LIKE_SECRET = re.compile(r"[A-Za-z0-9_:=-]{20,}")
# Requests that took so long are logged by default.
SLOW_SECONDS: Final = 1.0


class MachineMiddleware:
    """Answer what machines ask before anything else can refuse them.

    A load balancer asks by an address of its own, without a session and over plain HTTP.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        from runtime.http import views

        self.get_response = get_response
        self.answers = {"/healthz": views.healthz, "/readyz": views.readyz, "/metrics": views.figures}

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a machine's question; let everything else pass."""
        view = self.answers.get(request.path_info)
        return view(request) if view else self.get_response(request)


class RequestLogMiddleware:
    """Number the request, count it, and log it if it failed or was slow; with LOG_LEVEL=DEBUG, always."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Number, answer, log, count."""
        given = request.headers.get("X-Request-ID", "")
        request_id = given if REQUEST_ID.fullmatch(given) else uuid4().hex
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        began = time.perf_counter()
        with transactions.limited(f"{request.method} {request.path_info}"):
            response = self.get_response(request)
        took = time.perf_counter() - began
        COUNTERS.count(method=request.method or "-", status=response.status_code, seconds=took)
        if (level := _choose_level(response.status_code, took)) is not None:
            log.log(
                level,
                "answered",
                method=request.method,
                # The path alone: tokens travel in queries.
                path=_path_for_log(request),
                status=response.status_code,
                ms=round(took * 1000, 1),
            )
        response["X-Request-ID"] = request_id
        return response


def _choose_level(status: int, seconds: float) -> int | None:
    """Return at which level a request is logged, or None while `database.away` says why it failed."""
    if status == HTTPStatus.SERVICE_UNAVAILABLE and DATABASE.is_open:
        return None
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return logging.ERROR
    return logging.WARNING if seconds >= SLOW_SECONDS else logging.DEBUG


def _path_for_log(request: HttpRequest) -> str:
    path = secret_addresses.hide(request.path)
    # What leads to no view may be a secret with a letter too many before it.
    return path if request.resolver_match else LIKE_SECRET.sub(secret_addresses.HIDDEN, path)


class ContentSecurityMiddleware:
    """Tell the browser to run and load nothing but our own files."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.policy = "; ".join(f"{name} {value}" for name, value in settings.CONTENT_SECURITY_POLICY.items())

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Add the policies unless a view has its own."""
        response = self.get_response(request)
        response.setdefault("Content-Security-Policy", self.policy)
        response.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()")
        return response
