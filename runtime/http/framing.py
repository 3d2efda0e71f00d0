"""Pages that other sites may show in a frame: what everybody may see, whoever looks, and no cookie either way.

The answer is the same for everyone: the request has no cookies and no account when the view sees it, and the answer sets none.
Nothing on such a page may be pressed to change something. All other pages refuse to be framed (config.settings).
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.views.decorators.clickjacking import xframe_options_exempt

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

# What an address may ask for; anything else is taken for the first.
THEMES: Final = ("auto", "light", "dark")


def framed(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let any site frame the pages of this view, and have it see nothing of who asks."""

    @wraps(view)
    @xframe_options_exempt
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        request.COOKIES.clear()
        request.user = AnonymousUser()
        response = view(request, *args, **kwargs)
        response.cookies.clear()
        response["Content-Security-Policy"] = policy()
        return response

    return answered


def policy() -> str:
    """Return our content policy, but for who may be the frame."""
    rules = settings.CONTENT_SECURITY_POLICY | {"frame-ancestors": "*"}
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def theme(request: HttpRequest) -> str:
    """Return the theme that the address asks for."""
    asked = request.GET.get("theme", "")
    return asked if asked in THEMES else THEMES[0]
