"""The changes an act would make, drawn in the current brackets as a preview."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from django.utils.safestring import mark_safe
from django.utils.translation import gettext

from draw.drawing import svg
from draw.drawing.layout import ROOMY, lay_out_blocks
from tournaments.pages import bracket_display, timetable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from draw.comparison import PlaceChange
    from draw.drawing.layout import Block
    from draw.event import Key
    from tournaments.base.event_view import EventView

# Brackets with more matches are drawn only around their changes.
MOST_WHOLE: Final = 31
# Marks of the boxes: the match of the act, one that changes, one whose result no longer counts.
ITSELF, CHANGES, LOSES = "itself", "changes", "loses"


def draw_ripples(
    view: EventView, ripples: Iterable[PlaceChange], lost: Collection[Key], key: str = ""
) -> tuple[str, ...]:
    """Draw each bracket with a marked match; none if only the match with this *key* changes."""
    marks: dict[str, str] = {one.key: LOSES if one.key in lost else CHANGES for one in ripples}
    if not marks.keys() - {key}:
        return ()
    if key:
        marks[key] = ITSELF
    return tuple(_draw_brackets(view, marks))


def _draw_brackets(view: EventView, marks: Mapping[str, str]) -> Iterator[str]:
    label = gettext("What changes in the bracket")
    for part in view.parts:
        if not part.is_sheet:
            continue
        blocks = bracket_display.build_blocks(view, part, "", timetable.UNKNOWN)
        shown = tuple(cut for block in blocks if (cut := _cut_block(block, marks)) is not None)
        if shown:
            yield mark_safe(svg.render_svg(lay_out_blocks(shown, ROOMY), label))  # noqa: S308 - the drawing escapes names


def _cut_block(block: Block, marks: Mapping[str, str]) -> Block | None:
    """Mark the changes in a bracket; reduce a large one to them and the matches that feed them.

    None if nothing in it changes.
    """
    boxes = [box for column in block.columns for box in column.boxes]
    if not any(box.key in marks for box in boxes):
        return None
    wanted = {box.key for box in boxes}
    if len(boxes) > MOST_WHOLE:
        wanted &= marks.keys()
        wanted |= {source for box in boxes if box.key in marks for source, _ in box.feeds}
    columns = [
        replace(
            column,
            boxes=tuple(
                replace(box, mark=marks.get(box.key, "")) for box in column.boxes if box.key in wanted
            ),
        )
        for column in block.columns
    ]
    while not columns[-1].boxes:
        columns.pop()
    first = next(at for at, column in enumerate(columns) if column.boxes)
    return replace(block, columns=tuple(columns[first:]))
