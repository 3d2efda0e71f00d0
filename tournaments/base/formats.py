"""Formats of the stages of events and plans."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from django.db.models import Q
from django.utils.translation import pgettext

from draw.format import DueFrom, Format
from draw.formats import FORMATS
from draw.options import Options, Value


class StageLike(Protocol):
    """A stage of an event or of a plan: its format, the options that were set, and the time limit of its rounds."""

    @property
    def format(self) -> str: ...
    @property
    def options(self) -> Mapping[str, Any]: ...
    @property
    def round_minutes(self) -> int | None: ...
    @property
    def round_days(self) -> int | None: ...


def get_format(stage: StageLike) -> Format:
    return FORMATS[stage.format]


def is_over_days(stage: StageLike) -> bool:
    """True if the matches of the stage are played by appointment, over several days."""
    return get_format(stage).due_from is DueFrom.PUBLISHED or (
        stage.round_minutes is None and stage.round_days is not None
    )


def query_over_days(stage: str) -> Q:
    """Return the condition of `is_over_days`; *stage* is the path to the stage."""
    leagues = [name for name, known in FORMATS.items() if known.due_from is DueFrom.PUBLISHED]
    has_days = Q((f"{stage}__round_minutes__isnull", True), (f"{stage}__round_days__isnull", False))
    return Q((f"{stage}__format__in", leagues)) | has_days


def build_options(stage: StageLike) -> Options:
    return Options(tuple(sorted((name, _build_value(value)) for name, value in stage.options.items())))


def _build_value(value: Any) -> Value:
    return tuple(_build_value(one) for one in value) if isinstance(value, list | tuple) else value


def format_name(form: str) -> str:
    known = FORMATS.get(form)
    return pgettext("event format", known.label) if known is not None and known.label else form


def serialize_formats(stages: Iterable[StageLike]) -> list[dict[str, Any]]:
    """Return formats and numbers of rounds, as an event stores them for display in every language."""
    return [
        {"format": stage.format, "rounds": rounds}
        if get_format(stage).has_rounds and (rounds := stage.options.get("rounds"))
        else {"format": stage.format}
        for stage in stages
    ]


def list_round_formats() -> frozenset[str]:
    return frozenset(form for form, known in FORMATS.items() if known.has_rounds)
