"""What machines ask us: health, readiness and metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection
from django.db.utils import Error as DatabaseError
from django.http import HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from runtime.http import metrics
from runtime.install import disk
from runtime.stream.hub import HUB
from runtime.work import sweeps

if TYPE_CHECKING:
    from django.http import HttpRequest


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Say that this process runs; nothing else is asked, so that a slow database restarts nobody.

    `config.asgi` gives the same answer from the event loop, before it comes to Django's threads.
    """
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """Say whether this process should be sent visitors: the database answers and can write."""
    answers: dict[str, str] = {"process": "closing" if HUB.is_closing else "ok"}
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        answers["database"] = "ok"
        answers["sweeps"] = _sweeps()
        if disk.is_full():
            answers["database"] = "cannot write: the disk is full"
    except DatabaseError:
        answers["database"] = "does not answer"
    is_ready = answers["process"] == "ok" and answers["database"] == "ok"
    return JsonResponse(answers, status=200 if is_ready else 503)


def _sweeps() -> str:
    # Late sweeps are told and keep nobody out: pages work without them, and each web process steps in.
    late = [sweep.name for sweep in sweeps.late(now=timezone.now())]
    return f"late: {', '.join(late)}" if late else "ok"


@require_safe
@never_cache
def figures(request: HttpRequest) -> HttpResponse:
    """Return the figures that Prometheus collects; they name no person."""
    return HttpResponse(metrics.render(now=timezone.now()), content_type="text/plain; version=0.0.4")
