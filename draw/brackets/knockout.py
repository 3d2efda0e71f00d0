"""The knock-out formats: one mechanism, one preset per format (P20 to P35)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from draw import history, seeding
from draw.brackets import builder, late_entries, qualifiers, reasons, redraw
from draw.brackets.finishing_order import rank_within_reach
from draw.brackets.notation import BadNotation
from draw.brackets.resolution import (
    NOBODY,
    Facts,
    Joined,
    Occupant,
    ResolvedPlace,
    ResolvedSheet,
    resolve_spots,
)
from draw.brackets.sheet import Routing, Shape, Sheet, SideBracket
from draw.brackets.simulation import UndecidedSheet
from draw.brackets.structure import FINAL, MAIN, Feed, Node, Source, Structure
from draw.event import (
    Bye,
    EntrantId,
    Field,
    From,
    Key,
    MatchRules,
    Pairing,
    Place,
    Proposal,
    Ranked,
    Seat,
    Stage,
    StalePairing,
    State,
    get_match_rules,
)
from draw.format import Format, FormatKind, Odds, RoundPlan, pgettext
from draw.options import (
    BadOption,
    Choice,
    Flag,
    OptionHeading,
    Options,
    Prominence,
    Specs,
    Text,
    Texts,
    gettext_noop,
    index_options,
)
from draw.random_stream import RandomStream

THIRD_PLACE = Flag(
    "third_place", False, gettext_noop("A match for third place"), heading=OptionHeading.BRACKETS
)
REDRAW = Flag("redraw", False, gettext_noop("Draw every round afresh"), heading=OptionHeading.BRACKETS)
NO_SHOW_DROPS = Flag(
    "no_show_drops",
    False,
    gettext_noop("No-shows play on in the side brackets"),
    heading=OptionHeading.BRACKETS,
)
RECHARGE = Flag(
    "recharge",
    None,
    gettext_noop("The unbeaten finalist must be beaten twice"),
    gettext_noop("In the title match of a double elimination."),
    asked=Prominence.NEVER,
    heading=OptionHeading.BRACKETS,
)
# These options replace the shape that the format prescribes with any shape or notation (P20).
CONSOLATION_SHAPE = Text("consolation", "", gettext_noop("Shape of the consolation"), asked=Prominence.NEVER)
LAST_CHANCE_SHAPE = Text("last_chance", "", gettext_noop("Shape of the last chance"), asked=Prominence.NEVER)
SIDES = Texts("sides", (), gettext_noop("Side brackets, as name: shape"), asked=Prominence.NEVER)
ROUTING = Choice(
    "routing",
    None,
    gettext_noop("How losers find their places"),
    asked=Prominence.NEVER,
    choices={one.value: one.value for one in Routing},
)
OPTIONS = seeding.OPTIONS | index_options(
    THIRD_PLACE,
    REDRAW,
    NO_SHOW_DROPS,
    RECHARGE,
    CONSOLATION_SHAPE,
    LAST_CHANCE_SHAPE,
    SIDES,
    ROUTING,
)
FEW = 2
FEEDS = {
    Feed.LINE: From.DRAW,
    Feed.WINNER: From.WINNER,
    Feed.LOSER: From.LOSER,
    Feed.FIRST: From.LOSER,
    Feed.AGAIN: From.WINNER,
}


def build_sheet(preset: Sheet, options: Options) -> Sheet:
    sides = {side.name: side for side in preset.sides}
    for name, option in (("consolation", CONSOLATION_SHAPE), ("last-chance", LAST_CHANCE_SHAPE)):
        if shape := option.get(options):
            sides[name] = SideBracket(name, shape)
    if THIRD_PLACE.get(options):
        sides["third-place"] = SideBracket("third-place", Shape.THIRD_PLACE)
    for written in SIDES.get(options):
        name, colon, shape = written.partition(":")
        if not colon:
            raise BadOption("sides", f"{written!r} is not of the form name: notation")
        sides[name.strip()] = SideBracket(name.strip(), shape.strip())
    routing = Routing(ROUTING.get(options, preset.routing.value))
    return Sheet(tuple(sides.values()), RECHARGE.get(options, preset.recharge), routing)


def list_brackets(preset: Sheet, options: Options) -> tuple[str, ...]:
    """List the brackets of a sheet, with the title match if a side bracket plays for the title."""
    if REDRAW.get(options):
        return (MAIN,)
    sides = build_sheet(preset, options).sides
    rejoins = any(side.shape == Shape.DOUBLE or side.shape.endswith("X") for side in sides)
    return (MAIN, *(side.name for side in sides), *((FINAL,) if rejoins else ()))


def get_draw(field: Field, rng: RandomStream) -> seeding.DrawnLines:
    """Return the published draw, or a new one (P05)."""
    if field.draw is not None:
        return seeding.DrawnLines(seeding.require_valid_lines(field, field.draw.lines), field.draw.method)
    return make_draw(field, rng)


def make_draw(field: Field, rng: RandomStream) -> seeding.DrawnLines:
    """Draw the entrants present from the start, or all who qualified, ignoring a published draw (P09)."""
    if seeding.get_method(field) == "cross":
        return _draw_crosswise(field)
    missing = () if field.intake else field.rounds[0].absent if field.rounds else field.absent
    there = [one for one in field.entrants if one.arrived <= 1 and one.id not in missing]
    return seeding.draw_lines(field, there, rng.child("draw"))


def _draw_crosswise(field: Field) -> seeding.DrawnLines:
    """Draw group qualifiers so that players of one group meet again late, also in the side brackets (P82)."""
    lines = qualifiers.draw_crosswise(field.intake)
    made = seeding.DrawnLines(lines, "cross", fixed=len(field.intake))
    if len(field.intake) < FEW or REDRAW.get(field.options):
        return made
    structure = build_structure(PRESETS[field.stage.format], field.options, lines)
    lines, again = qualifiers.spread_groups(lines, structure, qualifiers.group_qualifiers(field.intake))
    return replace(made, lines=lines, again=again)


def build_structure(preset: Sheet, options: Options, lines: Sequence[EntrantId | None]) -> Structure:
    byes = frozenset(at for at, entrant in enumerate(lines) if entrant is None)
    try:
        return builder.build_structure(len(lines), byes, build_sheet(preset, options))
    except BadNotation as problem:
        raise BadOption("sides", str(problem)) from problem


def collect_facts(
    field: Field, made: seeding.DrawnLines
) -> tuple[Structure, Facts, tuple[tuple[EntrantId, int], ...], tuple[EntrantId, ...]]:
    """Collect a sheet's places and facts, the line of each latecomer, and the latecomers without a line."""
    structure = build_structure(PRESETS[field.stage.format], field.options, made.lines)
    records = {pairing.key: pairing for batch in field.rounds for pairing in batch.pairings}
    gone = [(one, one.left) for one in field.entrants if one.left is not None]
    # In the order of leaving.
    left = {one.id: when for one, when in sorted(gone, key=lambda each: each[0].left_as)}
    left_as = {one.id: one.left_as for one, _ in gone}
    facts = Facts(made.lines, records, left, left_as, NO_SHOW_DROPS.get(field.options))
    lines, placed, turned_away = late_entries.fill_byes(field, structure, facts)
    joined = {late_entries.parse_seat(one.joins): one.id for one in reversed(field.entrants) if one.joins}
    return structure, replace(facts, lines=lines, joined=joined), placed, turned_away


