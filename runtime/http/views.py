"""Endpoints for load balancers and Prometheus: health, readiness and metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection
from django.db.utils import Error as DatabaseError
from django.http import HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from runtime import database_errors
from runtime.http import metrics
from runtime.stream.hub import HUB
from runtime.work import sweeps

if TYPE_CHECKING:
    from django.http import HttpRequest


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Report that this process runs. Checks nothing else, so that a slow database does not cause restarts.

    `config.asgi` gives the same response from the event loop, without Django's threads.
    """
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """Report whether this process may get requests: the database responds and has room to write."""
    answers: dict[str, str] = {"process": "closing" if HUB.is_closing else "ok"}
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        answers["database"] = "ok"
        # Reported, but late sweeps do not fail the check: pages work without them, and web processes run them.
        late = [sweep.name for sweep in sweeps.list_late(now=timezone.now())]
        answers["sweeps"] = f"late: {', '.join(late)}" if late else "ok"
        if database_errors.is_disk_full():
            answers["database"] = "cannot write: the disk is full"
    except DatabaseError:
        answers["database"] = "does not answer"
    is_ready = answers["process"] == "ok" and answers["database"] == "ok"
    return JsonResponse(answers, status=200 if is_ready else 503)


@require_safe
@never_cache
def figures(request: HttpRequest) -> HttpResponse:
    """Return metrics for Prometheus, without personal data."""
    return HttpResponse(metrics.render(now=timezone.now()), content_type="text/plain; version=0.0.4")
