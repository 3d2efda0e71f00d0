"""`Hook`: a list that a package declares and the packages above it add to. `Slot`: one for a place on a page.

Each package declares its hooks in its `hooks.py`: one file that says what plugs into its pages and its work. The packages
above add to them in their `receivers.py`, which `apps.py` imports when Django starts. Those of this package are below.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Concatenate, Final, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.http import HttpRequest

T = TypeVar("T")
Subject = ParamSpec("Subject")


class Hook(Generic[T]):
    """Values that packages add under a name each, iterated in the order of the names."""

    def __init__(self) -> None:
        self._values: dict[str, T] = {}

    def add(self, name: str, value: T) -> None:
        """Add a value, or replace the one of that name."""
        self._values[name] = value

    def items(self) -> list[tuple[str, T]]:
        """Return the names, sorted, each with its value."""
        return sorted(self._values.items(), key=lambda item: item[0])

    def __iter__(self) -> Iterator[T]:
        """Iterate over the values, sorted by name."""
        return iter([value for _name, value in self.items()])


class Single(Generic[T]):
    """The value of the one package that provides it, or a default while none does."""

    def __init__(self, default: T) -> None:
        self._value = default

    def provide(self, value: T) -> None:
        """Replace the default."""
        self._value = value

    def get(self) -> T:
        """Return the value."""
        return self._value


@dataclass(frozen=True, slots=True)
class SlotPart(Generic[Subject]):
    """What a package adds to a slot: a template, and a function that returns what it shows, or None for nothing.

    The function decides who may see it, as a view does. On a page that is cached for all visitors it returns the same for
    everybody, and either writing what it shows invalidates the page (of an event: `ShownOnEvent`) or it gives a `cache_key`.
    """

    template: str
    show: Callable[Concatenate[HttpRequest, Subject], object | None]
    # Equal as long as the same is shown.
    cache_key: Callable[[], object] | None = None


class Slot(Hook[SlotPart[Subject]], Generic[Subject]):
    """A place on a page, `{% slot "players.hooks.PLAYER_PAGE" person.key %}`; its parts are sorted by name.

    It is declared in the package of the page, or below it if a package that must not import that one adds to it. Its type
    says what the page gives to the parts.
    """

    def list_shown(
        self, request: HttpRequest, *subject: Subject.args, **named: Subject.kwargs
    ) -> list[tuple[str, object]]:
        """Return the templates that have something to show, each with what it shows."""
        parts = [(part.template, part.show(request, *subject, **named)) for part in self]
        return [(template, shown) for template, shown in parts if shown is not None]

    def cache_keys(self) -> tuple[object, ...]:
        """Return the cache keys of the parts that have one, for the key of a cached page."""
        return tuple(part.cache_key() for part in self if part.cache_key is not None)


# Each checks invariants of rows and yields a sentence for each thing that is wrong (`manage.py verify`).
VERIFIERS: Final[Hook[Callable[[], Iterator[str]]]] = Hook()

# Each is called with `now=...`, deletes rows that are no longer needed, and returns how many (`runtime/tidying.py`).
PRUNERS: Final[Hook[Callable[..., int]]] = Hook()