def open_sheet(field: Field) -> ResolvedSheet:
    """Open the sheet of a published draw for incremental updates.

    :raises BadOption: no draw has been published.
    """
    if field.draw is None:
        raise BadOption("draw", "has not been published")
    structure, facts, _, _ = collect_facts(field, get_draw(field, RandomStream(field.seed)))
    return ResolvedSheet(structure, facts)


def propose(field: Field, rng: RandomStream) -> Proposal:
    """Propose all places with their occupants, and the matches to play now."""
    made = get_draw(field, rng)
    if sum(entrant is not None for entrant in made.lines) < FEW:
        alone = tuple(Ranked(entrant, 1) for entrant in made.lines if entrant is not None)
        return Proposal(ranking=alone, finished=True)
    if REDRAW.get(field.options):
        return redraw.propose(field, made.lines, rng.child("redraw"))
    structure, facts, placed, turned_away = collect_facts(field, made)
    spots = resolve_spots(structure, facts)
    places = _list_places(structure, facts, spots, field)
    byes = _list_byes(places, field)
    stale = _list_stale(places, spots, facts.records, field)
    passing = [bye.entrant for bye in byes]
    why = reasons.collect_reasons(field, made, places, passing, placed, turned_away)
    return Proposal(
        places=places,
        byes=byes,
        ranking=rank_within_reach(structure, facts, spots),
        finished=all(spot.state not in (State.READY, State.WAITING) for spot in spots),
        why=why + reasons.explain_stale(stale),
        stale=stale,
    )


