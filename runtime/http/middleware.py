"""Middleware: health checks, request IDs, logs and metrics."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Final
from uuid import uuid4

import structlog
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import resolve

from runtime import transactions
from runtime.failure_log import DATABASE
from runtime.http import url_secrets
from runtime.metrics import COUNTERS

log = structlog.get_logger("request")

# A valid request ID from the client is kept, so that a chain of services shares it.
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
# Possible secrets in a path that matches no view.
LIKE_SECRET = re.compile(r"[A-Za-z0-9_:=-]{20,}")
# Slower requests are logged by default.
SLOW_SECONDS: Final = 1.0
MACHINE_PATHS: Final = frozenset({"/healthz", "/readyz", "/metrics"})


class MachineMiddleware:
    """Middleware that answers health checks and metrics before other middleware can reject them.

    A load balancer uses its own host name, no session and plain HTTP.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        return resolve(path).func(request) if path in MACHINE_PATHS else self.get_response(request)


class RequestLogMiddleware:
    """Middleware that gives requests an ID, counts them, and logs failed and slow ones.

    With LOG_LEVEL=DEBUG it logs all.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if REQUEST_ID.fullmatch(given) else uuid4().hex
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        began = time.perf_counter()
        with transactions.limit_transactions(
            f"{request.method} {request.path_info}", patience=transactions.REQUEST_PATIENCE
        ):
            response = self.get_response(request)
        took = time.perf_counter() - began
        COUNTERS.count(method=request.method or "-", status=response.status_code, seconds=took)
        if (level := _choose_level(response.status_code, took)) is not None:
            log.log(
                level,
                "answered",
                method=request.method,
                # The path only: queries contain tokens.
                path=_format_path(request),
                status=response.status_code,
                ms=round(took * 1000, 1),
            )
        response["X-Request-ID"] = request_id
        return response


def _choose_level(status: int, seconds: float) -> int | None:
    """Return the log level, or None for failures that `database.away` already explains."""
    if status == HTTPStatus.SERVICE_UNAVAILABLE and DATABASE.is_open:
        return None
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return logging.ERROR
    return logging.WARNING if seconds >= SLOW_SECONDS else logging.DEBUG


def _format_path(request: HttpRequest) -> str:
    path = url_secrets.hide(request.path)
    # A path that matches no view may be a mistyped link with a secret.
    return path if request.resolver_match else LIKE_SECRET.sub(url_secrets.HIDDEN, path)
