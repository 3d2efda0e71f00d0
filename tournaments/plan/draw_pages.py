"""The draw for display: previewed by the director, and public once published."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from draw import seeding
from draw import stages as rules
from draw.event import State
from draw.options import BadOption
from tournaments.base import event_rows, formats, labels, local_times
from tournaments.base.event_lines import format_player_name
from tournaments.base.reason_words import BY_HAND, DRAWN_BY
from tournaments.models import Draw, Entry, Stage, Tournament
from tournaments.pages import reasons

# Larger first rounds are not paired for the page: for 256 in groups it takes 130 ms, in a Swiss 30 ms.
MOST_PAIRED: Final = 256


@dataclass(frozen=True, slots=True)
class DrawnLine:
    number: int
    name: str  # "" for an empty line


@dataclass(frozen=True, slots=True)
class FirstRound:
    """The first round of a stage or group as pairs of names; with a bye the other name is ""."""

    title: str
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class DrawPage:
    stage: int
    title: str
    has_lines: bool
    pairs: tuple[tuple[DrawnLine, DrawnLine], ...]
    order: tuple[DrawnLine, ...]
    row: Draw | None
    method: str
    is_by_hand: bool
    commitment: str
    seed: str
    when: str  # when published, or else made, in the club's time zone
    entered: int
    here: int
    missing: tuple[str, ...]  # entered, and not checked in
    newcomers: int  # entries that were added or removed since the preview
    why: tuple[reasons.Explanation, ...] = ()
    first_round: tuple[FirstRound, ...] = ()  # of a preview that has no lines

    @property
    def asks_everyone(self) -> bool:
        """True if players would be left out because they have not checked in."""
        return bool(self.missing) and self.stage == 1


def load_draw_page(event: Tournament, number: int) -> DrawPage | None:
    """Load the draw of a stage, None if there is no such stage."""
    stage = Stage.objects.filter(tournament=event, number=number).select_related("draw").first()
    if stage is None:
        return None
    inside = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True, waits=False)
    entries = list(inside.select_related("player"))
    names = {entry.number: format_player_name(entry.player) for entry in entries}
    draw: Draw | None = stage.draw if hasattr(stage, "draw") else None
    lines = [DrawnLine(at, names.get(one or 0, "")) for at, one in enumerate(draw.lines, 1)] if draw else []
    has_lines = event_rows.has_lines(stage)
    here = [entry for entry in entries if entry.checked_in_at is not None]
    drawn = {one for one in draw.lines if one is not None} if draw else set()
    wanted = {entry.number for entry in (here if event.needs_check_in else entries)}
    is_public = draw is not None and draw.published_at is not None
    return DrawPage(
        stage=number,
        title=stage.name or formats.format_name(stage.format),
        has_lines=has_lines,
        pairs=tuple(zip(lines[::2], lines[1::2], strict=False)) if has_lines else (),
        order=tuple(line for line in lines if line.name) if not has_lines else (),
        row=draw,
        method=str(DRAWN_BY.get(draw.method, draw.method)) if draw else "",
        is_by_hand=draw is not None and draw.method == BY_HAND,
        commitment=seeding.compute_commitment(event.seed),
        seed=event.seed if is_public else "",
        when=local_times.format_moment(
            draw.published_at or draw.made_at, event.club.time_zone, local_times.format_full_day
        )
        if draw
        else "",
        entered=len(entries),
        here=len(here),
        missing=tuple(names[entry.number] for entry in entries if entry.checked_in_at is None)
        if event.needs_check_in
        else (),
        why=reasons.Explainer(lambda number: names.get(number, "")).of_draw(stage, draw) if draw else (),
        newcomers=len(wanted ^ drawn) if draw and not is_public and not stage.takes else 0,
        first_round=tuple(_pair_first_round(event, stage, names, wanted))
        if draw and not is_public and not has_lines and len(wanted) <= MOST_PAIRED
        else (),
    )


def _pair_first_round(
    event: Tournament, stage: Stage, names: Mapping[int, str], playing: Collection[int]
) -> Iterator[FirstRound]:
    """Pair the first round as publishing will: by the same rule and seed, with the same players."""
    rows = event_rows.load_rows(event)
    # As if it were published: the numbers of groups are drawn already.
    rows.draws[stage.pk].published_at = rows.draws[stage.pk].made_at
    if stage.number == 1:
        rows = replace(rows, entries=[one for one in rows.entries if one.number in playing])
    try:
        places = rules.propose_stages(event_rows.build_event(rows))[stage.name].places
    except (BadOption, KeyError):
        return  # publishing refuses it and says why
    first = [place for place in places if place.round == 1 and place.state is not State.VACANT]
    for group, made in groupby(sorted(first, key=lambda one: one.bracket), key=lambda one: one.bracket):
        title = labels.format_round(1)
        yield FirstRound(
            f"{labels.format_bracket(group)} · {title}" if group else title,
            tuple(
                (names.get(int(one or 0), ""), names.get(int(other or 0), ""))
                for one, other in ((place.a.entrant, place.b.entrant) for place in made)
            ),
        )


@dataclass(frozen=True, slots=True)
class HandDrawSheet:
    stage: int
    title: str
    lines: tuple[int | None, ...]
    people: tuple[tuple[int, str], ...]  # number and name, by name
    witnesses: tuple[str, ...]
    note: str


def load_hand_draw_sheet(event: Tournament, number: int, blank: Sequence[int | None]) -> HandDrawSheet:
    """Return the sheet with the existing draw, or else *blank*.

    Players who have come since are on no line; players who have gone leave an empty line.
    """
    stage = Stage.objects.select_related("draw").get(tournament=event, number=number)
    draw: Draw | None = stage.draw if hasattr(stage, "draw") else None
    there = {one for one in blank if one is not None}
    lines = tuple(blank)
    if draw is not None and len(draw.lines) == len(blank):
        lines = tuple(one if one in there else None for one in draw.lines)
    entries = Entry.objects.filter(tournament=event, number__in=there).select_related("player")
    people = sorted(
        ((entry.number, format_player_name(entry.player)) for entry in entries),
        key=lambda one: (one[1].casefold(), one[0]),
    )
    is_by_hand = draw is not None and draw.method == BY_HAND
    return HandDrawSheet(
        stage=number,
        title=stage.name or formats.format_name(stage.format),
        lines=lines,
        people=tuple(people),
        witnesses=tuple(draw.witnesses) if draw and is_by_hand else (),
        note=draw.note if draw and is_by_hand else "",
    )


def has_unpublished_draw(event: Tournament) -> bool:
    return Draw.objects.filter(stage__tournament=event, published_at__isnull=True).exists()
