"""Views and receivers that are known at the start but imported when they are first needed.

Everything that is imported so is imported by one thread at a time: two that came into a package from both ends would
meet half of it.
"""

from __future__ import annotations

import threading
from importlib import import_module
from typing import Any, Final

from django.urls import URLPattern, URLResolver
from django.urls.resolvers import RoutePattern

ALONE: Final = threading.RLock()
# What was put off, by its name.
_put_off: Final[set[str]] = set()


class Module:
    """A module that is imported when one of its functions is called."""

    def __init__(self, name: str) -> None:
        self._name = name
        _put_off.add(name)

    def __getattr__(self, name: str) -> Function:
        if name.startswith("__"):  # asked by those who look at everything
            raise AttributeError(name)
        function = Function(self._name, name)
        setattr(self, name, function)
        return function


def modules(package: str, *names: str) -> tuple[Module, ...]:
    """Return modules of a package."""
    return tuple(Module(f"{package}.{name}") for name in names)


class Function:
    """A function, a view for instance, that is imported when it is called; whatever is asked of it, it is that function."""

    def __init__(self, module: str, name: str) -> None:
        self.__module__ = module
        self.__name__ = self.__qualname__ = name
        self._found: Any = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Do what it does."""
        return self.found()(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        # Asked of each view when addresses are read.
        if name == "view_class":
            raise AttributeError(name)
        return getattr(self.found(), name)

    def found(self) -> Any:
        """Return the function itself."""
        if self._found is None:
            with ALONE:
                self._found = getattr(import_module(self.__module__), self.__name__)
        return self._found


class LazyUrls(URLResolver):
    """The addresses of a module that is imported when somebody comes to one of them, or makes a link by `namespace:name`.

    It has no namespaces inside.
    """

    def __init__(self, route: str, module: str, *, namespace: str) -> None:
        super().__init__(RoutePattern(route), module, app_name=namespace, namespace=namespace)
        self._found: list[URLPattern | URLResolver] | None = None

    # A cached_property has a lock of its own: who held it and waited here met whoever came the other way round.
    @property
    def url_patterns(self) -> list[URLPattern | URLResolver]:
        """Return the addresses."""
        if self._found is None:
            with ALONE:
                self._found = import_module(str(self.urlconf_name)).urlpatterns
        return self._found

    def _populate(self) -> None:
        """Read nothing where links to elsewhere are made: whoever makes one to here asks by the namespace."""


def load_modules() -> None:
    """Import all that has been put off: before a process forks, say, so that its children share it."""
    loaded: set[str] = set()
    # One may put off others.
    while waiting := _put_off - loaded:
        for name in sorted(waiting):
            with ALONE:
                import_module(name)
        loaded |= waiting


def load(resolver: URLResolver) -> None:
    """Import all that is behind the addresses."""
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            load(pattern)
        elif isinstance(pattern.callback, Function):
            pattern.callback.found()
