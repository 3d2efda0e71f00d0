"""A real server in a thread, a real browser, and a fence: nothing may leave this machine."""

from __future__ import annotations

import importlib.util
import os
import shutil
import threading
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

if importlib.util.find_spec("playwright") is None:
    collect_ignore_glob = ["test_*.py"]

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import BrowserContext, Page, Route

CHROMIUM = (
    os.environ.get("CHROMIUM")
    or shutil.which("chromium")
    or shutil.which("chromium-browser")
    or shutil.which("google-chrome")
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-proxy-server",
    "--metrics-recording-only",
    "--disable-features=OptimizationHints,MediaRouter,Translate,AutofillServerCommunication,"
    "CertificateTransparencyComponentUpdater",
]
LOCAL = {"localhost", "127.0.0.1", "[::1]", ""}
# Playwright keeps a loop running in the test's thread; Django would take it for async code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser" in str(item.path):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.django_db(transaction=True))
            if CHROMIUM is None:
                item.add_marker(pytest.mark.skip(reason="no chromium on this machine"))


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Start Debian's chromium, quietly."""
    return {"executable_path": CHROMIUM, "args": ARGUMENTS, "chromium_sandbox": False}


@pytest.fixture(scope="session")
def _server(django_db_setup: None) -> Iterator[str]:
    """Serve the product on a free port until the session ends."""
    import uvicorn

    from config.asgi import application
    from runtime.stream.hub import HUB

    config = uvicorn.Config(
        application, host="127.0.0.1", port=0, log_config=None, timeout_graceful_shutdown=1, lifespan="on"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, name="site", daemon=True)
    thread.start()
    deadline = time.monotonic() + 20
    while not server.started:
        assert time.monotonic() < deadline, "the server did not start"
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://localhost:{port}"
    HUB.close_from_anywhere()
    server.should_exit = True
    thread.join(5)


@pytest.fixture
def site(_server: str, transactional_db: None) -> str:
    """The address of the running product, on an empty database."""
    return _server


@pytest.fixture
def base_url(_server: str) -> str:
    """Let page.goto take paths."""
    return _server


@pytest.fixture(autouse=True)
def _fence(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail the test if any page asked for anything beyond this machine, or spoke of an error."""
    if "context" not in request.fixturenames:
        yield
        return
    context: BrowserContext = request.getfixturevalue("context")
    left: list[str] = []
    complaints: list[str] = []

    def guard(route: Route) -> None:
        if (urlsplit(route.request.url).hostname or "") in LOCAL:
            route.continue_()
        else:
            left.append(route.request.url)
            route.abort()

    def listen(page: Page) -> None:
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda message: (
                complaints.append(message.text)
                if message.type == "error" and "Content Security Policy" in message.text
                else None
            ),
        )

    context.route("**/*", guard)
    context.on("page", listen)
    yield
    assert left == [], "pages asked for things beyond this machine"
    assert complaints == [], "pages broke their own rules"
