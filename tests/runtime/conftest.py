"""Where the machinery's tests look for servers."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from tests.runtime.support import until

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def _services_or_skip(request: pytest.FixtureRequest) -> None:
    """Skip what needs PostgreSQL and Redis where they are not given."""
    from django.conf import settings

    if request.node.get_closest_marker("services") is None:
        return
    if not settings.DATABASE_URL.startswith("postgres"):
        pytest.skip("DATABASE_URL names no PostgreSQL (python -m tests.services starts one)")
    if not settings.REDIS_URL:
        pytest.skip("REDIS_URL is not set (python -m tests.services starts a Redis)")


@pytest.fixture
def _handlers() -> Iterator[None]:
    """Put back, after the test, what carries out which kind."""
    from runtime import outbox

    before = dict(outbox._handlers)
    yield
    outbox._handlers.clear()
    outbox._handlers.update(before)


@pytest.fixture(scope="session")
def front(django_db_setup: None) -> Iterator[int]:
    """The port of our one front (stream and pages), served by a real uvicorn in a thread of this process."""
    import uvicorn

    from config.asgi import application

    server = uvicorn.Server(
        uvicorn.Config(application, host="127.0.0.1", port=0, log_config=None, timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    thread.join(10)