def build_playout(field: Field, rng: RandomStream, odds: Odds) -> UndecidedSheet | None:
    """Prepare the rest of a sheet for simulation. None if every round is drawn afresh."""
    made = get_draw(field, rng)
    if len(made.lines) < FEW or REDRAW.get(field.options):
        return None
    structure, facts, _, _ = collect_facts(field, made)
    spots = resolve_spots(structure, facts)
    lengths = [place.rules.length for place in _list_places(structure, facts, spots, field)]
    return UndecidedSheet(structure, spots, lengths, _build_odds_of_stayers(facts, spots, odds))


def _build_odds_of_stayers(facts: Facts, spots: Sequence[ResolvedPlace], odds: Odds) -> Odds:
    """Return the odds with which those who have left lose each match that has not been made (P33)."""
    left, left_as = facts.left, facts.left_as
    open_matches = {frozenset((spot.a, spot.b)) for spot in spots if spot.state is State.READY}

    def find_odds(one: EntrantId, other: EntrantId, length: int) -> float:
        gone = (one in left, other in left)
        if not any(gone) or frozenset((one, other)) in open_matches:
            return odds(one, other, length)
        return float(history.find_winner_without_play((one, other), gone, left_as) == one)

    return find_odds if left else odds


def preview_rounds(preset: Sheet, options: Options, entrants: int) -> tuple[RoundPlan, ...]:
    """Plan the rounds for this number of entrants (P22)."""
    if entrants < FEW:
        return ()
    lines = seeding.place_seeds([EntrantId(str(at)) for at in range(entrants)])
    structure = build_structure(preset, options, lines)
    return tuple(
        RoundPlan(
            bracket=bracket.name,
            round=number,
            letter=bracket.letters[number - 1] if number <= len(bracket.letters) else "",
            slot=bracket.slots[number - 1],
            drops="".join(f"{drop}" for drop, _ in bracket.sizes[number - 1].drops) if bracket.sizes else "",
            survivors=bracket.sizes[number - 1].survivors if bracket.sizes else 0,
            matches=sum(structure.comers[node] == FEW for node in row),
            byes=sum(structure.comers[node] == 1 for node in row),
        )
        for bracket in structure.brackets
        for number, row in enumerate(bracket.rounds, start=1)
    )


def _list_places(
    structure: Structure, facts: Facts, spots: Sequence[ResolvedPlace], field: Field
) -> tuple[Place, ...]:
    rules = map_rules(structure, field.stage)
    places = (
        build_place(structure, node, spot, rules[node.bracket, node.round], facts.joined)
        for node, spot in zip(structure.nodes, spots, strict=True)
    )
    # A match is not due while one of its players is away.
    return tuple(
        replace(place, state=State.WAITING)
        if place.state is State.READY and not field.absent.isdisjoint(place.entrants)
        else place
        for place in places
    )


def map_rules(structure: Structure, stage: Stage) -> dict[tuple[str, int], MatchRules]:
    return {
        (bracket.name, number): get_match_rules(stage, bracket.name, number, len(bracket.rounds))
        for bracket in structure.brackets
        for number in range(1, len(bracket.rounds) + 1)
    }


def build_place(
    structure: Structure,
    node: Node,
    spot: ResolvedPlace,
    rules: MatchRules,
    joined: Mapping[Joined, EntrantId],
) -> Place:
    if spot.actual is not None:
        winner = spot.actual.winner or NOBODY
        loser = NOBODY if winner is NOBODY else spot.b if winner == spot.a else spot.a
        spot = replace(spot, result=spot.actual, winner=winner, loser=loser)
    return Place(
        key=node.key,
        a=_build_seat(structure, node.a, spot.a, joined.get((node.key, "a"))),
        b=_build_seat(structure, node.b, spot.b, joined.get((node.key, "b"))),
        state=spot.state,
        round=node.round,
        number=node.number,
        bracket=node.bracket,
        winner=None if spot.winner is NOBODY else spot.winner,
        loser=None if spot.loser is NOBODY else spot.loser,
        result=spot.result,
        rules=rules,
    )


def _build_seat(structure: Structure, source: Source, occupant: Occupant, guest: EntrantId | None) -> Seat:
    if source.feed is Feed.LINE:
        if occupant is NOBODY:
            return Seat(From.NOBODY, number=source.index + 1)
        return Seat(From.DRAW, number=source.index + 1, entrant=occupant)
    if occupant is NOBODY:
        return Seat(From.NOBODY, structure.nodes[source.index].key)
    feed = From.LATE if occupant is not None and occupant == guest else FEEDS[source.feed]
    return Seat(feed, structure.nodes[source.index].key, entrant=occupant)


