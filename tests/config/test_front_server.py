"""The server looks around once a second and ends at once when it is asked to."""

from __future__ import annotations

import asyncio
import signal
from contextlib import nullcontext
from typing import TYPE_CHECKING

import pytest
import uvicorn

from config.front.server import Server

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    "end",
    [lambda server: server.handle_exit(signal.SIGTERM, None), lambda server: server._leave()],
    ids=["asked", "replaced"],
)
def test_who_is_asked_to_end_does_not_wait_for_the_next_second(
    end: Callable[[Server], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    # No second ever ends.
    monkeypatch.setattr(asyncio, "timeout", lambda _seconds: nullcontext())

    async def serve() -> None:
        config = uvicorn.Config("nobody:application")
        config.encoded_headers = []
        server = Server(config)
        server._loop = asyncio.get_running_loop()
        serving = asyncio.create_task(server.main_loop())
        await asyncio.sleep(0)
        assert not serving.done()
        assert server.server_state.default_headers[0][0] == b"date"
        end(server)
        await serving

    asyncio.run(serve())
