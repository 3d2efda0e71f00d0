"""Previews of acts: in words, and drawn in the current brackets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from draw.comparison import PlaceChange, PlaceChangeKind
from draw.drawing import svg
from draw.drawing.layout import ROOMY, Block, lay_out_blocks
from draw.event import EntrantId, Key, Place, Proposal, Ranked, Result, State
from tournaments.base.event_view import EventView, MatchView
from tournaments.models.pairings import ResultKind
from tournaments.pages import bracket_display, timetable
from tournaments.play.preview import ActPreview

MOST_PLACES: Final = 8
Words = dict[str, str]


@dataclass(frozen=True, slots=True)
class Effect:
    place: str
    sentence: str
    is_lost: bool
    key: str = ""


@dataclass(frozen=True, slots=True)
class Preview:
    effects: tuple[Effect, ...]
    order: tuple[str, ...]
    lost: int
    # The number of dropped reports in words, "" if there are none.
    dropped: str = ""
    # The number of matches at a table that would lose a player.
    interrupted: int = 0
    # A sentence about the place of a new player, which is not a change of a match.
    note: str = ""
    # The brackets with changes as SVG, with the changed matches marked.
    sheets: tuple[str, ...] = ()
    # The preview with later results kept; None if that is not possible.
    instead: Preview | None = None

    @property
    def is_harmless(self) -> bool:
        """True if every result and report still counts and no match at a table loses a player."""
        return not self.lost and not self.dropped and not self.interrupted

    @property
    def summary(self) -> str:
        if not self.effects:
            return _("No match changes.")
        sentence = ngettext("%(count)s match changes", "%(count)s matches change", len(self.effects)) % {
            "count": len(self.effects)
        }
        if not self.lost:
            return f"{sentence}."
        lost = ngettext(
            "%(count)s result no longer counts", "%(count)s results no longer count", self.lost
        ) % {"count": self.lost}
        return f"{sentence}; {lost}."


def describe_preview(view: EventView, seen: ActPreview) -> Preview:
    places = {place.key: place for place in seen.after.places}
    effects = [
        _build_effect(view, one, places.get(one.key), is_lost=one.key in seen.lost) for one in seen.ripples
    ]
    effects += [*_list_seating_effects(view, seen.after, seen.seated, {effect.key for effect in effects})]
    order = tuple(_describe_order(view, seen.before.ranking, seen.after.ranking))
    interrupted, dropped = sum(_is_interrupted(view, one) for one in seen.ripples), ""
    if seen.dropped:
        dropped = ngettext(
            "%(count)s reported result is dropped.", "%(count)s reported results are dropped.", seen.dropped
        ) % {"count": seen.dropped}
    return Preview(tuple(effects), order, len(seen.lost), dropped, interrupted)


def _is_interrupted(view: EventView, one: PlaceChange) -> bool:
    play = view.by_key.get(one.key)
    if play is None or one.change not in {PlaceChangeKind.SWAPS, PlaceChangeKind.FALLS}:
        return False
    return play.is_open and bool(play.table or play.board or play.running)


def _build_effect(view: EventView, one: PlaceChange, now: Place | None, *, is_lost: bool) -> Effect:
    play = view.by_key.get(one.key)
    words = {
        "before": _format_players(view, one.before),
        "after": _format_players(view, one.after),
        "result": _describe_result(view, one.result_after),
    }
    sentence = SENTENCES[one.change](words, one, now)
    if is_lost:
        sentence += " " + _("The recorded result no longer counts.")
    return Effect(str(one.key) if play is None else _describe_place(view, play), sentence, is_lost, one.key)


def _describe_place(view: EventView, play: MatchView) -> str:
    part = view.part_of[play.stage_id]
    at = {"round": view.label(play), "number": play.number}
    return _("%(round)s, match %(number)s") % at if part.is_sheet else view.label(play)


def _list_seating_effects(
    view: EventView, after: Proposal, seated: Mapping[EntrantId, str], done_keys: Collection[str]
) -> Iterator[Effect]:
    """Yield matches with a replaced player: decided ones only if two players are exchanged."""
    before = {view.by_number[int(one)].name for one in seated if int(one) in view.by_number}
    is_mixed_up = set(seated.values()) <= before
    states = {State.READY, State.DECIDED} if is_mixed_up else {State.READY}
    for place in after.places:
        play = view.by_key.get(place.key)
        is_other = place.state in states and any(one in seated for one in place.entrants)
        if play is None or not is_other or place.key in done_keys:
            continue
        old = _format_players(view, place.entrants)
        new = _join_names([seated.get(one) or _format_name(view, one) for one in place.entrants])
        sentence = _("%(after)s instead of %(before)s.") % {"after": new, "before": old}
        if play.is_open and view.event.waits_for_call and play.called_at is not None:
            sentence += " " + _("The match is called again.")
        yield Effect(_describe_place(view, play), sentence, is_lost=False, key=place.key)


# The change of one match: a function for each kind of change


def _describe_turns(words: Words, one: PlaceChange, _now: Place | None) -> str:
    if one.result_after is None:
        return _("%(after)s: to be played again.") % words
    if one.result_before is None:
        return _("%(after)s: %(result)s.") % words
    return _("%(after)s: now %(result)s.") % words


def _describe_swaps(words: Words, one: PlaceChange, _now: Place | None) -> str:
    if one.result_after is not None:
        return _("%(after)s instead of %(before)s: %(result)s.") % words
    return _("%(after)s instead of %(before)s.") % words


def _describe_falls(words: Words, one: PlaceChange, now: Place | None) -> str:
    if now is None or now.state is State.VACANT:
        return _("%(before)s no longer meet.") % words
    if now.state is State.BYE:
        return _("%(before)s no longer meet: %(after)s goes on without playing.") % words
    if one.after:
        return _("%(before)s no longer meet; who %(after)s will meet is not known yet.") % words
    return _("%(before)s no longer meet; the new pairing is not known yet.") % words


def _describe_arises(words: Words, one: PlaceChange, _now: Place | None) -> str:
    if one.result_after is not None:
        return _("%(after)s: %(result)s.") % words
    return _("%(after)s meet.") % words


def _describe_passes(words: Words, one: PlaceChange, now: Place | None) -> str:
    if not one.before:
        return _("%(after)s goes on without playing.") % words
    if one.after:
        return _("%(after)s, not %(before)s, goes on without playing.") % words
    if now is not None and one.before[0] in now.entrants:
        return _("%(before)s no longer goes on without playing: an opponent will come.") % words
    return _("%(before)s no longer comes here.") % words


SENTENCES: Final[dict[PlaceChangeKind, Callable[[Words, PlaceChange, Place | None], str]]] = {
    PlaceChangeKind.TURNS: _describe_turns,
    PlaceChangeKind.SWAPS: _describe_swaps,
    PlaceChangeKind.FALLS: _describe_falls,
    PlaceChangeKind.ARISES: _describe_arises,
    PlaceChangeKind.PASSES: _describe_passes,
}


def _format_players(view: EventView, two: Iterable[str]) -> str:
    return _join_names([_format_name(view, one) for one in two])


def _join_names(found: Sequence[str]) -> str:
    if len(found) < 2:
        return "".join(found)
    return _("%(one)s and %(other)s") % {"one": found[0], "other": found[1]}


def _format_name(view: EventView, one: str) -> str:
    who = view.by_number.get(int(one))
    return who.name if who is not None else _("the newcomer")


def _describe_result(view: EventView, result: Result | None) -> str:
    if result is None:
        return ""
    ended = str(ResultKind(result.kind.value).label)
    if result.winner is None:
        return ended
    name = _format_name(view, result.winner)
    if result.score is not None and result.contested:
        high, low = max(result.score), min(result.score)
        return _("%(name)s won %(score)s") % {"name": name, "score": f"{high}–{low}"}  # noqa: RUF001
    if result.contested:
        return _("%(name)s won") % {"name": name}
    return _("%(name)s won (%(how)s)") % {"name": name, "how": ended}


def _describe_order(view: EventView, before: Iterable[Ranked], after: Iterable[Ranked]) -> Iterable[str]:
    """Yield a sentence for each of the first changed places."""
    old = {one.entrant: one for one in before}
    changed = (one for one in after if one.entrant in old and _is_worth_saying(old[one.entrant], one))
    for one in islice(changed, MOST_PLACES):
        yield _("%(name)s: place %(after)s, not %(before)s") % {
            "name": _format_name(view, one.entrant),
            "after": one.places,
            "before": old[one.entrant].places,
        }


def _is_worth_saying(before: Ranked, after: Ranked) -> bool:
    """True unless only the last place that a player can still reach has changed, as others joined or left."""
    is_in = before.is_open and after.is_open
    return before.rank != after.rank if is_in else before.places != after.places


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
    drawn: list[str] = []
    for part in view.parts:
        if not part.is_sheet:
            continue
        blocks = bracket_display.build_blocks(view, part, "", timetable.UNKNOWN)
        shown = tuple(cut for block in blocks if (cut := _cut_block(block, marks)) is not None)
        if shown:
            picture = svg.render_svg(lay_out_blocks(shown, ROOMY), _("What changes in the bracket"))
            drawn.append(mark_safe(picture))  # noqa: S308 - the drawing escapes names
    return tuple(drawn)


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
        wanted |= {source for box in boxes if box.key in marks for source, _seat in box.feeds}
    columns = []
    for column in block.columns:
        visible = (box for box in column.boxes if box.key in wanted)
        columns.append(
            replace(column, boxes=tuple(replace(box, mark=marks.get(box.key, "")) for box in visible))
        )
    while not columns[-1].boxes:
        columns.pop()
    first = next(at for at, column in enumerate(columns) if column.boxes)
    return replace(block, columns=tuple(columns[first:]))
