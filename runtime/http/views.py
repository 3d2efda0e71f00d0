"""Endpoints for load balancers and Prometheus: health, readiness and metrics."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from datetime import datetime

from django.db import connection
from django.db.models import Count, Min, Q
from django.db.utils import Error as DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from runtime import database_errors, nodes
from runtime.install import held_copies
from runtime.metrics import BUCKETS, COUNTERS
from runtime.models import Outage, Outbox, Queue, SweepRun
from runtime.stream import presence
from runtime.stream.hub import HUB
from runtime.work import outbox, sweeps


def render_metrics(*, now: datetime) -> str:
    return "\n".join([*_list_machine_metrics(), *_list_installation_metrics(now)]) + "\n"


def _list_machine_metrics() -> Iterator[str]:
    figures = COUNTERS.total()
    # With several web processes each scrape reaches one of them, so its series are labelled by process.
    own = f'process="{os.getpid()}"' if multiprocessing.parent_process() else ""
    yield "# HELP barpoint_requests_total Requests answered by this web process."
    yield "# TYPE barpoint_requests_total counter"
    for (method, status), count in sorted(figures.requests.items()):
        yield f'barpoint_requests_total{{method="{method}",status="{status}"{own and f",{own}"}}} {count}'
    yield "# HELP barpoint_request_seconds How long they took to answer."
    yield "# TYPE barpoint_request_seconds histogram"
    yield from _format_histogram("barpoint_request_seconds", figures.in_bucket, figures.seconds, own)
    yield "# HELP barpoint_transaction_seconds How long their transactions held the database."
    yield "# TYPE barpoint_transaction_seconds histogram"
    yield from _format_histogram(
        "barpoint_transaction_seconds", figures.transactions_in_bucket, figures.transaction_seconds, own
    )
    yield "# HELP barpoint_transaction_longest_seconds The longest of them since the start."
    yield "# TYPE barpoint_transaction_longest_seconds gauge"
    yield f"barpoint_transaction_longest_seconds{own and f'{{{own}}}'} {figures.longest_transaction:.6f}"
    yield "# HELP barpoint_streams_open Their open live streams."
    yield "# TYPE barpoint_streams_open gauge"
    yield f"barpoint_streams_open{own and f'{{{own}}}'} {HUB.open_streams}"


def _format_histogram(name: str, in_bucket: list[int], seconds: float, own: str) -> Iterator[str]:
    total = 0
    for bound, count in zip((*map(str, BUCKETS), "+Inf"), in_bucket, strict=True):
        total += count
        yield f'{name}_bucket{{le="{bound}"{own and f",{own}"}}} {total}'
    yield f"{name}_sum{own and f'{{{own}}}'} {seconds:.6f}"
    yield f"{name}_count{own and f'{{{own}}}'} {total}"


def _list_installation_metrics(now: datetime) -> Iterator[str]:
    waiting = Outbox.objects.filter(done_at__isnull=True, failed_at__isnull=True)
    lengths = dict(
        waiting.filter(due_at__lte=now).values_list("queue").annotate(n=Count("pk")).values_list("queue", "n")
    )
    yield "# HELP barpoint_queue_length Work that is due, by queue."
    yield "# TYPE barpoint_queue_length gauge"
    for queue in Queue.values:
        yield f'barpoint_queue_length{{queue="{queue}"}} {lengths.get(queue, 0)}'
    may_leave = held_copies.filter_deliverable(outbox.list_outgoing())
    counts = waiting.aggregate(
        pending=Count("pk"), oldest=Min("due_at", filter=Q(due_at__lte=now) & may_leave)
    )
    yield "# HELP barpoint_outbox_pending Consequences written and not yet carried out."
    yield "# TYPE barpoint_outbox_pending gauge"
    yield f"barpoint_outbox_pending {counts['pending']}"
    oldest = (now - counts["oldest"]).total_seconds() if counts["oldest"] else 0.0
    yield "# HELP barpoint_outbox_oldest_seconds How long the oldest due one has been waiting."
    yield "# TYPE barpoint_outbox_oldest_seconds gauge"
    yield f"barpoint_outbox_oldest_seconds {max(0.0, oldest):.3f}"
    yield "# HELP barpoint_outgoing_held Whether this is a copy from which no e-mail and no webhook call leaves."
    yield "# TYPE barpoint_outgoing_held gauge"
    yield f"barpoint_outgoing_held {held_copies.query_held().count()}"
    yield "# HELP barpoint_outbox_retrying Consequences whose last attempt failed and that will be tried again, by kind."
    yield "# TYPE barpoint_outbox_retrying gauge"
    retrying = outbox.list_failing().values_list("kind").annotate(n=Count("pk")).order_by("kind")
    for kind, count in retrying:
        yield f'barpoint_outbox_retrying{{kind="{kind}"}} {count}'
    failed = Outbox.objects.filter(failed_at__isnull=False).count()
    yield "# HELP barpoint_outbox_failed Consequences given up after many tries."
    yield "# TYPE barpoint_outbox_failed gauge"
    yield f"barpoint_outbox_failed {failed}"
    yield "# HELP barpoint_sweep_last_run_seconds When each sweep last finished, as a Unix time."
    yield "# TYPE barpoint_sweep_last_run_seconds gauge"
    for name, finished_at in SweepRun.objects.order_by("name").values_list("name", "finished_at"):
        if finished_at:
            yield f'barpoint_sweep_last_run_seconds{{sweep="{name}"}} {finished_at.timestamp():.3f}'
    yield "# HELP barpoint_sweep_failures Failures in a row of each sweep, and of the subjects that it could not deal with."
    yield "# TYPE barpoint_sweep_failures gauge"
    for name, count in sweeps.count_failures():
        yield f'barpoint_sweep_failures{{sweep="{name}"}} {count}'
    late = {sweep.name for sweep in sweeps.list_late(now=now)}
    yield "# HELP barpoint_sweep_late Whether a sweep has something to do and nobody runs it."
    yield "# TYPE barpoint_sweep_late gauge"
    for sweep in sweeps.list_sweeps():
        yield f'barpoint_sweep_late{{sweep="{sweep.name}"}} {int(sweep.name in late)}'
    yield "# HELP barpoint_nodes_alive Processes whose heart beats, by role."
    yield "# TYPE barpoint_nodes_alive gauge"
    for role, count in (
        nodes.list_living(now=now).values_list("role").annotate(n=Count("pk")).order_by("role")
    ):
        yield f'barpoint_nodes_alive{{role="{role}"}} {count}'
    yield "# HELP barpoint_outages_total Stretches in which no web process was alive."
    yield "# TYPE barpoint_outages_total counter"
    yield f"barpoint_outages_total {Outage.objects.count()}"
    topics, readers = presence.count_totals(now=now)
    yield "# HELP barpoint_present_topics Topics of a counted family that somebody reads."
    yield "# TYPE barpoint_present_topics gauge"
    yield f"barpoint_present_topics {topics}"
    yield "# HELP barpoint_present_readers Who reads them, in all processes together."
    yield "# TYPE barpoint_present_readers gauge"
    yield f"barpoint_present_readers {readers}"


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
