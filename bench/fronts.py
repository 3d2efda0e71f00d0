"""Barpoint behind servers other than its own: what bench/servers.py compares with."""

import os
from typing import TYPE_CHECKING, Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from config.asgi import application as whole  # isort: skip  # it sets Django up
from django.conf import settings

from config import serve
from config.wsgi import application as pages

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

# As our own server does before it opens.
serve.tune_interpreter()


def bridged() -> "Callable[..., Awaitable[None]]":
    """Return our application with its pages carried by a bridge of others; streams stay as they are.

    Django brings one as well, asgiref's WsgiToAsgi; under sixteen callers at once it ends in errors of its executor.
    """
    from a2wsgi import WSGIMiddleware

    bridge = WSGIMiddleware(pages, workers=settings.WEB_THREADS)

    async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
        is_page = scope["type"] == "http" and scope["path"] != "/live/"
        await (bridge if is_page else whole)(scope, receive, send)

    return application
