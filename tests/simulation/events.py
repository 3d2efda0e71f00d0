"""The events that are played: every format in every manner, and stages that take from each other."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from draw.formats import FORMATS
from tests.draw.test_machine import OPTIONS, SIZES
from tests.draw.test_machine_rounds import MANNERS
from tests.simulation.checker import EventPlan
from tests.tournaments.test_events import CHAINS

MOST_PLAYERS: Final = 64
USUAL_PLAYERS: Final = 16
# Where everybody meets everybody, or comes back several times, larger fields take a seed too long.
MOST_BY_FORMAT: Final = {"round-robin": 9, "league": 9, "groups": 24, "lives": 24}


def choose_event(rng: Random) -> EventPlan:
    """Choose an event by chance: mostly of one stage, mostly small."""
    tried: list[tuple[str, dict[str, Any]]] = [
        *((form, dict(options)) for form in sorted(FORMATS) for options in OPTIONS.get(form, [{}])),
        *((form, dict(options)) for form, options in MANNERS),
    ]
    if rng.random() < 0.15:
        name = rng.choice(sorted(CHAINS))
        stages = [_describe_stage(stage) for stage in CHAINS[name]]
        least, most = SIZES[name]
    else:
        form, options = rng.choice(tried)
        if form == "swiss" and "rounds" not in options:
            options["rounds"] = 4
        stages = [{"format": form, "options": _make_plain(options)}]
        least, most = SIZES.get(form, (4, MOST_BY_FORMAT.get(form, MOST_PLAYERS)))
    size = rng.randint(least, most if rng.random() < 0.2 else min(most, USUAL_PLAYERS))
    members = rng.randint(0, min(6, size))
    return EventPlan(
        stages,
        members,
        size - members,
        is_paired_by_worker=rng.random() < 0.2,
        is_quiet=rng.random() < 0.4,
    )


def _describe_stage(stage: Any) -> dict[str, Any]:
    return {
        "format": stage.format,
        "name": stage.name,
        "options": _make_plain(dict(stage.options)),
        "takes": [dict(take) for take in stage.takes],
    }


def _make_plain(options: dict[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}
