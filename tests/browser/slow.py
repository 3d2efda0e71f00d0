"""A slow line, as a test wants it: one request, or its answer, waits on its way until it is let through."""

from __future__ import annotations

from playwright.sync_api import APIResponse, Page, Route

from tests.runtime.support import until


class Kept:
    """The next request to *address*. Where it *is_made*, the server has answered already, and the answer is kept."""

    def __init__(self, page: Page, address: str, *, is_made: bool = True) -> None:
        self.page, self.is_made = page, is_made
        self.route: Route | None = None
        self.answer: APIResponse | None = None
        page.route(address, self._keep, times=1)

    def _keep(self, route: Route) -> None:
        if self.is_made:
            self.answer = route.fetch()
        self.route = route

    def wait(self) -> None:
        """Wait until it is on its way."""
        # To ask the page something lets requests come in.
        until(lambda: self.page.evaluate("true") and self.route)

    def let_through(self) -> None:
        """Let it come to its end, and wait for that."""
        self.wait()
        assert self.route is not None
        if self.answer is None:
            self.route.continue_()
        else:
            self.route.fulfill(response=self.answer)
        # Of an answer that leads elsewhere and is not followed, the browser says at times that it was cut off:
        # it has come to its end then, too.
        if answer := self.route.request.response():
            answer.finished()
