"""Endpoints for load balancers and Prometheus: health, readiness and metrics."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from datetime import datetime
from itertools import chain
from typing import Any, TypeAlias

from django.db import connection
from django.db.models import Count, Min, QuerySet
from django.db.utils import Error as DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from runtime import database_errors, nodes
from runtime.install import held_copies
from runtime.metrics import COUNTERS, format_metric
from runtime.models import Outage, Outbox, Queue, SweepRun
from runtime.stream import presence
from runtime.stream.hub import HUB
from runtime.work import outbox, sweeps

# Name, help and value, and the labels by which there are several values.
Metric: TypeAlias = tuple[Any, ...]


def render_metrics(*, now: datetime) -> str:
    # With several web processes each scrape reaches one of them, so its series are labelled by process.
    own: dict[str, Any] = {"process": os.getpid()} if multiprocessing.parent_process() else {}
    lines = [format_metric(*metric, **own) for metric in _list_process_metrics()]
    lines += [format_metric(*metric) for metric in _list_installation_metrics(now)]
    return "\n".join(chain.from_iterable(lines)) + "\n"


def _list_process_metrics() -> Iterator[Metric]:
    found = COUNTERS.total()
    requests = dict(sorted(found.requests.items()))
    yield "requests_total", "Requests answered by this web process.", requests, "method", "status"
    yield "request_seconds", "How long they took to answer.", found.answers
    yield "transaction_seconds", "How long their transactions held the database.", found.transactions
    longest = f"{found.transactions.longest:.6f}"
    yield "transaction_longest_seconds", "The longest of them since the start.", longest
    yield "streams_open", "Their open live streams.", HUB.open_streams


def _list_installation_metrics(now: datetime) -> Iterator[Metric]:
    waiting = Outbox.objects.filter(done_at__isnull=True, failed_at__isnull=True)
    due = waiting.filter(due_at__lte=now)
    lengths = dict.fromkeys(Queue.values, 0) | _count_by("queue", due)
    yield "queue_length", "Work that is due, by queue.", lengths, "queue"
    yield "outbox_pending", "Consequences written and not yet carried out.", waiting.count()
    may_leave = held_copies.filter_deliverable(outbox.list_outgoing())
    first = due.filter(may_leave).aggregate(at=Min("due_at"))["at"]
    oldest = f"{(now - first).total_seconds() if first else 0.0:.3f}"
    yield "outbox_oldest_seconds", "How long the oldest due one has been waiting.", oldest
    held = held_copies.query_held().count()
    yield "outgoing_held", "Whether this is a copy from which no e-mail and no webhook call leaves.", held
    retrying = _count_by("kind", outbox.list_failing())
    yield "outbox_retrying", "Consequences that failed and will be tried again, by kind.", retrying, "kind"
    failed = Outbox.objects.filter(failed_at__isnull=False).count()
    yield "outbox_failed", "Consequences given up after many tries.", failed
    runs = SweepRun.objects.order_by("name").values_list("name", "finished_at")
    ended = {name: f"{at.timestamp():.3f}" for name, at in runs if at}
    yield "sweep_last_run_seconds", "When each sweep last finished, as a Unix time.", ended, "sweep"
    failures = dict(sweeps.count_failures())
    yield "sweep_failures", "Failures in a row of each sweep, and those of its subjects.", failures, "sweep"
    late = sweeps.list_late(now=now)
    is_late = {sweep.name: int(sweep in late) for sweep in sweeps.list_sweeps()}
    yield "sweep_late", "Whether a sweep has something to do and nobody runs it.", is_late, "sweep"
    alive = _count_by("role", nodes.list_living(now=now))
    yield "nodes_alive", "Processes whose heart beats, by role.", alive, "role"
    yield "outages_total", "Stretches in which no web process was alive.", Outage.objects.count()
    topics, readers = presence.count_totals(now=now)
    yield "present_topics", "Topics of a counted family that somebody reads.", topics
    yield "present_readers", "Who reads them, in all processes together.", readers


def _count_by(field: str, rows: QuerySet[Any]) -> dict[str, int]:
    return dict(rows.order_by(field).values_list(field).annotate(n=Count("pk")))


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
    return HttpResponse(render_metrics(now=timezone.now()), content_type="text/plain; version=0.0.4")
