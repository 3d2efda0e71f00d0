"""The formats there are, asked about the stages of events and of plans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from django.utils.translation import pgettext

from draw.format import DueFrom
from draw.formats import FORMATS
from draw.options import Options

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from draw.format import Format
    from draw.options import Value


class Played(Protocol):
    """A stage, of an event or of a plan."""

    @property
    def format(self) -> str:
        """Its format, by name."""

    @property
    def options(self) -> Mapping[str, Any]:
        """What was said, by the names of options."""


class Timed(Played, Protocol):
    """A stage with the time that its rounds have."""

    @property
    def round_minutes(self) -> int | None:
        """So many minutes, if that is said."""

    @property
    def round_days(self) -> int | None:
        """So many days, if that is said."""


def of(stage: Played) -> Format:
    """Return the format of a stage."""
    return FORMATS[stage.format]


def is_over_days(stage: Timed) -> bool:
    """Say whether its matches are played by appointment: within days, each when the two have time."""
    return of(stage).due_from is DueFrom.PUBLISHED or (
        stage.round_minutes is None and stage.round_days is not None
    )


def options(stage: Played) -> Options:
    """Return the options of a stage as the library reads them."""
    return Options(tuple(sorted((name, _option(value)) for name, value in stage.options.items())))


def _option(value: Any) -> Value:
    return tuple(_option(one) for one in value) if isinstance(value, list | tuple) else value


def name(form: str) -> str:
    """Return what a format is called in the reader's language."""
    known = FORMATS.get(form)
    return pgettext("event format", known.label) if known is not None and known.label else form


def announced(stages: Iterable[Played]) -> list[dict[str, Any]]:
    """Return how stages are played, as an event keeps it to be said in everybody's language."""
    return [
        {"format": stage.format, "rounds": rounds}
        if of(stage).has_rounds and (rounds := stage.options.get("rounds"))
        else {"format": stage.format}
        for stage in stages
    ]


def in_rounds() -> frozenset[str]:
    """Return the names of those that are paired round by round."""
    return frozenset(form for form, known in FORMATS.items() if known.has_rounds)
