"""`Hook`: a list that a package declares and the packages above it add to.

Each package declares its hooks in its `hooks.py`: one file that says what plugs into its pages and its work. The packages
above add to them in their `receivers.py`, which `apps.py` imports when Django starts. Those of this package are below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")


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


# Each checks invariants of rows and yields a sentence for each thing that is wrong (`manage.py verify`).
VERIFIERS: Final[Hook[Callable[[], Iterator[str]]]] = Hook()

# Each is called with `now=...`, deletes rows that are no longer needed, and returns how many (`runtime/tidying.py`).
PRUNERS: Final[Hook[Callable[..., int]]] = Hook()
