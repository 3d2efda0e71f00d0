"""Places on a page that others fill: the page names a slot, whoever has something for it registers a part.

So a page shows what it knows nothing of, and is whole where nobody has anything to add. A part is a template and what it
shows, read when the page is drawn. On a page that is kept for all visitors a part is the same for everybody, and whoever fills it
has the page made anew when it changes (ADR 89), or says by a mark of its own when it is another: the page's mark has those
of its slots in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest


@dataclass(frozen=True, slots=True)
class SlotPart:
    """What somebody puts into a slot."""

    template: str
    # Given the request and what the page says of its subject; None where there is nothing to show.
    show: Callable[..., object | None]
    # For pages that are kept: what it shows is made of.
    mark: Callable[[], object] | None = None


_parts: Final[dict[str, dict[str, SlotPart]]] = {}


def register(
    slot: str,
    name: str,
    *,
    template: str,
    show: Callable[..., object | None],
    mark: Callable[[], object] | None = None,
) -> None:
    """Put a part into a slot; parts stand in the order of their names."""
    _parts.setdefault(slot, {})[name] = SlotPart(template, show, mark)


def marks(slot: str) -> tuple[object, ...]:
    """Return what a slot shows on a page that is kept is made of: while it stays the same, so does the slot."""
    return tuple(part.mark() for _name, part in sorted(_parts.get(slot, {}).items()) if part.mark is not None)


def filled(slot: str, request: HttpRequest, *subject: Any) -> list[tuple[str, object]]:
    """Return the templates that have something to show here, each with what it shows."""
    found = []
    for _name, part in sorted(_parts.get(slot, {}).items()):
        shown = part.show(request, *subject)
        if shown is not None:
            found.append((part.template, shown))
    return found
