"""`Hook`: a list that a package declares and packages above it add to. `Slot`: a hook for a place on a page.

Each package declares its hooks in its `hooks.py`. The packages above add to them in their `receivers.py`,
which `apps.py` imports when Django starts. The hooks of this package are below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Concatenate, Final, Generic, ParamSpec, TypeVar

from django.http import HttpRequest

T = TypeVar("T")
Subject = ParamSpec("Subject")


class Hook(Generic[T]):
    """Values registered by name, iterated in the order of the names."""

    def __init__(self) -> None:
        self._values: dict[str, T] = {}

    def add(self, name: str, value: T) -> None:
        self._values[name] = value

    def items(self) -> list[tuple[str, T]]:
        return sorted(self._values.items(), key=lambda item: item[0])

    def __iter__(self) -> Iterator[T]:
        return iter([value for _name, value in self.items()])


class SingleHook(Generic[T]):
    """A value that one package provides; a default until then."""

    def __init__(self, default: T) -> None:
        self._value = default

    def provide(self, value: T) -> None:
        self._value = value

    def get(self) -> T:
        return self._value


@dataclass(frozen=True, slots=True)
class SlotPart(Generic[Subject]):
    """A package's part of a slot: a template, and a function that returns its context or None.

    The function checks permissions, as a view does. On a page that is cached for all visitors it must return
    the same for all of them, and either writes to its data invalidate the page (of an event: `EventPageRow`)
    or it has a `cache_key`.
    """

    template: str
    show: Callable[Concatenate[HttpRequest, Subject], object | None]
    # Changes when the shown data changes.
    cache_key: Callable[[], object] | None = None


class Slot(Hook[SlotPart[Subject]], Generic[Subject]):
    """A place on a page, `{% slot "players.hooks.PLAYER_PAGE" person.key %}`; its parts are sorted by name.

    It is declared in the package of the page, or below it if a package that must not import that one adds to
    it. Its type parameters are the arguments that the page passes to the parts.
    """

    def list_shown(
        self, request: HttpRequest, *subject: Subject.args, **named: Subject.kwargs
    ) -> list[tuple[str, object]]:
        """Return the templates that have something to show, each with its context."""
        parts = [(part.template, part.show(request, *subject, **named)) for part in self]
        return [(template, shown) for template, shown in parts if shown is not None]

    def cache_keys(self) -> tuple[object, ...]:
        return tuple(part.cache_key() for part in self if part.cache_key is not None)


# Each checks invariants of rows and yields a sentence for each violation (`manage.py verify`).
VERIFIERS: Final[Hook[Callable[[], Iterator[str]]]] = Hook()

# Each is called with `now=...`, deletes rows that are no longer needed, and returns their number
# (`runtime/receivers.py`).
PRUNERS: Final[Hook[Callable[..., int]]] = Hook()
