"""The content security policy, and pages that other sites may embed in a frame.

The response of such a page is the same for everyone: the view gets the request without cookies and without an
account, and the response sets no cookies. It must not have controls that change anything. No other page may be
framed (config.settings).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.views.decorators.clickjacking import xframe_options_exempt

# Allowed values of the query parameter; the first is the default.
THEMES: Final = ("auto", "light", "dark")


class ContentSecurityMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.policy = "; ".join(f"{name} {value}" for name, value in settings.CONTENT_SECURITY_POLICY.items())

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Add the policies unless the view has set them."""
        response = self.get_response(request)
        response.setdefault("Content-Security-Policy", self.policy)
        response.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()")
        return response


def allow_framing(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Allow any site to frame the view's pages, and call it anonymously."""

    @wraps(view)
    @xframe_options_exempt
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        request.COOKIES.clear()
        request.user = AnonymousUser()
        response = view(request, *args, **kwargs)
        response.cookies.clear()
        rules = settings.CONTENT_SECURITY_POLICY | {"frame-ancestors": "*"}
        response["Content-Security-Policy"] = "; ".join(f"{name} {value}" for name, value in rules.items())
        return response

    return answered


def read_theme(request: HttpRequest) -> str:
    theme = request.GET.get("theme", "")
    return theme if theme in THEMES else THEMES[0]