def _list_byes(places: Sequence[Place], field: Field) -> tuple[Bye, ...]:
    """List the unrecorded byes of entrants whose next match has not been made."""
    given = Counter(bye.entrant for batch in field.rounds for bye in batch.byes)
    made = {pairing.key for batch in field.rounds for pairing in batch.pairings}
    at = {one: index for index, place in enumerate(places) if place.key in made for one in place.entrants}
    found: list[EntrantId] = []
    for index, place in enumerate(places):
        passer = place.winner
        if place.state is not State.BYE or passer is None:
            continue
        if given[passer]:
            given[passer] -= 1
        # A file that never records byes would otherwise get the first round's byes in every answer.
        elif index > at.get(passer, -1) and (passer in at or given or not made) and passer not in found:
            found.append(passer)
    order = {one.id: position for position, one in enumerate(field.entrants)}
    return tuple(Bye(passer) for passer in sorted(found, key=order.__getitem__))


def _list_stale(
    places: Sequence[Place], spots: Sequence[ResolvedPlace], records: Mapping[Key, Pairing], field: Field
) -> tuple[StalePairing, ...]:
    """List recorded pairings whose two players do not meet at that place, or no longer do (P36)."""
    by_key = {place.key: (place, spot) for place, spot in zip(places, spots, strict=True)}
    stale: list[StalePairing] = []
    for key, pairing in records.items():
        place, spot = by_key.get(key, (None, None))
        if place is None or spot is None or spot.stale:
            stale.append(StalePairing(pairing, field.stage.name, () if place is None else place.entrants))
    return tuple(stale)


def _adapt_options(preset: Sheet) -> Specs:
    """Return the options that pages show differently because of the preset's side brackets."""
    if preset.recharge:
        never: tuple[Flag, ...] = (REDRAW, THIRD_PLACE)
        recharge = replace(RECHARGE, asked=Prominence.IF_WANTED, default=True)
    else:
        never = (REDRAW,) if preset.sides else (NO_SHOW_DROPS,)
        # The losers of the semi-finals cannot have a second match where they drop already.
        if any(side.shape in {Shape.PROGRESSIVE, Shape.FIRST_MATCH} for side in preset.sides):
            never = (*never, THIRD_PLACE)
        recharge = RECHARGE
    return index_options(recharge, *(replace(one, asked=Prominence.NEVER) for one in never))


def _build_format(label: str, preset: Sheet) -> Format:
    sides = tuple(side.name for side in preset.sides)
    return Format(
        propose=propose,
        label=label,
        kind=FormatKind.ELIMINATION,
        brackets=(*sides, FINAL) if preset.recharge else sides,
        list_brackets=partial(list_brackets, preset),
        options=OPTIONS | _adapt_options(preset),
        sentences=reasons.SENTENCES,
        fixed=True,
        playout=build_playout,
        preview=partial(preview_rounds, preset),
    )


PRESETS = {
    "single-elimination": Sheet(()),
    "consolation": Sheet((SideBracket("consolation", Shape.FIRST_ROUND),)),
    "progressive-consolation": Sheet((SideBracket("consolation", Shape.PROGRESSIVE),)),
    "last-chance": Sheet(
        (SideBracket("consolation", Shape.PROGRESSIVE), SideBracket("last-chance", Shape.FULL))
    ),
    "feed-in": Sheet((SideBracket("consolation", Shape.TO_QUARTERS),)),
    "first-match-losers": Sheet((SideBracket("consolation", Shape.FIRST_MATCH),)),
    "double-elimination": Sheet((SideBracket("losers", Shape.DOUBLE),), recharge=True),
}
LABELS = {
    "single-elimination": pgettext("event format", "Knock-out"),
    "consolation": pgettext("event format", "Knock-out, consolation for the first round"),
    "progressive-consolation": pgettext("event format", "Knock-out with consolation"),
    "last-chance": pgettext("event format", "Knock-out, consolation and last chance"),
    "feed-in": pgettext("event format", "Knock-out, feed-in consolation"),
    "first-match-losers": pgettext("event format", "Knock-out, consolation for first-match losers"),
    "double-elimination": pgettext("event format", "Double elimination"),
}
# In display order.
FORMATS = {name: _build_format(label, PRESETS[name]) for name, label in LABELS.items()}
