"""A real server in a thread, a real browser, and a fence: nothing may leave this machine."""

from __future__ import annotations

import importlib.util
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request
from pytest_playwright.pytest_playwright import CreateContextCallback

from tests.browser import tables

if importlib.util.find_spec("playwright") is None:
    collect_ignore_glob = ["test_*.py"]

# How long a state is waited for: a busy machine takes longer, what never comes takes for ever.
PATIENCE_MS = 30_000

# The browser without windows, where there is one: the same engine in two thirds of the time.
CHROMIUM = (
    os.environ.get("CHROMIUM")
    or shutil.which("chromium-headless-shell")
    or shutil.which("chromium")
    or shutil.which("chromium-browser")
    or shutil.which("google-chrome")
)
ARGUMENTS = [
    "--no-sandbox",
    # Without it the browser without windows sets text wider than a screen does.
    "--font-render-hinting=none",
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
    # The fence: no name but this machine's is known, and no address but its own is reached.
    # A club's own name leads here, too: unlike localhost it is nothing a browser trusts without HTTPS.
    "--host-resolver-rules=MAP barpoint.lan 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
    "--disable-features=OptimizationHints,MediaRouter,Translate,AutofillServerCommunication,"
    "CertificateTransparencyComponentUpdater",
]
LONGEST = ("test_axe_finds_nothing_on_any_page", "test_a_whole_match", "test_a_night_from")
LOCAL = {"localhost", "barpoint.lan", "127.0.0.1", "[::1]", ""}
# Playwright keeps a loop running in the test's thread; Django would take it for async code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # The longest first, so that no worker still runs a long test when the others have finished.
    items.sort(key=lambda item: not item.name.startswith(LONGEST))
    seen: set[str] = set()
    for item in items:
        if "tests/browser" in str(item.path):
            # Of a test with parameters .ci/run takes the first, and `make check` takes all.
            test = item.nodeid.partition("[")[0]
            if test in seen:
                item.add_marker(pytest.mark.long)
            elif item.get_closest_marker("long") is None:
                seen.add(test)
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.today)
            item.add_marker(pytest.mark.django_db(transaction=True))
            if CHROMIUM is None:
                item.add_marker(pytest.mark.skip(reason="no chromium on this machine"))


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Start Debian's chromium, quietly."""
    return {"executable_path": CHROMIUM, "args": ARGUMENTS, "chromium_sandbox": False}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Keep the service worker out; tests of it are marked `browser_context_args(service_workers="allow")`."""
    return {**browser_context_args, "service_workers": "block"}


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
    HUB.call_soon(HUB.close)
    server.should_exit = True
    thread.join(5)


@pytest.fixture
def site(_server: str, transactional_db: None) -> str:
    """The address of the running product, on an empty database."""
    return _server


@pytest.fixture(scope="session")
def base_url(_server: str) -> str:
    """Allow relative paths in page.goto."""
    return _server


class Fence:
    """Keeps browsers on this machine, and notes what their pages complain of."""

    def __init__(self) -> None:
        self.left: list[str] = []
        self.complaints: list[str] = []

    def put_round(self, context: BrowserContext) -> None:
        """Watch every page of *context*."""
        from playwright.sync_api import expect

        context.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)
        # Not by `route`: each file of each page would come through here, and none be kept by the browser.
        context.on("request", self._note)
        context.on("page", self._listen)

    def _note(self, request: Request) -> None:
        if (urlsplit(request.url).hostname or "") not in LOCAL:
            self.left.append(request.url)

    def _listen(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error" and "Content Security Policy" in message.text:
            self.complaints.append(message.text)


@pytest.fixture
def fence() -> Iterator[Fence]:
    """Fail the test if any page asked for anything beyond this machine, or spoke of an error."""
    fence = Fence()
    yield fence
    assert fence.left == [], "pages asked for things beyond this machine"
    assert fence.complaints == [], "pages broke their own rules"


@pytest.fixture(autouse=True)
def _fence(request: pytest.FixtureRequest) -> None:
    if "context" in request.fixturenames:
        request.getfixturevalue("fence").put_round(request.getfixturevalue("context"))


@pytest.fixture
def another(new_context: CreateContextCallback, fence: Fence) -> Callable[..., Page]:
    """Open one more browser, another person's: `another(has_touch=True, …)` returns its page."""

    def open_one(**options: Any) -> Page:
        context = new_context(**options)
        fence.put_round(context)
        return context.new_page()

    return open_one


@pytest.fixture
def table(site: str, page: Page) -> Page:
    """The page of the tests' own with a table on it (`tests.browser.tables`)."""
    tables.serve(page, site)
    return page
