"""Addresses that are known at a start, and what is behind them when somebody comes: the first page needs little of it."""

from __future__ import annotations

import threading
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from django.urls import URLPattern, URLResolver
from django.urls.resolvers import RoutePattern

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponseBase

# Two threads that import modules which know each other could each meet half a module.
_one_at_a_time = threading.RLock()


class Views:
    """The views of a module; each is a `View` of that name."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> View:
        return View(self._module, name)


class View:
    """A view that is imported when somebody first asks for it; whatever is asked of it, it is that view."""

    def __init__(self, module: str, name: str) -> None:
        self.__module__ = module
        self.__name__ = self.__qualname__ = name
        self._found: Any = None

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer."""
        answer: HttpResponseBase = self.found()(request, *args, **kwargs)
        return answer

    def __getattr__(self, name: str) -> Any:
        # Asked when addresses are read; ours are functions.
        if name == "view_class":
            raise AttributeError(name)
        return getattr(self.found(), name)

    def found(self) -> Any:
        """Return the view itself."""
        if self._found is None:
            with _one_at_a_time:
                self._found = getattr(import_module(self.__module__), self.__name__)
        return self._found


class Part(URLResolver):
    """The addresses of a module that is imported when somebody comes to one of them, or makes a link by `namespace:name`.

    It has no namespaces inside.
    """

    def __init__(self, route: str, module: str, *, namespace: str) -> None:
        super().__init__(RoutePattern(route), module, app_name=namespace, namespace=namespace)

    @cached_property
    def url_patterns(self) -> list[URLPattern | URLResolver]:
        """Return the addresses."""
        with _one_at_a_time:
            found: list[URLPattern | URLResolver] = import_module(str(self.urlconf_name)).urlpatterns
        return found

    def _populate(self) -> None:
        """Read nothing where links to elsewhere are made: whoever makes one to here asks by the namespace."""


def load(resolver: URLResolver) -> None:
    """Import all that is behind the addresses."""
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            load(pattern)
        elif isinstance(pattern.callback, View):
            pattern.callback.found()
