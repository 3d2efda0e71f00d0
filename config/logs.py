"""Structured logs: one line per event, with the request ID."""

from __future__ import annotations

import logging.config
from typing import Any

import structlog
import structlog.tracebacks

from runtime.http import url_secrets

# Local variables may contain passwords and tokens.
TRACEBACKS = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)

SHARED: list[structlog.types.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]


def build_settings(*, level: str, shape: str) -> dict[str, Any]:
    """Return a `logging` configuration; *shape* is `console` or `json`."""
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
                    _hide_secrets,
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
            # Our request log is more detailed than the servers'.
            "uvicorn.access": {"level": "WARNING"},
            "uvicorn.error": {"level": "WARNING"},
            "django.request": {"level": "ERROR"},
            "django.server": {"level": "WARNING"},
            "celery": {"level": "WARNING"},
            # Every attempt to connect while the server is away; `database.away` logs it once.
            "psycopg.pool": {"level": "ERROR"},
            # Every undefined variable in templates.
            "django.template": {"level": "INFO"},
            # A traceback each second while Redis is away; the web processes log it once (`redis.calls_lost`).
            "celery.beat": {"level": "CRITICAL"},
            # Otherwise a line for every sweep of every second.
            "celery.app.trace": {"level": "ERROR"},
            "celery.worker.strategy": {"level": "WARNING"},
        },
    }


def _hide_secrets(_logger: object, _method: str, line: str | bytes) -> str:
    """Hide secrets of URLs in the final line, including those in tracebacks and from other loggers."""
    return url_secrets.hide(line.decode() if isinstance(line, bytes) else line)


def configure(settings: dict[str, Any]) -> None:
    """Apply *settings* and connect structlog to `logging`."""
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
