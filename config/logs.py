"""Structured logs: one line for each event, with the request it belongs to."""

from __future__ import annotations

import logging.config
from typing import Any

import structlog
import structlog.tracebacks

from runtime.http import secret_addresses

# Local variables hold passwords and tokens; they are nobody's to read later.
TRACEBACKS = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)

SHARED: list[structlog.types.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]


def logging_settings(*, level: str, shape: str) -> dict[str, Any]:
    """Return a `logging` configuration; *shape* is `console` for people, `json` for machines."""
    last: list[structlog.types.Processor] = (
        [structlog.processors.ExceptionRenderer(TRACEBACKS), structlog.processors.JSONRenderer()]
        if shape == "json"
        else [
            structlog.dev.ConsoleRenderer(
                colors=False, pad_event_to=0, exception_formatter=structlog.dev.plain_traceback
            )
        ]
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structured": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": SHARED,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    *last,
                    _without_secrets,
                ],
            }
        },
        "filters": {
            "database_away": {"()": "runtime.failure_log.DatabaseAwayFilter"},
            "security": {"()": "runtime.failure_log.SecurityFilter"},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "structured",
                "filters": ["database_away", "security"],
            }
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # Our own request line says more than the servers' do.
            "uvicorn.access": {"level": "WARNING"},
            "uvicorn.error": {"level": "WARNING"},
            "django.request": {"level": "ERROR"},
            "django.server": {"level": "WARNING"},
            "celery": {"level": "WARNING"},
            # Each try of a pool to reach a server that is away; `database.away` says that once.
            "psycopg.pool": {"level": "ERROR"},
            # Each variable that a template does without.
            "django.template": {"level": "INFO"},
            # A trace each second while Redis is away; the web processes say that once (`redis.calls_lost`).
            "celery.beat": {"level": "CRITICAL"},
            # A worker logs one line for every sweep of every second otherwise.
            "celery.app.trace": {"level": "ERROR"},
            "celery.worker.strategy": {"level": "WARNING"},
        },
    }


def _without_secrets(_logger: object, _method: str, line: str | bytes) -> str:
    """Hide the secrets of addresses in a line as it is written, whoever logged it: Django, a server, a traceback."""
    return secret_addresses.hide(line.decode() if isinstance(line, bytes) else line)


def configure(settings: dict[str, Any]) -> None:
    """Apply *settings* and make structlog speak through `logging`."""
    logging.config.dictConfig(settings)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
