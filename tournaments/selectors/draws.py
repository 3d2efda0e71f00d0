"""A draw as its director looks at it before anybody else does, and as everybody does afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.models import Entry, Stage
from tournaments.selectors import labels, plays
from tournaments.selectors.lines import shown_name

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import Draw, Tournament


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """One line of a sheet."""

    number: int
    name: str  # "" where nobody stands


@dataclass(frozen=True, slots=True)
class DrawPage:
    """The draw of one stage."""

    stage: int
    title: str
    has_lines: bool
    pairs: tuple[tuple[DrawnLine, DrawnLine], ...]
    order: tuple[DrawnLine, ...]
    method: str
    attempt: int
    commitment: str
    seed: str
    made_at: datetime | None
    published_at: datetime | None
    entered: int
    here: int
    missing: tuple[str, ...]  # entered, and not checked in
    newcomers: int  # they came after the preview was made

    @property
    def is_there(self) -> bool:
        """Say whether something is drawn."""
        return self.made_at is not None


def read(event: Tournament, number: int, *, commitment: str) -> DrawPage | None:
    """Return the draw of a stage, None where there is no such stage."""
    stage = Stage.objects.filter(tournament=event, number=number).select_related("draw").first()
    if stage is None:
        return None
    entries = list(
        Entry.objects.filter(tournament=event, withdrawn_at__isnull=True, waits=False).select_related(
            "player"
        )
    )
    names = {entry.number: shown_name(entry.player) for entry in entries}
    draw: Draw | None = stage.draw if hasattr(stage, "draw") else None
    lines = [DrawnLine(at, names.get(one or 0, "")) for at, one in enumerate(draw.lines, 1)] if draw else []
    has_lines = plays.has_lines(stage)
    here = [entry for entry in entries if entry.checked_in_at is not None]
    drawn = {one for one in draw.lines if one is not None} if draw else set()
    wanted = {entry.number for entry in (here if event.needs_check_in else entries)}
    is_public = draw is not None and draw.published_at is not None
    return DrawPage(
        stage=number,
        title=stage.name or labels.format_name(stage.format),
        has_lines=has_lines,
        pairs=tuple(zip(lines[::2], lines[1::2], strict=False)) if has_lines else (),
        order=tuple(line for line in lines if line.name) if not has_lines else (),
        method=draw.method if draw else "",
        attempt=draw.attempt if draw else 0,
        commitment=commitment,
        seed=event.seed if is_public else "",
        made_at=draw.made_at if draw else None,
        published_at=draw.published_at if draw else None,
        entered=len(entries),
        here=len(here),
        missing=tuple(names[entry.number] for entry in entries if entry.checked_in_at is None)
        if event.needs_check_in
        else (),
        newcomers=len(wanted ^ drawn) if draw and not is_public and not stage.takes else 0,
    )
